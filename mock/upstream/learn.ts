import { type Data, oncePer, parseJson } from '#spec';
import type { Endpoint } from '../engine/endpoint.ts';
import type { Awaitable } from '../http/exchange.ts';
import { memoizeFew } from '../http/memoize.ts';
import type { Task } from '../records/actions/action.ts';
import type { RecordCollection } from '../records/collection.ts';
import { compileItemAddress } from '../records/item.ts';
import { provenanceOf, removeProvenance, setProvenance } from '../records/provenance.ts';
import type { ObservedRecord } from '../records/recorded/observed-records.ts';
import { compileObserver, observedId } from '../records/recorded/observed-records.ts';
import { MISFITS, type Misfit } from '../records/recorded/recorded-traffic.ts';
import { compileFitObserved } from '../records/recorded/records-so-far.ts';
import { compileRelations } from '../records/relations.ts';
import type { Service } from '../service.ts';
import type { Condition, Id } from '../store/port.ts';

/** A response from which records are learned. */
export interface RealResponse {
  readonly status: number;
  /** Decoded. Undefined: it cannot be decoded. */
  readonly body: Uint8Array | undefined;
  /** The header. Undefined: there is none. */
  readonly location: string | undefined;
}

export interface Learning {
  /** Stores the records that a real service shows, and removes those that it has removed. */
  learn(endpoint: Endpoint, task: Task, response: RealResponse): Promise<void>;
  /** Marks what the mock has created for a client: the real service does not know it. */
  noteOwn(endpoint: Endpoint, task: Task, response: RealResponse): Promise<void>;
}

/** @param misfit receives what does not fit the document, and is skipped */
export function createLearning(
  { contract, collections, seeded, find }: Service,
  prefix: string,
  misfit: (kind: string, endpoint: Endpoint, reason: string | undefined) => void,
): Learning {
  const byName = new Map([...collections.values()].map((collection) => [collection.name, collection]));
  const relationsOf = compileRelations(collections);
  const seedsOf = new Map(seeded.map(({ name, seeds }) => [name, seeds]));
  const observerOf = memoizeFew(({ operation, role }: Endpoint) => role && compileObserver(operation, role));
  const fitOf = oncePer((collection: RecordCollection) => compileFitObserved(collection));

  function observe(endpoint: Endpoint, { values, request }: Task, { status, body, location }: RealResponse) {
    return observerOf(endpoint)?.({
      values,
      status,
      body: body ?? NO_BYTES,
      bodyMissing: body === undefined,
      contentType: String(request.headers['content-type'] ?? ''),
      query: new URLSearchParams(request.query),
      located: location === undefined ? undefined : locate(location),
    });
  }

  /** The id in a URL of the response, at the mock or the real service. */
  function locate(location: string): Id | undefined {
    const path = URL.parse(location, 'http://localhost')?.pathname ?? '';
    const mockPath = path.startsWith(`${prefix}/`) ? contract.basePath + path.slice(prefix.length) : path;
    const match = find(path, { headers: {} }) ?? find(mockPath, { headers: {} });
    const endpoint = match?.methods.get('GET');
    const addressOf = endpoint?.role?.action === 'read' && compileItemAddress(endpoint.role.collection);
    if (!match || !endpoint || !addressOf) return undefined;
    return addressOf(endpoint.read({ path: match.path, query: '', headers: {}, body: undefined })).id;
  }

  async function put(
    collection: RecordCollection,
    record: ObservedRecord,
    task: Task,
  ): Promise<readonly [Misfit, reason?: string | undefined] | undefined> {
    const { name } = collection;
    const id = observedId(collection, record);
    // Without an id, records cannot be distinguished.
    if (id === undefined) return collection.resource.id ? ['no id'] : undefined;
    const { store } = task;
    await leaveSeeds(collection, task);
    const provenance = await provenanceOf(store, name, id);
    const text = await store.read(collection, id, []);
    // Otherwise requests of the client that created it, even a removal, would reach the real record.
    if (provenance?.kind === 'own' && text !== undefined)
      return ['same id', 'the mock has made one with it for a client'];
    const storedEntry = text === undefined ? undefined : { id, text, keys: [] };
    const { scope = [] } = provenance ?? {};
    const fitted = fitOf(collection)(
      record,
      id,
      storedEntry && { draft: { at: [], entry: storedEntry }, scope, at: undefined },
    );
    if ('misfit' in fitted) return [fitted.misfit, fitted.reason];
    const { entry } = fitted.draft;
    if (!entry) return ['no id'];
    await setProvenance(store, { collection: name, id, kind: 'real', scope: fitted.scope });
    if (entry.text === text) return undefined;
    const input = { id, members: parseJson(entry.text) as Data, scope: fitted.scope };
    const isKept = await asLearned(task, collection, id, async () =>
      text === undefined
        ? (await store.create(collection, input)) !== 'taken'
        : (await store.change(collection, id, NOWHERE, () => input)) !== false,
    );
    return isKept ? undefined : ['same id', 'another record has the value of a unique member'];
  }

  /** Removes a collection's generated records once a real service shows it; those of seed files stay. */
  async function leaveSeeds(collection: RecordCollection, task: Task): Promise<void> {
    const { store } = task;
    if (await provenanceOf(store, collection.name)) return;
    await setProvenance(store, { collection: collection.name, kind: 'unseeded' });
    if (seedsOf.get(collection.name) !== collection.seeds) return;
    for (const { id, text } of collection.seeds())
      await asLearned(task, collection, id, () =>
        store.remove(collection, id, NOWHERE, (now) => now === text),
      );
  }

  async function remove(collection: RecordCollection, id: Id, where: readonly Condition[], task: Task) {
    const { store } = task;
    if ((await provenanceOf(store, collection.name, id))?.kind !== 'real') return;
    await removeProvenance(store, collection.name, id);
    if (await asLearned(task, collection, id, () => store.remove(collection, id, where)))
      await relationsOf(collection).removeBelow?.(store, id);
  }

  /** Marks changes that the real service has made, since it notifies its clients itself. */
  async function asLearned<T>(
    { recordEvents }: Task,
    collection: RecordCollection,
    id: Id,
    write: () => Awaitable<T>,
  ): Promise<T> {
    return recordEvents ? recordEvents.learn(collection, id, write) : write();
  }

  return {
    async learn(endpoint, task, response) {
      const observed = observe(endpoint, task, response);
      if (typeof observed === 'string') misfit(MISFITS[observed], endpoint, undefined);
      if (observed === undefined || typeof observed === 'string') return;
      const collection = byName.get(observed.collection.name);
      if (!collection) return;
      for (const record of observed.records) {
        const [kind, reason] = (await put(collection, record, task)) ?? [];
        if (kind !== undefined) misfit(MISFITS[kind], endpoint, reason);
      }
      if (observed.gone?.id !== undefined)
        await remove(collection, observed.gone.id, observed.gone.seen, task);
    },
    async noteOwn(endpoint, task, response) {
      const { action } = endpoint.role ?? {};
      if ((action !== 'create' && action !== 'createMany') || response.status >= 300) return;
      const observed = observe(endpoint, task, response);
      if (observed === undefined || typeof observed === 'string') return;
      const { name } = observed.collection;
      const collection = byName.get(name);
      for (const record of collection ? observed.records : []) {
        const id = observedId(collection as RecordCollection, record);
        if (id !== undefined && !(await provenanceOf(task.store, name, id)))
          await setProvenance(task.store, { collection: name, id, kind: 'own' });
      }
    },
  };
}

const NO_BYTES = new Uint8Array();
const NOWHERE: readonly Condition[] = [];
