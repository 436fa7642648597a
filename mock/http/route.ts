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
  readonly names: readonly string[];
  readonly pattern: RegExp;
  readonly methods: ReadonlyMap<string, T>;
}

const NO_PARAMETERS = {};

/**
 * Compiles the paths of the document below a base path. Concrete paths are looked up in a map, before templated
 * ones (OpenAPI 3.1 §4.8.8.2), of which the one with the longer fixed prefix goes first.
 */
export function compileRoutes<T extends { readonly operation: Operation }>(
  basePath: string,
  endpoints: readonly T[],
): Router<T> {
  const fixed = new Map<string, RouteMatch<T>>();
  const templates = new Map<string, Template<T>>();
  for (const [path, own] of Map.groupBy(endpoints, ({ operation }) => basePath + operation.path)) {
    const methods = new Map(own.map((endpoint) => [endpoint.operation.method as string, endpoint]));
    if (path.includes('{')) templates.set(path, compileTemplate(path, methods));
    else fixed.set(path, { methods, path: NO_PARAMETERS });
  }
  const ordered = [...templates].sort(([left], [right]) => comparePaths(left, right)).map(([, t]) => t);
  return (path) => fixed.get(path) ?? matchTemplate(ordered, path);
}

function matchTemplate<T>(templates: readonly Template<T>[], path: string): RouteMatch<T> | undefined {
  for (const { pattern, names, methods } of templates) {
    const match = pattern.exec(path);
    if (!match) continue;
    const values: Record<string, string> = {};
    for (let index = 0; index < names.length; index++) {
      values[names[index] as string] = percentDecode(match[index + 1] as string);
    }
    return { methods, path: values };
  }
  return undefined;
}

function compileTemplate<T>(path: string, methods: Template<T>['methods']): Template<T> {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string);
  const source = path
    .split(/\{[^}]+\}/)
    .map(RegExp.escape)
    .join('([^/]+)');
  return { names, pattern: new RegExp(`^${source}$`), methods };
}

/** Segment by segment: fixed text precedes a parameter. */
function comparePaths(left: string, right: string): number {
  const rights = right.split('/');
  for (const [index, segment] of left.split('/').entries()) {
    const difference = Number(segment.includes('{')) - Number((rights[index] ?? '').includes('{'));
    if (difference !== 0) return difference;
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
