import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocumentError, isRecord, type Problem, parseJson, type Validators } from '#spec';
import type { Collection, Contents } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import type { SeedContext } from './initial-records.ts';
import { compileStateReader, type ReadSettings, type Report } from './read-state.ts';
import { createStateScanner, type Position, ScanError } from './state-scanner.ts';

/** In bytes. What is smaller is read as a whole, which shows the very member that is wrong. */
const LARGE = 2 ** 23;

/**
 * What seed files put into collections; of two files that name the same collection the later counts.
 * @throws DocumentError when a file cannot be read, or holds what does not fit the document.
 */
export async function readSeedFiles(
  files: readonly (string | URL)[],
  collections: readonly RecordCollection[],
  { validators, snapshots, readSettings, progress }: SeedContext,
): Promise<ReadonlyMap<Collection, Contents>> {
  const readLargeState = compileReadLargeState(collections, validators, progress, readSettings);
  const seeds = new Map<Collection, Contents>();
  for (const file of files) {
    const path = typeof file === 'string' ? file : fileURLToPath(file);
    const uri = relative('', path);
    const contents = await read(path, uri).catch((error: NodeJS.ErrnoException) => {
      if (error.syscall === undefined) throw error;
      const message = `cannot be read: ${error.message}`;
      throw new DocumentError([{ uri: path, line: 1, column: 1, message }]);
    });
    for (const [collection, own] of contents) seeds.set(collection, own);
  }

  async function read(path: string, uri: string): Promise<ReadonlyMap<Collection, Contents>> {
    const isLarge = path.endsWith('.json') && (await stat(path)).size > LARGE;
    if (isLarge) return readLargeState(path, uri);
    const { read: readState } = await snapshots();
    return readState(uri, await readFile(path, 'utf8'), readSettings);
  }

  return seeds;
}

/** @throws DocumentError with the first problems, each with the line on which its record begins. */
type ReadLargeState = (path: string, uri: string) => Promise<ReadonlyMap<Collection, Contents>>;

const REPORT_EVERY = 100_000;

/** A file of a million records can be wrong a million times. */
const MOST_PROBLEMS = 20;

/** Compiles the reading of states in JSON that are too large to be held as a whole: record by record. */
function compileReadLargeState(
  collections: readonly RecordCollection[],
  validators: Validators,
  /** Called after each hundred thousand records. */
  report: (text: string) => void,
  readSettings: ReadSettings,
): ReadLargeState {
  const createReader = compileStateReader(collections, validators);

  return async (path, uri) => {
    const problems: Problem[] = [];
    const reader = createReader();
    let readRecord: ReturnType<typeof reader.list>;
    let numbered: Readonly<Record<string, unknown>> = {};
    let count = 0;

    function reportAt(position: Position): Report {
      return (_path, message) => {
        problems.push({ uri, ...position, message });
        if (problems.length >= MOST_PROBLEMS) throw new DocumentError(problems);
      };
    }

    const scanner = createStateScanner({
      list(listPath, position) {
        readRecord = reader.list(listPath, reportAt(position));
      },
      record(text, position) {
        if (++count % REPORT_EVERY === 0) report(`${uri}: ${count.toLocaleString('en')} records read`);
        readRecord?.(parseAt(text, position), reportAt(position));
      },
      member(name, text, position) {
        const value = parseAt(text, position);
        if (name === 'numbered' && isRecord(value)) numbered = value;
        else if (!readSettings(name, value, reportAt(position)))
          reportAt(position)([], `"${name}" is no member of a state, or not of this form`);
      },
    });

    for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 2 ** 18 })) {
      attempt(uri, () => scanner.write(chunk));
    }
    attempt(uri, () => scanner.end());
    const contents = reader.contents(numbered, reportAt({ line: 1, column: 1 }));
    if (problems.length > 0) throw new DocumentError(problems);
    return contents;
  };
}

function attempt(uri: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    throw new DocumentError([{ uri, ...error.position, message: error.message }]);
  }
}

function parseAt(text: string, position: Position): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new ScanError(`this is no JSON: ${(error as Error).message}`, position);
  }
}
