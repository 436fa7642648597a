import { isRecord } from '../document/spot.ts';
import { canonicalInteger, isNumber } from '../exact-json.ts';
import { decimal, isMultipleOf } from './decimal.ts';
import type { JsonType } from './json-type.ts';
import { sameValue } from './same-value.ts';
import type { Shape } from './shape.ts';

/** A value that ought to break one keyword; whether it does is for the validator to say. */
export interface WrongValue {
  readonly keyword: string;
  /** What is wrong with it, behind the name of a member: `of type integer`. */
  readonly title: string;
  readonly value: unknown;
}

export function wrongValues(shape: Shape, valid: unknown): WrongValue[] {
  const wrong = [...wrongTypes(shape), ...outsideValues(shape, valid)];
  if (isNumber(valid)) wrong.push(...wrongNumbers(shape, valid));
  if (typeof valid === 'string') wrong.push(...wrongStrings(shape, valid));
  if (Array.isArray(valid)) wrong.push(...wrongArrays(shape, valid));
  if (isRecord(valid)) wrong.push(...wrongRecords(shape, valid));
  return wrong;
}

const OTHER_TYPES: readonly (readonly [type: JsonType, value: unknown])[] = [
  ['string', 'text'],
  ['integer', 7],
  ['number', 1.5],
  ['boolean', true],
  ['object', {}],
  ['array', []],
  ['null', null],
];

function wrongTypes({ types }: Shape): WrongValue[] {
  if (!types) return [];
  const others = OTHER_TYPES.filter(([type]) => !types.has(type)).map(([type, value]) => ({
    keyword: 'type',
    title: type === 'null' ? 'null' : `of type ${type}`,
    value,
  }));
  // A digit string is what careless clients send for a number, and what lenient servers convert.
  if (!types.has('integer') && !types.has('number')) return others;
  return [...others, { keyword: 'type', title: 'as digits in a string', value: '7' }];
}

function outsideValues(shape: Shape, valid: unknown): WrongValue[] {
  const { values } = shape;
  if (!values) return [];
  const keyword = shape.find('const') ? 'const' : 'enum';
  const others = [];
  if (typeof valid === 'string') {
    others.push(['outside its enumeration', `${valid}-x`]);
    others.push([
      'in another case',
      valid === valid.toUpperCase() ? valid.toLowerCase() : valid.toUpperCase(),
    ]);
  } else if (isNumber(valid)) others.push(['outside its enumeration', freeNumber(values)]);
  else if (typeof valid === 'boolean') others.push(['the other of true and false', !valid]);
  return others
    .filter(([, value]) => !values.some((listed) => sameValue(listed, value)))
    .map(([title, value]) => ({ keyword, title: title as string, value }));
}

/** The least integer from 1 on that is not listed. */
function freeNumber(values: readonly unknown[]): number {
  let free = 1;
  while (values.includes(free)) free++;
  return free;
}

function wrongNumbers(shape: Shape, valid: number | bigint): WrongValue[] {
  const { low, high } = shape.range;
  const wrong: WrongValue[] = [];
  const keywordAt = (path: readonly string[]) => path.at(-1) ?? '';
  if (low)
    wrong.push({
      keyword: keywordAt(low.spot.path),
      title: 'below the least value',
      value: beyond(low.value, low.exclusive, -1n),
    });
  if (high)
    wrong.push({
      keyword: keywordAt(high.spot.path),
      title: 'above the greatest value',
      value: beyond(high.value, high.exclusive, 1n),
    });
  for (const { value: step } of shape.all('multipleOf')) {
    const off = between(valid, step as number | bigint);
    if (off !== undefined) wrong.push({ keyword: 'multipleOf', title: 'between two multiples', value: off });
  }
  return wrong;
}

/** The nearest value past a bound: the bound itself where it is excluded. */
function beyond(limit: number | bigint, exclusive: boolean, by: bigint): number | bigint {
  if (exclusive) return limit;
  if (typeof limit === 'number' && !Number.isInteger(limit)) return limit + Number(by);
  return canonicalInteger(BigInt(limit) + by);
}

function between(valid: number | bigint, step: number | bigint): number | bigint | undefined {
  const { places } = decimal(step);
  const nudges = places <= 0 ? [canonicalInteger(BigInt(valid) + 1n)] : [];
  const halfway = Number(valid) + Number(step) / 2;
  return [...nudges, halfway].find((value) => isNumber(value) && !isMultipleOf(value, step));
}

function wrongStrings(shape: Shape, valid: string): WrongValue[] {
  const least = shape.highest('minLength') ?? 0;
  const most = shape.lowest('maxLength');
  const wrong: WrongValue[] = [];
  if (least > 0) wrong.push({ keyword: 'minLength', title: 'too short', value: valid.slice(0, least - 1) });
  if (most !== undefined && most < LONGEST)
    wrong.push({ keyword: 'maxLength', title: 'too long', value: valid.padEnd(most + 1, valid || 'x') });
  if (shape.find('pattern')) {
    for (const value of ['\u0001', `${valid}\u0001`, '']) {
      if (value.length >= least) wrong.push({ keyword: 'pattern', title: 'off its pattern', value });
    }
  }
  if (shape.find('format'))
    wrong.push({ keyword: 'format', title: 'off its format', value: 'not of this format' });
  return wrong;
}

/** Longer texts and lists are no cases but attacks. */
const LONGEST = 100_000;

function wrongArrays(shape: Shape, valid: readonly unknown[]): WrongValue[] {
  const least = shape.highest('minItems') ?? 0;
  const most = shape.lowest('maxItems');
  const wrong: WrongValue[] = [];
  if (least > 0)
    wrong.push({ keyword: 'minItems', title: 'with too few items', value: valid.slice(0, least - 1) });
  if (most !== undefined && most < LONGEST && valid.length > 0) {
    const value = Array.from({ length: most + 1 }, (_, index) => valid[index % valid.length]);
    wrong.push({ keyword: 'maxItems', title: 'with too many items', value });
  }
  if (shape.find('uniqueItems')?.value === true && valid.length > 0)
    wrong.push({ keyword: 'uniqueItems', title: 'with an item twice', value: [valid[0], ...valid] });
  return wrong;
}

function wrongRecords(shape: Shape, valid: Record<string, unknown>): WrongValue[] {
  const wrong: WrongValue[] = [];
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    if (shape.find(keyword)?.value === false)
      wrong.push({ keyword, title: 'with a member too many', value: { ...valid, unknown_member: 'x' } });
  }
  return wrong;
}
