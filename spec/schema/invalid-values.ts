import { canonicalInteger, isNumber } from '../json/exact-json.ts';
import { isEqual, isRecord, type JsonType } from '../json/json-value.ts';
import { type Bound, decimal, isMultipleOf } from './numeric-keywords.ts';
import { sample } from './sample.ts';
import type { Shape } from './shape.ts';

/** A candidate; the validator decides whether it breaks that keyword and no other. */
interface InvalidValue {
  readonly keyword: string;
  /** Is appended to a member's name: `of type integer`. */
  readonly title: string;
  readonly value: unknown;
}

/** Values near a valid one that may break one keyword of its schema. */
export function invalidValues(shape: Shape, valid: unknown): InvalidValue[] {
  const invalid = [...ofOtherTypes(shape), ...outsideEnum(shape, valid)];
  if (isNumber(valid)) invalid.push(...invalidNumbers(shape, valid));
  if (typeof valid === 'string') invalid.push(...invalidStrings(shape, valid));
  if (Array.isArray(valid)) invalid.push(...invalidArrays(shape, valid));
  if (isRecord(valid)) invalid.push(...invalidObjects(shape, valid));
  return invalid;
}

const EXAMPLES: readonly (readonly [type: JsonType, value: unknown])[] = [
  ['string', 'text'],
  ['integer', 7],
  ['number', 1.5],
  ['boolean', true],
  ['object', {}],
  ['array', []],
  ['null', null],
];

function ofOtherTypes({ types }: Shape): InvalidValue[] {
  if (!types) return [];
  const others = EXAMPLES.filter(([type]) => !types.has(type)).map(([type, value]) => ({
    keyword: 'type',
    title: type === 'null' ? 'null' : `of type ${type}`,
    value,
  }));
  // Careless clients send digits in a string, and lenient servers convert them.
  if (!types.has('integer') && !types.has('number')) return others;
  return [...others, { keyword: 'type', title: 'as digits in a string', value: '7' }];
}

function outsideEnum(shape: Shape, valid: unknown): InvalidValue[] {
  const { values } = shape;
  if (!values) return [];
  const keyword = shape.find('const') ? 'const' : 'enum';
  return otherValues(values, valid)
    .filter(([, value]) => !values.some((listed) => isEqual(listed, value)))
    .map(([title, value]) => ({ keyword, title, value }));
}

function otherValues(values: readonly unknown[], valid: unknown): (readonly [string, unknown])[] {
  if (typeof valid === 'boolean') return [['the other of true and false', !valid]];
  if (isNumber(valid)) {
    let unlisted = 1;
    while (values.includes(unlisted)) unlisted++;
    return [['outside its enumeration', unlisted]];
  }
  if (typeof valid !== 'string') return [];
  const upper = valid.toUpperCase();
  return [
    ['outside its enumeration', `${valid}-x`],
    ['in another case', valid === upper ? valid.toLowerCase() : upper],
  ];
}

function invalidNumbers(shape: Shape, valid: number | bigint): InvalidValue[] {
  const { low, high } = shape.range;
  const steps = shape.all('multipleOf').map(({ value }) => Number(value));
  const beyond = (bound: Bound | undefined, title: string, by: bigint) =>
    [valueBeyond, multipleBeyond].flatMap((make) => {
      const value = bound && make(bound, by, steps, shape.mainType !== 'number');
      return bound && value !== undefined ? [{ keyword: bound.spot.path.at(-1) ?? '', title, value }] : [];
    });
  const multiples = shape.all('multipleOf').flatMap(({ value: divisor }) => {
    const value = betweenMultiples(valid, divisor as number | bigint);
    return value === undefined ? [] : [{ keyword: 'multipleOf', title: 'between two multiples', value }];
  });
  return [
    ...beyond(low, 'below the least value', -1n),
    ...beyond(high, 'above the greatest value', 1n),
    ...multiples,
  ];
}

/** The nearest value beyond the bound. An integer must also differ from the bound as a double. */
function valueBeyond(
  { value, exclusive }: Bound,
  by: bigint,
  _: readonly number[],
  isExact: boolean,
): number | bigint {
  if (exclusive) return value;
  if (typeof value === 'number' && !Number.isInteger(value)) return value + Number(by);
  const size = BigInt(value) < 0n ? -BigInt(value) : BigInt(value);
  const distance = isExact ? 0n : size >> 50n;
  return canonicalInteger(BigInt(value) + by * (distance || 1n));
}

/** The nearest multiple beyond the bound, if that is not the nearest value. */
function multipleBeyond({ value }: Bound, by: bigint, steps: readonly number[]): number | undefined {
  const [step] = steps;
  const towards = by > 0n ? Math.floor(Number(value) / (step ?? 1)) : Math.ceil(Number(value) / (step ?? 1));
  const multiple = (towards + Number(by)) * (step ?? 1);
  return step !== undefined && Number.isSafeInteger(multiple) ? multiple : undefined;
}

function betweenMultiples(valid: number | bigint, divisor: number | bigint): number | bigint | undefined {
  const next = decimal(divisor).places <= 0 ? [canonicalInteger(BigInt(valid) + 1n)] : [];
  const halfway = Number(valid) + Number(divisor) / 2;
  return [...next, halfway].find((value) => isNumber(value) && !isMultipleOf(value, divisor));
}

/** Longer strings and arrays would be attacks, not test cases. */
const MAX_SIZE = 100_000;

function invalidStrings(shape: Shape, valid: string): InvalidValue[] {
  const resize = (length: number) => valid.slice(0, length).padEnd(length, valid || 'x');
  const invalid = invalidSizes(shape, 'Length', ['too short', 'too long'], resize);
  const min = shape.highest('minLength') ?? 0;
  const mismatches = ['\u0001', `${valid}\u0001`, ''].filter((value) => value.length >= min);
  if (shape.find('pattern'))
    for (const value of mismatches) invalid.push({ keyword: 'pattern', title: 'off its pattern', value });
  if (shape.find('format'))
    invalid.push({ keyword: 'format', title: 'off its format', value: 'not of this format' });
  return invalid;
}

function invalidArrays(shape: Shape, valid: readonly unknown[]): InvalidValue[] {
  const invalid = [
    ...invalidSizes(shape, 'Items', ['with too few items', 'with too many items'], (size) =>
      itemsOf(shape, valid, size),
    ),
    ...withOneMore(shape, valid),
    ...withNoneContained(shape, valid),
  ];
  if (!shape.has('uniqueItems')) return invalid;
  const [first] = valid.length > 0 ? valid : (itemsOf(shape, valid, 1) ?? []);
  const twice = [
    [first, ...valid],
    ...(valid.length > 1 ? [[first, ...valid.slice(0, -1)]] : [[first, first]]),
  ];
  if (first === undefined) return invalid;
  return [
    ...invalid,
    ...twice.map((value) => ({ keyword: 'uniqueItems', title: 'with an item twice', value })),
  ];
}

/** After the items of `prefixItems`, if no more are allowed. */
function withOneMore(shape: Shape, valid: readonly unknown[]): InvalidValue[] {
  return ['items', 'unevaluatedItems']
    .filter((keyword) => shape.all(keyword).some(({ value }) => value === false))
    .map((keyword) => ({ keyword, title: 'with an item too many', value: [...valid, valid.at(-1) ?? 'x'] }));
}

/** For `contains`: valid items, none of which counts for it. */
function withNoneContained(shape: Shape, valid: readonly unknown[]): InvalidValue[] {
  if (!shape.find('contains')) return [];
  const others = Array.from({ length: OTHERS_TRIED }, (_, index) => itemOf(shape, index));
  return [...valid, ...others].flatMap((item) =>
    item === undefined ? [] : [{ keyword: 'contains', title: 'without what it must contain', value: [item] }],
  );
}

const OTHERS_TRIED = 8;

/** More unique items would take too long to compare. */
const MAX_UNIQUE = 300;

/** A list of this size, starting with the valid items; undefined if the schema has no such list. */
function itemsOf(shape: Shape, valid: readonly unknown[], size: number): unknown[] | undefined {
  const items = valid.slice(0, size);
  const isUnique = shape.has('uniqueItems');
  if (isUnique && size > MAX_UNIQUE) return undefined;
  for (let attempt = 0; items.length < size && attempt < size * 4; attempt++) {
    const item = isUnique || items.length === 0 ? itemOf(shape, attempt) : items[attempt % items.length];
    if (item !== undefined && !(isUnique && items.some((other) => isEqual(other, item)))) items.push(item);
  }
  return items.length === size ? items : undefined;
}

/** Undefined if none can be made, for lack of a text that fits a pattern. */
export function itemOf({ items }: Pick<Shape, 'items'>, index: number): unknown {
  if (!items) return `item ${index}`;
  if (items.values) return items.values[index];
  try {
    return sample(items, { key: `item ${index}` });
  } catch {
    return undefined;
  }
}

function invalidSizes(
  shape: Shape,
  what: 'Length' | 'Items' | 'Properties',
  [tooSmall, tooLarge]: readonly [string, string],
  resize: (size: number) => unknown,
): InvalidValue[] {
  const min = shape.highest(`min${what}`) ?? 0;
  const max = shape.lowest(`max${what}`) ?? MAX_SIZE;
  const invalid: InvalidValue[] = [];
  const fewer = Math.min(min - 1, MAX_SIZE);
  if (min > 0) invalid.push({ keyword: `min${what}`, title: tooSmall, value: resize(fewer) });
  if (max < MAX_SIZE) invalid.push({ keyword: `max${what}`, title: tooLarge, value: resize(max + 1) });
  return invalid.filter(({ value }) => value !== undefined);
}

function invalidObjects(shape: Shape, valid: Record<string, unknown>): InvalidValue[] {
  const resize = (size: number) => membersOf(shape, valid, size);
  return [
    ...invalidSizes(shape, 'Properties', ['with too few members', 'with too many members'], resize),
    ...withoutDependents(shape, valid),
    ...(shape.find('propertyNames') ? withOtherName(shape, valid, 'propertyNames', 'of another name') : []),
    ...['additionalProperties', 'unevaluatedProperties']
      .filter((keyword) => shape.find(keyword)?.value === false)
      .flatMap((keyword) => withOtherName(shape, valid, keyword, 'too many')),
  ];
}

/** One of these names usually fits no pattern of the schema. */
const OTHER_NAMES = ['unknown_member', 'Unknown Member', '\u0001'];

/** Adds a member of which only the name is invalid. */
function withOtherName(shape: Shape, valid: Record<string, unknown>, keyword: string, title: string) {
  const [value = shape.additional ? itemOf({ items: shape.additional }, 0) : 'x'] = Object.values(valid);
  const room = Object.entries(valid).slice(0, (shape.lowest('maxProperties') ?? MAX_SIZE) - 1);
  return OTHER_NAMES.map((name): InvalidValue => {
    const others = Object.fromEntries(room);
    return { keyword, title: `with a member ${title}`, value: { ...others, [name]: value } };
  });
}

/** This number of members, the required ones first; undefined if the schema requires more. */
function membersOf(shape: Shape, valid: Record<string, unknown>, size: number): unknown {
  const { required } = shape;
  const names = Object.keys(valid).sort((left, right) => +required.has(right) - +required.has(left));
  if (names.filter((name) => required.has(name)).length > size) return undefined;
  const extra = Array.from({ length: Math.max(0, size - names.length) }, (_, index) => `unknown_${index}`);
  const value = shape.additional ? itemOf({ items: shape.additional }, 0) : 'x';
  return Object.fromEntries([
    ...names.slice(0, size).map((name) => [name, valid[name]]),
    ...extra.map((name) => [name, value]),
  ]);
}

/** For `dependentRequired`: a member without one that it requires. */
function withoutDependents(shape: Shape, valid: Record<string, unknown>): InvalidValue[] {
  return shape.all('dependentRequired').flatMap(({ value }) =>
    Object.entries(value as Record<string, readonly string[]>).flatMap(([name, needed]) =>
      needed
        .filter((other) => name in valid && other in valid)
        .flatMap((other) => {
          const { [other]: _, ...others } = valid;
          // Removes only the dependent first: other members that require it, too, would hide a missing check.
          const needs = Object.entries(value as object).flatMap(([one, all]) =>
            one !== name && all.includes(other) ? one : [],
          );
          const alone = Object.entries(others).filter(([one]) => !needs.includes(one));
          return [Object.fromEntries(alone), others].map((one) => ({
            keyword: 'dependentRequired',
            title: `with ${name} and without ${other}`,
            value: one,
          }));
        }),
    ),
  );
}
