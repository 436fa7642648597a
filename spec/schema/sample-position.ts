import type { Spot } from '../document/spot.ts';
import { isRecord, toPointer } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { type Random, type Seed, seedOf } from './random.ts';
import type { Shape } from './shape.ts';
import type { Direction } from './translate.ts';

export interface SampleOptions {
  /** Each value depends only on this text and its path: the same key gives the same value. */
  readonly key: string;
  /** The direction of the value: without `readOnly` members, or without `writeOnly` ones. Default: with both. */
  readonly direction?: Direction;
  /** Selects further members to leave out. Default: none. */
  readonly omit?: (member: Shape) => boolean;
  /** Whether an optional member of an object is present. Default: all are. */
  readonly include?: (name: string, random: Random, member: Shape | undefined, object: Shape) => boolean;
  /** Whether the examples of schemas, else a `default`, are used as values. Default: no. */
  readonly withExamples?: boolean;
  /** Whether to avoid a schema's example even as the text for a pattern. Default: no. */
  readonly unshown?: boolean;
  /** The value of a member, or undefined for one that the schema decides. Default: the schema decides all. */
  readonly fake?: (name: string, shape: Shape, random: Random, owner: Owner | undefined) => unknown;
  /** Makes the members of a generated object consistent with each other. Default: they are left unchanged. */
  readonly settle?: (
    made: Record<string, unknown>,
    owner: Owner,
    mayChange: (name: string) => boolean,
  ) => void;
  /** A word for texts that the document says nothing about, such as the name of a map entry. Default: syllables. */
  readonly word?: (random: Random) => string;
  /** The name of the value. Default: none. */
  readonly name?: string;
  /** The object that the value is a member of. Default: none. */
  readonly owner?: Owner;
}

/** An object or array that contains the value. */
export interface Owner {
  readonly shape: Shape;
  /** The seed for all of its contents, so that related members can be derived from it. */
  readonly seed: Seed;
  /** Its member name in its own owner; empty for an array item. */
  readonly name: string;
  readonly above: Owner | undefined;
}

/** The position of a value in the sample. */
export interface Position {
  readonly options: SampleOptions;
  readonly name: string;
  readonly owner: Owner | undefined;
  /** The seed for the path of the value, which begins with the key of the options. */
  readonly seed: Seed;
  /** The schemas of the values that contain this one. */
  readonly ancestors: readonly Shape[];
  /** How many of them a reference led to. */
  readonly references: number;
  /** JSON Pointer (RFC 6901) of the value in the sample. */
  readonly path: string;
  /** The schemas that earlier values broke, by JSON Pointer. */
  readonly demands: ReadonlyMap<string, readonly Spot[]>;
  /** Whether an invalid value is better than none. */
  readonly isForced: boolean;
  /** The remaining size and number of retries for the whole sample. */
  readonly room: { left: number; tries: number };
}

/**
 * Optional objects and arrays behind more references are omitted, since mutual references would grow exponentially. At
 * this depth a branch of another type is preferred, such as the id of an object instead of the object.
 */
const MAX_REFERENCES = 2;

/**
 * The position of a member or item. `member` is its schema; `token` is its name or index if that differs from the step
 * of the seed.
 */
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
    options,
    name,
    owner,
    seed: seedOf(`/${step}`, seed),
    ancestors: [...ancestors, shape],
    references,
    room,
    demands,
    isForced,
    path: at.path + toPointer([token]),
  };
}

export function ownerAt(shape: Shape, { seed, name, owner: above }: Position): Owner {
  return { shape, seed, name, above };
}

/** The number of references on the way to a member or branch of a schema. */
export function referencesIn(member: Shape, shape: Shape, { references }: Position): number {
  return references + (isReferenced(member, shape) ? 1 : 0);
}

/** Whether any part of a schema is outside the schema that contains it. */
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

/**
 * The branches to choose from. `null` and branches that lead to further schemas are only used if no other branch ends
 * soon.
 */
export function branchesOf(shape: Shape, at: Position): readonly Shape[] {
  // A branch without any type in common with the rest of the schema is impossible: null beside `type: object`.
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

/** Whether a schema with properties is also the schema of an ancestor. */
export function isRepeated(shape: Shape, ancestors: readonly Shape[]): boolean {
  const schemas = withProperties(shape);
  if (schemas.length === 0) return false;
  return ancestors.some((ancestor) => ancestor.parts.some(({ value }) => schemas.includes(value)));
}

const withProperties = oncePer(({ parts }: Shape): readonly unknown[] =>
  parts.map(({ value }) => value).filter((value) => isRecord(value) && 'properties' in value),
);

/** Whether the entries of a map have the map's own schema. Such a schema has no properties to recognise it by. */
export function contains(entry: Shape, shape: Shape, { ancestors }: Position): boolean {
  const schemas = entry.parts.map(({ value }) => value);
  return [shape, ...ancestors].some(({ parts }) => parts.some(({ value }) => schemas.includes(value)));
}

/** Whether an optional object or array is omitted, so that the sample ends. */
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
