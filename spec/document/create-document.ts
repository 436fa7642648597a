import { stringifyJson } from '../json/exact-json.ts';
import { isRecord, parseFragment } from '../json/json-value.ts';
import { DocumentError, readSourceFile, type SourceFile } from './source-file.ts';
import { addWarning, type Document, dereference, isReference, rawChild, type Spot } from './spot.ts';

/** No file has this URL. */
const BASE = 'document:/';

/**
 * Reads a document that is at hand, where no file can be read.
 * @param source YAML or JSON, or the value of either; lines of a value are those of its JSON, indented by two spaces
 * @param uri for messages
 * @throws DocumentError if it is not YAML or JSON
 */
export function readDocument(source: string | object, uri: string): Document {
  const file = readSourceFile(
    uri,
    typeof source === 'string' ? source.replace(/^\ufeff/, '') : write(source, uri),
  );
  const document = createDocument(BASE, new Map([[BASE, file]]));
  document.warnings.push(...file.warnings);
  return document;
}

function write(value: object, uri: string): string {
  try {
    return stringifyJson(value, 2);
  } catch (error) {
    const message = `the document is no JSON value: ${(error as Error).message.split('\n', 1)}`;
    throw new DocumentError([{ uri, line: 1, column: 1, message }]);
  }
}

/**
 * A document of files that are read.
 * @param base the URL of the first one
 * @param files by absolute URL
 * @param absent why a file that is referred to was not read, by its URL
 */
export function createDocument(
  base: string,
  files: ReadonlyMap<string, SourceFile>,
  rebuilt: ReadonlySet<unknown> = new Set(),
  absent: ReadonlyMap<string, string> = new Map(),
): Document {
  const urls = new Map([...files].map(([url, file]) => [file, url]));
  const anchors = new Map<SourceFile, Anchors>();
  /** By file and reference: large documents refer to the same schemas thousands of times. */
  const resolved = new Map<SourceFile, Map<string, Spot | string>>();

  function anchorsIn(file: SourceFile): Anchors {
    const known = anchors.get(file) ?? anchorsOf(file.value);
    anchors.set(file, known);
    return known;
  }

  function follow(reference: Spot): Spot | string {
    const { $ref } = reference.value as { $ref: string };
    const known = resolved.get(reference.file) ?? new Map<string, Spot | string>();
    resolved.set(reference.file, known);
    const target = known.get($ref) ?? find(reference, $ref);
    known.set($ref, target);
    return target;
  }

  function find(reference: Spot, $ref: string): Spot | string {
    const split = splitReference($ref, urls.get(reference.file) ?? base);
    if (!split) return 'is no URL';
    const [url, fragment] = split;
    const file = files.get(url);
    if (!file) return absent.get(url) ?? 'leads to another file: bundle the document into one';
    const path = parseFragment(fragment) ?? anchorsIn(file).get(fragment);
    if (!path) return 'is no JSON Pointer (#/...), and no schema has an $anchor of that name';
    let here: Spot = { document, file, path: [], value: file.value };
    for (const token of path) {
      const next = rawChild(here, token) ?? behindReference(here, token, reference, $ref);
      const container = here.path.length === 0 ? file.uri : `#/${here.path.join('/')}`;
      if (!next) return `leads nowhere: there is no "${token}" in ${container}; add it or correct the $ref`;
      here = next;
    }
    return here;
  }

  const document: Document = {
    get root() {
      const file = files.get(base) as SourceFile;
      return { document, file, path: [], value: file.value };
    },
    files,
    problems: [],
    warnings: [],
    repairs: [],
    rebuilt,
    follow,
    resolve(reference) {
      const target = follow(reference);
      return typeof target === 'string' ? undefined : target;
    },
    withFiles(changed, containers) {
      const now = [...files].map(([url, file]): [string, SourceFile] => [url, changed.get(file) ?? file]);
      return createDocument(base, new Map(now), containers, absent);
    },
  };
  return document;
}

/** A JSON Pointer ends at a reference (RFC 6901 §4 knows none), but many tools follow it on the way. */
function behindReference(here: Spot, token: string, reference: Spot, ref: string): Spot | undefined {
  // One that leads through itself would never end.
  if (!isReference(here.value) || here.value.$ref === ref) return undefined;
  const target = dereference(here);
  const next = target && rawChild(target, token);
  if (next) addWarning(reference, `the $ref "${ref}" leads through another $ref, which is followed`);
  return next;
}

/** The absolute URL of the file and the fragment that a reference names; undefined if it is no URL. */
export function splitReference(ref: string, base: string): [url: string, fragment: string] | undefined {
  const [file = '', fragment = ''] = ref.split('#', 2);
  const url = file === '' ? base : URL.parse(file, base)?.href;
  return url === undefined ? undefined : [url, fragment];
}

/** The paths of the schemas of a file that have a name (`$anchor`, JSON Schema 2020-12 core §8.2.2); the first of each. */
type Anchors = ReadonlyMap<string, readonly string[]>;

function anchorsOf(file: unknown): Anchors {
  const anchors = new Map<string, readonly string[]>();

  function visit(value: unknown, path: readonly string[]): void {
    if (typeof value !== 'object' || value === null) return;
    if (isRecord(value)) {
      for (const name of [value.$anchor, value.$dynamicAnchor])
        if (typeof name === 'string' && !anchors.has(name)) anchors.set(name, path);
    }
    for (const [key, member] of Object.entries(value)) visit(member, [...path, key]);
  }

  visit(file, []);
  return anchors;
}

interface FoundReference<Ref = unknown> {
  readonly ref: Ref;
  /** Of its `$ref`. */
  readonly path: readonly string[];
  /**
   * How many steps of the path a part of the document has at least if a request or a response which depends on that part
   * depends on the reference: none does on one in a description, say.
   */
  readonly from: number;
}

/** The references of a file to others. */
export function externalReferences(file: unknown): FoundReference<string>[] {
  const isExternal = (ref: unknown): ref is string => typeof ref === 'string' && !ref.startsWith('#');
  return findReferences(file, isExternal);
}

/** Members whose values are data, where `$ref` is an ordinary name. */
const DATA = new Set(['example', 'default', 'const', 'enum', 'value']);

/** Members whose own members have names that the author chose: a response may be called `default`. */
const MAPS = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
  ...['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers', 'securitySchemes'],
  ...['links', 'callbacks', 'pathItems', 'paths', 'webhooks', 'content', 'mediaTypes', 'encoding'],
  ...['variables', 'additionalOperations', 'securityDefinitions'],
]);

/** Members that are for readers; so are extensions, unless a reference leads into them. */
const REMARKS = ['description', 'summary', 'externalDocs', 'examples', 'links'];

/** Members of which only that counts to which a reference leads. */
const APART = new Set([...REMARKS, '$defs', 'definitions']);

/** The references of a file that are wanted. */
export function findReferences<Ref = unknown>(
  file: unknown,
  isWanted: ((ref: unknown) => ref is Ref & unknown) | ((ref: unknown) => boolean),
): FoundReference<Ref>[] {
  const found: FoundReference<Ref>[] = [];
  const path: string[] = [];

  function visit(value: unknown, isMap: boolean, from: number): void {
    if (typeof value !== 'object' || value === null) return;
    if (mayRefer(value, isMap) && isWanted(value.$ref))
      found.push({ ref: value.$ref as Ref, path: [...path, '$ref'], from });
    for (const [key, member] of Object.entries(value)) {
      const isName = isMap || Array.isArray(value);
      if (!isName && (DATA.has(key) || (key === 'examples' && Array.isArray(member)))) continue;
      path.push(key);
      const isInfo = path.length === 1 && key === 'info';
      const isApart =
        isInfo || (!isName && (APART.has(key) || (key.startsWith('x-') && key !== 'x-webhooks')));
      visit(member, !isName && MAPS.has(key), isApart ? path.length : from);
      path.pop();
    }
  }

  visit(file, false, 0);
  return found;
}

/** A member of the name `$ref` may be anything. */
function mayRefer(value: object, isMap: boolean): value is { $ref: unknown } {
  return isReference(value) || (!isMap && isRecord(value) && Object.hasOwn(value, '$ref'));
}
