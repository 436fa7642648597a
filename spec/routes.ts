import type { Operation } from './operation.ts';
import { percentDecode } from './parameter-style.ts';
import { escapeText } from './pattern/pattern.ts';

/** A path of the document that matches. */
export interface RouteMatch<T> {
  readonly methods: ReadonlyMap<string, T>;
  /** Path parameters by name, percent-encoded as sent. */
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
 * ones (OpenAPI 3.1 §4.8.8.2), of which the one with the longer fixed prefix goes first. Paths are compared decoded.
 * Templates that differ in the names of their parameters only are one path.
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
    else fixed.set(decodeSegments(path), { methods, path: NO_PARAMETERS });
  }
  const ordered = [...templates]
    .sort(([left], [right]) => comparePaths(left, right))
    .map(([form, alike]) => compileTemplate(form, alike));
  const match = (path: string) => fixed.get(decodeSegments(path)) ?? matchTemplate(ordered, path);
  return (path) => match(path.includes('%') ? normalize(path) : path);
}

function matchTemplate<T>(templates: readonly Template<T>[], path: string): RouteMatch<T> | undefined {
  for (const { pattern, names, methods } of templates) {
    const match = pattern.exec(path);
    if (!match) continue;
    const values: Record<string, string> = Object.create(null);
    for (let index = 0; index < names.length; index++) {
      for (const name of names[index] ?? []) values[name] = match[index + 1] as string;
    }
    return { methods, path: values };
  }
  return undefined;
}

/** Templates that differ in the names of their parameters only, each with methods of its own. */
function compileTemplate<T extends { readonly operation: Operation }>(
  form: string,
  alike: readonly (readonly [path: string, own: readonly T[]])[],
): Template<T> {
  const namesOf = alike.map(([path]) => [...path.matchAll(PARAMETER)].map(([, name]) => name as string));
  const names = (namesOf[0] ?? []).map((_, index) => [
    ...new Set(namesOf.map((own) => own[index] as string)),
  ]);
  const source = form
    .split('{}')
    .map((text) => [...decodeSegments(text)].map(spelled).join(''))
    .join('([^/]+)');
  const endpoints = alike.flatMap(([, own]) => own);
  const methods = new Map(endpoints.map((endpoint) => [endpoint.operation.method as string, endpoint]));
  return { names, pattern: new RegExp(`^${source}$`), methods };
}

const PARAMETER = /\{([^}]+)\}/g;

/** RFC 3986 §2.2: delimiters, which keep their meaning only as they are; `%` itself would be decoded twice. */
const RESERVED = /[:?#[\]@!$&'()*+,;=%]/;

/** A fixed character, or its encoding where {@link normalize} leaves that as it is. */
function spelled(character: string): string {
  const plain = escapeText(character);
  if (!RESERVED.test(character)) return plain;
  return `(?:${plain}|${encodeSign(character)})`;
}

/** RFC 3986 §6.2.2: without encoding where it makes no difference, and with upper-case digits where it does. */
function normalize(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    const decoded = percentDecode(encoded);
    // No UTF-8: no path of the document, and no id.
    if (decoded === encoded) return encoded;
    return [...decoded]
      .map((sign) => (RESERVED.test(sign) || sign === '/' ? encodeSign(sign) : sign))
      .join('');
  });
}

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

/** A path decoded but for its encoded slashes, which are no delimiters. */
function decodeSegments(path: string): string {
  if (!path.includes('%')) return path;
  const decode = (segment: string) => percentDecode(segment).replaceAll('/', '%2F');
  return path.split('/').map(decode).join('/');
}

function encodeSign(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
