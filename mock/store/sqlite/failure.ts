export interface SqliteError extends Error {
  /** https://www.sqlite.org/rescode.html, the extended codes included. */
  readonly errcode?: number;
}

/** What the machine, another process or another user has done. */
interface Failure {
  /** For the log: what happened, by SQLite's name of it, and what helps. */
  readonly reason: string;
  /** It does not pass by itself. */
  readonly isDamage: boolean;
}

const DAMAGED = 'stop the mock; then put back a copy of the file, or remove it to begin with new records';

/** By primary result code. */
const FAILURES: Readonly<Record<number, { readonly name: string; readonly remedy: string }>> = {
  7: { name: 'SQLITE_NOMEM', remedy: 'give the mock more memory' },
  8: { name: 'SQLITE_READONLY', remedy: 'let this user write to the file and its folder' },
  10: { name: 'SQLITE_IOERR', remedy: 'look whether its disk is full, or fails' },
  11: { name: 'SQLITE_CORRUPT', remedy: DAMAGED },
  13: { name: 'SQLITE_FULL', remedy: 'make room on its disk' },
  14: { name: 'SQLITE_CANTOPEN', remedy: 'look whether its folder is there, and this user may write in it' },
  26: { name: 'SQLITE_NOTADB', remedy: DAMAGED },
};

/** Why SQLite failed; undefined: nothing outside of the program is the reason. */
export function failureOf({ errcode = 0, message }: SqliteError): Failure | undefined {
  const failure = FAILURES[errcode & 0xff];
  if (!failure) return undefined;
  const { name, remedy } = failure;
  const code = errcode > 0xff ? `${name}, extended code ${errcode}` : name;
  return { reason: `${message} (${code}): ${remedy}`, isDamage: remedy === DAMAGED };
}
