import type { PageCache } from '../page-cache.ts';
import type { Collection, Entry, Id } from '../port.ts';
import { rowOf } from '../sql/row.ts';
import type { Connection } from './connection.ts';

/** A collection of one session, seeded. */
export interface Table {
  readonly collection: Collection;
  /** Under which its rows stand. */
  readonly number: number;
  /** The file has one owner, who sees each write. */
  readonly pages: PageCache;
}

export interface KeptRecord {
  readonly place: number;
  readonly text: string;
  readonly facts: string;
}

export type Rows = ReturnType<typeof openRows>;

/** The work on the rows of tables; what changes more than one row is to be done within a transaction. */
export function openRows({ prepare, run }: Connection) {
  return {
    /** False: the id is taken. */
    insert({ number, collection, pages }: Table, entry: Entry): boolean {
      pages.clear();
      const { id, facts, text, keys } = rowOf(collection, entry);
      const { changes, lastInsertRowid: place } = run(INSERT_RECORD, number, id, facts, text);
      if (changes === 0) return false;
      for (const [name, value] of keys) run(INSERT_KEY, number, name, value, place);
      return true;
    },
    replace({ number, collection, pages }: Table, place: number, entry: Entry): void {
      pages.clear();
      const { facts, text, keys } = rowOf(collection, entry);
      run('UPDATE paddock_record SET facts = ?, text = ? WHERE place = ?', facts, text, place);
      run(DELETE_KEYS, place);
      for (const [name, value] of keys) run(INSERT_KEY, number, name, value, place);
    },
    remove({ pages }: Table, place: number): void {
      pages.clear();
      run('DELETE FROM paddock_record WHERE place = ?', place);
      run(DELETE_KEYS, place);
    },
    /** Counted in the file, so that the id of a removed record is not given again after a restart either. */
    nextId({ number, collection }: Table): Id {
      const row = prepare(COUNT_ID).get(number);
      return collection.idOf(Number(row?.made));
    },
  };
}

const INSERT_RECORD =
  'INSERT INTO paddock_record (collection, id, facts, text) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
const INSERT_KEY = 'INSERT INTO paddock_key (collection, name, value, place) VALUES (?, ?, ?, ?)';
const DELETE_KEYS = 'DELETE FROM paddock_key WHERE place = ?';
const COUNT_ID = 'UPDATE paddock_collection SET made = made + 1 WHERE number = ? RETURNING made';
