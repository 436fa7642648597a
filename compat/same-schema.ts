import { isEqual, isRecord, type Spot } from '#spec';

/**
 * Whether two parts of two documents promise the same, references followed and texts for people left out: nothing need be
 * tried then.
 */
export function isSame(one: Spot | undefined, other: Spot | undefined): boolean {
  return one && other ? compare(one, other, new Map(), false) : one === other;
}

function compare(one: Spot, other: Spot, open: Map<unknown, unknown>, isData: boolean): boolean {
  const [left, right] = [targetOf(one), targetOf(other)];
  if (!isContainer(left.value) || !isContainer(right.value)) return isEqual(left.value, right.value);
  if (Array.isArray(left.value) !== Array.isArray(right.value)) return false;
  if (open.get(left.value) === right.value) return true;
  open.set(left.value, right.value);
  const names = namesIn(left.value, isData);
  return (
    names.length === namesIn(right.value, isData).length &&
    names.every((name) => {
      const [mine, theirs] = [memberOf(left, name), memberOf(right, name)];
      if (mine === undefined || theirs === undefined) return false;
      // Beside other keywords: what both refer to counts, and not what they call it.
      const [one, other] = name === '$ref' && !isData ? [referred(left), referred(right)] : [mine, theirs];
      return compare(one ?? mine, other ?? theirs, open, isData || DATA.has(name));
    })
  );
}

function referred(spot: Spot): Spot | undefined {
  return isRecord(spot.value) && typeof spot.value.$ref === 'string'
    ? spot.document.resolve(spot)
    : undefined;
}

const DATA = new Set(['enum', 'const', 'default', 'example', 'examples']);
const PROSE = new Set(['description', 'summary', 'title']);

/** A member of that name whose value is a schema is no text for people. */
function namesIn(value: object, isData: boolean): string[] {
  const isProse = (name: string) =>
    PROSE.has(name) && typeof (value as Record<string, unknown>)[name] === 'string';
  return Object.keys(value).filter((name) => isData || !isProse(name));
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

function memberOf(spot: Spot, name: string): Spot | undefined {
  const { value } = spot;
  if (!isContainer(value) || !Object.hasOwn(value, name)) return undefined;
  return { ...spot, path: [...spot.path, name], value: (value as Record<string, unknown>)[name] };
}

/** Texts for people beside a reference say nothing of its target. */
function targetOf(spot: Spot): Spot {
  let here = spot;
  for (let step = 0; step < MAX_STEPS; step++) {
    const { value } = here;
    if (!isRecord(value) || typeof value.$ref !== 'string') return here;
    if (namesIn(value, false).length > 1) return here;
    const target = here.document.resolve(here);
    if (!target) return here;
    here = target;
  }
  return here;
}

const MAX_STEPS = 100;
