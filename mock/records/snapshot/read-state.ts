import {
  DocumentError,
  idIn,
  isRecord,
  type Problem,
  parseJson,
  pointerTokens,
  readSourceFile,
  violationsOf,
} from '#spec';
import { onFirstCall } from '../../http/memoize.ts';
import type { Collection, Condition, Contents, Entry, Given, Id } from '../../store/port.ts';
import { INTERNAL, type RecordCollection } from '../collection.ts';
import { keepsUnnamed, namedMembers } from '../forms.ts';
import type { InternalCollection } from '../internal.ts';
import { idAlone, isAlone } from '../item.ts';
import { compileCollectionPath } from './collection-path.ts';

export type Report = (path: readonly string[], message: string) => void;

/** A record of a state, complete or still without an id. */
export type Draft = { /** Its place in the file. */ readonly at: readonly string[] } & (
  | { readonly entry: Entry; readonly input?: undefined }
  | { readonly entry?: undefined; readonly input: Given }
);

/** Undefined: it is no valid record, which was reported. */
type ReadRecord = (
  value: unknown,
  scope: readonly Condition[],
  at: readonly string[],
  report: Report,
) => Draft | undefined;

/** Compiles reading a record. It may lack its id, and parents that its path names. */
function compileReadRecord(collection: RecordCollection): ReadRecord {
  const { shape, id: identity } = collection.resource;
  const idName = identity?.property;
  const named = keepsUnnamed(shape) ? undefined : namedMembers(shape);

  return (value, scope, at, report) => {
    if (!isRecord(value)) {
      report(at, 'a record must be an object');
      return undefined;
    }
    const members: Record<string, unknown> = Object.assign(Object.create(null), value);
    for (const { key, anyOf } of scope) {
      if (key.startsWith('{')) continue;
      const stated = members[key] ?? anyOf[0];
      if (stated !== anyOf[0]) report([...at, key], `${key} must be ${anyOf[0]}, as in the path`);
      members[key] = stated;
    }
    for (const name of Object.keys(value)) {
      if (named && !named.has(name)) report([...at, name], `the document has no member "${name}" here`);
    }
    for (const violation of violationsOf(shape, members)) {
      const { pointer, expected, keyword } = violation;
      if (keyword === 'required' && pointer === `/${idName}`) continue;
      const steps = pointerTokens(pointer);
      report([...at, ...steps], `${steps.join('.') || 'the record'} ${expected}`);
    }
    const ownId = identity && (idIn(identity, members) as Id | undefined);
    const id = ownId ?? (isAlone(collection.resource) ? idAlone(scope) : undefined);
    const input = { id, members, scope };
    // Completed at once, to save the memory for members of a million records.
    return id === undefined ? { at, input } : { at, entry: collection.complete(id, input) };
  };
}

function readInternal({ form, read }: InternalCollection): ReadRecord {
  return (value, _, at, report) => {
    const entry = read(value);
    if (entry) return { at, entry };
    report(at, `must be ${form}`);
    return undefined;
  };
}

/** Gives each record a unique id, and sorts records as lists do. */
export function assignIds(
  collection: Collection,
  drafts: readonly Draft[],
  stated: unknown,
  report: Report,
): Contents {
  if (stated !== undefined && !Number.isSafeInteger(stated)) {
    report(['numbered', collection.name], 'must be a whole number');
  }
  const ids = new Set<Id>();
  for (const { at, entry } of drafts) {
    if (entry && ids.has(entry.id)) report(at, `there is another record with the id ${entry.id}`);
    if (entry) ids.add(entry.id);
  }
  const isWhole = Number.isSafeInteger(stated) && ids.size === drafts.length;
  const isTaken = isWhole && !ids.has(collection.idOf(Number(stated) + 1));
  let numbered = isTaken ? Number(stated) : highestOrdinal(collection, ids, drafts.length);
  const nextId = (): Id => {
    const id = collection.idOf(++numbered);
    return ids.has(id) ? nextId() : id;
  };
  const entries = drafts.map(({ entry, input }) => entry ?? collection.complete(nextId(), input));
  // A saved state keeps its order.
  if (!isTaken && entries.every(({ id }) => typeof id !== 'string'))
    entries.sort((a, b) => compare(a.id, b.id));
  return { entries, numbered: Math.max(numbered, Number(stated ?? 0)) };
}

const compare = (left: Id, right: Id) => (left < right ? -1 : Number(left > right));

/** No service has created so many records: a higher id was chosen, and is no count. */
const MOST_RECORDS = 1e12;

/** The number of ids created so far, judged by the ids: a new record must come after all others. */
export function highestOrdinal({ idOf }: Collection, ids: ReadonlySet<Id>, atLeast: number): number {
  const first = idOf(1);
  if (typeof first !== 'number') return atLeast;
  const counted = [...ids].map((id) => (typeof id === 'number' ? id - first + 1 : 0));
  const likely = counted.filter((ordinal) => ordinal <= MOST_RECORDS);
  return likely.reduce((highest, one) => Math.max(highest, one), 0);
}

/** Reads a member beside the records, such as `rules`. False: there is no such member. */
export type ReadSettings = (name: string, value: unknown, report: Report) => boolean;

/** The members beside records. */
const SETTINGS: ReadonlySet<string> = new Set(['rules', 'latency', 'now']);

/**
 * Reads a state from YAML or JSON text; `uri` appears in problems.
 * @throws DocumentError with every problem, each with line and column.
 */
export type ReadSnapshot = (
  uri: string,
  text: string,
  readSettings?: ReadSettings,
) => ReadonlyMap<Collection, Contents>;

/** A file of a million records could have a million problems. */
const MOST_PROBLEMS = 100;

/** Compiles reading states, whose records must all fit the document. */
export function compileReadSnapshot(collections: readonly RecordCollection[]): ReadSnapshot {
  const compiled = [
    ...collections.map((collection) => ({
      collection,
      paths: compileCollectionPath(collection),
      readRecord: compileReadRecord(collection),
    })),
    ...INTERNAL.map((collection) => ({
      collection,
      paths: { scopeOf: () => undefined },
      readRecord: readInternal(collection),
    })),
  ];
  const names = collections.map(({ name }) => name).join(', ') || 'none';

  return (uri, text, readSettings) => {
    const problems: Problem[] = [];
    const { value, problemAt } = parse(uri, text);
    const reported = new Set<string>();
    const report: Report = (path, message) => {
      const key = JSON.stringify([path, message]);
      // Several parts of a schema may have the same constraint.
      if (!reported.has(key)) problems.push(problemAt(path, message));
      reported.add(key);
      if (problems.length >= MOST_PROBLEMS) throw new DocumentError(problems);
    };
    const { records, numbered } = membersOf(value, report, readSettings);
    const draftsOf = new Map<Collection, Draft[]>();
    for (const [path, list] of Object.entries(records)) {
      const scoped = compiled.map((one) => ({ ...one, scope: one.paths.scopeOf(path) }));
      const match = scoped.find(({ collection, scope }) => scope !== undefined || collection.name === path);
      if (!match) report(['records', path], `the document has no collection at ${path}; there are ${names}`);
      else if (!Array.isArray(list)) report(['records', path], `${path} must be a list of records`);
      else {
        const { collection, readRecord, scope = [] } = match;
        const drafts = list.map((record, index) =>
          readRecord(record, scope, ['records', path, String(index)], report),
        );
        draftsOf.set(collection, [
          ...(draftsOf.get(collection) ?? []),
          ...drafts.filter((draft) => draft !== undefined),
        ]);
      }
    }
    const assigned = [...draftsOf].map(
      ([collection, drafts]) =>
        [collection, assignIds(collection, drafts, numbered[collection.name], report)] as const,
    );
    if (problems.length > 0) throw new DocumentError(problems);
    return new Map(assigned);
  };
}

function membersOf(value: unknown, report: Report, readSettings: ReadSettings | undefined) {
  const { records, numbered = {}, ...others } = isRecord(value) ? value : {};
  const hasSettings = Object.keys(others).some((name) => SETTINGS.has(name));
  if (!isRecord(records) && !(hasSettings && records === undefined))
    report([], 'a state must be an object with "records", lists by path: {"/things": [...]}');
  if (!isRecord(numbered)) report(['numbered'], '"numbered" must be an object, whole numbers by path');
  for (const [name, member] of Object.entries(others)) {
    if (!readSettings?.(name, member, report)) report([name], `"${name}" is no member of a state`);
  }
  return { records: isRecord(records) ? records : {}, numbered: isRecord(numbered) ? numbered : {} };
}

/** JSON is parsed fast. The YAML reader, which knows line numbers, is slow, so it only runs to report a problem. */
function parse(uri: string, text: string) {
  try {
    const source = onFirstCall(() => {
      const file = readSourceFile(uri, text);
      return (path: readonly string[], message: string) => file.problemAt(path, message);
    });
    return { value: parseJson(text), problemAt: source };
  } catch {
    return readSourceFile(uri, text, true);
  }
}
