import { canonicalInteger, isInteger, type ListForm, type Parameter } from '#spec';

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

/** Page numbers start at 1 unless the document allows 0. */
function firstPage(page: Parameter | undefined): number {
  return page?.shape.range.low?.value === 0 ? 0 : 1;
}

/** The page size where neither the client nor a `default` gives one: the maximum that the document allows. */
export function defaultPageSize({ page, pageSize, cursor }: ListForm): Exact | undefined {
  const high = pageSize?.shape.range.high;
  // Of `int64` all records are on one page, whatever their number.
  const isLimit = high && high.spot.path.at(-1) !== 'format' && isInteger(high.value);
  if (isLimit) return high.exclusive ? add(high.value, -1) : high.value;
  return page || cursor ? NUMBERED_PAGE_SIZE : undefined;
}

/** For documents that number their pages, or have a cursor for the next one, and state no size. */
const NUMBERED_PAGE_SIZE = 20;

/** Compiles the reading of a list's query, in which defaults are filled in already. */
export function compileExtent(form: ListForm): (query: Readonly<Record<string, unknown>>) => Extent {
  const first = firstPage(form.page);
  const sizeByDefault = defaultPageSize(form);
  const given = (parameter: Parameter | undefined, query: Readonly<Record<string, unknown>>) => {
    const value = parameter && query[parameter.name];
    return isInteger(value) ? value : undefined;
  };
  return (query) => {
    const size = atLeast(0, given(form.pageSize, query) ?? sizeByDefault);
    const asked = atLeast(first, given(form.page, query));
    const skipped = atLeast(0, given(form.offset, query)) ?? 0;
    const before = asked === undefined ? 0 : multiply(add(asked, -first), size ?? 0);
    const offset = add(before, skipped);
    return { size, page: asked ?? add(first, divide(offset, size)), offset };
  };
}

/** As a store counts: beyond this no list has a record. */
export function countable(value: Exact): number {
  return value > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(value);
}

function atLeast<T extends Exact | undefined>(low: number, value: T): T | number {
  return value !== undefined && value < low ? low : value;
}

function add(left: Exact, right: Exact): Exact {
  return canonicalInteger(BigInt(left) + BigInt(right));
}

function multiply(left: Exact, right: Exact): Exact {
  return canonicalInteger(BigInt(left) * BigInt(right));
}

/** How many whole pages are before an offset. */
function divide(offset: Exact, size: Exact | undefined): Exact {
  return size === undefined || size === 0 ? 0 : canonicalInteger(BigInt(offset) / BigInt(size));
}
