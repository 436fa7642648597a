import type { Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { foldedName } from '../meaning/names.ts';
import type { Shape } from '../schema/shape.ts';
import { sharesMembers } from './record-schema.ts';

type Names = ReadonlySet<string>;

const MOST = 2 / 3;

/**
 * Whether two schemas are of one record: they are written in one place, or most members of the smaller one are in both. A member that many schemas have, such as `name` or `createdAt`, says little: whoever asks has to know that
 * both have one path or one name, as there are records that have nothing else.
 */
export function sameRecord(one: Shape, other: Shape): boolean {
  const names = [one, other].map((shape): Names => new Set([...shape.properties.keys()].map(foldedName)));
  const [smaller, larger] = names.toSorted((a, b) => a.size - b.size) as [Names, Names];
  const common = smaller.intersection(larger);
  const counts = countsOf(one.spot.document.root);
  // A record is described in two or three schemas: to read, to create and to change it.
  const weigh = (its: Names) =>
    [...its].reduce((sum, name) => sum + Math.min(1, (3 / (counts.get(name) ?? 1)) ** 2), 0);
  const isAlike = common.size > 1 && weigh(common) >= MOST * weigh(smaller);
  return isAlike || sharesMembers(one, other);
}

/** How many components of a document have a member, by its folded name. */
const countsOf = oncePer((root: Spot): ReadonlyMap<string, number> => {
  const { components, definitions } = root.value as {
    components?: { schemas?: object };
    definitions?: object;
  };
  const all = Object.values({ ...components?.schemas, ...definitions }).flatMap((schema) =>
    isRecord(schema) && isRecord(schema.properties) ? Object.keys(schema.properties).map(foldedName) : [],
  );
  return new Map([...Map.groupBy(all, (name) => name)].map(([name, its]) => [name, its.length]));
});
