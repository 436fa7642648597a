import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { StoreError } from '../store-error.ts';

/** https://www.sqlite.org/fileformat2.html §1.3: all of it stands on the first page. */
const MAGIC = 'SQLite format 3\0';
const APPLICATION_ID = 68;
const LEAF_PAGE = 0x0d;
const PAGE_TYPE = 100;
const CELL_COUNT = 103;

/** The longest page. */
const FIRST_PAGE = 2 ** 16;
/** The first transaction of a file makes the tables: they stand at the beginning of its log. */
const FIRST_TRANSACTION = 2 ** 18;
/** Header of the log, header of a frame, and the smallest page: a shorter one holds no page. */
const SHORTEST_LOG = 32 + 24 + 512;

const OWN_TABLE = 'CREATE TABLE paddock_collection';

/**
 * Reads whose file it is without SQLite, which even for reading leaves files beside that of another program, and may
 * change it by what an ended process has left there.
 * @throws StoreError for a file of another program
 */
export function refuseForeignFile(path: string): void {
  const page = beginningOf(path, FIRST_PAGE);
  // What cannot be read is reported by SQLite, and what is new or empty belongs to nobody.
  if (page === undefined || page.length === 0) return;
  if (page.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw new StoreError(`${path} is not an SQLite database`);
  if (page.includes(OWN_TABLE)) return;
  const log = beginningOf(`${path}-wal`, FIRST_TRANSACTION);
  if (log?.includes(OWN_TABLE)) return;
  const hasTables = page[PAGE_TYPE] !== LEAF_PAGE || page.readUInt16BE(CELL_COUNT) > 0;
  const hasLog = log !== undefined && log.length >= SHORTEST_LOG;
  if (hasTables || hasLog || page.readUInt32BE(APPLICATION_ID) !== 0)
    throw new StoreError(`${path} belongs to another program; name another file`);
}

function beginningOf(path: string, most: number): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    if (!fstatSync(file).isFile()) return undefined;
    const bytes = Buffer.alloc(most);
    return bytes.subarray(0, readSync(file, bytes, 0, most, 0));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
