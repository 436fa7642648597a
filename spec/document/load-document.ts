import { createDocument, splitReference } from './create-document.ts';
import { externalReferences } from './external-references.ts';
import { DocumentError } from './problem.ts';
import { displayUri, readText } from './read-text.ts';
import { createRefAccess, locationToUrl, type RefAccess } from './ref-access.ts';
import { readSourceFile, type SourceFile } from './source-file.ts';
import type { Document } from './spot.ts';

export interface LoadOptions {
  /**
   * What references may lead to beyond the document's own folder or host: files, folders and http(s) URLs, each with
   * all below it. Default: nothing.
   */
  readonly allowRefs?: readonly string[];
  /** Whether a document is refused for what it is otherwise read with a warning of. Default: false. */
  readonly strictDocument?: boolean;
}

/**
 * Reads a document from a path or an http(s) URL, with every file that it refers to (at most 64 MiB and 30 seconds for
 * each that is fetched). Whether it is an OpenAPI document is not checked.
 * @throws DocumentError if a file cannot be read, or is not YAML or JSON, or a reference is not allowed
 */
export async function loadDocument(
  location: string,
  { allowRefs = [] }: LoadOptions = {},
): Promise<Document> {
  const base = locationToUrl(location);
  const files = new Map<string, SourceFile>();
  // The user has named the document, and its host may redirect; what the document names is restricted.
  files.set(base, readSourceFile(displayUri(base), await readText(base, async () => undefined)));
  await loadReferences(base, files, createRefAccess(base, allowRefs));
  return createDocument(base, files);
}

/** Loads each file once, without recursion: the chain of files may be long. */
async function loadReferences(
  base: string,
  files: Map<string, SourceFile>,
  access: RefAccess,
): Promise<void> {
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
      const refusal = await access(target);
      if (refusal) throw refuse(`leads too far: ${refusal}`);
      files.set(target, readSourceFile(displayUri(target), await readText(target, access, from)));
      waiting.push(target);
    }
  }
}
