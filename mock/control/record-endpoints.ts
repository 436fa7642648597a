import { type Identity, idIn, isRecord, parseJson, stringifyJson, type Validators } from '#spec';
import type { MockRequest } from '../http/exchange.ts';
import { onFirstCall } from '../http/memoize.ts';
import type { Outcome } from '../http/refusal.ts';
import { idTaken, uniqueTaken } from '../records/actions/fits-record.ts';
import type { RecordCollection } from '../records/collection.ts';
import {
  type CheckRecord,
  compileCheckRecord,
  knownScope,
  scopeFor,
  withParents,
} from '../records/fitting-record.ts';
import { recordNotFound } from '../records/item.ts';
import { type CollectionPath, compileCollectionPath } from '../records/snapshot/collection-path.ts';
import type { Session } from '../sessions/session.ts';
import type { Condition, Entry, Id, Scalar, Store } from '../store/port.ts';
import { bodyJson, type Handler, jsonResponse, NO_CONTENT } from './control.ts';

export type { RecordProblem } from '../records/fitting-record.ts';

interface Compiled extends CollectionPath {
  readonly collection: RecordCollection;
  readonly find: ReturnType<typeof compileFindRecords>;
  readonly check: CheckRecord;
}

type Members = Readonly<Record<string, unknown>>;

/** What a request says of the records that it means. */
interface Addressed extends Compiled {
  /** Of the parents that the path names; empty for the template of a path. */
  readonly scope: readonly Condition[];
  /** Undefined: the request names none. */
  readonly id: Id | undefined;
  readonly query: URLSearchParams;
}

/** How many records a page has unless the request says otherwise, and at most. */
const USUAL_PAGE = 50;
const LONGEST_PAGE = 500;

/**
 * The records of any collection, as they are kept: `?collection=` names it by its path, of a nested one with the template
 * or with the ids of its parents. What is written must fit the document, and needs neither an operation nor a key.
 */
export function recordEndpoints(
  collections: readonly RecordCollection[],
  validators: Validators,
): Readonly<Record<'GET' | 'POST' | 'PUT' | 'DELETE', Handler>> {
  // A large document has a thousand collections, and most mocks are never asked.
  const compiled = onFirstCall(() => {
    const all: readonly Compiled[] = collections.map((collection) => ({
      collection,
      ...compileCollectionPath(collection),
      find: compileFindRecords(collection),
      check: compileCheckRecord(collection, validators),
    }));
    return (path: string) =>
      all.find(({ collection }) => collection.name === path) ??
      all.find(({ scopeOf }) => scopeOf(path) !== undefined);
  });

  /** Wraps what is done with a collection that the request must name. */
  function handler(
    handle: (addressed: Addressed, request: MockRequest, session: Session) => Promise<Outcome>,
  ): Handler {
    return (request, session) => {
      const query = new URLSearchParams(request.query);
      const path = query.get('collection') ?? '';
      const found = compiled(path);
      if (!found) {
        const names = collections.map(({ name }) => name).join(', ') || 'none';
        const message = `collection must be the path of a collection, not ${JSON.stringify(path)}; there are ${names}`;
        return { refuse: 'not found', message };
      }
      const { collection, scopeOf } = found;
      const scope = collection.name === path ? [] : (scopeOf(path) ?? []);
      const text = query.get('id');
      const id = text === null ? undefined : collection.idFrom(text);
      return handle({ ...found, scope, id, query }, request, session);
    };
  }

  return {
    GET: handler(listRecords),
    POST: handler((addressed, request, session) =>
      isCheck(request) ? checkOnly(addressed, request) : createRecord(addressed, request, session),
    ),
    PUT: handler(replaceRecord),
    DELETE: handler(removeRecord),
  };
}

/** `records/check` says what would be wrong with a record, and stores nothing. */
const isCheck = ({ path }: MockRequest) => path.endsWith('/records/check');

async function listRecords(
  { find, scope, query }: Addressed,
  _: MockRequest,
  { store }: Session,
): Promise<Outcome> {
  const page = await find(store, {
    where: scope,
    offset: countOf(query.get('offset'), 0, Number.MAX_SAFE_INTEGER),
    limit: countOf(query.get('limit'), USUAL_PAGE, LONGEST_PAGE),
    filter: query.get('filter') ?? '',
    member: query.get('member') ?? '',
  });
  return jsonResponse(page);
}

function countOf(text: string | null, usual: number, most: number): number {
  return text !== null && /^\d+$/.test(text) ? Math.min(Number(text), most) : usual;
}

async function checkOnly({ check }: Addressed, request: MockRequest): Promise<Outcome> {
  const body = bodyJson(request);
  return 'refuse' in body ? body : jsonResponse({ problems: check(body.value) });
}

async function createRecord(
  addressed: Addressed,
  request: MockRequest,
  { store, events }: Session,
): Promise<Outcome> {
  const read = readRecord(addressed, request, addressed.scope);
  if ('refuse' in read) return read;
  const { collection } = addressed;
  const { id: identity } = collection.resource;
  const id = identity && (idIn(identity, read.members) as Id | undefined);
  const scope = scopeFor(collection, read.members, addressed.scope);
  const missing = scope.find(({ anyOf: [value] }) => value === undefined);
  if (missing) {
    const message = `collection must be a path with the ids of its parents: nothing says what ${missing.key} is`;
    return { refuse: 'malformed', message };
  }
  const entry = await store.create(collection, { id, members: read.members, scope });
  if (entry === 'taken') return idTaken(collection, id);
  notify(events, collection);
  return jsonResponse({ id: entry.id }, 201);
}

async function replaceRecord(
  addressed: Addressed,
  request: MockRequest,
  { store, events }: Session,
): Promise<Outcome> {
  const { collection, id } = addressed;
  if (id === undefined) return NO_ID;
  const known = await knownScope(collection, id, store);
  const read = readRecord(addressed, request, known);
  if ('refuse' in read) return read;
  const { id: identity } = collection.resource;
  const given = identity && idIn(identity, read.members);
  if (given !== undefined && given !== id) {
    const message = 'must stay what it is: a record with another id is another record';
    return invalid([{ pointer: `/${identity?.property}`, message, at: undefined }]);
  }
  const scope = scopeFor(collection, read.members, known);
  const text = await store.change(collection, id, [], () => ({ id, members: read.members, scope }));
  if (text === undefined) return recordNotFound(id);
  if (text === false) return uniqueTaken(collection);
  notify(events, collection);
  return NO_CONTENT;
}

async function removeRecord(
  { collection, id }: Addressed,
  _: MockRequest,
  { store, events }: Session,
): Promise<Outcome> {
  if (id === undefined) return NO_ID;
  if (!(await store.remove(collection, id, []))) return recordNotFound(id);
  notify(events, collection);
  return NO_CONTENT;
}

/** Pages show what has changed. */
function notify(events: Session['events'], { name }: RecordCollection): void {
  events.publish('records', JSON.stringify({ collection: name }));
}

const NO_ID: Outcome = { refuse: 'malformed', message: 'id must be the id of a record' };

/** The record of a request with what its path says of its parents, if it then fits the document. */
function readRecord({ check }: Addressed, request: MockRequest, scope: readonly Condition[]) {
  const body = bodyJson(request);
  if ('refuse' in body) return body;
  const members = isRecord(body.value) ? withParents(body.value, scope) : body.value;
  const problems = check(members);
  return problems.length > 0 ? invalid(problems) : { members: members as Members };
}

function invalid(problems: ReturnType<CheckRecord>) {
  const details = problems.map(({ pointer, message }) => ({ where: pointer, message }));
  const message = problems.map((one) => `${one.pointer || 'the record'} ${one.message}`).join('; ');
  return { refuse: 'malformed', message, details } as const;
}

/** Which records of a collection are wanted. */
interface RecordQuery {
  readonly where: readonly Condition[];
  readonly offset: number;
  readonly limit: number;
  /** A text in one of the values, whatever its case; empty: any record. */
  readonly filter: string;
  /** The member whose value must have the text; empty: any. */
  readonly member: string;
}

interface FoundRecord {
  readonly id: Id;
  readonly record: unknown;
  /** The path of its collection, without the base path: `/shelves/3/books`. */
  readonly path: string;
}

interface FoundRecords {
  /** On all pages. */
  readonly total: number;
  readonly records: readonly FoundRecord[];
}

/** Compiles the search of a collection. The store itself pages where neither texts nor parents have to be looked at. */
function compileFindRecords(
  collection: RecordCollection,
): (store: Store, query: RecordQuery) => Promise<FoundRecords> {
  const { pathOf } = compileCollectionPath(collection);
  const { id, parents } = collection.resource;

  async function listPage(store: Store, { offset, limit }: RecordQuery): Promise<FoundRecords> {
    const { text, total = 0 } = await store.list(collection, { where: [], offset, limit, counted: true });
    const records = parseJson(text) as Readonly<Record<string, Id>>[];
    return {
      total,
      records: records.map((record) => ({
        id: idIn(id as Identity, record) as Id,
        record,
        path: collection.name,
      })),
    };
  }

  return async (store, query) => {
    const { where, offset, limit, filter, member } = query;
    if (filter === '' && id && parents.length === 0) return listPage(store, query);
    const { entries } = await store.contents(collection);
    const hasText = compileHasText(filter, member);
    const found = entries.filter((entry) => isWithin(entry, where, collection.keys) && hasText(entry.text));
    const records = found.slice(offset, offset + limit).map((entry) => ({
      id: entry.id,
      record: parseJson(entry.text),
      path: pathOf(entry),
    }));
    return { total: found.length, records };
  };
}

function isWithin(entry: Entry, where: readonly Condition[], keys: readonly string[]): boolean {
  return where.every(({ key, anyOf }) => anyOf.includes(entry.keys[keys.indexOf(key)] as Scalar));
}

/** A string of JSON text, with the colon that makes it the name of a member. */
const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** Looks at the text before anything is parsed: a hundred thousand records are tried in a moment. */
function compileHasText(filter: string, member: string): (text: string) => boolean {
  if (filter === '') return () => true;
  const wanted = JSON.stringify(filter).slice(1, -1).toLowerCase();
  const hasWanted = (text: string) => text.toLowerCase().includes(wanted);
  const valuesIn = (text: string) => text.replace(STRING, (string, colon) => (colon ? '' : string));
  return (text) => {
    if (!hasWanted(text)) return false;
    if (member === '') return hasWanted(valuesIn(text));
    const record = parseJson(text) as Readonly<Record<string, unknown>>;
    return Object.hasOwn(record, member) && hasWanted(stringifyJson(record[member]));
  };
}
