import { DocumentError, isRecord, type Problem, parseJson, readSourceFile, type Validators } from '#spec';
import type { RecordCollection } from '../answer/collection.ts';
import type { Collection, Contents } from '../store/port.ts';
import { compileCollectionPath } from './collection-path.ts';
import { compileReadRecord, type Draft } from './read-record.ts';
import { settleIds } from './settle-ids.ts';
import type { ReadSnapshot } from './snapshot.ts';

/** Notes what is wrong at a path within the file. */
export type Complain = (path: readonly string[], message: string) => void;

/** Compiles the reading of states: every record must fit the document. */
export function compileReadSnapshot(
  collections: readonly RecordCollection[],
  validators: Validators,
): ReadSnapshot {
  const readers = collections.map((collection) => ({
    collection,
    paths: compileCollectionPath(collection),
    readRecord: compileReadRecord(collection, validators),
  }));

  function draftsIn(records: Readonly<Record<string, unknown>>, complain: Complain) {
    const found = new Map<RecordCollection, Draft[]>();
    for (const [path, list] of Object.entries(records)) {
      const place = ['records', path];
      const scopes = readers.map((reader) => ({ ...reader, scope: reader.paths.scopeOf(path) }));
      const reader = scopes.find(({ collection, scope }) => scope !== undefined || collection.name === path);
      if (!reader)
        complain(place, `the document has no collection at ${path}; there are ${namesOf(collections)}`);
      else if (!Array.isArray(list)) complain(place, `${path} must be a list of records`);
      else {
        const drafts = list.flatMap((record, index) => {
          const at = [...place, String(index)];
          return reader.readRecord(record, reader.scope ?? [], at, complain) ?? [];
        });
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

function namesOf(collections: readonly RecordCollection[]): string {
  return collections.map(({ name }) => name).join(', ') || 'none';
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
