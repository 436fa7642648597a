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

/** What a list says of one of its pages; undefined: there is no such page, or no such record. */
type ValueOf = (page: Page, extent: Extent, request: PageRequest) => unknown;

const lengthOf = ({ total = 0 }: Page, { size }: Extent) => countable(size ?? Math.max(total, 1));
const pagesOf = (page: Page, extent: Extent) =>
  Math.ceil((page.total ?? 0) / Math.max(1, lengthOf(page, extent)));
/** How many records are shown when this page is. */
const shown = (page: Page, { offset }: Extent) => countable(offset) + page.count;
const hasMore = (page: Page, extent: Extent) =>
  page.count > 0 && (extent.isBack ? extent.offset > 0 : shown(page, extent) < (page.total ?? 0));

/** Compiles all that a list can say of its pages. */
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
    // Without a page size all records are on one page.
    size: ({ total = 0 }, { size }) => size ?? Math.max(total, 1),
    offset: (_, { offset }) => add(offset, before),
    pages: pagesOf,
    page: (_, { page }) => page,
    'first item': ({ count }, { offset }) => (count > 0 ? add(offset, 1) : undefined),
    'last item': (page, extent) => (page.count > 0 ? shown(page, extent) : undefined),
    'has more': hasMore,
    'has previous': (_, { offset }) => offset > 0,
    'is first': (_, { offset }) => offset <= 0,
    'is last': (page, extent) => !hasMore(page, extent),
    'is empty': ({ count }) => count === 0,
    'next cursor': (page, extent) => (hasMore(page, extent) ? cursors?.next(page, extent) : undefined),
    'previous cursor': (_, extent) => cursors?.previous(extent),
    'next page': (page, extent) => (hasMore(page, extent) ? add(extent.page, 1) : undefined),
    'previous page': (_, { page }) => (page > first ? add(page, -1) : undefined),
    'next offset': (page, extent) => (hasMore(page, extent) ? shown(page, extent) + before : undefined),
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

/** Compiles the number that names the place behind the last page, where a page has to name one: what is there is empty. */
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

/** JSON text of a value for a member of this schema; undefined: the value is no such member. */
export function asMember(value: unknown, shape: Shape): string | undefined {
  const numbers = countShape({ shape });
  if (typeof value === 'boolean') return String(value);
  if (value === undefined || !numbers) return value === undefined ? undefined : JSON.stringify(String(value));
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  // No further from what was asked for than its own schema demands.
  const { low, high } = numbers.range;
  const [least, most] = [low?.exclusive ? undefined : low?.value, high?.exclusive ? undefined : high?.value];
  if (most !== undefined && value > most) return stringifyJson(most);
  return stringifyJson(least !== undefined && value < least ? least : value);
}

export type Relation = 'first' | 'previous' | 'next' | 'last' | 'self';

/** Path and query of a page beside one; undefined: there is none, or nothing asks for it. */
type TargetOf = (
  relation: Relation,
  page: Page,
  extent: Extent,
  request: Pick<PageRequest, 'path' | 'query'>,
) => string | undefined;

/** Compiles the requests for the pages beside one: by number, by offset, else by cursor. */
function compileTargets(form: ListForm, cursors: Cursors | undefined): TargetOf {
  const { pageSize, cursor } = form;
  const position = form.page ?? form.offset;
  const first = firstOf(form, position) ?? 0;

  function positionOf(relation: Relation, page: Page, extent: Extent): unknown {
    if (extent.size === undefined || extent.size < 1) return undefined;
    const [length, pages] = [countable(extent.size), Math.max(1, pagesOf(page, extent))];
    // Behind the last page the one before it is the last.
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

/** Compiles the header `Link` (RFC 8288); its value is empty where there are no pages. */
export function compileLinks(form: ListForm, id: string | undefined) {
  const targetOf = compileTargets(form, compileCursors(form, id));
  return (page: Page, extent: Extent, request: Pick<PageRequest, 'path' | 'query'>): string =>
    (['first', 'previous', 'next', 'last'] as const)
      .flatMap((relation) => {
        const target = targetOf(relation, page, extent, request);
        // As the registry of relations has it (RFC 8288 §4.2).
        return target === undefined
          ? []
          : `<${target}>; rel="${relation === 'previous' ? 'prev' : relation}"`;
      })
      .join(', ');
}

/** How a list names the place where a page begins. */
interface Cursors {
  /** The cursor of the page after one; undefined: the last record has no id. */
  readonly next: (page: Page, extent: Extent) => unknown;
  /** The cursor of the page before one; undefined: no client can ask for it. */
  readonly previous: (extent: Extent) => unknown;
}

/** The cursors of a list: ids of records where the name of the parameter says so, else offsets in a form of their own. */
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
 * How many records are before the page that a cursor names; undefined: the list has no such cursor.
 * @param all gives all records of the list, in its order
 */
type OffsetOf = (cursor: unknown, all: () => Awaitable<Page>) => Awaitable<number | undefined>;

/** Compiles the reading of a list's cursor; undefined: it has none. */
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
      // Of a record that is gone, or of 0, the place is known where ids are counted.
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

/** The id of one record of a page, as a text where it is one in the list. */
function idAt(page: Page, index: number, id: string): unknown {
  return recordsOf(page).at(index)?.[id];
}

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
  /** It was asked for by the record behind it: further ones are before it. */
  readonly isBack?: boolean;
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

/** What the first page, or the first record, is counted as. */
function firstOf(form: ListForm, position: Parameter | undefined): number | undefined {
  return position && firstPosition(position, form).value;
}

/** Of what is no whole number the next one; a query is text anyway, whatever its schema. */
function countIn(query: Data, parameter: Parameter | undefined): Exact | undefined {
  const given = parameter && query[parameter.name];
  const value = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given;
  if (isInteger(value)) return value;
  return typeof value === 'number' && Number.isFinite(value) ? Math.ceil(value) : undefined;
}

/** A word in the place of a number, such as `all`, sets no bound. */
function sizeIn(
  query: Data,
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
