import type { Operation } from '#spec';

/** What a path of the document offers. */
export interface Found<T> {
  readonly methods: ReadonlyMap<string, T>;
  /** Percent-decoded texts by parameter name. */
  readonly path: Readonly<Record<string, string>>;
}

/** Finds what is offered under a path; undefined: no path of the document matches. */
export type Finder<T> = (path: string) => Found<T> | undefined;

interface Template<T> {
  readonly names: readonly string[];
  readonly pattern: RegExp;
  readonly methods: Map<string, T>;
}

const NO_PARAMETERS = {};

/**
 * Compiles the paths of the document, a base path before each. Concrete paths are looked up at once and
 * before templated ones (OpenAPI 3.1 §4.8.8.2), of which the one with the longer fixed beginning goes first.
 */
export function compileRoutes<T extends { readonly operation: Operation }>(
  basePath: string,
  endpoints: readonly T[],
): Finder<T> {
  const fixed = new Map<string, Found<T>>();
  const templates = new Map<string, Template<T>>();
  for (const endpoint of endpoints) {
    const path = basePath + endpoint.operation.path;
    const methods = path.includes('{')
      ? emplace(templates, path, () => compileTemplate<T>(path)).methods
      : (emplace(fixed, path, () => ({ methods: new Map(), path: NO_PARAMETERS })).methods as Map<string, T>);
    methods.set(endpoint.operation.method, endpoint);
  }
  const ordered = [...templates].sort(([left], [right]) => comparePaths(left, right)).map(([, t]) => t);
  return (path) => fixed.get(path) ?? matchTemplate(ordered, path);
}

function matchTemplate<T>(templates: readonly Template<T>[], path: string): Found<T> | undefined {
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

function compileTemplate<T>(path: string): Template<T> {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string);
  const source = path
    .split(/\{[^}]+\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]+)');
  return { names, pattern: new RegExp(`^${source}$`), methods: new Map() };
}

/** Segment by segment: fixed text goes before a parameter. */
function comparePaths(left: string, right: string): number {
  const rights = right.split('/');
  for (const [index, segment] of left.split('/').entries()) {
    const difference = Number(segment.includes('{')) - Number((rights[index] ?? '').includes('{'));
    if (difference !== 0) return difference;
  }
  return 0;
}

/** What is no percent-encoding (RFC 3986 §2.1) stays as it is: no id will be equal to it. */
function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function emplace<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
