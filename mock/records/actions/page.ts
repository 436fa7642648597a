import { canonicalInteger, countShape, firstPosition, isInteger, type ListForm, type Parameter } from '#spec';

/** An integer of any size, as `parseJson` returns it. */
export type Exact = number | bigint;

/** Which part of a list is asked for, exactly: a response says it again. */
export interface Extent {
  /** Undefined: all records are on one page. */
  readonly size: Exact | undefined;
  /** The number of the page, in the document's own counting. */
  readonly page: Exact;
  /** How many records are before the page. */
  readonly offset: Exact;
}

/** The page size where neither the client nor a `default` gives one: the maximum that the document allows. */
function defaultPageSize({ page, pageSize, cursor }: ListForm): Exact | undefined {
  const high = pageSize && countShape(pageSize)?.range.high;
  // Of `int64` all records are on one page, whatever their number.
  const isLimit = high && high.spot.path.at(-1) !== 'format' && isInteger(high.value);
  if (isLimit) return high.exclusive ? add(high.value, -1) : high.value;
  return page || cursor ? NUMBERED_PAGE_SIZE : undefined;
}

/** For documents that number their pages, or have a cursor for the next one, and state no size. */
const NUMBERED_PAGE_SIZE = 20;

/** Compiles the reading of a list's query, in which defaults are filled in already. */
export function compileExtent(form: ListForm): (query: Values) => Extent {
  const first = firstOf(form, form.page) ?? 1;
  const before = firstOf(form, form.offset) ?? 0;
  const sizeByDefault = defaultPageSize(form);
  return (query) => {
    const size = sizeIn(query, form.pageSize, sizeByDefault);
    const asked = atLeast(first, countIn(query, form.page));
    const skipped = add(atLeast(before, countIn(query, form.offset)) ?? before, -before);
    const onPages = asked === undefined ? 0 : multiply(add(asked, -first), size ?? 0);
    const offset = add(onPages, skipped);
    return { size, page: asked ?? add(first, divide(offset, size)), offset };
  };
}

type Values = Readonly<Record<string, unknown>>;

/** What the first page, or the first record, is counted as. */
export function firstOf(form: ListForm, position: Parameter | undefined): number | undefined {
  return position && firstPosition(position, form).value;
}

/** Of what is no whole number the next one; a query is text anyway, whatever its schema. */
function countIn(query: Values, parameter: Parameter | undefined): Exact | undefined {
  const given = parameter && query[parameter.name];
  const value = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given;
  if (isInteger(value)) return value;
  return typeof value === 'number' && Number.isFinite(value) ? Math.ceil(value) : undefined;
}

/** A word in the place of a number, such as `all`, sets no bound. */
function sizeIn(
  query: Values,
  parameter: Parameter | undefined,
  byDefault: Exact | undefined,
): Exact | undefined {
  const count = countIn(query, parameter);
  if (count === undefined && parameter && typeof query[parameter.name] === 'string') return undefined;
  return atLeast(0, count ?? byDefault);
}

/** As a store counts: beyond this no list has a record. */
export function countable(value: Exact): number {
  return value > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(value);
}

function atLeast<T extends Exact | undefined>(low: number, value: T): T | number {
  return value !== undefined && value < low ? low : value;
}

export function add(left: Exact, right: Exact): Exact {
  return canonicalInteger(BigInt(left) + BigInt(right));
}

function multiply(left: Exact, right: Exact): Exact {
  return canonicalInteger(BigInt(left) * BigInt(right));
}

/** How many whole pages are before an offset. */
function divide(offset: Exact, size: Exact | undefined): Exact {
  return size === undefined || size === 0 ? 0 : canonicalInteger(BigInt(offset) / BigInt(size));
}
