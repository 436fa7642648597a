import { fromBase64, toBase64Url } from '#platform';
import {
  countShape,
  exactNumber,
  isAbsoluteUrl,
  isNumber,
  isRecord,
  type ListForm,
  type PageSign,
  parseJson,
  type Shape,
  stringifyJson,
  takesId,
} from '#spec';
import { type Awaitable, andThen, type MockRequest, originOf } from '../../http/exchange.ts';
import type { Page } from '../../store/port.ts';
import { add, countable, type Extent, firstOf } from './page.ts';

export type PageRequest = Pick<MockRequest, 'path' | 'query' | 'headers' | 'origin' | 'prefix'>;

/** What a list says of one of its pages; undefined: there is no such page, or no such record. */
type ValueOf = (page: Page, extent: Extent, request: PageRequest) => unknown;

const lengthOf = ({ total = 0 }: Page, { size }: Extent) => countable(size ?? Math.max(total, 1));
const pagesOf = (page: Page, extent: Extent) =>
  Math.ceil((page.total ?? 0) / Math.max(1, lengthOf(page, extent)));
/** How many records are shown when this page is. */
const shown = (page: Page, { offset }: Extent) => countable(offset) + page.count;
const hasMore = (page: Page, extent: Extent) => page.count > 0 && shown(page, extent) < (page.total ?? 0);

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

/** The relations of the IANA registry (RFC 8288 §4.2). */
const REGISTERED: Readonly<Partial<Record<Relation, string>>> = {
  first: 'first',
  previous: 'prev',
  next: 'next',
  last: 'last',
};

/** Compiles the header `Link` (RFC 8288); its value is empty where there are no pages. */
export function compileLinks(form: ListForm, id: string | undefined) {
  const targetOf = compileTargets(form, compileCursors(form, id));
  return (page: Page, extent: Extent, request: Pick<PageRequest, 'path' | 'query'>): string =>
    Object.entries(REGISTERED)
      .flatMap(([relation, name]) => {
        const target = targetOf(relation as Relation, page, extent, request);
        return target === undefined ? [] : `<${target}>; rel="${name}"`;
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

function recordsOf({ text }: Page): Record<string, unknown>[] {
  return (parseJson(text) as unknown[]).filter(isRecord);
}

/** The id of one record of a page, as a text where it is one in the list. */
function idAt(page: Page, index: number, id: string): unknown {
  return recordsOf(page).at(index)?.[id];
}
