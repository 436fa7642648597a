import { fromBase64, toBase64Url } from '#platform';
import {
  canonicalInteger,
  countShape,
  type Data,
  exactNumber,
  firstPosition,
  isAbsoluteUrl,
  isInteger,
  isNumber,
  isRecord,
  type ListForm,
  type PageSign,
  type Parameter,
  parseJson,
  type Shape,
  stringifyJson,
  takesId,
} from '#spec';
import { type Awaitable, andThen, type MockRequest, originOf } from '../../http/exchange.ts';
import type { Page } from '../../store/port.ts';

export type PageRequest = Pick<MockRequest, 'path' | 'query' | 'headers' | 'origin' | 'prefix'>;

/** A value that a list shows for one of its pages. Undefined: there is no such page or record. */
type ValueOf = (page: Page, extent: Extent, request: PageRequest) => unknown;

const lengthOf = ({ total = 0 }: Page, { size }: Extent) => countable(size ?? Math.max(total, 1));
const pagesOf = (page: Page, extent: Extent) =>
  Math.ceil((page.total ?? 0) / Math.max(1, lengthOf(page, extent)));
/** How many records are shown up to the end of the page. */
const endOf = (page: Page, { offset }: Extent) => countable(offset) + page.count;
const hasMore = (page: Page, extent: Extent) =>
  page.count > 0 && (extent.isBack ? extent.offset > 0 : endOf(page, extent) < (page.total ?? 0));

/** Compiles all that a list can show about its pages. */
export function compileSigns(
  form: ListForm,
  id: string | undefined,
): (says: PageSign, shape: Shape) => ValueOf {
  const cursors = compileCursors(form, id);
  const targetOf = compileTargets(form, cursors);
  const first = firstOf(form, form.page) ?? 1;
  const before = firstOf(form, form.offset) ?? 0;
  const idOf = (index: number): ValueOf =>
    id === undefined ? () => undefined : (page) => idAt(page, index, id);
  const values: Readonly<Record<Exclude<PageSign, `${string} url`>, ValueOf>> = {
    total: ({ total = 0 }) => total,
    listed: ({ count }) => count,
    // Without a page size, one page has all records.
    size: ({ total = 0 }, { size }) => size ?? Math.max(total, 1),
    offset: (_, { offset }) => add(offset, before),
    pages: pagesOf,
    page: (_, { page }) => page,
    'first item': ({ count }, { offset }) => (count > 0 ? add(offset, 1) : undefined),
    'last item': (page, extent) => (page.count > 0 ? endOf(page, extent) : undefined),
    'has more': hasMore,
    'has previous': (_, { offset }) => offset > 0,
    'is first': (_, { offset }) => offset <= 0,
    'is last': (page, extent) => !hasMore(page, extent),
    'is empty': ({ count }) => count === 0,
    'next cursor': (page, extent) => (hasMore(page, extent) ? cursors?.next(page, extent) : undefined),
    'previous cursor': (_, extent) => cursors?.previous(extent),
    'next page': (page, extent) => (hasMore(page, extent) ? add(extent.page, 1) : undefined),
    'previous page': (_, { page }) => (page > first ? add(page, -1) : undefined),
    'next offset': (page, extent) => (hasMore(page, extent) ? endOf(page, extent) + before : undefined),
    'previous offset': (page, extent) =>
      extent.offset > 0 ? Math.max(0, countable(extent.offset) - lengthOf(page, extent)) + before : undefined,
    'first id': idOf(0),
    'last id': idOf(-1),
  };
  return (says, shape) => {
    if (!isUrl(says)) return values[says];
    const relation = says.slice(0, -' url'.length) as Relation;
    return (page, extent, request) => {
      const target = targetOf(relation, page, extent, request);
      return target === undefined ? undefined : urlOf(target, shape, request);
    };
  };
}

/** Compiles the numeric cursor behind the last page, where the response requires a next one: the page there is empty. */
export function compileEnd(form: ListForm, id: string | undefined): ValueOf {
  const cursors = compileCursors(form, id);
  return (page, extent, { query }) => {
    const asked = new URLSearchParams(query).get(form.cursor?.name ?? '') ?? '';
    return cursors?.next(page, extent) ?? (/^\d+$/.test(asked) ? exactNumber(asked) : undefined);
  };
}

export function isUrl(says: PageSign): says is `${Relation} url` {
  return says.endsWith(' url');
}

function urlOf(target: string, shape: Shape, request: PageRequest): string {
  return (isAbsoluteUrl(shape) ? originOf(request) : '') + (request.prefix ?? '') + target;
}

/** The JSON text of a value for a member with this schema. Undefined: the value does not fit. */
export function asMember(value: unknown, shape: Shape): string | undefined {
  const numbers = countShape({ shape });
  if (typeof value === 'boolean') return String(value);
  if (value === undefined || !numbers) return value === undefined ? undefined : JSON.stringify(String(value));
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  // Within the member's own bounds, as close to the requested number as possible.
  const { low, high } = numbers.range;
  const [least, most] = [low?.exclusive ? undefined : low?.value, high?.exclusive ? undefined : high?.value];
  if (most !== undefined && value > most) return stringifyJson(most);
  return stringifyJson(least !== undefined && value < least ? least : value);
}

export type Relation = 'first' | 'previous' | 'next' | 'last' | 'self';

/** Path and query of a page near the current one. Undefined: it does not exist, or no parameter can ask for it. */
type TargetOf = (
  relation: Relation,
  page: Page,
  extent: Extent,
  request: Pick<PageRequest, 'path' | 'query'>,
) => string | undefined;

/** Compiles the URLs of pages near the current one: by page number, by offset, else by cursor. */
function compileTargets(form: ListForm, cursors: Cursors | undefined): TargetOf {
  const { pageSize, cursor } = form;
  const position = form.page ?? form.offset;
  const first = firstOf(form, position) ?? 0;

  function positionOf(relation: Relation, page: Page, extent: Extent): unknown {
    if (extent.size === undefined || extent.size < 1) return undefined;
    const [length, pages] = [countable(extent.size), Math.max(1, pagesOf(page, extent))];
    // From beyond the last page, the previous page is the last.
    const before = Math.min(countable(extent.offset), pages * length);
    const begin = {
      first: 0,
      previous: before > 0 ? Math.max(0, before - length) : undefined,
      next: before + length < (page.total ?? 0) ? before + length : undefined,
      last: (pages - 1) * length,
      self: undefined,
    }[relation];
    return begin === undefined ? undefined : first + (form.page ? Math.floor(begin / length) : begin);
  }

  function cursorOf(relation: Relation, page: Page, extent: Extent): unknown {
    if (relation === 'next') return hasMore(page, extent) ? cursors?.next(page, extent) : undefined;
    return relation === 'previous' ? cursors?.previous(extent) : undefined;
  }

  return (relation, page, extent, { path, query }) => {
    if (relation === 'self') return query === '' ? path : `${path}?${query}`;
    const asked = new URLSearchParams(query);
    if (position) {
      const value = positionOf(relation, page, extent);
      if (value === undefined) return undefined;
      asked.set(position.name, String(value));
      if (pageSize) asked.set(pageSize.name, stringifyJson(extent.size));
      if (cursor) asked.delete(cursor.name);
    } else {
      if (!cursor || relation === 'last') return undefined;
      const value = cursorOf(relation, page, extent);
      if (value === undefined && relation !== 'first') return undefined;
      if (value === undefined) asked.delete(cursor.name);
      else asked.set(cursor.name, String(value));
    }
    return asked.size === 0 ? path : `${path}?${asked}`;
  };
}

/** Compiles the `Link` header (RFC 8288); it is empty where there are no pages. */
export function compileLinks(form: ListForm, id: string | undefined) {
  const targetOf = compileTargets(form, compileCursors(form, id));
  return (page: Page, extent: Extent, request: Pick<PageRequest, 'path' | 'query'>): string =>
    (['first', 'previous', 'next', 'last'] as const)
      .flatMap((relation) => {
        const target = targetOf(relation, page, extent, request);
        // The registered name of the relation (RFC 8288 §4.2).
        return target === undefined
          ? []
          : `<${target}>; rel="${relation === 'previous' ? 'prev' : relation}"`;
      })
      .join(', ');
}

/** The cursors of a list. */
interface Cursors {
  /** The cursor of the next page. Undefined: the last record has no id. */
  readonly next: (page: Page, extent: Extent) => unknown;
  /** The cursor of the previous page. Undefined: no parameter can ask for it. */
  readonly previous: (extent: Extent) => unknown;
}

/** The cursors of a list: record ids if the parameter's name says so, else offsets in an opaque form. */
function compileCursors(form: ListForm, id: string | undefined): Cursors | undefined {
  const { cursor } = form;
  if (!cursor) return undefined;
  if (isOfIds(form) && id !== undefined)
    return { next: (page) => idAt(page, -1, id), previous: () => undefined };
  const write = countShape(cursor) ? (offset: number) => offset : writeToken;
  return {
    next: (page, { offset }) => write(countable(offset) + page.count),
    previous: ({ offset, size }) =>
      offset > 0 ? write(Math.max(0, countable(offset) - countable(size ?? offset))) : undefined,
  };
}

function isOfIds({ cursor }: ListForm): boolean {
  return cursor !== undefined && (takesId(cursor) || cursor.shape.find('format')?.value === 'uuid');
}

/**
 * How many records precede the page of a cursor. Undefined: the list has no such cursor.
 * @param all returns all records of the list, in order
 */
type OffsetOf = (cursor: unknown, all: () => Awaitable<Page>) => Awaitable<number | undefined>;

/** Compiles reading a list's cursor. Undefined: the list has none. */
export function compileOffsetOf(form: ListForm, id: string | undefined): OffsetOf | undefined {
  const { cursor } = form;
  if (!cursor) return undefined;
  if (!isOfIds(form) || id === undefined)
    return (value) => (isNumber(value) ? Math.max(0, countable(value)) : readToken(String(value)));
  return (value, all) =>
    andThen(all(), (page) => {
      const ids = recordsOf(page).map((record) => record[id]);
      const index = ids.findIndex((one) => String(one) === String(value));
      if (index >= 0) return index + 1;
      // With numeric ids, the position of 0 or a removed record still follows.
      return isNumber(value) ? ids.filter((one) => isNumber(one) && one <= value).length : undefined;
    });
}

const TOKEN = 'after ';

const writeToken = (offset: number) => toBase64Url(TOKEN + offset);

function readToken(token: string): number | undefined {
  const text = fromBase64(token);
  const digits = text.startsWith(TOKEN) ? text.slice(TOKEN.length) : '';
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}

export function recordsOf({ text }: Page): Record<string, unknown>[] {
  return (parseJson(text) as unknown[]).filter(isRecord);
}

/** The id of one record of a page, as text where the list shows text. */
function idAt(page: Page, index: number, id: string): unknown {
  return recordsOf(page).at(index)?.[id];
}

/** An integer of any size, as `parseJson` returns it. */
export type Exact = number | bigint;

/** Which part of a list is requested, exactly, since the response repeats it. */
export interface Extent {
  /** Undefined: one page has all records. */
  readonly size: Exact | undefined;
  /** The number of the page, in the document's counting. */
  readonly page: Exact;
  /** How many records precede the page. */
  readonly offset: Exact;
  /** The page was requested by the record behind it: the next page precedes it. */
  readonly isBack?: boolean;
}

/** The page size without a requested or default one: the documented maximum. */
function defaultPageSize({ page, pageSize, cursor }: ListForm): Exact | undefined {
  const high = pageSize && countShape(pageSize)?.range.high;
  // The bound of `int64` is no page size: one page has all records.
  const isLimit = high && high.spot.path.at(-1) !== 'format' && isInteger(high.value);
  if (isLimit) return high.exclusive ? add(high.value, -1) : high.value;
  return page || cursor ? NUMBERED_PAGE_SIZE : undefined;
}

/** For lists with page numbers or a next cursor, and no documented size. */
const NUMBERED_PAGE_SIZE = 20;

/** Compiles reading a list's query, whose defaults are already filled in. */
export function compileExtent(form: ListForm): (query: Data) => Extent {
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

/** The number of the first page, or of the first record. */
function firstOf(form: ListForm, position: Parameter | undefined): number | undefined {
  return position && firstPosition(position, form).value;
}

/** A count in the query, rounded up; query values are text, whatever their schema. */
function countIn(query: Data, parameter: Parameter | undefined): Exact | undefined {
  const text = parameter && query[parameter.name];
  const value = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text;
  if (isInteger(value)) return value;
  return typeof value === 'number' && Number.isFinite(value) ? Math.ceil(value) : undefined;
}

/** A word such as `all` in place of a number means no limit. */
function sizeIn(
  query: Data,
  parameter: Parameter | undefined,
  byDefault: Exact | undefined,
): Exact | undefined {
  const count = countIn(query, parameter);
  if (count === undefined && parameter && typeof query[parameter.name] === 'string') return undefined;
  return atLeast(0, count ?? byDefault);
}

/** As a number for the store; no list has more records. */
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

/** The number of whole pages before an offset. */
function divide(offset: Exact, size: Exact | undefined): Exact {
  return size === undefined || size === 0 ? 0 : canonicalInteger(BigInt(offset) / BigInt(size));
}
