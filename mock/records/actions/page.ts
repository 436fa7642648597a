import { fromBase64, toBase64Url } from '#platform';
import {
  canonicalInteger,
  isInteger,
  isRecord,
  type ListForm,
  type Parameter,
  parseJson,
  type Shape,
} from '#spec';
import { type Awaitable, andThen } from '../../http/exchange.ts';
import type { Condition, Page, Store } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';

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

/** Where the page after a cursor begins: how many records are before it; undefined: no record has this cursor. */
type OffsetOf = (cursor: string, store: Store, where: readonly Condition[]) => Awaitable<number | undefined>;

/** Parameters with the id of the last record of the page before; the value of any other one is opaque. */
const AFTER_ID = /^(?:starting_?after|after|marker)$/i;

/** Compiles the reading of a list's cursor; undefined: it has none. */
export function compileCursor({ cursor }: ListForm, collection: RecordCollection): OffsetOf | undefined {
  const property = collection.resource.id?.property;
  if (!cursor) return undefined;
  if (!AFTER_ID.test(cursor.name) || property === undefined) return (text) => readToken(text);
  return (text, store, where) =>
    andThen(store.list(collection, { where, offset: 0, limit: Number.POSITIVE_INFINITY }), (page) => {
      const index = recordsOf(page).findIndex((record) => String(record[property]) === text);
      return index < 0 ? undefined : index + 1;
    });
}

const TOKEN = /^after (\d{1,15})$/;

const writeToken = (offset: number) => toBase64Url(`after ${offset}`);

function readToken(token: string): number | undefined {
  const [, digits] = TOKEN.exec(fromBase64(token)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function recordsOf({ text }: Page): Record<string, unknown>[] {
  return (parseJson(text) as unknown[]).filter(isRecord);
}

const HAS_MORE = /^(?:has_?more|has_?next(?:_?page)?|is_?truncated)$/i;
const HAS_PREVIOUS = /^has_?prev(?:ious)?(?:_?page)?$/i;
const NEXT = /^(?:next|next_?(?:page_?)?(?:token|cursor)|next_?starting_?after|end_?cursor|after|cursor)$/i;
const FIRST_ID = /^first_?id$/i;
const LAST_ID = /^last_?id$/i;

/** JSON text; undefined: the member is left out. */
type WriteMember = (page: Page, extent: Extent) => string | undefined;

/** Compiles a member beside a list that says whether there are more records, or where they begin. */
export function compilePosition(
  name: string,
  shape: Shape,
  form: ListForm,
  id: string | undefined,
): WriteMember | undefined {
  const shown = (page: Page, { offset }: Extent) => Number(offset) + page.count;
  const hasMore = (page: Page, extent: Extent) => page.count > 0 && shown(page, extent) < (page.total ?? 0);
  if (shape.mainType === 'boolean') {
    if (HAS_MORE.test(name)) return (page, extent) => String(hasMore(page, extent));
    return HAS_PREVIOUS.test(name) ? (_, { offset }) => String(offset > 0) : undefined;
  }
  if (shape.mainType !== 'string' || shape.find('format')?.value === 'uri') return undefined;
  const idAt = (page: Page, index: number) => {
    const value = id === undefined ? undefined : recordsOf(page).at(index)?.[id];
    return value === undefined ? undefined : String(value);
  };
  const write = (value: string | undefined) =>
    value === undefined ? (shape.nullable ? 'null' : undefined) : JSON.stringify(value);
  if (FIRST_ID.test(name)) return (page) => write(idAt(page, 0));
  if (LAST_ID.test(name)) return (page) => write(idAt(page, -1));
  const { cursor } = form;
  if (!cursor || !NEXT.test(name)) return undefined;
  const isId = AFTER_ID.test(cursor.name) && id !== undefined;
  return (page, extent) => {
    if (!hasMore(page, extent)) return write(undefined);
    return write(isId ? idAt(page, -1) : writeToken(shown(page, extent)));
  };
}
