import { isRecord } from '#spec';
import type { OwnRecord } from '../laws/own-record.ts';
import type { Exchange } from '../send/exchange.ts';

/** Values of a body are looked at so deep. */
const DEEPEST = 4;

/** The ids that a write names in its path or its body: what it does may change these records, too. */
export function namedIn({ input }: Pick<Exchange, 'input'>): ReadonlySet<string> {
  const named = new Set(Object.values(input.path ?? {}).map(String));
  eachScalar(input.body, (value) => named.add(String(value)));
  return named;
}

/** Whether a record refers to an id: what becomes of the one may become of the other, as with what it belongs to. */
export function refersTo({ sent, seen, parents }: OwnRecord, id: string): boolean {
  let refers = Object.values(parents).some((value) => value === id);
  const compare = (value: unknown) => {
    refers ||= String(value) === id;
  };
  eachScalar(sent, compare);
  eachScalar(seen, compare);
  return refers;
}

function eachScalar(value: unknown, visit: (value: unknown) => void, depth = 0): void {
  if (depth > DEEPEST || value === null || value === undefined) return;
  if (Array.isArray(value)) for (const item of value) eachScalar(item, visit, depth + 1);
  else if (isRecord(value)) for (const item of Object.values(value)) eachScalar(item, visit, depth + 1);
  else visit(value);
}
