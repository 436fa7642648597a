import { isRecord, Shape, type Spot } from '#spec';
import { PartComparison } from '#whole-document';
import { membersOf, schemasAt } from './members.ts';

/** What two documents promise: texts for people and members that only illustrate are overlooked. */
const PROMISES = new PartComparison({
  // A member with such a name and a schema as its value is no text for people.
  isIgnored: (name, value) => (PROSE.has(name) && typeof value === 'string') || SHOWN.test(name),
  data: new Set(['enum', 'const', 'default', 'example', 'examples']),
  maps: new Set([
    'properties',
    'patternProperties',
    'dependentSchemas',
    '$defs',
    'definitions',
    'headers',
    'content',
    'responses',
    'callbacks',
    'mapping',
  ]),
  sets: new Set(['required', 'enum', 'type', 'tags']),
});

const PROSE = new Set(['description', 'summary', 'title']);
const SHOWN = /^(?:examples?|externalDocs|x-(?!sunset$|stability|extensible-enum$|paddock$).*)$/;

/** Whether two parts of two documents promise the same: then nothing need be tried. */
export function isSame(one: Spot | undefined, other: Spot | undefined): boolean {
  return PROMISES.isSame(one, other);
}

/** The same for the schemas of two values. */
export function areSame(old: readonly Spot[], next: readonly Spot[]): boolean {
  return old.length === next.length && old.every((schema, index) => isSame(schema, next[index]));
}

/** The difference between the schemas of a value in two documents. */
export interface Difference {
  /** Whether neither these schemas nor any below differ: then no value can prove anything. */
  readonly isNone: boolean;
  /** The difference for a member or an item. */
  at(step: string): Difference;
}

export function differenceOf(old: readonly Spot[], next: readonly Spot[]): Difference {
  if (isTied(old, next)) return EVERYWHERE;
  const below = new Map<readonly Spot[], Map<readonly Spot[], Difference>>();
  return {
    isNone: areSame(old, next),
    at(step) {
      const [before, after] = [schemasAt(old, step), schemasAt(next, step)];
      const row = below.get(before) ?? new Map<readonly Spot[], Difference>();
      below.set(before, row);
      const made = row.get(after) ?? differenceOf(before, after);
      row.set(after, made);
      return made;
    },
  };
}

/** Keywords that relate members: a value of any of them may show a difference. */
const TIES = [
  'if',
  'then',
  'else',
  'oneOf',
  'anyOf',
  'not',
  'contains',
  'dependentSchemas',
  'dependentRequired',
  'discriminator',
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

/** The Schema Objects below that are equal in both documents, where something above them differs. */
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
