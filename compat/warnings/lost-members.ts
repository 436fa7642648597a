import { type Place, placeOf, rawChild, Shape, type Spot } from '#spec';
import { membersOf } from '../members.ts';
import { isSame } from '../same-schema.ts';

/** A member of OLD that NEW treats otherwise. */
export interface LostMember {
  /** JSON Pointer; `-` stands for any item. */
  readonly path: string;
  /** What has become of it. */
  readonly what: string;
  readonly at: Place;
}

const MAX_DEPTH = 12;

/** Members that are gone, hidden in this direction, or deprecated. */
export function lostMembers(
  old: readonly Spot[],
  next: readonly Spot[],
  hidden: 'readOnly' | 'writeOnly',
  path = '',
  open: ReadonlySet<unknown> = new Set(),
): LostMember[] {
  if (old.some(({ value }) => open.has(value)) || open.size > MAX_DEPTH) return [];
  const inside = new Set([...open, ...old.map(({ value }) => value)]);
  // A variant less is no member less.
  const isNarrower = branchesOf(next) < branchesOf(old);
  const [before, after] = [membersOf(old), membersOf(next)];
  const flag = (spots: readonly Spot[], key: string) => spots.some((spot) => flagOf(spot, key));
  const ofMembers = [...before.named].flatMap(([name, spots]): LostMember[] => {
    const [here] = spots;
    const where = `${path}/${name}`;
    if (!here || flag(spots, hidden)) return [];
    const twin = after.named.get(name);
    if (!twin && isNarrower) return [];
    if (!twin)
      return after.isOpen && after.named.size === 0
        ? []
        : [{ path: where, what: 'is gone', at: placeOf(here) }];
    const [there = here] = twin;
    if (flag(twin, hidden)) return [{ path: where, what: `is ${hidden} in NEW`, at: placeOf(there) }];
    const coded = CODINGS.filter(
      (key) => !isSame(keywordOf(here, key), keywordOf(there, key)) && keywordOf(here, key) !== undefined,
    ).map((key) => ({
      path: where,
      what: `has another ${key} in NEW`,
      at: placeOf(keywordOf(there, key) ?? there),
    }));
    const deprecated =
      flag(twin, 'deprecated') && !flag(spots, 'deprecated')
        ? [{ path: where, what: 'is deprecated in NEW', at: placeOf(there) }]
        : [];
    return [...coded, ...deprecated, ...lostMembers(spots, twin, hidden, where, inside)];
  });
  if (before.others.length === 0 || after.others.length === 0) return ofMembers;
  return [...ofMembers, ...lostMembers(before.others, after.others, hidden, `${path}/-`, inside)];
}

function branchesOf(schemas: readonly Spot[]): number {
  return schemas.reduce((sum, schema) => sum + new Shape([schema]).alternatives.length, 0);
}

/** What no validator judges: the text within a string. */
const CODINGS = ['contentMediaType', 'contentEncoding', 'contentSchema'];

function keywordOf(spot: Spot, key: string): Spot | undefined {
  return keywordsOf(spot).flatMap((one) => rawChild(one, key) ?? [])[0];
}

function flagOf(spot: Spot, key: string): boolean {
  return keywordsOf(spot).some((one) => rawChild(one, key)?.value === true);
}

/** The schema itself, and what it refers to. */
function keywordsOf(spot: Spot): Spot[] {
  const isReference = rawChild(spot, '$ref') !== undefined;
  const target = isReference ? spot.document.resolve(spot) : undefined;
  return target ? [spot, target] : [spot];
}
