import type { Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { foldedName, ID_NAMES } from '../meaning/names.ts';
import type { Shape } from '../schema/shape.ts';
import { sharesMembers } from './record-schema.ts';

/**
 * Whether two schemas are of one record: they are written in one place, or the same id and most members of the smaller one
 * are in both. A member that many schemas have, such as `name` or `createdAt`, says little: whoever asks has to know that
 * both have one path or one name, as there are records that have nothing else.
 */
export function sameRecord(one: Shape, other: Shape): boolean {
  if (sharesMembers(one, other)) return true;
  const [smaller, larger] = [one, other].map(foldedNames).sort((a, b) => a.size - b.size) as [Names, Names];
  const isOfOne =
    smaller.isDisjointFrom(IDS) || larger.isDisjointFrom(IDS) || IDS.has(firstOf(smaller, larger));
  const common = smaller.intersection(larger);
  const weigh = weightsOf(one.spot.document.root);
  return isOfOne && common.size > 1 && weigh(common) >= MOST * weigh(smaller);
}

type Names = ReadonlySet<string>;

const MOST = 2 / 3;
const IDS: Names = new Set(ID_NAMES);

const foldedNames = (shape: Shape): Names => new Set([...shape.properties.keys()].map(foldedName));

/** An id that both have; empty: there is none. */
const firstOf = (one: Names, other: Names) => ID_NAMES.find((name) => one.has(name) && other.has(name)) ?? '';

const weights = new WeakMap<Spot, (names: Names) => number>();

/** How much names say of a record together: the less, the more components of the document have them. */
function weightsOf(root: Spot): (names: Names) => number {
  const known = weights.get(root);
  if (known) return known;
  const document = root.value as { components?: { schemas?: object }; definitions?: object };
  const counts = new Map<string, number>();
  for (const schema of Object.values({ ...document.components?.schemas, ...document.definitions }))
    for (const name of Object.keys(
      isRecord(schema) && isRecord(schema.properties) ? schema.properties : {},
    )) {
      const folded = foldedName(name);
      counts.set(folded, (counts.get(folded) ?? 0) + 1);
    }
  // A record is described in two or three schemas: to read, to create and to change it.
  const weightOf = (name: string) => Math.min(1, (3 / (counts.get(name) ?? 1)) ** 2);
  const weigh = (names: Names) => [...names].reduce((sum, name) => sum + weightOf(name), 0);
  weights.set(root, weigh);
  return weigh;
}
