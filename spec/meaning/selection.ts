import { isRecord } from '../json/json-value.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import type { Basis } from './basis.ts';
import { idWord, wordsOf } from './names.ts';

/** A query parameter that selects the records whose member is at least, or at most, its value. */
export interface Bound extends Basis {
  readonly parameter: Parameter;
  /** The property of a `deepObject` parameter with the value: `gte` of `price[gte]`. */
  readonly key: string | undefined;
  readonly property: string;
  readonly side: 'least' | 'most';
  /** Whether the value itself is selected; undefined: the document does not say. */
  readonly inclusive: boolean | undefined;
}

/** A query parameter that selects the records with its value in a member. */
export interface Filter extends Basis {
  readonly parameter: Parameter;
  readonly property: string;
  /** The member to compare in objects: `username` of `author`. Undefined: the value itself, or any name or id of an object. */
  readonly inner: string | undefined;
}

/** A query parameter with a text to search records for. */
export interface Search extends Basis {
  readonly parameter: Parameter;
  /** The members to search, as the document says; empty: it does not say. */
  readonly members: readonly string[];
}

const CALLING = ['name', 'login', 'slug', 'key', 'code', 'email', 'title'];

/** Whether a member identifies an object: its id or a name, such as `username`. */
export const isCalling = (name: string) =>
  idWord(name) !== undefined || CALLING.some((end) => wordsOf(name).at(-1)?.endsWith(end));

/** The values of a record that a filter compares with its parameter's value. */
export function filteredValues(
  record: Readonly<Record<string, unknown>>,
  { property, inner }: Pick<Filter, 'property' | 'inner'>,
): unknown[] {
  return [record[property]].flat().flatMap((one) => {
    if (!isRecord(one)) return inner === undefined ? [one] : [];
    return inner === undefined
      ? Object.keys(one)
          .filter(isCalling)
          .map((name) => one[name])
      : inner
          .split('.')
          .reduce<unknown[]>(
            (all, name) => all.flatMap((at) => (isRecord(at) ? [at[name]].flat() : [undefined])),
            [one],
          );
  });
}

/** Whether values have an order that every service agrees on: numbers and moments do, texts do not. */
export function isOrdered(shape: Shape): boolean {
  const { mainType } = shape;
  const format = shape.find('format')?.value;
  const isMoment = mainType === 'string' && (format === 'date' || format === 'date-time');
  return mainType === 'integer' || mainType === 'number' || isMoment;
}

/** The value of a bound in a query; undefined: the query lacks it. */
export function boundValue({ parameter, key }: Bound, query: Readonly<Record<string, unknown>>): unknown {
  const value = query[parameter.name];
  return key === undefined ? value : (value as Readonly<Record<string, unknown>> | undefined)?.[key];
}

/** Whether a value is within a bound; undefined: it cannot be compared, or equals a bound of which inclusiveness is unknown. */
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

/** Compares two numbers, or two moments; undefined: they are of different kinds. */
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

/** Prefixes of the names of filters: `filter[status]`, `filter.status`. */
const FILTER = /^(?:filters?|where)[[._:]+(.+?)\]?$/i;
/** Suffixes for equality and for parts of a text: `name__in`, `name[contains]`. */
const operator = (words: string) => new RegExp(`(?<=.)(?:__|\\]?\\[|[.:])(?:${words})\\]?$`, 'i');
export const EQUALS = operator('in|eq|i?exact');
export const CONTAINS = operator('i?contains|i?like');

export const withoutFilter = (written: string) => FILTER.exec(written)?.[1] ?? written;
