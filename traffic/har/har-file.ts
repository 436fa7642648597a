import { copyFile, type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

/** A position in the file for an exchange that has begun. */
export interface HarSlot {
  /** Sets the entry after the exchange, as JSON. */
  fill(entry: string): void;
  /** Releases the position without an entry. */
  leave(): void;
}

/** A HAR 1.2 that is written while exchanges pass. */
export interface HarFile {
  /** Reserves a position. Entries follow the start of their exchanges, except those that would delay others for long. */
  begin(): HarSlot;
  /** The number of dropped entries: they came too fast, are too many, or could not be written. */
  readonly dropped: number;
  /** Why the file could not be written; undefined: it could. */
  readonly problem: string | undefined;
  /** Writes all available entries. */
  flush(): Promise<void>;
  /** Writes all available entries, and copies the complete file. Rejects if it cannot be copied. */
  copyTo(path: string): Promise<void>;
  /** Writes all available entries, and the end. */
  close(): Promise<void>;
}

export interface HarFileOptions {
  /** Whether only this user may read a newly created file. Default: false. */
  readonly isPrivate?: boolean | undefined;
  /** Maximum number of characters of entries; further ones are dropped. Default: no limit. */
  readonly most?: number | undefined;
}

/** Standard output. */
const STDOUT = '-';
const HEAD = `{"log":{"version":"1.2","creator":${JSON.stringify({ name: 'paddock', version: packageJson.version })},"entries":[`;
/** The maximum number of characters in waiting entries. */
const MOST_WAITING = 64 * 2 ** 20;
/** The maximum number of characters that wait for a slow exchange. */
const MOST_BEHIND = 8 * 2 ** 20;
/** How long entries wait for it, in milliseconds. */
const LONGEST_WAIT = 5000;
const INTERVAL = 250;

interface Slot {
  readonly begun: number;
  /** Undefined: the exchange is in progress. */
  entry?: string;
}

/**
 * Opens a HAR, and replaces the file's content. After each write the file is complete, however the process ends; few
 * entries wait, however large the file is.
 * @param path `-`: standard output, which gets its end with `close`
 * @throws Error of the system
 */
export async function openHarFile(
  path: string,
  { isPrivate = false, most = Number.POSITIVE_INFINITY }: HarFileOptions = {},
): Promise<HarFile> {
  const write = path === STDOUT ? toStdout : await openPath(path, isPrivate ? 0o600 : 0o666);
  const slots = new Set<Slot>();
  let behind = 0;
  let ready: string[] = [];
  let waiting = 0;
  let kept = 0;
  let count = 0;
  let dropped = 0;
  let problem: string | undefined;
  let writing = write(HEAD, end()).catch(fail);

  function end(): string {
    const comment = dropped > 0 ? `,"comment":"${dropped} exchanges were not kept"` : '';
    return `\n]${comment}}}\n`;
  }

  function fail(error: Error): void {
    problem ??= error.message;
  }

  /** Writes the entries that are next in order. */
  function settle(isLast = false): void {
    const isLate = ({ begun }: Slot) => performance.now() - begun > LONGEST_WAIT;
    for (const slot of slots) {
      if (slot.entry === undefined) {
        if (!isLast && behind <= MOST_BEHIND && !isLate(slot)) return;
        continue;
      }
      slots.delete(slot);
      behind -= slot.entry.length;
      ready.push(slot.entry);
    }
  }

  function writeReady(): Promise<void> {
    if (ready.length === 0) return writing;
    const entries = ready;
    ready = [];
    const size = entries.reduce((sum, { length }) => sum + length, 0);
    const text = `${count === 0 ? '' : ','}\n${entries.join(',\n')}`;
    count += entries.length;
    writing = writing
      .then(() => (problem === undefined ? write(text, end()) : undefined))
      .catch(fail)
      .then(() => {
        if (problem !== undefined) dropped += entries.length;
        waiting -= size;
      });
    return writing;
  }

  const timer = setInterval(() => {
    settle();
    void writeReady();
  }, INTERVAL).unref();

  return {
    begin() {
      const slot: Slot = { begun: performance.now() };
      slots.add(slot);
      return {
        fill(entry) {
          if (waiting + entry.length > MOST_WAITING || kept + entry.length > most || problem !== undefined) {
            dropped += 1;
            slots.delete(slot);
            return;
          }
          waiting += entry.length;
          kept += entry.length;
          behind += entry.length;
          slot.entry = entry;
          if (behind > MOST_BEHIND) settle();
        },
        leave: () => void slots.delete(slot),
      };
    },
    get dropped() {
      return dropped;
    },
    get problem() {
      return problem;
    },
    flush() {
      settle();
      return writeReady();
    },
    copyTo(to) {
      settle();
      const copied = writeReady().then(() => copyFile(path, to));
      writing = copied.catch(() => {});
      return copied;
    },
    async close() {
      clearInterval(timer);
      settle(true);
      await writeReady();
      await writing.then(() => write('', end(), true)).catch(fail);
    },
  };
}

/**
 * Appends a text, followed by the end of the file, which the next text overwrites.
 * @param isLast nothing follows
 */
type Write = (text: string, end: string, isLast?: boolean) => Promise<void>;

async function openPath(path: string, mode: number): Promise<Write> {
  await mkdir(dirname(path), { recursive: true });
  const handle = await open(path, 'w', mode);
  const write = (await handle.stat()).isFile() ? toFile(handle) : toPipe(handle);
  return (text, end, isLast = false) => write(text, end, isLast).finally(() => isLast && handle.close());
}

function toFile(handle: FileHandle): Write {
  let at = 0;
  return async (text, end) => {
    const bytes = Buffer.from(text + end);
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, from, bytes.length - from, at + from);
      from += bytesWritten;
    }
    at += Buffer.byteLength(text);
  };
}

/** A pipe or device cannot be overwritten: it gets the end with the last text. */
function toPipe(handle: FileHandle): Write {
  return (text, end, isLast = false) => handle.writeFile(isLast ? text + end : text);
}

const toStdout: Write = (text, end, isLast = false) =>
  new Promise((resolve) => process.stdout.write(isLast ? text + end : text, () => resolve()));
