import { fileURLToPath } from 'node:url';
import { type Contract, loadContract } from '#spec';
import type { MockOptions } from './options.ts';

type GivenDocument = NonNullable<MockOptions['document']>;

/** Path or URL of a document. Undefined: it is a contract, which no longer knows from where it was loaded. */
export function locationOf(document: GivenDocument): string | undefined {
  if (typeof document === 'string') return document;
  if ('operations' in document) return undefined;
  return document.protocol === 'file:' ? fileURLToPath(document) : document.href;
}

/** @throws DocumentError */
export async function contractOf(
  document: GivenDocument,
  options: Parameters<typeof loadContract>[1],
): Promise<Contract> {
  const location = locationOf(document);
  return location === undefined
    ? (document as Contract)
    : loadContract(location, { ...options, presumeResponses: true });
}
