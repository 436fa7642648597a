import type { Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { error, petStore, respond, type ShopFault } from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

const { idOf } = correct;
const OTHER_ID = ['unknown-id', 'path-id'] as const;

const isInteger = (text: string) => /^-?\d+$/.test(text);
const integers = (toId: (id: bigint) => bigint) => (text: string) =>
  isInteger(text) ? toId(BigInt(text)) : undefined;
const floor = (text: string) =>
  isInteger(text) || Number.isNaN(Number(text)) ? undefined : BigInt(Math.floor(Number(text)));

const hexadecimal = (text: string) => (/^0x[0-9a-f]+$/i.test(text) ? BigInt(text) : undefined);

const parseId = (parse: Behaviour['idOf']): ShopFault => ({ idOf: parse });

/** A path that names no record, or another one, is parsed as the id of one. */
const wrongPathIds = mutants('path', using(petStore, parseId), OTHER_ID, [
  ['parse-int', 'what follows the digits is ignored', (text) => idOf(/^-?\d+/.exec(text)?.[0] ?? '')],
  ['fraction', 'a fraction is truncated', (text) => idOf(text.replace(/^(\d+)\.\d+$/, '$1'))],
  ['rounded-fraction', 'a number with a fraction is rounded', (text) => idOf(text) ?? floor(text)],
  ['hexadecimal', 'hexadecimal numbers are ids', (text) => idOf(text) ?? hexadecimal(text)],
  ['spaces', 'spaces around an id are ignored', (text) => idOf(text.trim())],
  ['absolute', 'the sign of an id is ignored', (text) => idOf(text.replace(/^-/, ''))],
  ['32-bit', 'only the lower 32 bits of an id are compared', integers((id) => BigInt.asIntN(32, id))],
  ['64-bit', 'an id beyond int64 wraps around', integers((id) => BigInt.asIntN(64, id))],
  ['digits', 'all but the digits of a path are ignored', (text) => idOf(text.replace(/\D/g, ''))],
  ['zero-is-first', 'the id 0 finds the first record', (text) => (text === '0' ? 201n : idOf(text))],
  ['word-is-first', 'a word finds the first record', (text) => (isInteger(text) ? idOf(text) : 201n)],
]);

/** Fails for these ids. */
const failFor = (matches: (text: string) => boolean, status = 500): ShopFault =>
  respond('read', ({ path }) => matches(path.slice('/pets/'.length)), error(status));

const MAX_INT64 = 2n ** 63n - 1n;
const isBeyondInt64 = (text: string) => /^\d{19,}$/.test(text) && BigInt(text) > MAX_INT64;

const failingPathIds = mutants('path', petStore, 'unknown-id', [
  ['word-500', 'an id that is a word gets 500', failFor((text) => !isInteger(text))],
  ['negative-500', 'a negative id gets 500', failFor((text) => text.includes('-'))],
  ['zero-500', 'the id 0 gets 500', failFor((text) => text === '0')],
  ['beyond-2-31-500', 'an id beyond 2^31 gets 500', failFor((text) => Number(text) > 2 ** 31 - 1)],
  ['greatest-500', 'the greatest int64 gets 500', failFor((text) => text === String(MAX_INT64))],
  ['beyond-int64-500', 'an id beyond int64 gets 500', failFor(isBeyondInt64)],
  ['huge-400', 'an int64 beyond 2^53 gets 400', failFor((text) => Number(text) > 2 ** 53 - 1, 400)],
]);

export const pathIdsMutants = [...wrongPathIds, ...failingPathIds];
