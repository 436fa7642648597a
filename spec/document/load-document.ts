import { createDocument, splitReference } from './create-document.ts';
import { externalReferences, type RefAccess } from './external-references.ts';
import { DocumentError } from './problem.ts';
import { displayUri, locationToUrl, readText } from './read-text.ts';
import { readSourceFile, type SourceFile } from './source-file.ts';
import type { Document } from './spot.ts';

export interface LoadOptions {
  /**
   * What references may lead to beyond the document's own folder or host: files, folders and http(s) URLs, each with
   * all below it. Default: nothing.
   */
  readonly allowRefs?: readonly string[];
  /**
   * Paths or http(s) URLs of OpenAPI Overlays (1.0 or 1.1), applied to the document in this order, before anything else
   * is read of it. References in them count from the document. Default: none.
   */
  readonly overlays?: readonly string[];
  /** Whether a document is refused for what it is otherwise read with a warning of. Default: false. */
  readonly strictDocument?: boolean;
}

/**
 * Reads a document from a path or an http(s) URL, with its overlays and every file that it refers to (at most 64 MiB
 * each, and 30 seconds for one that is fetched). Whether it is an OpenAPI document is not checked.
 * @throws DocumentError if a file cannot be read, or is not YAML or JSON, a reference is not
 * allowed, or an overlay cannot be applied
 */
export async function loadDocument(
  location: string,
  { allowRefs = [], overlays = [] }: LoadOptions = {},
): Promise<Document> {
  const base = locationToUrl(location);
  const read = await readNamed(base);
  const { file, warnings, overlaid } = await withOverlays(base, read, overlays);
  const files = new Map([...overlaid, [base, file]]);
  await loadReferences(base, files, allowRefs);
  const document = createDocument(base, files);
  document.warnings.push(...warnings);
  return document;
}

/** A file that the user has named: its host may redirect. What the document names is restricted. */
async function readNamed(url: string): Promise<SourceFile> {
  return readSourceFile(displayUri(url), await readText(url, async () => undefined));
}

/** The file with the overlays applied, which are among the files of its document. */
async function withOverlays(base: string, read: SourceFile, locations: readonly string[]) {
  const overlaid = new Map<string, SourceFile>();
  if (locations.length === 0) return { file: read, warnings: [], overlaid };
  for (const url of locations.map(locationToUrl)) overlaid.set(url, await readNamed(url));
  // Loaded only now: its JSONPath library costs 30 ms, a fifth of the start of a small document.
  const { applyOverlays } = await import('./apply-overlays.ts');
  return { ...applyOverlays(base, read, overlaid), overlaid };
}

/** Loads each file once, without recursion: the chain of files may be long. */
async function loadReferences(
  base: string,
  files: Map<string, SourceFile>,
  allowRefs: readonly string[],
): Promise<void> {
  let access: RefAccess | undefined;
  const waiting = [base];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    const file = files.get(url) as SourceFile;
    for (const { ref, path } of externalReferences(file.value)) {
      const [target] = splitReference(ref, url) ?? [];
      const from = file.problemAt(path, ref);
      const refuse = (reason: string) =>
        new DocumentError([{ ...from, message: `the $ref "${ref}" ${reason}` }]);
      if (target === undefined) throw refuse('is no URL');
      if (files.has(target)) continue;
      // Loaded only now: most documents are one file.
      access ??= (await import('./ref-access.ts')).createRefAccess(base, allowRefs);
      const refusal = await access(target);
      if (refusal) throw refuse(`leads too far: ${refusal}`);
      files.set(target, readSourceFile(displayUri(target), await readText(target, access, from)));
      waiting.push(target);
    }
  }
}
