import { remembered, singularName } from '../meaning/names.ts';

/** The suffix of a path, which names a media type as a file extension does: `/Accounts/{Sid}.json`. */
const SUFFIX = /\.(?:json|xml|\{_?format\})$/i;

/** A path that ends in a parameter is an item of the collection before it. */
const ITEM = /^(.*)\/\{([^/{}]+)\}$/;

/** A path without its suffix. */
export const withoutSuffix = remembered((path) => path.replace(SUFFIX, '').replace(/\/$/, ''));

/** The parts of an item's path; undefined: the path does not end in a parameter. */
export function itemOf(path: string): { readonly above: string; readonly parameter: string } | undefined {
  const [, above, parameter] = ITEM.exec(withoutSuffix(path)) ?? [];
  return above === undefined || parameter === undefined ? undefined : { above, parameter };
}

/** The path of the collection that a path belongs to: without the parameter at its end. */
export const collectionPath = (path: string): string => itemOf(path)?.above ?? withoutSuffix(path);

/** The path parameter with the id of the record, for a path of one record. */
export function idParameter(path: string): string | undefined {
  return /.*\{([^{}]+)\}/.exec(withoutSuffix(path))?.[1];
}

/** The last segment that is no parameter, without a suffix. */
export function lastSegment(path: string): string | undefined {
  return withoutSuffix(path)
    .split('/')
    .findLast((segment) => segment !== '' && !segment.startsWith('{'));
}

/** The noun of a collection's records: `pet` for `/shops/{shopId}/pets`. */
export const recordName = remembered((path) => singularName(lastSegment(path) ?? ''));

/** A path with its last segment in the singular: one key for `/pet` and `/pets`. */
export function singularPath(path: string): string {
  const end = path.lastIndexOf('/') + 1;
  return `${path.slice(0, end)}${singularName(path.slice(end))} in the singular`;
}
