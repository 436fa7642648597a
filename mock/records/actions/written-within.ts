import { bodyPath, bodyShape, idIn, isRecord, memberShape, parseJson, shapeAt, valueAt } from '#spec';
import { isRefusal, type Outcome } from '../../http/refusal.ts';
import type { Id, Store } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { type Below, idsOf, type Relations, type RelationsOf } from '../relations.ts';
import type { ActionContext, ActionName, Task } from './action.ts';

type Data = Readonly<Record<string, unknown>>;

interface WrittenContext extends ActionContext {
  readonly relationsOf: RelationsOf;
}

/** Makes records of what a body has within the record that it writes. */
export type WriteWithin = (outcome: Outcome, task: Task) => Promise<void>;

/**
 * Compiles the writing of records that a body has within another one, such as the pets of an owner: they are those of the
 * other collection. What a PUT leaves out, and an array that is sent without it, is removed.
 */
export function compileWrittenWithin(
  { operation, collection, relationsOf }: WrittenContext,
  action: ActionName,
): WriteWithin | undefined {
  const { resource } = collection;
  const path = bodyPath(resource, operation);
  const body = shapeAt(bodyShape(operation), path);
  const written = relationsOf(collection).within.filter(({ property }) => {
    const member = body && memberShape(body, property);
    return member !== undefined && !member.readOnly;
  });
  const { id: identity } = resource;
  if (written.length === 0 || !identity) return undefined;
  return async (outcome, { values, store }) => {
    const sent = valueAt(values.body, path);
    const record = isRefusal(outcome) ? undefined : parseJson(outcome.version ?? 'null');
    if (!isRecord(sent) || !isRecord(record)) return;
    const id = idIn(identity, record) as Id;
    await writeAll(store, relationsOf, written, id, sent, action === 'replace');
  };
}

async function writeAll(
  store: Store,
  relationsOf: RelationsOf,
  within: Relations['within'],
  id: Id,
  sent: Data,
  isWhole: boolean,
): Promise<void> {
  for (const { property, ...below } of within) {
    const { [property]: items = isWhole ? [] : undefined } = sent;
    if (Array.isArray(items))
      await writeItems(store, relationsOf, below, id, items.filter(isRecord), isWhole);
  }
}

/** The records below one are these from now on: those with an id that one of them has stay what they are, changed. */
async function writeItems(
  store: Store,
  relationsOf: RelationsOf,
  { collection, where }: Below,
  parent: Id,
  items: readonly Data[],
  isWhole: boolean,
): Promise<void> {
  const { id: identity } = collection.resource;
  const isGiven =
    identity?.inner === undefined && identity?.shape?.mainType === 'string' && !identity.shape.readOnly;
  const ownIdOf = (item: Data) => (isGiven ? (item[identity.property] as Id | undefined) : undefined);
  const nameOf = (item: Data) => (identity ? String(idIn(identity, item)) : undefined);
  const scope = where(parent);
  const { within, removeBelow } = relationsOf(collection);
  const known = await idsOf(store, collection, scope);
  const named = new Set(items.map(nameOf));
  // A change that names none of those that are there adds to them.
  const isAll = isWhole || items.length === 0 || known.some((id) => named.has(String(id)));
  for (const id of known) {
    if (!isAll || named.has(String(id))) continue;
    await store.remove(collection, id, scope);
    await removeBelow?.(store, id);
  }
  for (const members of items) {
    const wanted = known.find((id) => String(id) === nameOf(members));
    const given = { members, scope };
    if (wanted !== undefined) await store.change(collection, wanted, scope, () => ({ ...given, id: wanted }));
    const made = wanted ?? (await createdId(store, collection, given, ownIdOf(members)));
    if (made !== undefined) await writeAll(store, relationsOf, within, made, members, true);
  }
}

/** Undefined: another record has the value of a unique key. */
async function createdId(
  store: Store,
  collection: RecordCollection,
  given: { readonly members: Data; readonly scope: ReturnType<Below['where']> },
  ownId: Id | undefined,
): Promise<Id | undefined> {
  const own = ownId === undefined ? 'taken' : await store.create(collection, { ...given, id: ownId });
  const entry = own === 'taken' ? await store.create(collection, { ...given, id: undefined }) : own;
  return entry === 'taken' ? undefined : entry.id;
}
