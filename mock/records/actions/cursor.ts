import { fromBase64, toBase64Url } from '#platform';
import { isRecord, type ListForm, parseJson, type Shape } from '#spec';
import { type Awaitable, andThen } from '../../http/awaitable.ts';
import type { Condition, Page, Store } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import type { Extent } from './page.ts';

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

/** Compiles a member beside a list that tells whether there are more records, or where they begin. */
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
