import { remembered, singularName } from '../meaning/names.ts';

/** `/Accounts/{Sid}.json` in parts: a media type may end the path as it does a file name. */
const SUFFIX = /\.(?:json|xml|\{_?format\})$/i;

/** A path that ends in a parameter is an item of the collection before it. */
const ITEM = /^(.*)\/\{([^/{}]+)\}$/;

/** A path without a suffix for its format. */
export const withoutSuffix = remembered((path) => path.replace(SUFFIX, '').replace(/\/$/, ''));

/** The path of an item taken apart; undefined: it ends in no parameter. */
export function itemOf(path: string): { readonly above: string; readonly parameter: string } | undefined {
  const [, above, parameter] = ITEM.exec(withoutSuffix(path)) ?? [];
  return above === undefined || parameter === undefined ? undefined : { above, parameter };
}

/** The path of the collection that an item is of; any other path is a collection's own. */
export const collectionPath = (path: string): string => itemOf(path)?.above ?? withoutSuffix(path);

/** The path parameter with the id, of an operation on one record. */
export function idParameter(path: string): string | undefined {
  return /.*\{([^{}]+)\}/.exec(withoutSuffix(path))?.[1];
}

/** The last segment that is no parameter, without a suffix. */
export function lastSegment(path: string): string | undefined {
  return withoutSuffix(path)
    .split('/')
    .findLast((segment) => segment !== '' && !segment.startsWith('{'));
}

/** The name of what a collection holds: `pet` of `/shops/{shopId}/pets`. */
export const recordName = remembered((path) => singularName(lastSegment(path) ?? ''));

/** One key for `/pet` and `/pets`. */
export function singularPath(path: string): string {
  const end = path.lastIndexOf('/') + 1;
  return `${path.slice(0, end)}${singularName(path.slice(end))} in the singular`;
}
