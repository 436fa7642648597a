import { rawChild, type Spot } from '../document/spot.ts';
import { isNumber } from '../json/exact-json.ts';
import { INTEGER_FORMATS } from './numeric-keywords.ts';
import { ownEntry } from './own-entry.ts';

/** The tightest bounds of a number. */
export interface Range {
  readonly low?: Bound;
  readonly high?: Bound;
}

export interface Bound {
  readonly value: number | bigint;
  readonly exclusive: boolean;
  /** The keyword that sets it: a bound, or `format`. */
  readonly spot: Spot;
}

/** The range that the Schema Objects of a conjunction set together. */
export function rangeOf(parts: readonly Spot[]): Range {
  const low = tightest(parts, 'minimum', 'exclusiveMinimum', 0, (a, b) => a > b);
  const high = tightest(parts, 'maximum', 'exclusiveMaximum', 1, (a, b) => a < b);
  return { ...(low && { low }), ...(high && { high }) };
}

function tightest(
  parts: readonly Spot[],
  inclusive: string,
  exclusive: string,
  side: 0 | 1,
  isTighter: (value: number | bigint, than: number | bigint) => boolean,
): Bound | undefined {
  const bounds = parts.flatMap((part) => {
    const [flagOrBound, format] = [rawChild(part, exclusive), rawChild(part, 'format')];
    // OpenAPI 3.0 writes `exclusiveMinimum: true` beside `minimum`.
    return [
      boundAt(rawChild(part, inclusive), flagOrBound?.value === true),
      boundAt(flagOrBound, true),
      boundAt(format, false, ownEntry(INTEGER_FORMATS, format?.value)?.[side]),
    ];
  });
  return bounds.reduce((best, bound) => {
    if (!best || !bound) return best ?? bound;
    if (best.value === bound.value) return bound.exclusive && !best.exclusive ? bound : best;
    return isTighter(bound.value, best.value) ? bound : best;
  }, undefined);
}

function boundAt(spot: Spot | undefined, exclusive: boolean, value = spot?.value): Bound | undefined {
  return spot && isNumber(value) ? { value, exclusive, spot } : undefined;
}
