import { isRecord } from '../json/json-type.ts';
import { addWarning, child, children, type Spot } from './spot.ts';

/** Dereferenced members that must have a type; one of another type is ignored, with a warning. */
export function textAt(spot: Spot, key: string): string | undefined {
  return typed(spot, key, 'a string', (value) => typeof value === 'string')?.value as string | undefined;
}

/** False if absent. */
export function flagAt(spot: Spot, key: string): boolean {
  return typed(spot, key, 'true or false', (value) => typeof value === 'boolean')?.value === true;
}

export function recordAt(spot: Spot, key: string): Spot | undefined {
  return typed(spot, key, 'an object', isRecord);
}

/** The items; none if absent. */
export function listAt(spot: Spot, key: string): Spot[] {
  return children(typed(spot, key, 'a list', Array.isArray)).map(([, item]) => item);
}

/** The items of a list of texts; none if absent. Other items are ignored. */
export function textsAt(spot: Spot, key: string): string[] {
  return listAt(spot, key).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}

function typed(spot: Spot, key: string, type: string, fits: (value: unknown) => boolean): Spot | undefined {
  const found = child(spot, key);
  if (!found || found.value === undefined || fits(found.value)) return found;
  return addWarning(found, `"${key}" must be ${type}, not ${describeValue(found.value)}; it is ignored`);
}

const MAX_TEXT = 60;

/** A value for a message, cut where it is long. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isRecord(value)) return 'an object';
  if (typeof value !== 'string') return String(value);
  return `"${value.slice(0, MAX_TEXT)}${value.length > MAX_TEXT ? '…' : ''}"`;
}
