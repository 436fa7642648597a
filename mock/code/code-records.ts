import { type Contract, idIn, parseJson, type Resource } from '#spec';
import { onFirstCall } from '../http/memoize.ts';
import { compileInitial } from '../records/actions/initial.ts';
import { compileTouched } from '../records/actions/moments.ts';
import type { RecordCollection } from '../records/collection.ts';
import { compileCheckRecord, knownScope, scopeFor, withParents } from '../records/fitting-record.ts';
import type { RelationsOf } from '../records/relations.ts';
import { compileCollectionPath } from '../records/snapshot/collection-path.ts';
import type { Snapshots } from '../records/snapshot/snapshot.ts';
import type { Condition, Id, Store } from '../store/port.ts';
import type { CodeRecords, RecordId } from './code.ts';

type Members = Readonly<Record<string, unknown>>;

/** The records of a store as code has them, at a time of the session's clock. */
export type RecordsFor = (store: Store, time: () => number) => CodeRecords;

/** Compiles the access of code to all records; a collection is compiled when it is first named. */
export function compileCodeRecords(
  collections: readonly RecordCollection[],
  contract: Contract,
  {
    snapshots,
    relationsOf,
  }: { readonly snapshots: () => Promise<Snapshots>; readonly relationsOf: RelationsOf },
): RecordsFor {
  const paths = onFirstCall(() => {
    const all = collections.map((collection) => ({ collection, ...compileCollectionPath(collection) }));
    return (path: string) =>
      all.find(({ collection }) => collection.name === path) ??
      all.find(({ scopeOf }) => scopeOf(path) !== undefined);
  });
  const compiled = new Map<Resource, ReturnType<typeof compileWrites>>();

  function at(path: string) {
    const found = paths(path);
    if (!found) {
      const names = collections.map(({ name }) => name).join(', ') || 'none';
      throw new RangeError(`the document has no collection at ${JSON.stringify(path)}; there are ${names}`);
    }
    const { collection, scopeOf } = found;
    const writes = compiled.get(collection.resource) ?? compileWrites(collection, contract);
    compiled.set(collection.resource, writes);
    const scope = collection.name === path ? [] : (scopeOf(path) ?? []);
    return { collection, writes, scope };
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
        return writes.add(members as Members, scope, store, time);
      },
      async change(path, id, members) {
        const { writes, scope } = at(path);
        return writes.change(id, members as Members, scope, store, time);
      },
      async remove(path, id) {
        const { collection, scope } = at(path);
        const own = collection.idFrom(id);
        const { heldBy, removeBelow } = relationsOf(collection);
        const holding = await heldBy?.(store, own);
        if (holding !== undefined && (await store.read(collection, own, scope)) !== undefined)
          throw new RangeError(`there are records of ${holding} that belong to it: remove them first`);
        const isRemoved = await store.remove(collection, own, scope);
        if (isRemoved) await removeBelow?.(store, own);
        return isRemoved;
      },
    };
    return records;
  };
}

/** What is written is completed, and noted in its moments, as what clients write. */
function compileWrites(collection: RecordCollection, contract: Contract) {
  const { resource, name, idFrom } = collection;
  const { validators } = contract;
  const check = compileCheckRecord(collection, validators);
  const create = resource.actions.create;
  const initial = create && compileInitial({ collection, operation: create, contract });
  const touched = compileTouched(resource, validators);

  function requireFit(members: Members): void {
    const problems = check(members).map(({ pointer, message, at }) => {
      return `${pointer.slice(1).replaceAll('/', '.') || 'the record'} ${message}${at ? ` (${at})` : ''}`;
    });
    if (problems.length > 0)
      throw new RangeError(`no record of ${name} can be this one: ${problems.join('; ')}`);
  }

  return {
    async add(given: Members, known: readonly Condition[], store: Store, time: () => number) {
      const members = { ...initial?.({ time }), ...withParents(given, known) };
      requireFit(members);
      const scope = scopeFor(collection, members, known);
      const missing = scope.find(({ anyOf: [value] }) => value === undefined);
      if (missing)
        throw new RangeError(`name the collection with the ids of its parents: nothing says ${missing.key}`);
      const id = resource.id && (idIn(resource.id, members) as Id | undefined);
      const entry = await store.create(collection, { id, members, scope });
      if (entry === 'taken')
        throw new RangeError(`another record of ${name} has this id, or a value that no two may have`);
      return parseJson(entry.text);
    },
    async change(
      named: RecordId,
      given: Members,
      known: readonly Condition[],
      store: Store,
      time: () => number,
    ) {
      const id = idFrom(named);
      const stated = resource.id && idIn(resource.id, given);
      if (stated !== undefined && stated !== id)
        throw new RangeError(`the id of a record stays what it is: ${id}, not ${stated}`);
      const parents = await knownScope(collection, id, store);
      let misfit: unknown;
      const text = await store.change(collection, id, known, (old) => {
        const record = parseJson(old) as Members;
        const members = { ...record, ...given, ...touched(record, given, time()) };
        const scope = scopeFor(collection, members, parents);
        try {
          requireFit(members);
          return { id, members, scope };
        } catch (error) {
          misfit = error;
          return { id, members: record, scope: parents };
        }
      });
      if (misfit) throw misfit;
      if (text === false) throw new RangeError(`another record of ${name} has a value that no two may have`);
      return text === undefined ? undefined : parseJson(text);
    },
  };
}
