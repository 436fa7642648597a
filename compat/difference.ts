import { isRecord, Shape, type Spot } from '#spec';
import { membersOf, schemasAt } from './members.ts';
import { areSame } from './same-schema.ts';

/** How the schemas of one value differ in two documents. */
export interface Difference {
  /** Neither these schemas nor any below them differ: no value can show anything. */
  readonly isNone: boolean;
  /** That of a member or an item. */
  at(step: string): Difference;
}

export function differenceOf(old: readonly Spot[], next: readonly Spot[]): Difference {
  if (isTied(old, next)) return EVERYWHERE;
  const below = new Map<readonly Spot[], Map<readonly Spot[], Difference>>();
  return {
    isNone: areSame(old, next),
    at(step) {
      const [before, after] = [schemasAt(old, step), schemasAt(next, step)];
      const known = below.get(before) ?? new Map<readonly Spot[], Difference>();
      below.set(before, known);
      const made = known.get(after) ?? differenceOf(before, after);
      known.set(after, made);
      return made;
    },
  };
}

/** What is said of one member depends on others: a value of any of them may show a difference. */
const TIES = [
  ...['if', 'then', 'else', 'oneOf', 'anyOf', 'not', 'contains'],
  ...['dependentSchemas', 'dependentRequired', 'discriminator'],
];
const EVERYWHERE: Difference = { isNone: false, at: () => EVERYWHERE };

function isTied(old: readonly Spot[], next: readonly Spot[]): boolean {
  if (areSame(old, next)) return false;
  const [before, after] = [new Shape(old), new Shape(next)];
  return TIES.some((keyword) => {
    const [mine, theirs] = [before.all(keyword), after.all(keyword)].map((all) =>
      all.map(({ spot }) => spot),
    );
    return !areSame(mine ?? [], theirs ?? []);
  });
}

/** The Schema Objects below these that are the same in both, as far as something above them differs. */
export function sameParts(old: readonly Spot[], next: readonly Spot[]): ReadonlySet<unknown> {
  const [same, seen] = [new Set<unknown>(), new Set<readonly Spot[]>()];
  const waiting = [[old, next] as const];
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    const [before, after] = pair;
    if (seen.has(before)) continue;
    seen.add(before);
    if (isTied(before, after)) continue;
    if (areSame(before, after)) for (const schema of [...before, ...after]) addWithTarget(schema, same);
    else
      for (const step of [...membersOf(before).named.keys(), ...membersOf(after).named.keys(), '\0'])
        waiting.push([schemasAt(before, step), schemasAt(after, step)]);
  }
  return same;
}

function addWithTarget(schema: Spot, same: Set<unknown>): void {
  same.add(schema.value);
  const target =
    isRecord(schema.value) && '$ref' in schema.value ? schema.document.resolve(schema) : undefined;
  if (target) same.add(target.value);
}
