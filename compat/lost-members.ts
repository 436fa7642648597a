import { type Place, placeOf, rawChild, Shape, type Spot } from '#spec';
import { membersOf } from './members.ts';
import { areSame, isSame, targetOf } from './same-schema.ts';

/** A member of OLD that NEW treats otherwise. */
export interface LostMember {
  /** JSON Pointer; `-` stands for any item. */
  readonly path: string;
  /** What has become of it. */
  readonly what: string;
  readonly at: Place;
}

type Hidden = 'readOnly' | 'writeOnly';

/** What two values show of their own members, and the members whose values must be compared in turn. */
interface Level {
  /** By the name of the member. */
  readonly lost: readonly LostMember[];
  readonly below: readonly (readonly [name: string, old: readonly Spot[], next: readonly Spot[]])[];
}

/** Nothing is lost where both say the same. */
const SAME: Level = { lost: [], below: [] };

/**
 * Members that are gone, hidden in this direction, or deprecated; of two schemas to which several members lead, at the
 * shortest path.
 */
export function lostMembers(old: readonly Spot[], next: readonly Spot[], hidden: Hidden): LostMember[] {
  const lost: LostMember[] = [];
  const seen = new Set<Level>();
  const waiting = [{ path: '', level: levelOf(old, next, hidden) }];
  for (const { path, level } of waiting) {
    if (seen.has(level)) continue;
    seen.add(level);
    lost.push(...level.lost.map((one) => ({ ...one, path: `${path}/${one.path}` })));
    for (const [name, before, after] of level.below)
      waiting.push({ path: `${path}/${name}`, level: levelOf(before, after, hidden) });
  }
  return lost;
}

/** By the first schema of OLD, as long as that is kept: schemas that operations share are compared once. */
const LEVELS = new WeakMap<object, Map<string, Level>>();

function levelOf(old: readonly Spot[], next: readonly Spot[], hidden: Hidden): Level {
  const [before, after] = [old.map(targetOf), next.map(targetOf)];
  const first = before[0]?.value;
  if (areSame(before, after) || typeof first !== 'object' || first === null) return SAME;
  const levels = LEVELS.get(first) ?? new Map<string, Level>();
  LEVELS.set(first, levels);
  const key = `${hidden} ${before.map(numberOf)} ${after.map(numberOf)}`;
  const level = levels.get(key) ?? compareMembers(before, after, hidden);
  levels.set(key, level);
  return level;
}

const NUMBERS = new WeakMap<object, number>();
let count = 0;

/** Of a schema, which no other one has. */
function numberOf({ value }: Spot): number | string {
  if (typeof value !== 'object' || value === null) return String(value);
  const number = NUMBERS.get(value) ?? ++count;
  NUMBERS.set(value, number);
  return number;
}

function compareMembers(old: readonly Spot[], next: readonly Spot[], hidden: Hidden): Level {
  // A variant less is no member less.
  const isNarrower = branchesOf(next) < branchesOf(old);
  const [before, after] = [membersOf(old), membersOf(next)];
  const isOpen = after.isOpen && after.named.size === 0;
  const lost: LostMember[] = [];
  const below: [string, readonly Spot[], readonly Spot[]][] = [];
  for (const [name, spots] of before.named) {
    const [here] = spots;
    if (!here || hasFlag(spots, hidden)) continue;
    const twin = after.named.get(name);
    if (twin) {
      lost.push(...changesOf(name, spots, twin, hidden));
      if (!hasFlag(twin, hidden)) below.push([name, spots, twin]);
    } else if (!isNarrower && !isOpen) lost.push({ path: name, what: 'is gone', at: placeOf(here) });
  }
  if (before.others.length > 0 && after.others.length > 0) below.push(['-', before.others, after.others]);
  return { lost, below };
}

/** What has become of a member that both have. */
function changesOf(path: string, old: readonly Spot[], next: readonly Spot[], hidden: Hidden): LostMember[] {
  const [here] = old;
  const [there = here] = next;
  if (!here || !there) return [];
  if (hasFlag(next, hidden)) return [{ path, what: `is ${hidden} in NEW`, at: placeOf(there) }];
  const coded = CODINGS.filter(
    (key) => !isSame(keywordOf(here, key), keywordOf(there, key)) && keywordOf(here, key) !== undefined,
  ).map((key) => ({
    path,
    what: `has another ${key} in NEW`,
    at: placeOf(keywordOf(there, key) ?? there),
  }));
  const isDeprecated = hasFlag(next, 'deprecated') && !hasFlag(old, 'deprecated');
  return isDeprecated ? [...coded, { path, what: 'is deprecated in NEW', at: placeOf(there) }] : coded;
}

function branchesOf(schemas: readonly Spot[]): number {
  return schemas.reduce((sum, schema) => sum + new Shape([schema]).alternatives.length, 0);
}

/** What no validator judges: the text within a string. */
const CODINGS = ['contentMediaType', 'contentEncoding', 'contentSchema'];

function keywordOf(spot: Spot, key: string): Spot | undefined {
  return keywordsOf(spot).flatMap((one) => rawChild(one, key) ?? [])[0];
}

function hasFlag(spots: readonly Spot[], key: string): boolean {
  return spots.flatMap(keywordsOf).some((one) => rawChild(one, key)?.value === true);
}

/** The schema itself, and what it refers to. */
function keywordsOf(spot: Spot): Spot[] {
  const isReference = rawChild(spot, '$ref') !== undefined;
  const target = isReference ? spot.document.resolve(spot) : undefined;
  return target ? [spot, target] : [spot];
}
