import { bodyPath, bodyShape, idIn, isRecord, memberShape, parseJson, shapeAt, valueAt } from '#spec';
import { isRefusal } from '../../http/refusal.ts';
import type { Id, Store } from '../../store/port.ts';
import { type Below, idsOf, type Relations, type RelationsOf } from '../relations.ts';
import type { ActionContext, ActionName, Run } from './action.ts';

type Data = Readonly<Record<string, unknown>>;

interface WrittenContext extends ActionContext {
  readonly relationsOf: RelationsOf;
  readonly action: ActionName;
}

/**
 * Makes records of what a body has within the record that it writes, such as the pets of an owner: they are those of the
 * other collection. What a PUT leaves out, and an array that is sent without it, is removed.
 */
export function compileWrittenWithin({
  operation,
  collection,
  relationsOf,
  action,
}: WrittenContext): Run | undefined {
  const { resource } = collection;
  const { id: identity } = resource;
  if (!identity || !WRITES.has(action)) return undefined;
  const path = bodyPath(resource, operation);
  const body = shapeAt(bodyShape(operation), path);
  const written = relationsOf(collection).within.filter(({ property }) => {
    const member = body && memberShape(body, property);
    return member !== undefined && !member.readOnly;
  });
  if (written.length === 0) return undefined;
  return async (task, next) => {
    const { values, store } = task;
    const outcome = await next(task);
    const sent = valueAt(values.body, path);
    const record = isRefusal(outcome) ? undefined : parseJson(outcome.version ?? 'null');
    if (!isRecord(sent) || !isRecord(record)) return outcome;
    const id = idIn(identity, record) as Id;
    await writeAll(store, relationsOf, written, id, sent, action === 'replace');
    return outcome;
  };
}

const WRITES: ReadonlySet<ActionName> = new Set(['create', 'replace', 'update']);

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

/**
 * The records below one are these from now on: those with an id that one of them has stay what they are, changed. A change
 * that names none of those that are there adds to them.
 */
async function writeItems(
  store: Store,
  relationsOf: RelationsOf,
  { collection, where }: Below,
  parent: Id,
  items: readonly Data[],
  isWhole: boolean,
): Promise<void> {
  const { id: identity } = collection.resource;
  const { within, removeBelow } = relationsOf(collection);
  const scope = where(parent);
  const known = await idsOf(store, collection, scope);
  const named = new Set(items.map((item) => identity && String(idIn(identity, item))));
  const left = known.filter((id) => !named.has(String(id)));
  if (isWhole || items.length === 0 || left.length < known.length)
    for (const id of left) {
      await store.remove(collection, id, scope);
      await removeBelow?.(store, id);
    }
  for (const members of items) {
    const own = identity && String(idIn(identity, members));
    let id = known.find((one) => String(one) === own);
    if (id !== undefined) {
      const given = { id, members, scope };
      await store.change(collection, id, scope, () => given);
    } else {
      const made = await store.create(collection, { id: undefined, members, scope });
      // Another record has the value of a unique key.
      if (made === 'taken') continue;
      id = made.id;
    }
    await writeAll(store, relationsOf, within, id, members, true);
  }
}
