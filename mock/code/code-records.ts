import { type Data, oncePer, parseJson } from '#spec';
import type { Refusal } from '../http/refusal.ts';
import { compileInitial } from '../records/actions/initial.ts';
import { compileTouched } from '../records/actions/moments.ts';
import type { RecordCollection } from '../records/collection.ts';
import { changeRecord, knownScope, writesOf } from '../records/fitting-record.ts';
import type { RelationsOf } from '../records/relations.ts';
import { compileFindCollection } from '../records/snapshot/collection-path.ts';
import type { Snapshots } from '../records/snapshot/snapshot.ts';
import type { Condition, Store } from '../store/port.ts';
import type { CodeRecords, RecordId } from './code.ts';

/** The records of a store for the user's code, at a time of the session's clock. */
export type RecordsFor = (store: Store, time: () => number) => CodeRecords;

/** Compiles the code's access to all records, for each collection on first use. */
export function compileCodeRecords(
  collections: readonly RecordCollection[],
  {
    snapshots,
    relationsOf,
  }: { readonly snapshots: () => Promise<Snapshots>; readonly relationsOf: RelationsOf },
): RecordsFor {
  const findCollection = compileFindCollection(collections);
  function at(path: string) {
    const address = findCollection(path);
    if (typeof address === 'string') throw new RangeError(`the document has ${address}`);
    const { collection, scope } = address;
    return { collection, scope, writes: codeWritesOf(collection) };
  }

  return (store, time) => {
    const records: CodeRecords = {
      async list(path) {
        const { recordsAt } = await snapshots();
        return recordsAt(store, path);
      },
      async find(path, id) {
        const { collection, scope } = at(path);
        const text = await store.read(collection, collection.idFrom(id), scope);
        return text === undefined ? undefined : parseJson(text);
      },
      async add(path, members) {
        const { writes, scope } = at(path);
        return writes.add(members as Data, scope, store, time);
      },
      async change(path, id, members) {
        const { writes, scope } = at(path);
        return writes.change(id, members as Data, scope, store, time);
      },
      async remove(path, id) {
        const { collection, scope } = at(path);
        const recordId = collection.idFrom(id);
        const { heldBy, removeBelow } = relationsOf(collection);
        const holding = await heldBy?.(store, recordId);
        if (holding !== undefined && (await store.read(collection, recordId, scope)) !== undefined)
          throw new RangeError(`there are records of ${holding} that belong to it: remove them first`);
        const isRemoved = await store.remove(collection, recordId, scope);
        if (isRemoved) await removeBelow?.(store, recordId);
        return isRemoved;
      },
    };
    return records;
  };
}

/** Written records are completed, and note their times, like those of clients. */
const codeWritesOf = oncePer((collection: RecordCollection) => {
  const { resource, name, idFrom } = collection;
  const { created, changed } = writesOf(collection);
  const create = resource.actions.create;
  const initial = create && compileInitial({ collection, operation: create });
  const touched = compileTouched(resource);
  const misfit = ({ message }: Refusal) =>
    new RangeError(`no record of ${name} can be this one: ${String(message).replace(/(^|; )\//g, '$1')}`);
  const taken = () =>
    new RangeError(`another record of ${name} has this id, or a value that no two may have`);

  return {
    async add(members: Data, scope: readonly Condition[], store: Store, time: () => number) {
      const record = created({ ...initial?.({ time }), ...members }, scope);
      if ('refuse' in record) throw misfit(record);
      const entry = await store.create(collection, record);
      if (entry === 'taken') throw taken();
      return parseJson(entry.text);
    },
    async change(
      named: RecordId,
      members: Data,
      scope: readonly Condition[],
      store: Store,
      time: () => number,
    ) {
      const id = idFrom(named);
      const parents = await knownScope(collection, id, store);
      const text = await changeRecord(store, collection, { id, scope }, (record) =>
        changed(id, { ...record, ...members, ...touched(record, members, time()) }, parents),
      );
      if (typeof text === 'string') return parseJson(text);
      if (text.refuse === 'not found') return undefined;
      throw text.refuse === 'conflict' ? taken() : misfit(text);
    },
  };
});
