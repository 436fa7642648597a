import { isEqual, isRecord, type Spot } from '#spec';

/** Whether two parts of two documents say the same, references followed: nothing need be tried then. */
export function isSame(one: Spot | undefined, other: Spot | undefined): boolean {
  return one && other ? compare(one, other, new Map()) : one === other;
}

function compare(one: Spot, other: Spot, open: Map<unknown, unknown>): boolean {
  const [left, right] = [targetOf(one), targetOf(other)];
  if (!isContainer(left.value) || !isContainer(right.value)) return isEqual(left.value, right.value);
  if (Array.isArray(left.value) !== Array.isArray(right.value)) return false;
  if (open.get(left.value) === right.value) return true;
  open.set(left.value, right.value);
  const names = Object.keys(left.value);
  return (
    names.length === Object.keys(right.value).length &&
    names.every((name) => {
      const [mine, theirs] = [memberOf(left, name), memberOf(right, name)];
      return mine !== undefined && theirs !== undefined && compare(mine, theirs, open);
    })
  );
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

function memberOf(spot: Spot, name: string): Spot | undefined {
  const { value } = spot;
  if (!isContainer(value) || !Object.hasOwn(value, name)) return undefined;
  return { ...spot, path: [...spot.path, name], value: (value as Record<string, unknown>)[name] };
}

/** A reference with siblings is compared as it is written: its target is the same text in most documents. */
function targetOf(spot: Spot): Spot {
  let here = spot;
  for (let step = 0; step < MAX_STEPS; step++) {
    const { value } = here;
    if (!isRecord(value) || typeof value.$ref !== 'string' || Object.keys(value).length > 1) return here;
    const target = here.document.resolve(here);
    if (!target) return here;
    here = target;
  }
  return here;
}

const MAX_STEPS = 100;
