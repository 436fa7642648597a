import type { Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import type { Operation } from '../operation.ts';
import type { DocumentedResponse } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { type Basis, basisOf } from './basis.ts';
import { foldedName, idWord, singular, wordsOf } from './names.ts';
import { has, sentencesIn, spoken, textOf } from './words.ts';
import { saidOfRecord } from './x-paddock.ts';

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
  if (saidOfRecord(resource.shape).facts.unique) return keys;
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
  const { facts, spot } = saidOfRecord(resource.shape);
  const basis = spot && basisOf(['said'], spot);
  if (!basis) return [];
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
  const part = resource.shape.properties
    .get(name)
    ?.parts.find((one) => sentencesIn(textOf(one)).some(saysUnique));
  const because = stating[0]?.spot ?? part;
  if (!because || conflicts.length === 0) return undefined;
  const refusedBy = (stating.length > 0 ? stating : conflicts).map(({ operation }) => operation);
  return { properties: [name], ...basisOf(['schema', 'words'], because), refusedBy, ...unlimited };
}

/** What is only so sometimes, and what is not there, stands in nobody's way. */
const HEDGED =
  'might|can|could|sometimes|usually|normally|unless|except|depending|optional|example|without'.split('|');
const saysUnique = (sentence: string) =>
  has(sentence, ['must be unique', 'is unique']) &&
  !has(sentence, [...HEDGED, 'may', 'in', 'within', 'per', 'for']);

/** Words that are as good as none, or as others. */
const SAME_WORDS: Readonly<Record<string, string>> = {
  ...said('', 'a an the there is are was were be been must if when because conflict value address'),
  ...said('with', 'has have having uses using bears of with'),
  ...said('same', 'this that same given identical'),
  ...said('another', 'another other'),
  ...said('exists', 'exists exist'),
  ...said('taken', 'taken registered claimed used duplicated unique'),
};
function said(word: string, others: string) {
  return Object.fromEntries(others.split(' ').map((one) => [one, word]));
}
/** What is left of the reason for a 409, with the name of the member as `*`. Any more word may limit it. */
const REASONS = new Set(
  [
    '* taken|* already taken|* in use|* already in use|* exists|* already exists|* not taken|duplicate *',
    'another with same *|already with same *|already another with same *|no two may with same *|no two with same *',
    'with same * exists|with same * already exists|with same * already taken|with same * in use',
  ].flatMap((text) => text.split('|')),
);
const ANY_KIND = 'record resource item entry object entity'.split(' ');

/** `email already taken`, `another user has the same email`: nothing limits it, and no other member is named beside. */
function saysTaken(spot: Spot, name: string, kind: readonly string[]): boolean {
  const sentences = textOf(spot).split(/(?<=[.!?])\s/);
  const clauses = sentences
    .filter((one) => !has(spoken(one), HEDGED))
    .flatMap((one) => one.split(/[,;:(]|\bor\b/));
  return clauses.some((clause) => {
    const words = spoken(clause).replaceAll(' e mail ', ' email ').trim().split(' ');
    const length = [1, 2, 3, 4].find((count) => findName(words, name, count) >= 0) ?? 0;
    const marked =
      length === 0
        ? words
        : words
            .with(findName(words, name, length), '*')
            .toSpliced(findName(words, name, length) + 1, length - 1);
    // A component is for several operations: what it says of any record it may not mean for each.
    if (spot.path[0] === 'components' && marked.some((word) => ANY_KIND.includes(word))) return false;
    const isOfKind = marked.some((word) => kind.includes(word));
    const other = isOfKind ? undefined : marked.find((word) => !KNOWN.has(word));
    const left = marked
      .filter((word) => word !== other && !kind.includes(word))
      .map((word) => SAME_WORDS[word] ?? word);
    return REASONS.has(left.filter((word) => word !== '').join(' '));
  });
}

const KNOWN = new Set([...Object.keys(SAME_WORDS), ...[...REASONS].flatMap((reason) => reason.split(' '))]);

/** Where so many words are a name together; -1: nowhere. */
const findName = (words: readonly string[], name: string, count: number) =>
  words.findIndex((_, at) => words.slice(at, at + count).join('') === foldedName(name));

/** The one required text that a 409 of the create is about. */
function naturalKey(resource: Resource): UniqueKey | undefined {
  const { create } = resource.actions;
  const conflict = create && conflictOf(create);
  const text =
    conflict &&
    textsOf(conflict)
      .map(spoken)
      .find((one) => has(one, SAYS_TAKEN));
  if (!create || !conflict || text === undefined) return undefined;
  const required = (create.body?.content ?? []).flatMap(({ shape }) => {
    const texts = [...(shape?.properties ?? [])].filter(([, { mainType }]) => mainType === 'string');
    return texts.flatMap(([name]) => (shape?.required.has(name) ? name : []));
  });
  const names = [...resource.shape.properties.keys()];
  const [property, ...more] = names.filter((name) => has(text, [spoken(name).trim()]));
  if (property === undefined || more.length > 0 || !required.includes(property)) return undefined;
  if (!candidates(resource).includes(property)) return undefined;
  return { properties: [property], ...basisOf(['schema'], conflict.spot), refusedBy: [create], ...unlimited };
}

const SAYS_TAKEN = [
  'already',
  'taken',
  'exists',
  'exist',
  'duplicate',
  'duplicated',
  'unique',
  'in use',
  'uniqueness',
];

/** The description of a response, and the texts of its examples. */
function textsOf({ spot, content }: DocumentedResponse): string[] {
  const examples = content.flatMap((media) => [...media.examples.values()].flatMap(textsIn));
  return [textOf(spot), ...examples];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isRecord(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : [];
}
