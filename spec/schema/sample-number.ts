import { decimal, scaled } from '../json/decimal.ts';
import { canonicalInteger } from '../json/exact-json.ts';
import type { Random } from './random.ts';
import type { Bound } from './range.ts';
import type { Shape } from './shape.ts';

/** A number from 1 to 1000, or as near to that as the schema allows. */
export function makeNumber(shape: Shape, random: Random, isInteger: boolean): number | bigint {
  const integer = isInteger || shape.all('format').some(({ value }) => INTEGERS.has(value));
  const { low, high } = shape.range;
  const steps = shape.all('multipleOf').map(({ value }) => decimal(value as number | bigint));
  const bounds = [low, high].flatMap((bound) => (bound ? decimal(bound.value) : []));
  const finest = Math.max(0, ...[...bounds, ...steps].map(({ places }) => places));
  // With two more digits than the schema has there is a number between any two different bounds.
  const places = integer || steps.length > 0 ? finest : finest + 2;
  const unit = 10n ** BigInt(places);
  const step = [...steps.map((each) => scaled(each, places)), integer ? unit : 1n].reduce(leastMultiple);

  const least = low && firstMultiple(low, places, step);
  const most = high && -firstMultiple({ ...high, value: -high.value }, places, step);
  const first = nearest(ceilTo(unit, step), least, most);
  const room = most === undefined || most - first > 999n * unit ? 999n * unit : most - first;
  const further = room < 0n ? 0 : Number(room / step);
  const multiple = first + BigInt(random.integer(0, further)) * step;
  return integer ? canonicalInteger(multiple / unit) : Number(`${multiple}e-${places}`);
}

/** Formats of whole numbers, which documents also give to `type: number`. */
const INTEGERS: ReadonlySet<unknown> = new Set(['int8', 'int16', 'int32', 'int64', 'uint8']);

/** The least multiple of the step within a lower bound, in units of 10^-`places`. */
function firstMultiple(
  { value, exclusive }: Pick<Bound, 'value' | 'exclusive'>,
  places: number,
  step: bigint,
) {
  const bound = scaled(decimal(value), places);
  const first = ceilTo(bound, step);
  return exclusive && first === bound ? first + step : first;
}

function nearest(wanted: bigint, least: bigint | undefined, most: bigint | undefined): bigint {
  if (most !== undefined && wanted > most) return least !== undefined && least > most - 999n ? least : most;
  return least !== undefined && wanted < least ? least : wanted;
}

function ceilTo(value: bigint, step: bigint): bigint {
  const quotient = value / step;
  return (quotient * step < value ? quotient + 1n : quotient) * step;
}

function leastMultiple(left: bigint, right: bigint): bigint {
  let [a, b] = [left, right];
  while (b > 0n) [a, b] = [b, a % b];
  return (left / a) * right;
}
