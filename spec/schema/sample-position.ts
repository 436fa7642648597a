import type { Spot } from '../document/spot.ts';
import { isRecord, toPointer } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { type Random, type Seed, seedOf } from './random.ts';
import type { Shape } from './shape.ts';
import type { Direction } from './translate.ts';

export interface SampleOptions {
  /** Each value depends on this text and its path only: the same key gives the same value. */
  readonly key: string;
  /** Of what the value is: without `readOnly` members, or without `writeOnly` ones. Default: with both. */
  readonly direction?: Direction;
  /** Further members to leave out. Default: none. */
  readonly omit?: (member: Shape) => boolean;
  /** Whether an optional member of an object is present. Default: each is. */
  readonly include?: (name: string, random: Random, member: Shape | undefined, object: Shape) => boolean;
  /** Whether what schemas show of their values (examples, else a `default`) stands for values. Default: no. */
  readonly withExamples?: boolean;
  /** Whether not even a text for a pattern is one that its schema shows. Default: no. */
  readonly unshown?: boolean;
  /** The value of a member, or undefined for one that the schema decides. Default: the schema decides all. */
  readonly fake?: (name: string, shape: Shape, random: Random, owner: Owner | undefined) => unknown;
  /** Lets the members of an object that was made agree with each other. Default: each is as it was made. */
  readonly settle?: (
    made: Record<string, unknown>,
    owner: Owner,
    mayChange: (name: string) => boolean,
  ) => void;
  /** A word, where the document says nothing of a text: the name of an entry in a map, say. Default: syllables. */
  readonly word?: (random: Random) => string;
  /** What the value is called. Default: nothing. */
  readonly name?: string;
  /** The object that the value is a member of. Default: none. */
  readonly owner?: Owner;
}

/** An object, or an array, that contains a value. */
export interface Owner {
  readonly shape: Shape;
  /** Of all that it contains: members that belong together are made from it. */
  readonly seed: Seed;
  /** The member that it is; empty for an item of an array. */
  readonly name: string;
  readonly above: Owner | undefined;
}

/** The position of a value in the sample. */
export interface Position {
  readonly options: SampleOptions;
  readonly name: string;
  readonly owner: Owner | undefined;
  /** Of the path of the value, which begins with the key of the options. */
  readonly seed: Seed;
  /** The schemas of the values that contain this one. */
  readonly ancestors: readonly Shape[];
  /** How many of them were reached by a reference. */
  readonly references: number;
  /** JSON Pointer (RFC 6901) of the value in the sample. */
  readonly path: string;
  /** By such a path, the schemas that values there broke before. */
  readonly demands: ReadonlyMap<string, readonly Spot[]>;
  /** Whether a value that does not fit is better than none. */
  readonly isForced: boolean;
  /** How large what is still to be made may be, and how often it may be made anew, in the whole sample. */
  readonly room: { left: number; tries: number };
}

/**
 * Optional objects and arrays behind more references are left out: mutual ones would grow exponentially. Behind as many,
 * a branch that is neither is taken where there is one, such as the id of an object in its place.
 */
const MAX_REFERENCES = 2;

/** The position of a member or item; `member` is its schema, `token` the name or index, if that is not the step of the seed. */
export function inside(
  shape: Shape,
  at: Position,
  step: string,
  name: string,
  member: Shape | undefined,
  owner: Owner = ownerAt(shape, at),
  token = step,
): Position {
  const references = member ? referencesIn(member, shape, at) : at.references;
  const { options, seed, ancestors, room, demands, isForced } = at;
  return {
    ...{ options, name, owner, seed: seedOf(`/${step}`, seed), ancestors: [...ancestors, shape] },
    ...{ references, room, demands, isForced, path: at.path + toPointer([token]) },
  };
}

export function ownerAt(shape: Shape, { seed, name, owner: above }: Position): Owner {
  return { shape, seed, name, above };
}

/** How many references lead to a member or branch of a schema. */
export function referencesIn(member: Shape, shape: Shape, { references }: Position): number {
  return references + (isReferenced(member, shape) ? 1 : 0);
}

/** Whether any part of a schema is written elsewhere than in the one that contains it. */
function isReferenced(member: Shape, shape: Shape): boolean {
  const cache = referencedIn(shape);
  let isElsewhere = cache.get(member);
  if (isElsewhere === undefined) {
    isElsewhere = member.parts.some(
      ({ file, path }) =>
        !shape.parts.some(
          (outer) => outer.file === file && outer.path.every((step, index) => path[index] === step),
        ),
    );
    cache.set(member, isElsewhere);
  }
  return isElsewhere;
}

const referencedIn = oncePer((_: Shape) => new WeakMap<Shape, boolean>());

/** `null`, and what leads to further schemas, only where every other branch would not end soon or not at all. */
export function branchesOf(shape: Shape, at: Position): readonly Shape[] {
  // What the rest of the schema leaves no type is no branch: null beside `type: object`.
  const alternatives = shape.alternatives.filter(({ types }) => types?.size !== 0);
  if (alternatives.length === 0) return shape.alternatives;
  const finite = alternatives.filter((branch) => !isRepeated(branch, at.ancestors));
  const candidates = finite.length > 0 ? finite : alternatives;
  const near = candidates.filter(
    (branch) => !isCompound(branch) || referencesIn(branch, shape, at) < MAX_REFERENCES,
  );
  const filled = near.filter((branch) => branch.mainType !== 'null');
  return [filled, near, candidates].find((some) => some.length > 0) ?? candidates;
}

/** Whether a schema with properties is that of an ancestor, too. */
export function isRepeated(shape: Shape, ancestors: readonly Shape[]): boolean {
  const schemas = withProperties(shape);
  if (schemas.length === 0) return false;
  return ancestors.some((ancestor) => ancestor.parts.some(({ value }) => schemas.includes(value)));
}

const withProperties = oncePer(({ parts }: Shape): readonly unknown[] =>
  parts.map(({ value }) => value).filter((value) => isRecord(value) && 'properties' in value),
);

/** Whether the entries of a map are maps of the same schema again, which has no properties to know it by. */
export function contains(entry: Shape, shape: Shape, { ancestors }: Position): boolean {
  const schemas = entry.parts.map(({ value }) => value);
  return [shape, ...ancestors].some(({ parts }) => parts.some(({ value }) => schemas.includes(value)));
}

/** Whether an optional object or array is left out, so that the sample ends. */
export function isLeftOut(member: Shape, shape: Shape, at: Position): boolean {
  const references = referencesIn(member, shape, at);
  const ancestors = [...at.ancestors, shape];
  if (references > MAX_REFERENCES || isRepeated(member, ancestors)) return true;
  const [only, ...more] = member.alternatives.filter((branch) => branch.mainType !== 'null');
  if (only && more.length === 0) return isLeftOut(only, shape, at);
  return member.items !== undefined && isLeftOut(member.items, shape, at);
}

export const isCompound: (shape: Shape) => boolean = oncePer(
  ({ mainType, alternatives }: Shape) =>
    mainType === 'object' || mainType === 'array' || alternatives.some(isCompound),
);
