import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { statedBound } from '../stated.ts';
import type { Basis } from './basis.ts';
import { memberNamed } from './member-named.ts';

/** A query parameter that lets only records through whose member lies on one side of its value. */
export interface Bound extends Basis {
  readonly parameter: Parameter;
  /** The property of a `deepObject` parameter with the value: `gte` of `price[gte]`. */
  readonly key: string | undefined;
  readonly property: string;
  readonly side: 'least' | 'most';
  /** Whether the value itself is let through; undefined: the document does not say. */
  readonly inclusive: boolean | undefined;
}

const LEAST = 'after|since|from|gte?|min(?:imum)?|start|newer_?than|greater_?than|lower';
const MOST = 'before|until|till|to|lte?|max(?:imum)?|end|older_?than|less_?than|upper';
const OPERATORS = /^(?:(gte?)|(lte?))$/i;
/** `created_after`, `priceMin`, `price[gte]`, `price__lt`, `price.gte`. */
const AFTER = new RegExp(`^(.+?)(\\[|__|\\.|:|_|-|(?=[A-Z]))(?:(${LEAST})|(${MOST}))\\]?$`, 'i');
/** `min_price`, `fromDate`. */
const BEFORE = new RegExp(`^(?:(${LEAST})|(${MOST}))(?:_|-|(?=[A-Z]))(.+)$`, 'i');

/** The bounds that the parameters of a list set. */
export function boundsOf(list: Operation, record: Shape): Bound[] {
  return list.parameters
    .filter((one) => one.in === 'query')
    .flatMap((parameter) =>
      isObject(parameter) ? boundsWithin(list, parameter, record) : (boundOf(list, parameter, record) ?? []),
    );
}

const isObject = ({ shape }: Parameter) => shape.mainType === 'object';

/** `price[gte]=3` of a parameter `price` in the style `deepObject`. */
function boundsWithin(list: Operation, parameter: Parameter, record: Shape): Bound[] {
  const property = orderedMember(record, parameter.name);
  if (property === undefined) return [];
  return [...parameter.shape.properties.keys()].flatMap((key) => {
    const found = OPERATORS.exec(key);
    return found ? { ...sideOf(list, parameter, found[1], found[2], true), parameter, key, property } : [];
  });
}

function boundOf(list: Operation, parameter: Parameter, record: Shape): Bound | undefined {
  const { name, shape } = parameter;
  if (memberNamed(record, name) === name || !isOrdered(shape)) return undefined;
  const [, stem = '', sign = '', least, most] = AFTER.exec(name) ?? [];
  const property = orderedMember(record, stem);
  if (property !== undefined) {
    const isOperator = ['[', '__', '.', ':'].includes(sign);
    return { ...sideOf(list, parameter, least, most, isOperator), parameter, key: undefined, property };
  }
  const [, min, max, rest = ''] = BEFORE.exec(name) ?? [];
  const other = orderedMember(record, rest);
  return other === undefined
    ? undefined
    : { ...sideOf(list, parameter, min, max, false), parameter, key: undefined, property: other };
}

function sideOf(
  list: Operation,
  parameter: Parameter,
  least: string | undefined,
  most: string | undefined,
  isOperator: boolean,
) {
  const word = (least ?? most ?? '').toLowerCase();
  const stated = statedBound(list, parameter);
  const operator = /^[gl]te?$/.test(word) ? word.endsWith('e') : undefined;
  return {
    side: least === undefined ? 'most' : 'least',
    inclusive: operator ?? stated?.inclusive,
    certainty: stated || (isOperator && operator !== undefined) ? 'promised' : 'presumed',
    because: parameter.spot,
  } as const;
}

function orderedMember(record: Shape, name: string): string | undefined {
  const property = name === '' ? undefined : memberNamed(record, name);
  const member = property === undefined ? undefined : record.properties.get(property);
  return member && isOrdered(member) ? property : undefined;
}

/** Numbers and moments have an order that is the same everywhere. */
function isOrdered(shape: Shape): boolean {
  return shape.mainType === 'integer' || shape.mainType === 'number' || isMoment(shape);
}

function isMoment(shape: Shape): boolean {
  const format = shape.find('format')?.value;
  return shape.mainType === 'string' && (format === 'date' || format === 'date-time');
}

/** The values that a query gives for a bound; undefined: it does not name it. */
export function boundValue({ parameter, key }: Bound, query: Readonly<Record<string, unknown>>): unknown {
  const value = query[parameter.name];
  return key === undefined ? value : (value as Readonly<Record<string, unknown>> | undefined)?.[key];
}

/** On which side of a bound a value lies; undefined: nobody can say. */
export function isWithin(
  { side, inclusive }: Pick<Bound, 'side' | 'inclusive'>,
  value: unknown,
  bound: unknown,
): boolean | undefined {
  const order = compareOrdered(value, bound);
  if (order === undefined) return undefined;
  if (order === 0) return inclusive;
  return side === 'least' ? order > 0 : order < 0;
}

/** Numbers by their size, moments by the time; undefined: they are not of one kind. */
export function compareOrdered(left: unknown, right: unknown): number | undefined {
  const [one, other] = [left, right].map(sizeOf);
  if (one === undefined || other === undefined || (typeof left === 'string') !== (typeof right === 'string'))
    return undefined;
  return one < other ? -1 : one > other ? 1 : 0;
}

const MOMENT = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d))?$/;

function sizeOf(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value !== 'string' || !MOMENT.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}
