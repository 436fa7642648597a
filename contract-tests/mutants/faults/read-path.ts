import type { LawName as Law } from '../../laws/law.ts';
import type { Behaviour } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { faultyShop, type Mutant } from '../suspect.ts';
import { error } from './error-answer.ts';

const ids = (
  name: string,
  says: string,
  idOf: Behaviour['idOf'],
  laws: Law | Law[] = ['unknown-id', 'path-id'],
): Mutant => faultyShop(`path-${name}`, says, laws, () => ({ idOf }));

const INT = /^-?\d+$/;

/** A path that names no record, or another one, is taken for a record's. */
export const wrongPaths: readonly Mutant[] = [
  ids('parse-int', 'what follows the digits is not looked at', (text) =>
    /^-?\d+/.test(text) ? BigInt(/^-?\d+/.exec(text)?.[0] ?? 0) : undefined,
  ),
  ids('fraction', 'a fraction is cut off', (text) =>
    /^\d+\.\d+$/.test(text) ? BigInt(text.split('.')[0] ?? 0) : correct.idOf(text),
  ),
  ids('rounded-fraction', 'a number with a fraction is rounded', (text) =>
    INT.test(text) || Number.isNaN(Number(text)) ? correct.idOf(text) : BigInt(Math.floor(Number(text))),
  ),
  ids('hexadecimal', 'hexadecimal numbers are ids', (text) =>
    /^0x[0-9a-f]+$/i.test(text) ? BigInt(text) : correct.idOf(text),
  ),
  ids('spaces', 'spaces around an id do not count', (text) => correct.idOf(text.trim())),
  ids('absolute', 'the sign of an id does not count', (text) => correct.idOf(text.replace(/^-/, ''))),
  ids('32-bit', 'only the lower 32 bits of an id count', (text) =>
    INT.test(text) ? BigInt.asIntN(32, BigInt(text)) : undefined,
  ),
  ids('64-bit', 'an id beyond 64 bits wraps around', (text) =>
    INT.test(text) ? BigInt.asIntN(64, BigInt(text)) : undefined,
  ),
  ids('digits', 'all but the digits of a path is dropped', (text) => correct.idOf(text.replace(/\D/g, ''))),
  ids('zero-is-first', 'the id 0 is the first record', (text) => (text === '0' ? 201n : correct.idOf(text)), [
    'unknown-id',
    'path-id',
  ]),
  ids('word-is-first', 'an id that is a word is the first record', (text) =>
    INT.test(text) ? correct.idOf(text) : 201n,
  ),
  faultyShop('path-word-500', 'an id that is a word breaks the service', 'unknown-id', () => ({
    read: (ask, shop) => (/^\/pets\/-?\d+$/.test(ask.path) ? correct.read(ask, shop) : error(500)),
  })),
  faultyShop('path-negative-500', 'a negative id breaks the service', 'unknown-id', () => ({
    read: (ask, shop) => (ask.path.includes('-') ? error(500) : correct.read(ask, shop)),
  })),
  faultyShop('path-zero-500', 'the id 0 breaks the service', 'unknown-id', () => ({
    read: (ask, shop) => (ask.path === '/pets/0' ? error(500) : correct.read(ask, shop)),
  })),
  faultyShop('path-beyond-2-31-500', 'an id beyond 2^31 breaks the service', 'unknown-id', () => ({
    read: (ask, shop) => (Number(ask.path.slice(6)) > 2 ** 31 - 1 ? error(500) : correct.read(ask, shop)),
  })),
  faultyShop('path-greatest-500', 'the greatest int64 breaks the service', 'unknown-id', () => ({
    read: (ask, shop) => (ask.path === `/pets/${2n ** 63n - 1n}` ? error(500) : correct.read(ask, shop)),
  })),
  faultyShop('path-beyond-int64-500', 'an id beyond 64 bits breaks the service', 'unknown-id', () => ({
    read: (ask, shop) =>
      /^\/pets\/\d{19,}$/.test(ask.path) && BigInt(ask.path.slice(6)) >= 2n ** 63n
        ? error(500)
        : correct.read(ask, shop),
  })),
  faultyShop('path-huge-400', 'an int64 beyond 2^53 is answered 400', 'unknown-id', () => ({
    read: (ask, shop) =>
      Number(ask.path.slice(6)) > Number.MAX_SAFE_INTEGER ? error(400) : correct.read(ask, shop),
  })),
];
