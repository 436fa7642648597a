import { DocumentError, isRecord, type Problem, parseJson, readSourceFile, type Validators } from '#spec';
import type { RecordCollection } from '../collection.ts';
import type { Report } from './read-record.ts';
import type { ReadRules, ReadSnapshot } from './snapshot.ts';
import { compileStateReader } from './state-reader.ts';

/** Compiles the reading of states: every record must fit the document. */
export function compileReadSnapshot(
  collections: readonly RecordCollection[],
  validators: Validators,
): ReadSnapshot {
  const createReader = compileStateReader(collections, validators);

  return (uri, text, readRules) => {
    const problems: Problem[] = [];
    const { value, problemAt } = parse(uri, text);
    const reported = new Set<string>();
    const report: Report = (path, message) => {
      const key = JSON.stringify([path, message]);
      // Several parts of a schema may demand the same.
      if (!reported.has(key)) problems.push(problemAt(path, message));
      reported.add(key);
    };
    const { records, numbered } = membersOf(value, report, readRules);
    const reader = createReader();
    for (const [path, list] of Object.entries(records)) {
      const read = reader.list(path, report);
      if (!read) continue;
      if (Array.isArray(list)) for (const record of list) read(record, report);
      else report(['records', path], `${path} must be a list of records`);
    }
    const contents = reader.contents(numbered, report);
    if (problems.length > 0) throw new DocumentError(problems);
    return contents;
  };
}

function membersOf(value: unknown, report: Report, readRules: ReadRules | undefined) {
  const { records, numbered = {}, rules, ...others } = isRecord(value) ? value : {};
  const hasRules = rules !== undefined;
  if (!isRecord(records) && !(hasRules && records === undefined))
    report([], 'a state must be an object with "records", lists by path: {"/things": [...]}');
  if (!isRecord(numbered)) report(['numbered'], '"numbered" must be an object, whole numbers by path');
  if (hasRules && readRules) readRules(rules, report);
  else if (hasRules) report(['rules'], '"rules" belong to a seed file; a state has records only');
  for (const name of Object.keys(others)) report([name], `"${name}" is no member of a state`);
  return { records: isRecord(records) ? records : {}, numbered: isRecord(numbered) ? numbered : {} };
}

/** JSON is read fast; the YAML reader knows the lines, and is slow: it waits until there is something to show. */
function parse(uri: string, text: string) {
  try {
    const problemAt = (path: readonly string[], message: string) =>
      readSourceFile(uri, text).problemAt(path, message);
    return { value: parseJson(text), problemAt };
  } catch {
    return readSourceFile(uri, text);
  }
}
