import { type Contract, DocumentError, loadContract } from '#spec';
import { needsKey } from '#target';
import { SHIPPED_DOCUMENT } from '../shared-options.ts';
import type { Answers } from './answers.ts';
import { findDocuments } from './find-documents.ts';
import type { Folder } from './open-folder.ts';

/** What a document says of the service, as far as it can be read. */
export interface Described {
  /** `Pet Store 1.0.0, 3 operations`. */
  readonly summary: string;
  /** The path of its first server. */
  readonly basePath: string;
  readonly needsKey: boolean;
}

/** What was found in a folder. */
export interface Proposals {
  /** Documents of the folder, the likeliest first. */
  readonly documents: readonly string[];
  /** What `--yes` takes. */
  readonly answers: Answers;
}

export const TARGET = 'local';
export const VARIABLE = 'PADDOCK_API_KEY';

/** The base URL of the mock for a document. */
export function mockUrl({ basePath }: Described, port: number): string {
  return `http://127.0.0.1:${port}${basePath}`;
}

/** Looks for documents; one that cannot be read is no default. */
export async function proposals(folder: Folder, port: number): Promise<Proposals> {
  const documents = await findDocuments(folder.path);
  let document: string | undefined;
  for (const one of documents) {
    const described = await describeDocument(one);
    if (described instanceof Error) continue;
    document = one;
    break;
  }
  const described = await describeDocument(document);
  if (described instanceof Error) throw described;
  const variable = described.needsKey ? VARIABLE : undefined;
  const url = mockUrl(described, port);
  return { documents, answers: { document, target: TARGET, url, variable, scripts: folder.hasManifest } };
}

/** @param document undefined: the one that comes with Paddock */
export async function describeDocument(document: string | undefined): Promise<Described | DocumentError> {
  try {
    return describe(await loadContract(document ?? SHIPPED_DOCUMENT));
  } catch (error) {
    if (error instanceof DocumentError) return error;
    throw error;
  }
}

function describe({ title, version, operations, basePath }: Contract): Described {
  const count = `${operations.length} ${operations.length === 1 ? 'operation' : 'operations'}`;
  return { summary: `${title} ${version}, ${count}`.trim(), basePath, needsKey: operations.some(needsKey) };
}
