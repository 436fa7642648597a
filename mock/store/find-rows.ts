import type { Condition, KeyValue, Query, Scalar } from './port.ts';
import type { Row, RowList } from './row-list.ts';
import type { Table } from './table.ts';

/** Rows of one page, and how many there are on all pages if that was asked for. */
export interface FoundRows {
  readonly rows: readonly Row[];
  readonly total: number | undefined;
}

/** Reads no further than the end of the page, unless all are to be counted. */
export function findRows(table: Table, { where, offset, limit, counted }: Query): FoundRows {
  const [first] = where;
  if (!first) return sliceOf(table.rows, offset, limit, counted);
  if (where.length === 1 && first.anyOf.length === 1) {
    const [list] = listsFor(table, first);
    return list ? sliceOf(list, offset, limit, counted) : { rows: [], total: counted ? 0 : undefined };
  }
  const matching = matchingRows(table, where);
  const rows: Row[] = [];
  let total = 0;
  for (const row of matching) {
    if (total >= offset && rows.length < limit) rows.push(row);
    total++;
    if (!counted && rows.length >= limit) break;
  }
  return { rows, total: counted ? total : undefined };
}

function sliceOf(list: RowList, offset: number, limit: number, counted: boolean | undefined): FoundRows {
  return { rows: list.slice(offset, limit), total: counted ? list.length : undefined };
}

/** The rows of the rarest condition, in their order, less those for which another one does not hold. */
function* matchingRows(table: Table, where: readonly Condition[]): Generator<Row> {
  const found = where.map((condition) => listsFor(table, condition));
  const sizes = found.map((lists) => lists.reduce((sum, { length }) => sum + length, 0));
  const rarest = sizes.indexOf(Math.min(...sizes));
  const others = where.filter((_, at) => at !== rarest);
  for (const row of merged(found[rarest] ?? [])) if (holdsAll(table, row, others)) yield row;
}

function listsFor({ collection, index }: Table, { key, anyOf }: Condition): RowList[] {
  const rowsOf = index[collection.keys.indexOf(key)];
  return [...new Set(anyOf)].flatMap((value) => rowsOf?.get(value) ?? []);
}

/** Rows of several lists in one order; a row that stands in several of them comes once. */
function* merged(lists: readonly RowList[]): Generator<Row> {
  if (lists.length === 1) return yield* lists[0] as RowList;
  const heads = lists.map((list) => {
    const rows = list[Symbol.iterator]();
    return { rows, next: rows.next() };
  });
  for (;;) {
    let lowest: Row | undefined;
    for (const { next } of heads) {
      if (!next.done && (!lowest || next.value.ordinal < lowest.ordinal)) lowest = next.value;
    }
    if (!lowest) return;
    yield lowest;
    for (const head of heads) if (head.next.value === lowest) head.next = head.rows.next();
  }
}

export function holdsAll({ collection }: Table, row: Row, where: readonly Condition[]): boolean {
  return where.every(({ key, anyOf }) => {
    const values = scalarsOf(row.keys[collection.keys.indexOf(key)]);
    return values.some((value) => anyOf.includes(value));
  });
}

const NO_SCALARS: readonly Scalar[] = [];

export function scalarsOf(value: KeyValue): readonly Scalar[] {
  if (value === undefined) return NO_SCALARS;
  return Array.isArray(value) ? [...new Set(value as readonly Scalar[])] : [value as Scalar];
}
