import { stringifyJson } from '../json/exact-json.ts';
import { createDocument } from './create-document.ts';
import { externalReferences } from './external-references.ts';
import { DocumentError } from './problem.ts';
import { readSourceFile } from './source-file.ts';
import type { Document } from './spot.ts';

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
