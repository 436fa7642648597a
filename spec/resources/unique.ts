import type { Spot } from '../document/spot.ts';
import { oncePer } from '../json/once-per.ts';
import { type Basis, basisOf } from '../meaning/basis.ts';
import { foldedName, idWord, singular, wordsOf } from '../meaning/names.ts';
import { has, listed, marked, spoken, textOf } from '../meaning/words.ts';
import { saidOfCollection } from '../meaning/x-paddock.ts';
import type { Operation } from '../operation.ts';
import type { Resource } from './resource.ts';

/** Members whose combination of values no two records of a collection share. */
export interface UniqueKey extends Basis {
  readonly properties: readonly string[];
  /** The operations that refuse taken values, as the document says. */
  readonly refusedBy: readonly Operation[];
  /** Records below another parent may have the same values. */
  readonly isPerParent: boolean;
  /** The values of a removed record may be used again. */
  readonly freed: Basis | undefined;
}

type Records = Pick<Resource, 'path' | 'actions' | 'shape' | 'id'>;

/**
 * The unique keys of a collection: those that `x-paddock` says, else members whose value a documented 409 calls
 * taken.
 */
export const uniqueKeys: (resource: Records) => readonly UniqueKey[] = oncePer(readKeys);

/** For each key the member to vary in a new record: a text that is no reference. */
export function tellingMembers(resource: Records): string[] {
  const isFree = (name: string) => {
    const { mainType, values } = resource.shape.properties.get(name) ?? {};
    return mainType === 'string' && !values && idWord(name) === undefined;
  };
  return uniqueKeys(resource).flatMap(({ properties }) => properties.find(isFree) ?? properties[0] ?? []);
}

function readKeys(resource: Records): UniqueKey[] {
  const { shape, id, path } = resource;
  const { create, replace, update } = resource.actions;
  const writes = [create, replace, update].flatMap((operation) => operation ?? []);
  const conflictOf = ({ responses }: Operation) => responses.find(({ key }) => key === '409')?.spot;
  const { facts, at } = saidOfCollection(resource);
  if (facts.unique) {
    const basis = basisOf(['said'], at('unique') ?? shape.spot);
    return facts.unique.map(({ members, perParent = false, freed }) => ({
      properties: members,
      ...basis,
      isPerParent: perParent,
      freed: freed ? basis : undefined,
      refusedBy: writes.filter((write) => write === create || conflictOf(write)),
    }));
  }
  const kind = wordsOf(path.split('/').at(-1) ?? '').flatMap((word) => [word, singular(word)]);
  return [...shape.properties].flatMap(([name, { mainType, readOnly, values }]) => {
    // An enumeration alone is no key.
    if (!['string', 'integer'].includes(mainType ?? '') || readOnly || values || name === id?.property)
      return [];
    const [refusedBy, spots] = [[] as Operation[], [] as Spot[]];
    for (const operation of writes) {
      const spot = conflictOf(operation);
      const isSaid =
        spot && (saysTaken(textOf(spot), name, kind) || namesTaken(textOf(operation.spot), name));
      if (!spot || !isSaid) continue;
      refusedBy.push(operation);
      spots.push(spot);
    }
    const limits = { isPerParent: false, freed: undefined };
    return spots[0]
      ? [{ properties: [name], ...basisOf(['schema', 'words'], spots[0]), refusedBy, ...limits }]
      : [];
  });
}

/** Phrases that limit a conflict to some cases, or deny it. */
const HEDGED = listed(
  'may|might|can|could|sometimes|usually|normally|unless|except|depending|optional|example|without|no|not',
);
const TAKEN = listed('exist|exists|taken|registered|claimed|used|duplicate|duplicated|unique|in use');
/** Words that point to another record. */
const ANOTHER = listed('another|other|already');
/** Words that do not limit a conflict; any other word does, except a noun for the record. */
const NEUTRAL = [
  ...TAKEN,
  ...ANOTHER,
  '*',
  'this',
  'in',
  'use',
  'with',
  'of',
  'has',
  'have',
  'uses',
  ...listed('is|are|was|were|be|been|must|if|when|because|there|conflict|value|address'),
];

/** Whether a text calls a member's value taken, without limits: `email already taken`, `another user has the same email`. */
function saysTaken(text: string, name: string, kind: readonly string[]): boolean {
  return text
    .split(/(?<=[.!?])\s/)
    .filter((one) => !has(spoken(one), HEDGED))
    .flatMap((one) => one.split(/[,;:(]|\bor\b/))
    .map((one) => marked(spoken(one), name))
    .some((clause) => {
      const isTaken = has(clause, TAKEN) || (has(clause, ['this *']) && has(clause, ANOTHER));
      const words = clause.trim().split(' ');
      return (
        isTaken && words.includes('*') && words.every((word) => NEUTRAL.includes(word) || kind.includes(word))
      );
    });
}

const CODE = /\b[a-z]+(?:_[a-z]+)+\b/gi;

/** Whether the code of a refusal calls a member's value taken: `email_taken`, `slug_already_exists`. */
function namesTaken(text: string, name: string): boolean {
  const isOf = (code: string) => {
    const words = wordsOf(code);
    const rest = words.filter((word) => !NEUTRAL.includes(word)).join('');
    return has(spoken(words.join(' ')), TAKEN) && rest === foldedName(name);
  };
  return (text.match(CODE) ?? []).some(isOf);
}
