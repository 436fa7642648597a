import {
  answerShape,
  arrayShape,
  bodyPath,
  type Data,
  decodeBody,
  isNumber,
  isRecord,
  isXml,
  listedIn,
  type Operation,
  parseJson,
  type ReadRequest,
  recordPath,
  responseFor,
  resultsOf,
  shapeAt,
  sharesMembers,
  valueAt,
} from '#spec';
import type { Condition, Id } from '../../store/port.ts';
import { replaceMembers, updateMembers } from '../actions/edit.ts';
import { without } from '../actions/transitions.ts';
import type { RecordCollection } from '../collection.ts';
import { namedMembers } from '../forms.ts';
import { compileItemAddress, isAlone } from '../item.ts';
import type { Role } from '../roles.ts';
import type { Misfit } from './recorded-traffic.ts';

export interface Call {
  readonly values: ReadRequest;
  readonly contentType: string;
  /** The query or form, which shows whether only a page was requested. */
  readonly query: URLSearchParams;
  readonly status: number;
  readonly body: Uint8Array;
  readonly bodyMissing: boolean;
  /** The id in the path of the `Location` header. Undefined: there is none. */
  readonly located: Id | undefined;
}

/** What an exchange shows of records. A misfit: why it cannot be used; undefined: it shows nothing. */
export type Observer = (call: Call) => Observed | Misfit | undefined;

export interface Moment {
  readonly place: string;
  /** In milliseconds since 1970. Undefined: unknown. */
  readonly at: number | undefined;
}

export interface ObservedRecord {
  /** The id in the request, if any. */
  readonly id: Id | undefined;
  /** The parents in the request's path. */
  readonly seen: readonly Condition[];
  /** The record in the response. Undefined: the response does not show it. */
  readonly shownMembers: Data | undefined;
  /** The documented members of the response: the record may have others. */
  readonly documented: ReadonlySet<string> | undefined;
  /** Makes the record from its last known version, where the response does not show all of it. */
  readonly from: (last: Data) => Data;
}

/** The id of a record in traffic. Undefined: it has none, and cannot be told from others. */
export function observedId({ resource }: RecordCollection, { shownMembers, id, from }: ObservedRecord) {
  const { property, inner } = resource.id ?? {};
  if (property === undefined || inner !== undefined) return undefined;
  const recordId = shownMembers?.[property] ?? id ?? from({})[property];
  return typeof recordId === 'string' || isNumber(recordId) ? recordId : undefined;
}

interface Observed {
  readonly collection: RecordCollection;
  readonly records: readonly ObservedRecord[];
  readonly gone?: { readonly id: Id | undefined; readonly seen: readonly Condition[] };
  /** Whether the records are in the collection's order. */
  readonly inOrder?: boolean;
}

/** Compiles what the exchanges of an operation show, by its role. */
export function compileObserver(operation: Operation, { action, collection }: Role): Observer {
  const { resource, scopeFrom } = collection;
  const addressOf = compileItemAddress(collection, operation);
  const answer = answerShape(operation);
  const path = recordPath(resource, operation);
  const shownShape = shapeAt(answer, path);
  const showsRecord = shownShape !== undefined && sharesMembers(shownShape, resource.shape);
  const itemShape = resource.list && arrayShape(resource.list, answer)?.items;
  const inItems = itemShape && new Set(namedMembers(itemShape).keys());
  const inRecord = shownShape && new Set(namedMembers(shownShape).keys());
  const isOne = isAlone(resource);
  const replace = replaceMembers(resource.shape);

  /** The record and the parents in the path. */
  function placeOf({ values }: Call): { id: Id | undefined; seen: readonly Condition[] } {
    const address = addressOf?.(values);
    if (address) return { id: address.id, seen: address.scope };
    return { id: undefined, seen: scopeFrom(values.parameters.path) };
  }

  function list(call: Call): Observed | Misfit {
    const body = bodyOf(call, operation);
    if (typeof body === 'string') return body;
    const listed = resource.list && listedIn(resource.list, body.value);
    if (!Array.isArray(listed)) return 'body unreadable';
    const { seen } = placeOf({ ...call, values: { ...call.values, body: undefined } });
    const records = listed.filter(isRecord).map((shownMembers): ObservedRecord => {
      const from = (last: Data) => ({ ...(inItems ? without(inItems, last) : last), ...shownMembers });
      return { id: undefined, seen, shownMembers, documented: inItems, from };
    });
    return { collection, records, inOrder: isPlain(call.query, collection) };
  }

  const result = resultsOf(operation, resource)?.record;
  function many(call: Call): Observed | Misfit {
    const body = bodyOf(call, operation);
    if (typeof body === 'string') return body;
    const listed = Array.isArray(body.value) ? body.value : arraysIn(body.value);
    if (!listed) return 'no record';
    // The records may be inside results.
    const entries = result === undefined ? listed : listed.map((one) => valueAt(one, [result]));
    const seen = scopeFrom(call.values.parameters.path);
    const records = entries.filter(isRecord).map((shownMembers): ObservedRecord => {
      return {
        id: undefined,
        seen,
        shownMembers,
        documented: undefined,
        from: (last) => ({ ...last, ...shownMembers }),
      };
    });
    return { collection, records };
  }

  function one(call: Call): Observed | Misfit {
    const { values, contentType, located } = call;
    const isWrite = action === 'create' || action === 'replace' || action === 'update';
    const body = bodyOf(call, operation);
    if (typeof body === 'string' && !isWrite) return body;
    const value = typeof body === 'string' ? undefined : valueAt(body.value, path);
    const shownMembers = isRecord(value) ? value : undefined;
    if (!shownMembers && !isWrite) return 'body unreadable';
    const sentValue = valueAt(values.body, bodyPath(resource, operation));
    const sent = isRecord(sentValue) ? sentValue : undefined;
    if (!shownMembers && !sent) return typeof body === 'string' ? body : 'no record';
    const { id, seen } = placeOf(call);
    const from = (last: Data): Data => {
      if (action === 'create') return { ...sent, ...shownMembers };
      if (action === 'replace') return { ...replace(last, sent ?? {}), ...shownMembers };
      if (action === 'update') return { ...updateMembers(last, sent ?? {}, contentType), ...shownMembers };
      return { ...last, ...shownMembers };
    };
    const recordId = action === 'create' ? located : id;
    return { collection, records: [{ id: recordId, seen, shownMembers, documented: inRecord, from }] };
  }

  // Records without any id: a mock stores none of them.
  if (resource.id === undefined && !isOne && !LISTS.has(action) && action !== 'create')
    return () => undefined;

  return (call) => {
    const isGood = call.status >= 200 && call.status < 300;
    if (!isGood) {
      if (!NOT_THERE.has(call.status) || !ON_ONE.has(action) || isOne || !addressOf) return undefined;
      return { collection, records: NO_RECORDS, gone: placeOf(call) };
    }
    if (LISTS.has(action)) return list(call);
    if (action === 'remove') {
      if (!addressOf) return 'no record';
      return { collection, records: NO_RECORDS, gone: placeOf(call) };
    }
    if (action === 'removeMany') return 'no record';
    if (action === 'createMany' || action === 'updateMany') return many(call);
    if (action === 'action' && !showsRecord) return undefined;
    return one(call);
  };
}

/** The value of a response, from JSON or documented XML. A misfit: it has none. */
function bodyOf(
  { status, body, bodyMissing }: Call,
  { responses }: Operation,
): { readonly value: unknown } | Misfit {
  if (bodyMissing) return 'body missing';
  if (body.length === 0) return 'body missing';
  try {
    return { value: parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    const xml = responseFor(responses, status)?.content.find(isXml);
    const decoded = xml && decodeBody(xml, body, xml.type);
    return decoded && 'value' in decoded ? decoded : 'body unreadable';
  }
}

/** The only array in an object. */
function arraysIn(value: unknown): readonly unknown[] | undefined {
  if (!isRecord(value)) return undefined;
  const [only, ...more] = Object.values(value).filter((one) => Array.isArray(one) && one.some(isRecord));
  return more.length === 0 ? (only as readonly unknown[] | undefined) : undefined;
}

/** Whether a list is in the collection's order: the request asked for pages at most. */
function isPlain(query: URLSearchParams, { resource: { list } }: RecordCollection): boolean {
  const paging = [list?.pageSize, list?.offset, list?.page, list?.cursor].map((parameter) => parameter?.name);
  return [...query.keys()].every((name) => paging.includes(name));
}

const NOT_THERE = new Set([404, 410]);
const NO_RECORDS: readonly ObservedRecord[] = [];
const ON_ONE = new Set(['read', 'replace', 'update', 'remove', 'action']);
const LISTS = new Set(['list', 'view']);
