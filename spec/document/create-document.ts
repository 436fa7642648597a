import { stringifyJson } from '../json/exact-json.ts';
import { isRecord, parseFragment } from '../json/json-value.ts';
import { DocumentError, readSourceFile, type SourceFile } from './source-file.ts';
import {
  addProblem,
  addWarning,
  type Document,
  dereference,
  isReference,
  rawChild,
  type Spot,
} from './spot.ts';

/** No file has this URL. */
const BASE = 'document:/';

/**
 * Reads a document that is at hand, where no file can be read.
 * @param source YAML or JSON, or the value of either; lines of a value are those of its JSON, indented by two spaces
 * @param uri for messages
 * @throws DocumentError if it is not YAML or JSON, or refers to another file
 */
export function readDocument(source: string | object, uri: string): Document {
  const file = readSourceFile(
    uri,
    typeof source === 'string' ? source.replace(/^\ufeff/, '') : write(source, uri),
  );
  const external = externalReferences(file.value);
  if (external.length > 0)
    throw new DocumentError(
      external.map(({ ref, path }) =>
        file.problemAt(path, `the $ref "${ref}" leads to another file: bundle the document into one`),
      ),
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
 * @param absent URLs of files that could not be read, and that only remarks refer to
 */
export function createDocument(
  base: string,
  files: ReadonlyMap<string, SourceFile>,
  rebuilt: ReadonlySet<unknown> = new Set(),
  absent: ReadonlySet<string> = new Set(),
): Document {
  const urls = new Map([...files].map(([url, file]) => [file, url]));
  const anchors = new Map<SourceFile, Anchors>();
  /** By file and reference: large documents refer to the same schemas thousands of times. */
  const resolved = new Map<SourceFile, Map<string, Spot>>();

  function anchorsIn(file: SourceFile): Anchors {
    const known = anchors.get(file) ?? anchorsOf(file.value);
    anchors.set(file, known);
    return known;
  }

  function resolve(reference: Spot): Spot | undefined {
    const { $ref } = reference.value as { $ref: string };
    const known = resolved.get(reference.file) ?? new Map<string, Spot>();
    resolved.set(reference.file, known);
    const target = known.get($ref) ?? follow(reference, $ref);
    if (target) known.set($ref, target);
    return target;
  }

  function follow(reference: Spot, $ref: string): Spot | undefined {
    const fail = (reason: string) => addProblem(reference, `the $ref "${$ref}" ${reason}`);
    const [url = '', fragment = ''] = splitReference($ref, urls.get(reference.file) ?? base) ?? [];
    const file = files.get(url);
    // There is a warning already.
    if (!file && absent.has(url) && isRemark(reference)) return undefined;
    if (!file) return fail('names a file that was not read');
    const path = parseFragment(fragment) ?? anchorsIn(file).get(fragment);
    if (!path) return fail('is no JSON Pointer (#/...), and no schema has an $anchor of that name');
    let here: Spot = { document, file, path: [], value: file.value };
    for (const token of path) {
      const next = rawChild(here, token) ?? behindReference(here, token, reference, $ref);
      const container = here.path.length === 0 ? file.uri : `#/${here.path.join('/')}`;
      if (!next) return fail(`leads nowhere: there is no "${token}" in ${container}`);
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
    resolve,
    withFiles(changed, containers) {
      const now = [...files].map(([url, file]): [string, SourceFile] => [url, changed.get(file) ?? file]);
      return createDocument(base, new Map(now), containers, absent);
    },
  };
  return document;
}

function isRemark({ file, path, value }: Spot): boolean {
  // Who resolves a reference there was led there by one that counts.
  if (path.some((name) => name.startsWith('x-'))) return false;
  const { $ref } = value as { $ref: string };
  const place = [...path, '$ref'].join('/');
  return findReferences(file.value, (ref) => ref === $ref).some(
    (one) => one.isRemark && one.path.join('/') === place,
  );
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

interface FoundReference {
  readonly ref: string;
  /** Of its `$ref`. */
  readonly path: readonly string[];
  /** It stands where no request or response depends on it: in a description, say. */
  readonly isRemark: boolean;
}

/** The references of a file to others. */
export function externalReferences(file: unknown): FoundReference[] {
  return findReferences(file, (ref) => !ref.startsWith('#'));
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
const REMARKS = new Set(['description', 'summary', 'externalDocs', 'examples']);

/** The references of a file that are wanted. */
export function findReferences(file: unknown, isWanted: (ref: string) => boolean): FoundReference[] {
  const found: FoundReference[] = [];
  const path: string[] = [];

  function visit(value: unknown, isMap: boolean, isRemark: boolean): void {
    if (typeof value !== 'object' || value === null) return;
    if (isReference(value) && isWanted(value.$ref))
      found.push({ ref: value.$ref, path: [...path, '$ref'], isRemark });
    for (const [key, member] of Object.entries(value)) {
      const isName = isMap || Array.isArray(value);
      if (!isName && (DATA.has(key) || (key === 'examples' && Array.isArray(member)))) continue;
      path.push(key);
      const isInfo = path.length === 1 && key === 'info';
      visit(
        member,
        !isName && MAPS.has(key),
        isRemark || isInfo || (!isName && (REMARKS.has(key) || key.startsWith('x-'))),
      );
      path.pop();
    }
  }

  visit(file, false, false);
  return found;
}
