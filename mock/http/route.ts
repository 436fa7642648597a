import type { Operation } from '#spec';

/** A path of the document that matches. */
export interface RouteMatch<T> {
  readonly methods: ReadonlyMap<string, T>;
  /** Percent-decoded path parameters by name. */
  readonly path: Readonly<Record<string, string>>;
}

/** Matches a path; undefined: no path of the document does. */
export type Router<T> = (path: string) => RouteMatch<T> | undefined;

interface Template<T> {
  /** Of each group of the pattern: more than one where the document names a parameter differently for other methods. */
  readonly names: readonly (readonly string[])[];
  readonly pattern: RegExp;
  readonly methods: ReadonlyMap<string, T>;
}

const NO_PARAMETERS = {};

/**
 * Compiles the paths of the document below a base path. Concrete paths are looked up in a map, before templated
 * ones (OpenAPI 3.1 §4.8.8.2), of which the one with the longer fixed prefix goes first. Templates that differ in the
 * names of their parameters only are one path.
 */
export function compileRoutes<T extends { readonly operation: Operation }>(
  basePath: string,
  endpoints: readonly T[],
): Router<T> {
  const fixed = new Map<string, RouteMatch<T>>();
  const templates = new Map<string, [path: string, own: readonly T[]][]>();
  for (const [path, own] of Map.groupBy(endpoints, ({ operation }) => basePath + operation.path)) {
    const methods = new Map(own.map((endpoint) => [endpoint.operation.method as string, endpoint]));
    const form = path.replace(PARAMETER, '{}');
    if (path.includes('{')) templates.set(form, [...(templates.get(form) ?? []), [path, own]]);
    else fixed.set(path, { methods, path: NO_PARAMETERS });
  }
  const ordered = [...templates]
    .sort(([left], [right]) => comparePaths(left, right))
    .map(([form, alike]) => compileTemplate(form, alike));
  return (path) => fixed.get(path) ?? matchTemplate(ordered, path);
}

function matchTemplate<T>(templates: readonly Template<T>[], path: string): RouteMatch<T> | undefined {
  for (const { pattern, names, methods } of templates) {
    const match = pattern.exec(path);
    if (!match) continue;
    const values: Record<string, string> = {};
    for (let index = 0; index < names.length; index++) {
      const value = percentDecode(match[index + 1] as string);
      for (const name of names[index] ?? []) values[name] = value;
    }
    return { methods, path: values };
  }
  return undefined;
}

/** The first of several operations with the same method counts. */
function compileTemplate<T extends { readonly operation: Operation }>(
  form: string,
  alike: readonly (readonly [path: string, own: readonly T[]])[],
): Template<T> {
  const namesOf = alike.map(([path]) => [...path.matchAll(PARAMETER)].map(([, name]) => name as string));
  const names = (namesOf[0] ?? []).map((_, index) => [
    ...new Set(namesOf.map((own) => own[index] as string)),
  ]);
  const source = form.split('{}').map(RegExp.escape).join('([^/]+)');
  const endpoints = alike.flatMap(([, own]) => own).reverse();
  const methods = new Map(endpoints.map((endpoint) => [endpoint.operation.method as string, endpoint]));
  return { names, pattern: new RegExp(`^${source}$`), methods };
}

const PARAMETER = /\{([^}]+)\}/g;

/** Segment by segment: fixed text precedes a parameter, and more of it beside a parameter precedes less. */
function comparePaths(left: string, right: string): number {
  const rights = right.split('/');
  for (const [index, segment] of left.split('/').entries()) {
    const other = rights[index] ?? '';
    const difference = Number(segment.includes('{')) - Number(other.includes('{'));
    if (difference !== 0) return difference;
    if (segment.includes('{') && segment.length !== other.length) return other.length - segment.length;
  }
  return 0;
}

/** Invalid percent-encoding (RFC 3986 §2.1) stays as it is: no id equals it. */
function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
