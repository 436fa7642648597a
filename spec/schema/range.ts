import { isRecord, type Spot } from '../document/spot.ts';
import { INTEGER_FORMATS } from './json-type.ts';
import type { Shape } from './shape.ts';

/** The highest of the lower bounds and the lowest of the upper ones. */
export interface Range {
  readonly low?: Bound;
  readonly high?: Bound;
}

export interface Bound {
  readonly value: number | bigint;
  readonly exclusive: boolean;
  readonly spot: Spot;
}

export function rangeOf(shape: Shape): Range {
  const lows = [...boundsOf(shape, 'minimum', 'exclusiveMinimum'), ...formatBounds(shape, 0)];
  const highs = [...boundsOf(shape, 'maximum', 'exclusiveMaximum'), ...formatBounds(shape, 1)];
  const low = tightest(lows, (a, b) => a > b);
  const high = tightest(highs, (a, b) => a < b);
  return { ...(low && { low }), ...(high && { high }) };
}

function boundsOf(shape: Shape, inclusive: string, exclusive: string): Bound[] {
  return [...shape.all(inclusive), ...shape.all(exclusive)].flatMap(({ value, spot }) => {
    if (typeof value === 'boolean') return [];
    const excludes = spot.path.at(-1) === exclusive || flagBeside(spot, exclusive);
    return [{ value: value as number | bigint, exclusive: excludes, spot }];
  });
}

/** Of two equal bounds the one that excludes its own value. */
function tightest(
  bounds: readonly Bound[],
  isTighter: (value: number | bigint, than: number | bigint) => boolean,
): Bound | undefined {
  return [...bounds].sort((a, b) => {
    if (a.value === b.value) return Number(b.exclusive) - Number(a.exclusive);
    return isTighter(a.value, b.value) ? -1 : 1;
  })[0];
}

function formatBounds(shape: Shape, side: 0 | 1): Bound[] {
  return shape.all('format').flatMap(({ value, spot }) => {
    const bounds = INTEGER_FORMATS[String(value)];
    return bounds ? [{ value: bounds[side], exclusive: false, spot }] : [];
  });
}

/** OpenAPI 3.0 writes `exclusiveMinimum: true` beside `minimum`. */
function flagBeside(spot: Spot, keyword: string): boolean {
  const holder = spot.path
    .slice(0, -1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], spot.file.value);
  return isRecord(holder) && holder[keyword] === true;
}
