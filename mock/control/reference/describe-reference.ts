import type { Contract, Credential } from '#spec';
import { shownDocument } from './shown-document.ts';

/** What the page of the API reference has to know. */
export interface ReferenceView {
  /** The served document, aimed at this mock. */
  readonly document: unknown;
  /** Accepted by the mock as each credential of the document. */
  readonly key: string;
  /** The security schemes that operations require, each once. */
  readonly schemes: readonly { readonly name: string; readonly kind: Credential['kind'] }[];
}

export function describeReference(contract: Contract, basePath: string, key: string): ReferenceView {
  const credentials = contract.operations.flatMap(({ security }) => security.flat());
  const kinds = new Map(credentials.map(({ scheme, kind }) => [scheme, kind]));
  return {
    document: shownDocument(contract, basePath),
    key,
    schemes: [...kinds].map(([name, kind]) => ({ name, kind })),
  };
}
