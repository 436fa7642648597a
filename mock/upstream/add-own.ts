import { isRecord, listedIn, parseJson, stringifyJson, tryJson } from '#spec';
import type { Endpoint } from '../engine/endpoint.ts';
import type { Awaitable } from '../http/exchange.ts';
import { isRefusal } from '../http/refusal.ts';
import type { Task } from '../records/actions/action.ts';
import type { RecordCollection } from '../records/collection.ts';
import { ownIds } from '../records/provenance.ts';
import type { Store } from '../store/port.ts';

const NONE: ReadonlySet<string> = new Set();

/** The ids of records that the mock has created, if the operation lists their collection. */
export function ownRecordsOf({ role }: Endpoint, store: Store): Awaitable<ReadonlySet<string>> {
  const isList = role?.action === 'list' || role?.action === 'view';
  return isList ? ownIds(store, role.collection.name) : NONE;
}

/**
 * A real service's list with the matching records of the mock at the end, as far as the page has room. Undefined: there are
 * none.
 * @param body the real service's body, decoded
 */
export async function addOwnRecords(
  endpoint: Endpoint,
  task: Task,
  body: Uint8Array,
): Promise<string | undefined> {
  const { act, role: { collection } = {} } = endpoint;
  const ownRecords = await ownRecordsOf(endpoint, task.store);
  const list = collection?.resource.list;
  if (ownRecords.size === 0 || !list) return undefined;
  const whole = tryJson(body);
  const listed = listedIn(list, whole);
  if (!Array.isArray(listed)) return undefined;
  const { values } = task;
  const { query } = values.parameters;
  const size = list.pageSize && Number(query[list.pageSize.name]);
  const room = size === undefined || Number.isNaN(size) ? Number.POSITIVE_INFINITY : size - listed.length;
  const paging = [list.offset, list.page, list.cursor].flatMap((parameter) => parameter?.name ?? []);
  const isLater = paging.some((one) => {
    const value = query[one];
    return value !== undefined && value !== '' && Number(value) !== 0 && Number(value) !== 1;
  });
  // Without a page size any page may be the last, so the records are on the first.
  if (room <= 0 || (isLater && (listed.length === 0 || room === Number.POSITIVE_INFINITY))) return undefined;
  // Cursors and offsets belong to the real service.
  const asked = Object.fromEntries(Object.entries(query).filter(([one]) => !paging.includes(one)));
  const outcome = await act({
    ...task,
    values: { ...values, parameters: { ...values.parameters, query: asked } },
    store: withOnly(ownRecords, collection, task.store),
  });
  if (isRefusal(outcome) || outcome.status !== 200 || typeof outcome.body !== 'string') return undefined;
  const added = listedIn(list, parseJson(outcome.body));
  if (!Array.isArray(added) || added.length === 0) return undefined;
  listed.push(...added.slice(0, room));
  return stringifyJson(whole);
}

/** The store, as if its collection only had the records with these ids. */
function withOnly(ids: ReadonlySet<string>, { name, resource }: RecordCollection, store: Store): Store {
  const idName = resource.id?.property;
  return {
    ...store,
    async list(collection, query) {
      if (collection.name !== name || idName === undefined) return store.list(collection, query);
      const all = await store.list(collection, { ...query, offset: 0, limit: Number.POSITIVE_INFINITY });
      const records = (parseJson(all.text) as unknown[]).filter(
        (one) => isRecord(one) && ids.has(String(one[idName])),
      );
      const page = records.slice(0, query.limit);
      return { text: stringifyJson(page), count: page.length, total: records.length };
    },
  };
}
