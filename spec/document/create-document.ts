import { stringifyJson } from '../json/exact-json.ts';
import { parseFragment } from '../json/json-value.ts';
import { createDynamicScopes, type DynamicScopes } from './dynamic-scope.ts';
import { type FileResources, hasIds, type Place, type Resource, resourcesOf } from './schema-resources.ts';
import { DocumentError, readSourceFile, type SourceFile } from './source-file.ts';
import { addWarning, type Document, dereference, isReference, rawChild, type Spot } from './spot.ts';

/** A URL that no file can have. */
const BASE = 'document:/';

/**
 * Reads a document that is in memory; it cannot refer to other files.
 * @param source YAML or JSON text, or its value; line numbers of a value are those of its JSON with two spaces of
 * indentation
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
 * Creates a document from files that are already read.
 * @param base the URL of the first file
 * @param files by absolute URL
 * @param absent why a referenced file was not read, by its URL
 * @param externals the content that examples refer to, by its URL
 */
export function createDocument(
  base: string,
  files: ReadonlyMap<string, SourceFile>,
  rebuilt: ReadonlySet<unknown> = new Set(),
  absent: ReadonlyMap<string, string> = new Map(),
  externals: ReadonlyMap<string, string | Uint8Array> = new Map(),
): Document {
  const urls = new Map([...files].map(([url, file]) => [file, url]));
  const urlOf = (file: SourceFile) => urls.get(file) ?? base;
  const isIdKeyword = hasIds(files.get(base));
  /** A cache by resource and reference: large documents refer to the same schemas thousands of times. */
  const resolved = new Map<Resource, Map<string, Spot | string>>();
  const { byUri, scopes } = index();

  function resourcesIn(file: SourceFile): FileResources {
    return resourcesOf(urlOf(file), file, isIdKeyword);
  }

  function index(): { byUri: ReadonlyMap<string, Resource>; scopes: DynamicScopes | undefined } {
    const all = [...files.values()].map(resourcesIn);
    const wholes = all.map(({ whole }) => [urlOf(whole.file), whole] as const);
    // Of several resources with the same `$id`, the first counts.
    const named = all
      .flatMap((fileResources) => fileResources.all)
      .map((resource) => [resource.uri, resource] as const);
    const lookup = { resourceAt, find: follow, urlOf, rebuilt: rebuilt as Set<unknown> };
    const isDynamic = all.some((fileResources) => fileResources.isDynamic);
    return {
      byUri: new Map([...named.toReversed(), ...wholes]),
      scopes: isDynamic ? createDynamicScopes(lookup) : undefined,
    };
  }

  function resourceAt({ file, path }: Place): Resource {
    return resourcesIn(file).at(path);
  }

  function follow(reference: Spot): Spot | string {
    const { $ref } = reference.value as { $ref: string };
    const resource = resourceAt(reference);
    const others = resolved.get(resource) ?? new Map<string, Spot | string>();
    resolved.set(resource, others);
    const target = others.get($ref) ?? find(reference, $ref, resource);
    others.set($ref, target);
    return target;
  }

  function find(reference: Spot, $ref: string, { uri }: Resource): Spot | string {
    const target = findFrom(uri, reference, $ref);
    const url = urlOf(reference.file);
    if (typeof target !== 'string' || uri === url) return target;
    // Many documents have an `$id` but write their references as if it did not exist.
    const other = findFrom(url, reference, $ref);
    if (typeof other === 'string') return target;
    if ($ref.startsWith('#'))
      addWarning(
        reference,
        `the $ref "${$ref}" leads nowhere below the "$id" ${uri}; it is read from the root of the file`,
      );
    return other;
  }

  function findFrom(uri: string, reference: Spot, $ref: string): Spot | string {
    const split = splitReference($ref, uri);
    if (!split) return 'is no URL';
    const [url, fragment] = split;
    const resource = byUri.get(url);
    if (!resource) return absent.get(url) ?? 'leads to another file: bundle the document into one';
    const { file } = resource;
    const pointer = parseFragment(fragment);
    const path = pointer ? [...resource.path, ...pointer] : resource.anchors.get(fragment);
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

  /** The same object each time, since other modules cache by it. */
  let root: Spot | undefined;
  function readRoot(): Spot {
    const file = files.get(base) as SourceFile;
    const spot: Spot = { document, file, path: [], value: file.value };
    return scopes ? { ...spot, value: scopes.valueAt(spot) } : spot;
  }

  const document: Document = {
    get root() {
      root ??= readRoot();
      return root;
    },
    files,
    problems: [],
    warnings: [],
    repairs: [],
    rebuilt,
    baseOf: ({ file, path }) => resourcesIn(file).at(path).uri,
    external({ file, value }) {
      const [url = ''] = splitReference(String(value), urlOf(file)) ?? [];
      return externals.get(url);
    },
    follow(reference) {
      const target = follow(reference);
      if (typeof target === 'string' || !scopes) return target;
      return { ...target, value: scopes.valueAt(target, reference.value) };
    },
    resolve(reference) {
      const target = document.follow(reference);
      return typeof target === 'string' ? undefined : target;
    },
    withFiles(changed, containers) {
      const now = [...files].map(([url, file]): [string, SourceFile] => [url, changed.get(file) ?? file]);
      return createDocument(base, new Map(now), containers, absent, externals);
    },
  };
  return document;
}

/**
 * RFC 6901 §4 evaluates a JSON Pointer without following references, but many tools follow one on the way, so this does
 * too.
 */
function behindReference(here: Spot, token: string, reference: Spot, ref: string): Spot | undefined {
  // Following a reference that leads through itself would never end.
  if (!isReference(here.value) || here.value.$ref === ref) return undefined;
  const target = dereference(here);
  const next = target && rawChild(target, token);
  if (next) addWarning(reference, `the $ref "${ref}" leads through another $ref, which is followed`);
  return next;
}

/** The absolute file URL and the fragment of a reference; undefined if it is no URL. */
export function splitReference(ref: string, base: string): [url: string, fragment: string] | undefined {
  const [file = '', fragment = ''] = ref.split('#', 2);
  const url = file === '' ? base : URL.parse(file, base)?.href;
  return url === undefined ? undefined : [url, fragment];
}
