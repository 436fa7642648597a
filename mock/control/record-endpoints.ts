import {
  type Identity,
  idIn,
  isRecord,
  ownEntry,
  parseJson,
  showPlace,
  stringifyJson,
  toPointer,
  type Validators,
} from '#spec';
import type { MockRequest } from '../http/exchange.ts';
import { onFirstCall } from '../http/memoize.ts';
import type { Outcome } from '../http/refusal.ts';
import { idTaken, uniqueTaken } from '../records/actions/fits-record.ts';
import type { RecordCollection } from '../records/collection.ts';
import { keepsUnnamed, namedMembers } from '../records/forms.ts';
import { recordNotFound } from '../records/item.ts';
import { type CollectionPath, compileCollectionPath } from '../records/snapshot/collection-path.ts';
import type { Session } from '../sessions/session.ts';
import type { Condition, Entry, Id, Scalar, Store } from '../store/port.ts';
import { bodyJson, type Handler, jsonResponse, NO_CONTENT } from './control.ts';

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
  const known = await knownScope(addressed, store);
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
  const named = scope.filter(({ key }) => !key.startsWith('{')).map(({ key, anyOf }) => [key, anyOf[0]]);
  const members = isRecord(body.value) ? { ...Object.fromEntries(named), ...body.value } : body.value;
  const problems = check(members);
  return problems.length > 0 ? invalid(problems) : { members: members as Members };
}

function invalid(problems: ReturnType<CheckRecord>) {
  const details = problems.map(({ pointer, message }) => ({ where: pointer, message }));
  const message = problems.map((one) => `${one.pointer || 'the record'} ${one.message}`).join('; ');
  return { refuse: 'malformed', message, details } as const;
}

/** Of the parents: what a member of the record says, else what its path said. */
function scopeFor(
  { scopeFrom }: RecordCollection,
  members: Members,
  known: readonly Condition[],
): readonly Condition[] {
  return scopeFrom({}).map(({ key }) => {
    const value = key.startsWith('{') ? undefined : (ownEntry(members, key) as Scalar | undefined);
    return { key, anyOf: [(value ?? known.find((one) => one.key === key)?.anyOf[0]) as Scalar] };
  });
}

/** The parents of a record that is there, which its members may not say. */
async function knownScope(
  { collection, id }: Addressed,
  store: Session['store'],
): Promise<readonly Condition[]> {
  const places = collection.scopeFrom({});
  if (places.length === 0) return [];
  const { entries } = await store.contents(collection);
  const entry: Entry | undefined = entries.find((one) => one.id === id);
  return places.map(({ key }) => ({ key, anyOf: [entry?.keys[collection.keys.indexOf(key)] as Scalar] }));
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

/** One reason why a record does not fit the document. */
export interface RecordProblem {
  /** The path of the value in the record, as a JSON Pointer (RFC 6901); empty: the record as a whole. */
  readonly pointer: string;
  /** The predicate of a sentence about the value: `must be one of "available", "sold"`. */
  readonly message: string;
  /** The line of the document that demands it: `spec/openapi.yaml:41`; undefined: no single one does. */
  readonly at: string | undefined;
}

/** All problems of a record that a client wants to be stored; empty: it fits. */
type CheckRecord = (record: unknown) => readonly RecordProblem[];

/** Compiles the check of records by the schema of responses, as states are read. What the service sets may be missing. */
function compileCheckRecord({ resource }: RecordCollection, validators: Validators): CheckRecord {
  const { shape, id } = resource;
  const members = namedMembers(shape);
  const isOpen = keepsUnnamed(shape);
  const checks = shape.parts.map((part) => validators.compile(part, 'response'));
  const mayLack = new Set([...members].flatMap(([name, { readOnly }]) => (readOnly ? [`/${name}`] : [])));
  if (id) mayLack.add(`/${id.property}`);

  return (record) => {
    if (!isRecord(record)) return [{ pointer: '', message: 'must be an object', at: undefined }];
    const unknown = Object.keys(record).filter((name) => !isOpen && !members.has(name));
    const problems = [
      ...unknown.map((name) => ({
        pointer: toPointer([name]),
        message: 'is not in the document',
        at: undefined,
      })),
      ...checks
        .flatMap((check) => check(record))
        .filter(({ keyword, pointer }) => keyword !== 'required' || !mayLack.has(pointer))
        .map(({ pointer, expected, at }) => ({ pointer, message: expected, at: showPlace(at) })),
    ];
    // Several parts of a schema may demand the same.
    return [...new Map(problems.map((one) => [`${one.pointer} ${one.message}`, one])).values()];
  };
}
