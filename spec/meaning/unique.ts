import type { Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import type { Operation } from '../operation.ts';
import type { DocumentedResponse } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { type Basis, basisOf } from './basis.ts';
import { idWord, singular, wordsOf } from './names.ts';
import { has, listed, marked, sentencesIn, spoken, textOf } from './words.ts';
import { saidOfCollection } from './x-paddock.ts';

/** Members whose values, all of them together, no two records of a collection have. */
export interface UniqueKey extends Basis {
  readonly properties: readonly string[];
  /** The operations that refuse the values of another record, as the document says. */
  readonly refusedBy: readonly Operation[];
  /** The document says that records below another parent may have the same values. */
  readonly isPerParent: boolean;
  /** The document says that the values of a removed record are free again. */
  readonly freed: Basis | undefined;
}

/** What is read of a collection. */
interface Resource {
  readonly path: string;
  readonly actions: Readonly<Partial<Record<'create' | 'replace' | 'update' | 'remove', Operation>>>;
  readonly shape: Shape;
  readonly id: { readonly property: string } | undefined;
  readonly parents: readonly { readonly parameter: string; readonly property: string | undefined }[];
}

const known = new WeakMap<Resource, readonly UniqueKey[]>();

/**
 * The unique keys of a collection: members of which `x-paddock` says so, or of which a documented 409 says that their value is
 * taken. Where there are none, the one required text of a create that the 409 speaks of is presumed to be one.
 */
export function uniqueKeys(resource: Resource): readonly UniqueKey[] {
  const keys = known.get(resource) ?? readKeys(resource);
  known.set(resource, keys);
  return keys;
}

/** Of each key the member that a new record is told apart by. */
export function tellingMembers(resource: Resource): string[] {
  const { shape, parents } = resource;
  const isFree = (name: string) => {
    const member = shape.properties.get(name);
    const isParent = parents.some(({ property }) => property === name) || idWord(name) !== undefined;
    return member !== undefined && !member.values && !isParent && member.mainType !== 'boolean';
  };
  return uniqueKeys(resource).flatMap(({ properties }) => properties.find(isFree) ?? properties[0] ?? []);
}

function readKeys(resource: Resource): UniqueKey[] {
  const keys = saidKeys(resource);
  if (saidOfCollection(resource).facts.unique) return keys;
  const told = new Set(keys.flatMap(({ properties }) => properties));
  const conflicts = writesOf(resource).flatMap((operation) => {
    const conflict = conflictOf(operation);
    return conflict ? [{ operation, spot: conflict.spot }] : [];
  });
  for (const property of candidates(resource).filter((name) => !told.has(name))) {
    const key = keyOf(resource, property, conflicts);
    if (key) keys.push(key);
  }
  const natural = keys.length > 0 ? undefined : naturalKey(resource);
  return natural ? [natural] : keys;
}

const CONFLICT = '409';

function conflictOf({ responses }: Operation): DocumentedResponse | undefined {
  return responses.find(({ key }) => key === CONFLICT);
}

function writesOf({ actions: { create, replace, update } }: Resource): Operation[] {
  return [create, replace, update].flatMap((one) => one ?? []);
}

function saidKeys(resource: Resource): UniqueKey[] {
  const { facts, at } = saidOfCollection(resource);
  const basis = basisOf(['said'], at('unique') ?? resource.shape.spot);
  return (facts.unique ?? []).map(({ members, perParent = false, freed }) => ({
    ...{ properties: members, ...basis, isPerParent: perParent, freed: freed ? basis : undefined },
    refusedBy: writesOf(resource).filter((one) => one === resource.actions.create || conflictOf(one)),
  }));
}

/** Members that may tell records apart, and are no ids of their own; a kind or a status alone is no key. */
function candidates({ shape, id }: Resource): string[] {
  const types: readonly unknown[] = ['string', 'integer', 'number'];
  return [...shape.properties].flatMap(([name, { mainType, readOnly, values }]) =>
    types.includes(mainType) && !readOnly && !values && name !== id?.property ? name : [],
  );
}

interface Conflict {
  readonly operation: Operation;
  readonly spot: Spot;
}

const unlimited = { isPerParent: false, freed: undefined };

/** The documented 409 is one sign, words that say of the member that its value is taken or must be unique are another. */
function keyOf(resource: Resource, name: string, conflicts: readonly Conflict[]): UniqueKey | undefined {
  const kind = wordsOf(resource.path.split('/').at(-1) ?? '').flatMap((word) => [word, singular(word)]);
  const stating = conflicts.filter(({ spot }) => saysTaken(spot, name, kind));
  const parts = resource.shape.properties.get(name)?.parts ?? [];
  const isUnique = (one: string) => has(one, ['must be unique', 'is unique']) && !has(one, HEDGES_OF_UNIQUE);
  const because = stating[0]?.spot ?? parts.find((one) => sentencesIn(textOf(one)).some(isUnique));
  if (!because || conflicts.length === 0) return undefined;
  const refusedBy = (stating.length > 0 ? stating : conflicts).map(({ operation }) => operation);
  return { properties: [name], ...basisOf(['schema', 'words'], because), refusedBy, ...unlimited };
}

/** What is only so sometimes, and what is not there, stands in nobody's way. */
const HEDGED = listed(
  'may|might|can|could|sometimes|usually|normally|unless|except|depending|optional|example|without|no|not',
);
const HEDGES_OF_UNIQUE = [...HEDGED, 'in', 'within', 'per', 'for'];
const TAKEN = listed('exist|exists|taken|registered|claimed|used|duplicate|duplicated|unique|in use');
/** Of another record, which has this value. */
const ANOTHER = listed('another|other|already');
/** Words that limit nothing; any further one does, but for a noun for the record. */
const NEUTRAL = new Set([
  ...[...TAKEN, ...ANOTHER, '*', 'this', 'in', 'use', 'identical'],
  ...listed('is|are|was|were|be|been|must|if|when|because|there|conflict|value|address'),
  ...listed('with|has|have|having|uses|using|bears|of'),
]);
const ANY_KIND = listed('record|resource|item|entry|object|entity');

const withoutTwo = (text: string) =>
  text.replace(' no two ', ' another ').replace(/( another \w+) may /, '$1 ');

/** `email already taken`, `another user has the same email`: nothing limits it, and no other member is named beside. */
function saysTaken(spot: Spot, name: string, kind: readonly string[]): boolean {
  const clauses = textOf(spot)
    .split(/(?<=[.!?])\s/)
    .filter((one) => !has(withoutTwo(spoken(one)), HEDGED))
    .flatMap((one) => one.split(/[,;:(]|\bor\b/))
    .map((one) => marked(withoutTwo(spoken(one)), name));
  return clauses.some((clause) => {
    const others = clause
      .trim()
      .split(' ')
      .filter((word) => !NEUTRAL.has(word) && !kind.includes(word));
    // A component is for several operations: what it says of any record it may not mean for each.
    if (spot.path[0] === 'components' && has(clause, ANY_KIND)) return false;
    const isTaken = has(clause, TAKEN) || (has(clause, ['this *']) && has(clause, ANOTHER));
    return isTaken && has(clause, ['*']) && others.length <= (has(clause, kind) ? 0 : 1);
  });
}

/** The one required text that a 409 of the create is about. */
function naturalKey(resource: Resource): UniqueKey | undefined {
  const { create } = resource.actions;
  const conflict = create && conflictOf(create);
  const text =
    conflict &&
    [textOf(conflict.spot), ...conflict.content.flatMap((media) => textsIn([...media.examples.values()]))]
      .map(spoken)
      .find((one) => has(one, [...TAKEN, 'already', 'uniqueness']));
  if (!create || !conflict || text === undefined) return undefined;
  const named = [...resource.shape.properties.keys()].filter((name) => has(text, [spoken(name).trim()]));
  const [property = '', ...more] = named;
  const isRequired = (create.body?.content ?? []).some(
    ({ shape }) => shape?.required.has(property) && shape.properties.get(property)?.mainType === 'string',
  );
  if (more.length > 0 || !isRequired || !candidates(resource).includes(property)) return undefined;
  return { properties: [property], ...basisOf(['schema'], conflict.spot), refusedBy: [create], ...unlimited };
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isRecord(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : [];
}
