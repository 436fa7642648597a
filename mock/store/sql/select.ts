import type { Condition, Query } from '../port.ts';
import type { Statement } from './database.ts';
import { keyText } from './records.ts';

/** The collection of a session from which records are selected. */
export interface From {
  readonly session: string;
  readonly name: string;
}

/** Larger than any table, and the sum of two is still a 64-bit integer. */
const ALL = Number.MAX_SAFE_INTEGER;

/** The texts of one page, in order. Every access uses an index, and reads no further than the page's end. */
export function selectPage(from: From, { where, offset, limit }: Query): Statement {
  const { hold, collection, done } = begin(from);
  const [first, ...others] = where;
  const end = Math.min(ALL, offset + limit);
  const page = () =>
    `ORDER BY place LIMIT ${hold(Math.min(ALL, limit))} OFFSET ${hold(Math.min(ALL, offset))}`;
  if (!first || first.anyOf.length === 0) {
    const holds = `collection = ${collection}${first ? ' AND FALSE' : ''}`;
    return done(`SELECT text FROM paddock_record WHERE ${holds} ${page()}`);
  }
  const pages = first.anyOf.map((value) => {
    const joined = 'SELECT k.place, r.text FROM paddock_key k JOIN paddock_record r';
    const holds = `k.collection = ${collection} AND k.name = ${hold(first.key)} AND k.value = ${hold(keyText(value))}`;
    const rest = others.map((condition) => ` AND ${holdsFor('k', condition, hold)}`).join('');
    return `SELECT * FROM (${joined} ON r.collection = k.collection AND r.place = k.place WHERE ${holds}${rest} ORDER BY k.place LIMIT ${hold(end)}) p`;
  });
  // UNION, not UNION ALL: a record with several of the values counts once.
  const union = `SELECT text FROM (${pages.join(' UNION ')}) f`;
  return done(`${union} ${page()}`);
}

/** The number of records on all pages, as `total`. Slower with more records. */
export function selectTotal(from: From, where: readonly Condition[]): Statement {
  const { hold, collection, done } = begin(from);
  const [first, ...others] = where;
  if (!first || first.anyOf.length === 0) {
    const holds = `collection = ${collection}${first ? ' AND FALSE' : ''}`;
    return done(`SELECT count(*) AS total FROM paddock_record WHERE ${holds}`);
  }
  const holds = `k.collection = ${collection} AND k.name = ${hold(first.key)}`;
  const values = first.anyOf.map((value) => hold(keyText(value))).join(', ');
  const rest = others.map((condition) => ` AND ${holdsFor('k', condition, hold)}`).join('');
  const source = `FROM paddock_key k WHERE ${holds} AND k.value IN (${values})${rest}`;
  return done(`SELECT count(DISTINCT k.place) AS total ${source}`);
}

/** A record by its id that meets all conditions: its collection's number, place, text and facts. */
export function selectRecord(from: From, id: string, where: readonly Condition[]): Statement {
  const { hold, collection, done } = begin(from);
  const holds = `r.collection = ${collection} AND r.id = ${hold(id)}`;
  const rest = where.map((condition) => ` AND ${holdsFor('r', condition, hold)}`).join('');
  return done(`SELECT r.collection, r.place, r.text, r.facts FROM paddock_record r WHERE ${holds}${rest}`);
}

/** Another record with the same value of a key and the same parents. */
export function selectTwin(
  number: number,
  place: number,
  { key, anyOf }: Condition,
  others: readonly Condition[],
): Statement {
  const values: (string | number)[] = [number, place];
  const hold = (value: string | number) => `$${values.push(value)}`;
  const predicate = `k.name = ${hold(key)} AND k.value IN (${anyOf.map((value) => hold(keyText(value))).join(', ')})`;
  const rest = others.map((condition) => ` AND ${holdsFor('k', condition, hold)}`).join('');
  const where = `k.collection = $1 AND k.place <> $2 AND ${predicate}${rest}`;
  return { text: `SELECT k.place FROM paddock_key k WHERE ${where} LIMIT 1`, values };
}

function begin({ session, name }: From) {
  const values: (string | number)[] = [session, name];
  const hold = (value: string | number) => `$${values.push(value)}`;
  const collection = '(SELECT number FROM paddock_collection WHERE session = $1 AND name = $2)';
  return { hold, collection, done: (text: string): Statement => ({ text, values }) };
}

function holdsFor(row: string, { key, anyOf }: Condition, hold: (value: string) => string): string {
  if (anyOf.length === 0) return 'FALSE';
  const same = `o.collection = ${row}.collection AND o.place = ${row}.place`;
  const name = hold(key);
  const values = anyOf.map((value) => hold(keyText(value)));
  return `EXISTS (SELECT 1 FROM paddock_key o WHERE ${same} AND o.name = ${name} AND o.value IN (${values.join(', ')}))`;
}
