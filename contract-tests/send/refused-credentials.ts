import { type Credential, type Operation, type Random, type Requirement, randomOf } from '#spec';
import {
  isSamePlace,
  joined,
  type Keys,
  keyFor,
  NO_CREDENTIAL,
  type Presented,
  present,
  presentAll,
} from './credentials.ts';
import { type KeyedText, literalText } from './keyed-text.ts';
import { elsewhere, malformed, type Variant } from './misplaced-key.ts';
import { nearMisses, otherCharacter } from './near-misses.ts';

/** A credential that must be refused, and why. */
export interface Refused {
  readonly name: string;
  readonly title: string;
  readonly presented: Presented;
}

/**
 * Credentials that no service may accept: of each scheme of an operation, with good ones of the schemes that are
 * needed beside it. Near misses of the key itself tell a prefix or a length check from a comparison, but come close
 * to the key: only where the target is the user's own machine, or on request.
 */
export function refusedCredentials(operation: Operation, keys: Keys, near: boolean): Refused[] {
  const subjects = subjectsOf(operation, keys);
  if (subjects.length === 0) return [];
  return [
    { name: 'no-credential', title: 'without a credential', presented: NO_CREDENTIAL },
    ...incomplete(operation, keys),
    ...subjects.flatMap((subject, index) =>
      wrongOf(operation, subject, keys, near).map(([name, title, wrong]) => ({
        name: index === 0 ? name : `${name}-${slug(subject.credential)}`,
        title: subjects.length === 1 ? title : `${title} (${subject.credential.scheme})`,
        presented: joined([wrong, presentAll(subject.beside, keys)]),
      })),
    ),
  ];
}

/** A credential that is put wrong, and those that are needed beside it. */
interface Subject {
  readonly credential: Credential;
  readonly beside: readonly Credential[];
}

/** Each place and key once. */
function subjectsOf(operation: Operation, keys: Keys): Subject[] {
  const all = operation.security.flatMap((requirement) => partsOf(operation, requirement));
  const likeness = ({ credential }: Subject) =>
    [credential.kind, credential.in, credential.name, keyFor(credential, keys)?.text].join(' ');
  const first = new Map(all.toReversed().map((subject) => [likeness(subject), subject]));
  return all.filter((subject) => first.get(likeness(subject)) === subject);
}

/** Each credential of a requirement with the others, unless these are enough by themselves. */
function partsOf({ security }: Operation, requirement: Requirement): Subject[] {
  return requirement.flatMap((credential) => {
    const beside = requirement.filter((other) => !isSamePlace(other, credential));
    const isEnough = security.some((other) => other.every((one) => beside.some((good) => isAs(good, one))));
    return isEnough ? [] : { credential, beside };
  });
}

/** What one shows, the other takes, too: the API key may stand for both. */
function isAs(one: Credential, other: Credential): boolean {
  return one.kind === other.kind && isSamePlace(one, other);
}

/** One of the credentials that are needed together is missing. */
function incomplete(operation: Operation, keys: Keys): Refused[] {
  const parts = operation.security.flatMap((requirement) => partsOf(operation, requirement));
  const refused = parts.flatMap(({ credential, beside }): Refused | [] => {
    const presented = presentAll(beside, keys);
    if (beside.length === 0 || isNothing(presented)) return [];
    const others = [...new Set(beside.map(({ scheme }) => scheme))];
    return {
      name: `only-${beside.map(slug).join('-')}`,
      title: `with ${others.join(' and ')} and without ${credential.scheme}`,
      presented,
    };
  });
  const byName = new Map(refused.toReversed().map((one) => [one.name, one]));
  return refused.filter((one) => byName.get(one.name) === one);
}

function isNothing({ headers, query }: Presented): boolean {
  return headers.length === 0 && query.length === 0;
}

function slug({ scheme }: Credential): string {
  return scheme.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function wrongOf(operation: Operation, { credential }: Subject, keys: Keys, near: boolean): Variant[] {
  const key = keyFor(credential, keys);
  const madeUp = literalText(madeUpKey(key?.text ?? 'paddock-made-up-key', randomOf('made-up key')));
  const wrong: Variant[] = [
    ['wrong-key', 'with a wrong key', present(credential, madeUp)],
    // What clients send that have no key, and put a value without looking at it into the header.
    ['key-null', 'with the key "null"', present(credential, literalText('null'))],
    ['key-undefined', 'with the key "undefined"', present(credential, literalText('undefined'))],
    ...malformed(operation, credential, key ?? madeUp),
    ...(near && key ? missesOf(operation, credential, key) : []),
  ];
  // A character that has no other of its kind stays.
  const good = key && textOf(present(credential, key));
  return wrong.filter(([, , presented]) => textOf(presented) !== good);
}

function textOf({ headers, query }: Presented): string {
  return JSON.stringify([...headers, ...query].map(([name, { text }]) => [name, text]));
}

function missesOf(operation: Operation, credential: Credential, key: KeyedText): Variant[] {
  const misses = nearMisses(credential.kind, key).map(
    ([name, title, miss]): Variant => [name, title, present(credential, miss)],
  );
  if (credential.kind === 'apiKey') return misses;
  const title = 'with the key in other places than the documented one';
  return [...misses, ['elsewhere', title, elsewhere(operation, key)]];
}

/** A key of the same shape that shares no character with the real one. */
function madeUpKey(key: string, random: Random): string {
  return [...key]
    .map((character) =>
      otherCharacter(character, (others) => (others.length === 0 ? undefined : random.pick(others))),
    )
    .join('');
}
