import type { OperationMeaning } from '../meaning/meaning.ts';
import type { Operation } from '../operation.ts';

/** The parameters of an operation of which nothing is known but their schemas. */
export function unknownParameters(
  operation: Operation,
  { query = {}, idempotencyKey }: OperationMeaning,
): string[] {
  const names = new Set(Object.keys(query).flatMap((name) => [name, name.replace(/\[.*\]$/, '')]));
  return operation.parameters.flatMap(({ in: place, name }) => {
    const isKnown = place === 'query' ? names.has(name) : KNOWN_HEADERS.has(name) || name === idempotencyKey;
    return place === 'path' || isKnown ? [] : [name];
  });
}

/** RFC 9110 §13.1 and RFC 7240. */
const KNOWN_HEADERS: ReadonlySet<string> = new Set([
  ...['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'prefer'],
]);
