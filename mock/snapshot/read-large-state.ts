import { createReadStream } from 'node:fs';
import { DocumentError, isRecord, type Problem, parseJson, type Validators } from '#spec';
import type { RecordCollection } from '../records/collection.ts';
import type { Collection, Contents } from '../store/port.ts';
import { compileListReaders, type ListReader, unknownList } from './list-readers.ts';
import type { Draft } from './read-record.ts';
import { type At, createScanner, ScanError } from './scan-records.ts';
import { settleIds } from './settle-ids.ts';

/** Told after each hundred thousand records. */
export type TellProgress = (text: string) => void;

/** @throws DocumentError with the first problems, each with the line on which its record begins. */
export type ReadLargeState = (path: string, uri: string) => Promise<ReadonlyMap<Collection, Contents>>;

const TELL_EVERY = 100_000;

/** A file of a million records can be wrong a million times. */
const MOST_PROBLEMS = 20;

const NO_MEMBERS = {};

/** Compiles the reading of states in JSON that are too large to be held as a whole: record by record. */
export function compileReadLargeState(
  collections: readonly RecordCollection[],
  validators: Validators,
  tell: TellProgress,
): ReadLargeState {
  const readerOf = compileListReaders(collections, validators);

  return async (path, uri) => {
    const problems: Problem[] = [];
    const found = new Map<RecordCollection, Draft[]>();
    let numbered: Readonly<Record<string, unknown>> = {};
    let reader: ListReader | undefined;
    let drafts: Draft[] = [];
    let index = 0;
    let count = 0;

    function complainAt(at: At) {
      return (_path: readonly string[], message: string) => {
        problems.push({ uri, ...at, message });
        if (problems.length >= MOST_PROBLEMS) throw new DocumentError(problems);
      };
    }

    const scanner = createScanner({
      list(listPath, at) {
        reader = readerOf(listPath);
        index = 0;
        if (!reader) return complainAt(at)([], unknownList(listPath, collections));
        drafts = found.get(reader.collection) ?? [];
        found.set(reader.collection, drafts);
      },
      record(text, at) {
        if (++count % TELL_EVERY === 0) tell(`${uri}: ${count.toLocaleString('en')} records read`);
        const draft = reader?.read(parseAt(text, at), index++, complainAt(at));
        if (reader && draft) drafts.push(settled(reader.collection, draft, at));
      },
      member(name, text, at) {
        const value = parseAt(text, at);
        if (name === 'numbered' && isRecord(value)) numbered = value;
        else complainAt(at)([], `"${name}" is no member of a state, or not of this form`);
      },
    });

    for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 2 ** 18 })) {
      attempt(uri, () => scanner.write(chunk));
    }
    attempt(uri, () => scanner.end());
    const contents = new Map<Collection, Contents>();
    const complain = complainAt({ line: 1, column: 1 });
    for (const [collection, all] of found) {
      contents.set(collection, settleIds(collection, all, numbered[collection.name], complain));
    }
    if (problems.length > 0) throw new DocumentError(problems);
    return contents;
  };
}

/** A record with its id is completed at once, so that its members need not be kept. */
function settled(collection: RecordCollection, draft: Draft, at: At): Draft {
  const place = [`line ${at.line}`];
  if (draft.id === undefined) return { ...draft, at: place };
  const { id, members, scope } = draft;
  const entry = collection.complete(id, { id, members, scope });
  return { id, members: NO_MEMBERS, scope, at: place, entry };
}

function attempt(uri: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    throw new DocumentError([{ uri, ...error.at, message: error.message }]);
  }
}

function parseAt(text: string, at: At): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new ScanError(`this is no JSON: ${(error as Error).message}`, at);
  }
}
