import { createTable } from './json/json-value.ts';
import type { Operation } from './operation.ts';
import { percentDecode } from './parameter-style.ts';
import { escapeText } from './pattern/pattern.ts';
import { longestFirst } from './server.ts';

/** A match of a path with one of the document. */
export interface RouteMatch<T> {
  readonly methods: ReadonlyMap<string, T>;
  /** Path parameters by name, percent-encoded as sent. */
  readonly path: Readonly<Record<string, string>>;
  /** The base path of the match. */
  readonly basePath: string;
  /** How a trailing slash was changed to match, if only the request or only the document has one; absent if it was not. */
  readonly slash?: 'left out' | 'added';
}

/**
 * Matches a path; undefined if no path of the document matches.
 * @param method the preferred method if the path exists below several base paths
 */
export type Router<T> = (path: string, method?: string) => RouteMatch<T> | undefined;

type Matched<T> = Omit<RouteMatch<T>, 'basePath'>;

const NO_PARAMETERS = {};

/**
 * Compiles the paths of a document, each below all of its base paths; the longest base path is tried first. Concrete
 * paths are looked up in a map before templated ones (OpenAPI 3.1 §4.8.8.2), of which those with a longer fixed prefix
 * have precedence. Paths are compared decoded. Templates that differ only in parameter names are one path.
 */
export function compileRoutes<T extends { readonly operation: Operation }>(
  endpoints: readonly T[],
  placeOf: (endpoint: T) => Pick<Operation, 'path' | 'basePaths'> = ({ operation }) => operation,
): Router<T> {
  const below = new Map<string, T[]>();
  for (const endpoint of endpoints)
    for (const basePath of new Set(placeOf(endpoint).basePaths)) {
      const group = below.get(basePath);
      if (group) group.push(endpoint);
      else below.set(basePath, [endpoint]);
    }
  const compiled: (readonly [served: readonly T[], find: FindBelow<T>])[] = [];
  const bases = longestFirst(below.keys()).map((basePath) => {
    const served = below.get(basePath) as T[];
    // Most base paths have the same operations.
    const sharedFind = compiled.find(([others]) => isSameList(others, served))?.[1];
    const find = sharedFind ?? compileBelow(served, (endpoint) => placeOf(endpoint).path);
    if (!sharedFind) compiled.push([served, find]);
    return { basePath, text: decodeSegments(basePath), depth: basePath.split('/').length, find };
  });
  return (path, method) => {
    const normal = path.includes('%') ? normalize(path) : path;
    let first: RouteMatch<T> | undefined;
    for (const { basePath, text, depth, find } of bases) {
      const start = endOf(text, depth, normal);
      const match = start < 0 ? undefined : find(normal, start);
      if (!match) continue;
      const routeMatch = { methods: match.methods, path: match.path, basePath };
      if (method === undefined || match.methods.has(method)) return routeMatch;
      first ??= routeMatch;
    }
    return first;
  };
}

function isSameList<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** Where a path continues after a base path; -1: it does not start with it. */
function endOf(basePath: string, depth: number, path: string): number {
  if (path.startsWith(basePath) && path[basePath.length] === '/') return basePath.length;
  if (!path.includes('%')) return -1;
  const beginning = path.split('/').slice(0, depth).join('/');
  const isSame = beginning.length < path.length && decodeSegments(beginning) === basePath;
  return isSame ? beginning.length : -1;
}

/** Ignores a trailing slash if the document has the path in one form only. */
export function withAnySlash<T>(find: Router<T>): Router<T> {
  return (path, method) => {
    const exact = find(path, method);
    if (exact || path === '/') return exact;
    const isLeftOut = path.endsWith('/');
    const match = find(isLeftOut ? path.slice(0, -1) : `${path}/`, method);
    return match && { ...match, slash: isLeftOut ? 'left out' : 'added' };
  };
}

/** Matches the rest of a path, which starts at `start`, after the base path. */
type FindBelow<T> = (path: string, start: number) => Matched<T> | undefined;

function compileBelow<T extends { readonly operation: Operation }>(
  endpoints: readonly T[],
  pathOf: (endpoint: T) => string,
): FindBelow<T> {
  const fixed = new Map<string, Matched<T>>();
  const templates = new Map<string, [path: string, group: readonly T[]][]>();
  for (const [path, group] of Map.groupBy(endpoints, pathOf)) {
    const form = path.replace(PARAMETER, '{}');
    if (path.includes('{')) templates.set(form, [...(templates.get(form) ?? []), [path, group]]);
    else fixed.set(decodeSegments(path), { methods: methodsOf(group), path: NO_PARAMETERS });
  }
  const tree = createNode<T>(0);
  const ordered = [...templates].sort(([left], [right]) => comparePaths(left, right));
  for (const [rank, [form, alike]] of ordered.entries())
    addTemplate(tree, form, compileTemplate(rank, alike));
  return (path, start) => fixed.get(decodeSegments(path.slice(start))) ?? matchTemplate(tree, path, start);
}

function methodsOf<T extends { readonly operation: Operation }>(
  endpoints: readonly T[],
): ReadonlyMap<string, T> {
  // Different servers may have the same request; the first operation wins.
  const methods = new Map<string, T>();
  for (const endpoint of endpoints) {
    const { method } = endpoint.operation;
    if (!methods.has(method)) methods.set(method, endpoint);
  }
  return methods;
}

/** Templated paths that differ only in parameter names, with the methods of all. */
interface Template<T> {
  /** If several templates match a path, the one with the lowest rank wins. */
  readonly rank: number;
  /** The names of each parameter; several if methods use different names. */
  readonly names: readonly (readonly string[])[];
  readonly methods: ReadonlyMap<string, T>;
}

function compileTemplate<T extends { readonly operation: Operation }>(
  rank: number,
  alike: readonly (readonly [path: string, group: readonly T[]])[],
): Template<T> {
  const namesOf = alike.map(([path]) => [...path.matchAll(PARAMETER)].map(([, name]) => name as string));
  const names = (namesOf[0] ?? []).map((_, index) => [
    ...new Set(namesOf.map((pathNames) => pathNames[index] as string)),
  ]);
  return { rank, names, methods: methodsOf(alike.flatMap(([, group]) => group)) };
}

const PARAMETER = /\{([^}]+)\}/g;

/** A common prefix of templates, up to a segment. */
interface Node<T> {
  /** The lowest rank of the templates below this node. */
  lowest: number;
  /** By the text of the next segment. */
  readonly fixed: Map<string, Node<T>>;
  /** Those of them that may also be sent percent-encoded. */
  readonly encoded: (readonly [pattern: RegExp, next: Node<T>])[];
  readonly open: Open<T>[];
  /** The template that ends here. */
  template?: Template<T>;
}

/** A next segment with parameters. */
interface Open<T> {
  /** `{}` or `{}.{}` */
  readonly form: string;
  /** Undefined: the whole segment is one parameter. */
  readonly pattern: RegExp | undefined;
  readonly next: Node<T>;
}

function createNode<T>(lowest: number): Node<T> {
  return { lowest, fixed: new Map(), encoded: [], open: [] };
}

/** Templates must be added in ascending order of rank. */
function addTemplate<T>(tree: Node<T>, form: string, template: Template<T>): void {
  let node = tree;
  for (const segment of form.split('/')) {
    const child = segment.includes('{}')
      ? node.open.find((one) => one.form === segment)?.next
      : node.fixed.get(decodeSegments(segment));
    node = child ?? addNode(node, segment, template.rank);
  }
  node.template ??= template;
}

function addNode<T>(node: Node<T>, segment: string, rank: number): Node<T> {
  const next = createNode<T>(rank);
  const source = segment
    .split('{}')
    .map((text) => [...decodeSegments(text)].map(spelled).join(''))
    .join('([^/]+)');
  const pattern = new RegExp(`^${source}$`);
  if (segment.includes('{}')) {
    node.open.push({ form: segment, pattern: segment === '{}' ? undefined : pattern, next });
    return next;
  }
  const text = decodeSegments(segment);
  node.fixed.set(text, next);
  if (RESERVED.test(text)) node.encoded.push([pattern, next]);
  return next;
}

function matchTemplate<T>(tree: Node<T>, path: string, start: number): Matched<T> | undefined {
  const best: BestMatch<T> = { template: undefined, texts: [] };
  search(best, path, tree, start, []);
  if (!best.template) return undefined;
  const { names, methods } = best.template;
  const values = createTable<string>();
  for (let index = 0; index < names.length; index++) {
    for (const name of names[index] ?? []) values[name] = best.texts[index] as string;
  }
  return { methods, path: values };
}

/** The best template so far, with the texts of its parameters. */
interface BestMatch<T> {
  template: Template<T> | undefined;
  texts: readonly string[];
}

/** Searches from a position of the path; `texts` are those of the parameters before it. */
function search<T>(best: BestMatch<T>, path: string, node: Node<T>, start: number, texts: string[]): void {
  if (best.template && best.template.rank <= node.lowest) return;
  if (start > path.length) {
    const { template } = node;
    if (!template || (best.template && best.template.rank < template.rank)) return;
    best.template = template;
    best.texts = [...texts];
    return;
  }
  const slash = path.indexOf('/', start);
  const end = slash < 0 ? path.length : slash;
  const segment = path.slice(start, end);
  const same = node.fixed.get(segment);
  if (same) search(best, path, same, end + 1, texts);
  if (segment === '') return;
  if (segment.includes('%'))
    for (const [pattern, next] of node.encoded)
      if (pattern.test(segment)) search(best, path, next, end + 1, texts);
  for (const { pattern, next } of node.open) {
    const before = texts.length;
    if (!pattern) texts.push(segment);
    else {
      const match = pattern.exec(segment);
      if (!match) continue;
      for (let group = 1; group < match.length; group++) texts.push(match[group] as string);
    }
    search(best, path, next, end + 1, texts);
    texts.length = before;
  }
}

/** RFC 3986 §2.2: delimiters, whose meaning changes when encoded. `%` is included, since it would be decoded twice. */
const RESERVED = /[:?#[\]@!$&'()*+,;=%]/;

/** A fixed character, or its encoding if {@link normalize} keeps that. */
function spelled(character: string): string {
  const plain = escapeText(character);
  if (!RESERVED.test(character)) return plain;
  return `(?:${plain}|${encodeSign(character)})`;
}

/** RFC 3986 §6.2.2: decodes where the meaning stays the same, and makes other encodings upper-case. */
function normalize(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    const decoded = percentDecode(encoded);
    // Invalid UTF-8 can be neither a path of the document nor an id.
    if (decoded === encoded) return encoded;
    return [...decoded]
      .map((sign) => (RESERVED.test(sign) || sign === '/' ? encodeSign(sign) : sign))
      .join('');
  });
}

/** Higher with more fixed text beside parameters; adjacent parameters without any are lower than a single one. */
const fixedIn = (segment: string) => (/^(?:\{\})+$/.test(segment) ? -segment.length : segment.length);

/** Compares segment by segment: fixed text precedes a parameter, and more fixed text beside a parameter precedes less. */
function comparePaths(left: string, right: string): number {
  const rights = right.split('/');
  for (const [index, segment] of left.split('/').entries()) {
    const other = rights[index] ?? '';
    const difference = Number(segment.includes('{')) - Number(other.includes('{'));
    if (difference !== 0) return difference;
    const beside = fixedIn(other) - fixedIn(segment);
    if (segment.includes('{') && beside !== 0) return beside;
  }
  return 0;
}

/** Decodes a path except for encoded slashes, which are no delimiters. */
function decodeSegments(path: string): string {
  if (!path.includes('%')) return path;
  const decode = (segment: string) => percentDecode(segment).replaceAll('/', '%2F');
  return path.split('/').map(decode).join('/');
}

function encodeSign(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
