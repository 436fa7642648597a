import { fromBase64, toBase64Url } from '#platform';
import { countShape, isNumber, isRecord, type ListForm, parseJson, takesId } from '#spec';
import { type Awaitable, andThen } from '../../http/exchange.ts';
import type { Page } from '../../store/port.ts';
import { countable, type Extent } from './page.ts';

/** How a list names the place where a page begins. */
export interface Cursors {
  /** The cursor of the page after one; undefined: the last record has no id. */
  readonly next: (page: Page, extent: Extent) => unknown;
  /** The cursor of the page before one; undefined: no client can ask for it. */
  readonly previous: (extent: Extent) => unknown;
}

/** The cursors of a list: ids of records where the name of the parameter says so, else offsets in a form of their own. */
export function compileCursors(form: ListForm, id: string | undefined): Cursors | undefined {
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

const TOKEN = /^after (\d{1,15})$/;

const writeToken = (offset: number) => toBase64Url(`after ${offset}`);

function readToken(token: string): number | undefined {
  const [, digits] = TOKEN.exec(fromBase64(token)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function recordsOf({ text }: Page): Record<string, unknown>[] {
  return (parseJson(text) as unknown[]).filter(isRecord);
}

/** The id of one record of a page, as a text where it is one in the list. */
export function idAt(page: Page, index: number, id: string): unknown {
  return recordsOf(page).at(index)?.[id];
}
