import { DocumentError, isRecord, type Problem, parseJson, readSourceFile, type Validators } from '#spec';
import type { RecordCollection } from '../records/collection.ts';
import type { Collection, Contents } from '../store/port.ts';
import { type Complain, compileListReaders, unknownList } from './list-readers.ts';
import type { Draft } from './read-record.ts';
import { settleIds } from './settle-ids.ts';
import type { ReadSnapshot } from './snapshot.ts';

/** Compiles the reading of states: every record must fit the document. */
export function compileReadSnapshot(
  collections: readonly RecordCollection[],
  validators: Validators,
): ReadSnapshot {
  const readerOf = compileListReaders(collections, validators);

  function draftsIn(records: Readonly<Record<string, unknown>>, complain: Complain) {
    const found = new Map<RecordCollection, Draft[]>();
    for (const [path, list] of Object.entries(records)) {
      const place = ['records', path];
      const reader = readerOf(path);
      if (!reader) complain(place, unknownList(path, collections));
      else if (!Array.isArray(list)) complain(place, `${path} must be a list of records`);
      else {
        const drafts = list.flatMap((record, index) => reader.read(record, index, complain) ?? []);
        found.set(reader.collection, [...(found.get(reader.collection) ?? []), ...drafts]);
      }
    }
    return found;
  }

  return (uri, text) => {
    const problems: Problem[] = [];
    const { value, problemAt } = parse(uri, text);
    const said = new Set<string>();
    const complain: Complain = (path, message) => {
      const name = JSON.stringify([path, message]);
      // Several parts of a schema may demand the same.
      if (!said.has(name)) problems.push(problemAt(path, message));
      said.add(name);
    };
    const { records, numbered } = membersOf(value, complain);
    const contents = new Map<Collection, Contents>();
    for (const [collection, drafts] of draftsIn(records, complain)) {
      contents.set(collection, settleIds(collection, drafts, numbered[collection.name], complain));
    }
    if (problems.length > 0) throw new DocumentError(problems);
    return contents;
  };
}

function membersOf(value: unknown, complain: Complain) {
  const { records, numbered = {}, ...others } = isRecord(value) ? value : {};
  if (!isRecord(records))
    complain([], 'a state must be an object with "records", lists by path: {"/things": [...]}');
  if (!isRecord(numbered)) complain(['numbered'], '"numbered" must be an object, whole numbers by path');
  for (const name of Object.keys(others)) complain([name], `"${name}" is no member of a state`);
  return { records: isRecord(records) ? records : {}, numbered: isRecord(numbered) ? numbered : {} };
}

/** JSON is read fast; the YAML reader knows the lines, and is slow: it waits until there is something to show. */
function parse(uri: string, text: string) {
  const problemAt = (path: readonly string[], message: string) =>
    readSourceFile(uri, text).problemAt(path, message);
  try {
    return { value: parseJson(text), problemAt };
  } catch {
    const file = readSourceFile(uri, text);
    return { value: file.value, problemAt: file.problemAt };
  }
}
