import type { Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import type { Operation } from '../operation.ts';
import type { DocumentedResponse } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { sentencesOf } from '../stated.ts';
import { type Basis, basisOf } from './basis.ts';
import { foldedName, idWord } from './names.ts';
import {
  compileUniqueWords,
  type StatedUnique,
  saysFreed,
  saysMustBeUnique,
  type UniqueWords,
} from './unique-words.ts';
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
 * The unique keys of a collection: members of which `x-paddock` says so, and what the descriptions of a documented 409 say in
 * recognised words. Where there are none, the one required text of a create that the 409 speaks of is presumed to be one.
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
  const keys = new Map<string, Found>();
  const words = compileUniqueWords(candidates(resource), resource.path.split('/').at(-1) ?? '');
  for (const key of [...markedKeys(resource), ...statedKeys(resource, words)]) {
    const name = key.properties.toSorted().join();
    const other = keys.get(name);
    const refusedBy = [...new Set([...(other?.refusedBy ?? []), ...key.refusedBy])];
    keys.set(name, { ...key, ...other, refusedBy, isPerParent: (other ?? key).isPerParent });
  }
  const presumed = keys.size > 0 ? undefined : naturalKey(resource, words);
  return [...keys.values(), ...(presumed ? [presumed] : [])].map((key) => ({
    ...key,
    freed: freedBy(resource, key, words),
  }));
}

/** A key without what removals say of it. */
type Found = Omit<UniqueKey, 'freed'>;

const CONFLICT = '409';

function conflictOf({ responses }: Operation): DocumentedResponse | undefined {
  return responses.find(({ key }) => key === CONFLICT);
}

function writesOf({ actions: { create, replace, update } }: Resource): Operation[] {
  return [create, replace, update].flatMap((one) => one ?? []);
}

function markedKeys(resource: Resource): Found[] {
  const { facts, spot } = saidOfRecord(resource.shape);
  return (facts.unique ?? []).map(({ members, perParent = false }) => ({
    properties: members,
    ...basisOf(['said'], spot as Spot),
    isPerParent: perParent,
    refusedBy: writesOf(resource).filter((one) => one === resource.actions.create || conflictOf(one)),
  }));
}

function bodyShapes({ body }: Operation): Shape[] {
  return (body?.content ?? []).flatMap(({ shape }) => shape ?? []);
}

/** Members that may tell records apart, and are no ids of their own. */
function candidates({ shape, id }: Resource): string[] {
  const isPlain = ({ mainType, readOnly }: Shape) =>
    !readOnly && (mainType === 'string' || mainType === 'integer' || mainType === 'number');
  return [...shape.properties].flatMap(([name, member]) =>
    isPlain(member) && name !== id?.property ? name : [],
  );
}

function statedKeys(resource: Resource, words: UniqueWords): Found[] {
  const writes = writesOf(resource);
  const said = writes.flatMap((operation) => {
    const conflict = conflictOf(operation);
    return conflict ? [{ operation, spot: conflict.spot }] : [];
  });
  const keys = said.flatMap(({ operation, spot }) =>
    sentencesOf(spot).flatMap((sentence) =>
      words.read(sentence).flatMap((stated) => keyOf(resource, stated, spot, operation) ?? []),
    ),
  );
  const refusing = said.map(({ operation }) => operation);
  const ofMembers = candidates(resource).flatMap((property): Found[] => {
    const because = resource.shape.properties
      .get(property)
      ?.parts.find((part) => sentencesOf(part).some(saysMustBeUnique));
    return because && refusing.length > 0
      ? [{ properties: [property], certainty: 'promised', because, refusedBy: refusing, isPerParent: false }]
      : [];
  });
  return [...keys, ...ofMembers];
}

/** Undefined: the sentence may be about something else. */
function keyOf(
  resource: Resource,
  { names, within, isPlain, isGeneral }: StatedUnique,
  because: Spot,
  operation: Operation,
): Found | undefined {
  const { shape, parents } = resource;
  const scope = within === undefined ? undefined : scopeOf(resource, within);
  // A component is for several operations: what it says of any record it may not mean for each.
  const isShared = isGeneral && because.path[0] === 'components';
  if (!isPlain || isShared || names.length === 0 || (within !== undefined && !scope)) return undefined;
  // A kind or a status alone is no key.
  if (names.length === 1 && !scope?.property && shape.properties.get(names[0] ?? '')?.values)
    return undefined;
  const isParent =
    scope?.property === undefined || parents.some(({ property }) => property === scope.property);
  return {
    properties: [...names, ...(isParent || scope?.property === undefined ? [] : [scope.property])],
    certainty: 'promised',
    because,
    refusedBy: [operation],
    isPerParent: scope !== undefined && isParent,
  };
}

/** What a word names that records belong to: a parent by the path, or by a member. Undefined: nothing that is known. */
function scopeOf({ shape, parents }: Resource, word: string): { readonly property?: string } | undefined {
  const names = ['', 'id', 'key', 'slug', 'name'].map((ending) => foldedName(word) + ending);
  const property = [...shape.properties.keys()].find((name) => names.includes(foldedName(name)));
  if (property !== undefined) return { property };
  return parents.some(({ parameter }) => names.includes(foldedName(parameter))) ? {} : undefined;
}

/** What says that a value is there already. */
const TAKEN = /\b(?:already|taken|exists?|duplicated?|unique|in use|uniqueness)\b/i;

function naturalKey({ actions: { create }, id }: Resource, words: UniqueWords): Found | undefined {
  const conflict = create && conflictOf(create);
  const text = conflict && textsOf(conflict).find((one) => TAKEN.test(one));
  if (!create || !conflict || text === undefined) return undefined;
  const required = bodyShapes(create).flatMap((shape) =>
    [...shape.properties].flatMap(([name, member]) =>
      shape.required.has(name) && isText(member) && name !== id?.property ? name : [],
    ),
  );
  const named = words.namesIn(text);
  const [property, ...more] = [...new Set(required)].filter((name) => named.includes(name));
  if (property === undefined || more.length > 0) return undefined;
  return {
    properties: [property],
    certainty: 'presumed',
    because: conflict.spot,
    refusedBy: [create],
    isPerParent: false,
  };
}

/** The description of a response, and the texts of its examples. */
function textsOf({ spot, content }: DocumentedResponse): string[] {
  const description = isRecord(spot.value) ? spot.value.description : undefined;
  const examples = content.flatMap((media) => [...media.examples.values()].flatMap(textsIn));
  return [description, ...examples].filter((one) => typeof one === 'string');
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isRecord(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : [];
}

function isText(member: Shape): boolean {
  return member.mainType === 'string' && !member.values && !member.readOnly;
}

/** Where removals, conflicts or members themselves say that a value of the key is free again. */
function freedBy(
  resource: Resource,
  { certainty, properties }: Found,
  { namesIn }: UniqueWords,
): Basis | undefined {
  const { remove } = resource.actions;
  if (!remove || certainty !== 'promised') return undefined;
  const spots = [
    ...[remove, ...remove.responses].map(({ spot }) => spot),
    ...writesOf(resource).flatMap((one) => conflictOf(one)?.spot ?? []),
  ];
  const because =
    spots.find((spot) =>
      sentencesOf(spot).some(
        (one) => saysFreed(one) && namesIn(one).some((name) => properties.includes(name)),
      ),
    ) ??
    properties
      .flatMap((name) => resource.shape.properties.get(name)?.parts ?? [])
      .find((part) => sentencesOf(part).some(saysFreed));
  return because && { certainty: 'promised', because };
}
