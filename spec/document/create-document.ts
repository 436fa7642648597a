import { parseFragment } from '../json/json-pointer.ts';
import { anchorsOf } from './anchors.ts';
import { findReferences } from './external-references.ts';
import type { SourceFile } from './source-file.ts';
import {
  addProblem,
  addWarning,
  type Document,
  dereference,
  isReference,
  rawChild,
  type Spot,
} from './spot.ts';

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
  const anchors = new Map<SourceFile, ReturnType<typeof anchorsOf>>();
  /** By file and reference: large documents refer to the same schemas thousands of times. */
  const resolved = new Map<SourceFile, Map<string, Spot>>();

  function anchorsIn(file: SourceFile): ReturnType<typeof anchorsOf> {
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
