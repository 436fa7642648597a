import { isRecord } from '#spec';
import type { MockRequest } from '../http/exchange.ts';
import { isRefusal, type Outcome, type Refusal } from '../http/refusal.ts';
import { picturesFor } from '../pictures/picture.ts';
import type { RecordCollection } from '../records/collection.ts';
import {
  idTaken,
  knownScope,
  refuseMisfit,
  uniqueTaken,
  type Writes,
  withParents,
  writesOf,
} from '../records/fitting-record.ts';
import { namedMembers } from '../records/forms.ts';
import { recordNotFound } from '../records/item.ts';
import { type AtPath, compileFindCollection } from '../records/snapshot/collection-path.ts';
import type { Session } from '../sessions/session.ts';
import type { Condition, Given, Id } from '../store/port.ts';
import {
  bodyJson,
  bodyText,
  type ControlEndpoints,
  type Handler,
  jsonResponse,
  NO_CONTENT,
  need,
} from './control.ts';
import { describeFields } from './describe-contract.ts';
import { findRecords } from './find-records.ts';

export type { RecordProblem } from '../records/fitting-record.ts';

/** The records that a request is about. */
interface Addressed extends AtPath {
  readonly writes: Writes;
  /** Undefined: the request names none. */
  readonly id: Id | undefined;
  readonly query: URLSearchParams;
}

/** The default and the maximum page size. */
const USUAL_PAGE = 50;
const LONGEST_PAGE = 500;

/** A limit, since seeded records are generated one by one. */
const MOST_SAMPLES = 1000;

/**
 * The stored records of any collection: `?collection=` is its path, for a nested one the template, or with its parents'
 * ids. Writes must fit the document, but need neither an operation nor a key.
 */
export function recordEndpoints(collections: readonly RecordCollection[]): ControlEndpoints {
  const findCollection = compileFindCollection(collections);

  /** Wraps a handler for the collection that the request must name. */
  function handler(
    handle: (addressed: Addressed, request: MockRequest, session: Session) => Promise<Outcome>,
  ): Handler {
    return async (request, session) => {
      const pictures = picturesFor(request);
      const query = new URLSearchParams(request.query);
      const address = findCollection(query.get('collection') ?? '');
      if (typeof address === 'string')
        return {
          refuse: 'not found',
          message: `collection must be the path of a collection: there is ${address}`,
        };
      const { collection } = address;
      const text = query.get('id');
      const id = text === null ? undefined : collection.idFrom(text);
      const addressed = { ...address, writes: writesOf(collection), id, query };
      const outcome = await handle(addressed, withBody(request, pictures.keep), session);
      if (isRefusal(outcome) || typeof outcome.body !== 'string') return outcome;
      return { ...outcome, body: pictures.show(outcome.body) };
    };
  }

  return {
    records: {
      GET: handler(listRecords),
      POST: handler(createRecords),
      PUT: handler(replaceRecord),
      DELETE: handler(removeRecords),
    },
    'records/check': { POST: handler(checkOnly) },
    'records/form': { GET: handler(describeForm) },
    'records/sample': { POST: handler(sampleRecord) },
  };
}

const withBody = (request: MockRequest, edit: (text: string) => string): MockRequest => ({
  ...request,
  body: new TextEncoder().encode(edit(bodyText(request))),
});

async function listRecords(addressed: Addressed, _: MockRequest, { store }: Session): Promise<Outcome> {
  const { scope, id, query } = addressed;
  const page = await findRecords(addressed, store, {
    where: scope,
    id,
    offset: countOf(query.get('offset'), 0, Number.MAX_SAFE_INTEGER),
    limit: countOf(query.get('limit'), USUAL_PAGE, LONGEST_PAGE),
    filter: query.get('filter') ?? '',
    member: query.get('member') ?? '',
    sort: query.get('sort') ?? '',
  });
  return jsonResponse(page);
}

function countOf(text: string | null, usual: number, most: number): number {
  return text !== null && /^\d+$/.test(text) ? Math.min(Number(text), most) : usual;
}

/** `records/check` returns the problems of a record, or of each in a list, and stores nothing. */
async function checkOnly(addressed: Addressed, request: MockRequest): Promise<Outcome> {
  const value = bodyJson(request);
  const {
    writes: { check },
    scope,
  } = addressed;
  if (!Array.isArray(value)) return jsonResponse({ problems: check(value) });
  return jsonResponse({ problems: checkAll(filled(addressed, value), check, scope) });
}

function checkAll(records: readonly unknown[], check: Writes['check'], scope: readonly Condition[]) {
  return records.flatMap((record, index) =>
    check(isRecord(record) ? withParents(record, scope) : record).map((problem) => ({
      ...problem,
      pointer: `/${index}${problem.pointer}`,
    })),
  );
}

/** `records/form`: the fields of a record, with those of inner objects and lists. */
async function describeForm({ collection }: Addressed): Promise<Outcome> {
  return jsonResponse({ members: describeFields(collection.resource.shape) });
}

/** `records/sample?number=3`: members like those of seeded records, without those that the service sets. */
async function sampleRecord(addressed: Addressed): Promise<Outcome> {
  return jsonResponse({
    record: sampled(addressed, countOf(addressed.query.get('number'), 1, MOST_SAMPLES)),
  });
}

function sampled({ collection, scope }: Addressed, number: number): Readonly<Record<string, unknown>> {
  const { id, shape } = collection.resource;
  const members = namedMembers(shape);
  const sample = withParents(collection.sample((collection.size ?? 0) + number), scope);
  return Object.fromEntries(
    Object.entries(sample).filter(([name]) => name !== id?.property && !members.get(name)?.readOnly),
  );
}

/** With `?fill=true`, missing required members get seeded values. */
function filled(addressed: Addressed, records: readonly unknown[]): readonly unknown[] {
  if (addressed.query.get('fill') !== 'true') return records;
  const required = [...addressed.collection.resource.shape.required.keys()];
  return records.map((record, index) => {
    if (!isRecord(record) || required.every((name) => record[name] !== undefined)) return record;
    const sample = sampled(addressed, 1 + (index % MOST_SAMPLES));
    const lacking = Object.entries(sample).filter(
      ([name]) => required.includes(name) && record[name] === undefined,
    );
    return { ...record, ...Object.fromEntries(lacking) };
  });
}

async function createRecords(addressed: Addressed, request: MockRequest, session: Session): Promise<Outcome> {
  const body = bodyJson(request);
  if (!Array.isArray(body)) return createRecord(addressed, body, session);
  const value = filled(addressed, body);
  const { collection, writes, scope } = addressed;
  const problems = checkAll(value, writes.check, scope);
  if (problems.length > 0) return refuseMisfit(problems);
  const all: Given[] = [];
  const refuseAt = (index: number, refusal: Refusal): Refusal => {
    const message = `/${index}: ${refusal.message}. None was added`;
    return { ...refusal, message, details: [{ where: `/${index}`, message: String(refusal.message) }] };
  };
  for (const [index, record] of value.entries()) {
    const one = writes.created(record, scope);
    if ('refuse' in one) return refuseAt(index, one);
    all.push(one);
  }
  const made = await session.store.createAll(collection, all);
  if ('taken' in made) return refuseAt(made.taken, idTaken(collection, all[made.taken]?.id));
  notify(session.events, collection);
  return jsonResponse({ ids: made.map(({ id }) => id) }, 201);
}

async function createRecord(
  { collection, writes, scope }: Addressed,
  value: unknown,
  session: Session,
): Promise<Outcome> {
  const input = need(writes.created(value, scope));
  const entry = await session.store.create(collection, input);
  if (entry === 'taken') return idTaken(collection, input.id);
  notify(session.events, collection);
  return jsonResponse({ id: entry.id }, 201);
}

async function replaceRecord(
  { collection, writes, id }: Addressed,
  request: MockRequest,
  { store, events }: Session,
): Promise<Outcome> {
  if (id === undefined) return NO_ID;
  const scope = await knownScope(collection, id, store);
  const input = need(writes.changed(id, bodyJson(request), scope));
  const text = await store.change(collection, id, [], () => input);
  if (text === undefined) return recordNotFound(id);
  if (text === false) return uniqueTaken(collection);
  notify(events, collection);
  return NO_CONTENT;
}

/** Those with the ids of `?id=`, which may be repeated. */
async function removeRecords(
  { collection, query }: Addressed,
  _: MockRequest,
  { store, events }: Session,
): Promise<Outcome> {
  const ids = query.getAll('id').map((text) => collection.idFrom(text));
  if (ids.length === 0) return NO_ID;
  const removed = new Set((await store.removeAll(collection, ids, [])).map(({ id }) => id));
  if (removed.size > 0) notify(events, collection);
  const missing = ids.find((id) => !removed.has(id));
  return missing === undefined ? NO_CONTENT : recordNotFound(missing);
}

/** Open pages show the change. */
function notify(events: Session['events'], { name }: RecordCollection): void {
  events.publish('records', JSON.stringify({ collection: name }));
}

const NO_ID: Outcome = { refuse: 'malformed', message: 'id must be the id of a record' };
