import { isEqual, isRecord, Shape, type Spot, stringifyJson } from '#spec';
import { membersOf, schemasAt } from './members.ts';

/**
 * Whether two parts of two documents promise the same, with references resolved and texts for people ignored: then nothing
 * need be tried. Each pair of reference targets is read once, however many operations lead to it, and results are kept as
 * long as the documents.
 */
export function isSame(one: Spot | undefined, other: Spot | undefined): boolean {
  if (!one || !other) return one === other;
  const waiting: Reading[] = [];
  const verdict = verdictOf(one, other, false, waiting);
  for (let next = waiting.pop(); next; next = waiting.pop()) read(next, waiting);
  return !verdict.isDifferent;
}

/** The same for the schemas of two values. */
export function areSame(old: readonly Spot[], next: readonly Spot[]): boolean {
  return old.length === next.length && old.every((schema, index) => isSame(schema, next[index]));
}

/** The result for two values, which are equal until a difference is found. */
interface Verdict {
  isDifferent: boolean;
  /** Results that differ if this one does. */
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

/** The result for the targets of two references; `waiting` receives what must be read before it is valid. */
function verdictOf(one: Spot, other: Spot, isData: boolean, waiting: Reading[]): Verdict {
  const [left, right] = [targetOf(one), targetOf(other)];
  if (!isContainer(left.value) || !isContainer(right.value))
    return { isDifferent: !isEqual(left.value, right.value), dependents: [] };
  const verdicts = isData ? OF_DATA : OF_SCHEMAS;
  const row = verdicts.get(left.value) ?? new WeakMap<object, Verdict>();
  verdicts.set(left.value, row);
  const cached = row.get(right.value);
  if (cached) return cached;
  const verdict: Verdict = { isDifferent: false, dependents: [] };
  row.set(right.value, verdict);
  waiting.push({ left, right, isData, verdict });
  return verdict;
}

/** Compares two values up to the next references, on whose targets the result then depends. */
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
        // Beside other keywords, the target of a reference counts, and not its name.
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
/** Their order has no meaning. */
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

/** The document chooses the names of their members. */
const MAPS = new Set([
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
]);
/** Members that only illustrate. */
const SHOWN = /^(?:examples?|externalDocs|x-(?!sunset$|stability|extensible-enum$|paddock$).*)$/;

/** A member with such a name and a schema as its value is no text for people. */
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

/** The target of a reference, or of an `allOf` with a single one. Texts for people beside it are ignored. */
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
