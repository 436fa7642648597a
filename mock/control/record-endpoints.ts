import { isRecord, ownEntry, type Validators } from '#spec';
import type { MockRequest } from '../http/exchange.ts';
import { onFirstCall } from '../http/on-first-call.ts';
import type { Outcome } from '../http/refusal.ts';
import { idTaken, uniqueTaken } from '../records/actions/taken.ts';
import type { RecordCollection } from '../records/collection.ts';
import { recordNotFound } from '../records/item.ts';
import { type CollectionPath, compileCollectionPath } from '../records/snapshot/collection-path.ts';
import type { Session } from '../sessions/session.ts';
import type { Condition, Entry, Id, Scalar } from '../store/port.ts';
import { type CheckRecord, compileCheckRecord } from './check-record.ts';
import type { Handler } from './control.ts';
import { compileFindRecords } from './find-records.ts';
import { bodyJson, jsonResponse, NO_CONTENT } from './json.ts';

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
  const { property } = collection.resource.id ?? {};
  const id = property === undefined ? undefined : (read.members[property] as Id | undefined);
  const scope = scopeFor(collection, read.members, addressed.scope);
  const missing = scope.find(({ anyOf: [value] }) => value === undefined);
  if (missing) {
    const message = `collection must be a path with the ids of its parents: nothing says what ${missing.key} is`;
    return { refuse: 'malformed', message };
  }
  const entry = await store.create(collection, { id, members: read.members, scope });
  if (entry === 'taken') return idTaken(collection, id);
  tell(events, collection);
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
  const { property } = collection.resource.id ?? {};
  const given = property === undefined ? undefined : read.members[property];
  if (given !== undefined && given !== id) {
    const message = 'must stay what it is: a record with another id is another record';
    return invalid([{ pointer: `/${property}`, message, at: undefined }]);
  }
  const scope = scopeFor(collection, read.members, known);
  const text = await store.change(collection, id, [], () => ({ id, members: read.members, scope }));
  if (text === undefined) return recordNotFound(id);
  if (text === false) return uniqueTaken(collection);
  tell(events, collection);
  return NO_CONTENT;
}

async function removeRecord(
  { collection, id }: Addressed,
  _: MockRequest,
  { store, events }: Session,
): Promise<Outcome> {
  if (id === undefined) return NO_ID;
  if (!(await store.remove(collection, id, []))) return recordNotFound(id);
  tell(events, collection);
  return NO_CONTENT;
}

/** Pages show what has changed. */
function tell(events: Session['events'], { name }: RecordCollection): void {
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
