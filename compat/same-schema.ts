import { isEqual, isRecord, Shape, type Spot, stringifyJson } from '#spec';
import { membersOf, schemasAt } from './members.ts';

/**
 * Whether two parts of two documents promise the same, references followed and texts for people left out: nothing need be
 * tried then. Each pair of targets of references is read once, however many operations lead to it, and what was found is
 * kept as long as the documents.
 */
export function isSame(one: Spot | undefined, other: Spot | undefined): boolean {
  if (!one || !other) return one === other;
  const waiting: Reading[] = [];
  const verdict = verdictOf(one, other, false, waiting);
  for (let next = waiting.pop(); next; next = waiting.pop()) read(next, waiting);
  return !verdict.isDifferent;
}

/** Likewise of the schemas of two values. */
export function areSame(old: readonly Spot[], next: readonly Spot[]): boolean {
  return old.length === next.length && old.every((schema, index) => isSame(schema, next[index]));
}

/** What is known of two values, which are the same until a difference is found. */
interface Verdict {
  isDifferent: boolean;
  /** Those that differ if these do. */
  readonly dependents: Verdict[];
}

interface Reading {
  readonly left: Spot;
  readonly right: Spot;
  readonly isData: boolean;
  readonly verdict: Verdict;
}

type Verdicts = WeakMap<object, WeakMap<object, Verdict>>;

const OF_SCHEMAS: Verdicts = new WeakMap();
const OF_DATA: Verdicts = new WeakMap();

/** That of the targets of two references; `waiting` gets what must be read before it counts. */
function verdictOf(one: Spot, other: Spot, isData: boolean, waiting: Reading[]): Verdict {
  const [left, right] = [targetOf(one), targetOf(other)];
  if (!isContainer(left.value) || !isContainer(right.value))
    return { isDifferent: !isEqual(left.value, right.value), dependents: [] };
  const verdicts = isData ? OF_DATA : OF_SCHEMAS;
  const row = verdicts.get(left.value) ?? new WeakMap<object, Verdict>();
  verdicts.set(left.value, row);
  const known = row.get(right.value);
  if (known) return known;
  const verdict: Verdict = { isDifferent: false, dependents: [] };
  row.set(right.value, verdict);
  waiting.push({ left, right, isData, verdict });
  return verdict;
}

/** Compares two values as far as the next references, on whose targets the verdict then depends. */
function read({ left, right, isData, verdict }: Reading, waiting: Reading[]): void {
  const targets = new Set<Verdict>();
  const open = new Map<unknown, unknown>();

  function matches(one: Spot, other: Spot, isData: boolean, isMap = false): boolean {
    if (targetOf(one) !== one || targetOf(other) !== other)
      return dependsOn(verdictOf(one, other, isData, waiting));
    if (!isContainer(one.value) || !isContainer(other.value)) return isEqual(one.value, other.value);
    if (Array.isArray(one.value) !== Array.isArray(other.value)) return false;
    if (open.get(one.value) === other.value) return true;
    open.set(one.value, other.value);
    const names = namesIn(one.value, isData, isMap);
    return (
      names.length === namesIn(other.value, isData, isMap).length &&
      names.every((name) => {
        const [mine, theirs] = [memberOf(one, name), memberOf(other, name)];
        if (mine === undefined || theirs === undefined) return false;
        // Beside other keywords: what both refer to counts, and not what they call it.
        if (name === '$ref' && !isData && !isMap)
          return dependsOn(verdictOf(referred(one) ?? mine, referred(other) ?? theirs, isData, waiting));
        if (!isData && !isMap && SETS.has(name) && isSameSet(mine.value, theirs.value)) return true;
        return matches(mine, theirs, isData || (!isMap && DATA.has(name)), !isMap && MAPS.has(name));
      })
    );
  }

  function dependsOn(target: Verdict): boolean {
    targets.add(target);
    return !target.isDifferent;
  }

  if (matches(left, right, isData)) for (const target of targets) target.dependents.push(verdict);
  else refute(verdict);
}

function refute(verdict: Verdict): void {
  const waiting = [verdict];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.isDifferent) continue;
    next.isDifferent = true;
    waiting.push(...next.dependents.splice(0));
  }
}

function referred(spot: Spot): Spot | undefined {
  return isRecord(spot.value) && typeof spot.value.$ref === 'string'
    ? spot.document.resolve(spot)
    : undefined;
}

const DATA = new Set(['enum', 'const', 'default', 'example', 'examples']);
/** Of these the order says nothing. */
const SETS = new Set(['required', 'enum', 'type', 'tags']);

/** A type is a list of one. */
function isSameSet(one: unknown, other: unknown): boolean {
  const texts = (all: unknown) =>
    [all]
      .flat()
      .map((value) => stringifyJson(value))
      .sort();
  return isEqual(texts(one), texts(other));
}

const PROSE = new Set(['description', 'summary', 'title']);

/** Of these the members are named by the document. */
const MAPS = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'headers', 'content'],
  ...['responses', 'callbacks', 'mapping'],
]);
/** What shows, and demands nothing. */
const SHOWN = /^(?:examples?|externalDocs|x-(?!sunset$|stability|extensible-enum$|paddock$).*)$/;

/** A member of that name whose value is a schema is no text for people. */
function namesIn(value: object, isData: boolean, isMap = false): string[] {
  if (isData || isMap) return Object.keys(value);
  const isProse = (name: string) =>
    PROSE.has(name) && typeof (value as Record<string, unknown>)[name] === 'string';
  return Object.keys(value).filter((name) => !isProse(name) && !SHOWN.test(name));
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

function memberOf(spot: Spot, name: string, ...more: string[]): Spot | undefined {
  const { value } = spot;
  if (!isContainer(value) || !Object.hasOwn(value, name)) return undefined;
  const member = { ...spot, path: [...spot.path, name], value: (value as Record<string, unknown>)[name] };
  const [next, ...rest] = more;
  return next === undefined ? member : memberOf(member, next, ...rest);
}

/** What a reference, or an `allOf` of one, leads to. Texts for people beside it say nothing of its target. */
function targetOf(spot: Spot): Spot {
  let here = spot;
  for (let step = 0; step < MAX_STEPS; step++) {
    const { value } = here;
    if (!isRecord(value) || (typeof value.$ref !== 'string' && !isOfOne(value.allOf))) return here;
    if (namesIn(value, false).length > 1) return here;
    const target =
      typeof value.$ref === 'string' ? here.document.resolve(here) : memberOf(here, 'allOf', '0');
    if (!target) return here;
    here = target;
  }
  return here;
}

const isOfOne = (value: unknown) => Array.isArray(value) && value.length === 1 && isRecord(value[0]);

const MAX_STEPS = 100;

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
