import {
  isRecord,
  type ListChange,
  listChange,
  parseJson,
  recordExamples,
  type Singleton,
  sentType,
  stringifyJson,
} from '#spec';
import { andThen } from '../../http/exchange.ts';
import { onFirstCall } from '../../http/memoize.ts';
import { isRefusal, type Refusal } from '../../http/refusal.ts';
import { successForm } from '../../http/representations.ts';
import type { Condition, Entry, Id, Store } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { recordNotFound } from '../item.ts';
import type { Act, ActionContext, CompileAction, Task } from './action.ts';
import { replaceMembers, updateMembers } from './edit.ts';
import { sampleBody } from './sample.ts';
import { compileShow } from './show.ts';
import { compileWritableMembers, type Members } from './writable-members.ts';

/** What operations do with the one record at a path; before it is first written it reads as it was seeded. */
export const SINGLETON_ACTIONS: Readonly<Record<keyof Singleton['actions'], CompileAction>> = {
  read: (context) => shown(context, compileRead(context)),
  replace: (context) => shown(context, compileWrite(context, replaceMembers(context))),
  update: (context) => shown(context, compileWrite(context, updateMembers)),
  remove: compileRemove,
};

function shown(context: ActionContext, act: Act | undefined): Act | undefined {
  return act && onFirstCall(() => compileShow(context, 'read', act));
}

function compileRead(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  const { status, media } = successForm(operation);
  if (!media) return undefined;
  const type = sentType(media);
  const seeded = compileSeeded(context);
  return ({ values, store }) => {
    const scope = collection.scopeFrom(values.parameters.path);
    return andThen(find(store, collection, scope), (entry) => {
      const text = entry?.text ?? seeded(scope).text;
      return { status, type, body: text, version: text };
    });
  };
}

function compileWrite(
  context: ActionContext,
  combine: (record: Members, body: Members, contentType: string) => Members,
): Act | undefined {
  const { operation, collection } = context;
  const membersOf = compileWritableMembers(operation, collection.resource.shape, context.contract);
  if (!membersOf) return undefined;
  const { status, media } = successForm(operation);
  const type = media && sentType(media);
  const seeded = compileSeeded(context);
  return async ({ values, request, store }) => {
    const scope = collection.scopeFrom(values.parameters.path);
    const contentType = String(request.headers['content-type']);
    const edit = (old: string) => {
      const record = parseJson(old) as Members;
      const whole = isRecord(values.body) ? combine(record, values.body, contentType) : record;
      return combine(record, membersOf(values.body, whole, record), contentType);
    };
    const id = await keepFirst(store, collection, scope, seeded);
    const text = await store.change(collection, id, [], (old) => ({ id, members: edit(old), scope }));
    return typeof text === 'string'
      ? { status, type, body: type ? text : '', version: text }
      : { status, type, body: '' };
  };
}

/** Responds with the record: changed by what the path says is added to a list of it or removed, else as it is. */
export function compileSingletonAction(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  const readChange = compileListChange(context);
  const { status, media } = successForm(operation);
  if (!readChange || !media) return shown(context, compileRead(context));
  const type = sentType(media);
  const seeded = compileSeeded(context);
  return shown(context, async (task) => {
    const { values, store } = task;
    const change = await readChange(task);
    if (isRefusal(change)) return change;
    const scope = collection.scopeFrom(values.parameters.path);
    const id = await keepFirst(store, collection, scope, seeded);
    let isDone = true;
    const text = await store.change(collection, id, [], (old) => {
      const record = parseJson(old) as Members;
      const changed = change.edit(record);
      isDone = changed !== undefined;
      return { id, members: changed ?? record, scope };
    });
    return isDone ? { status, type, body: text || '' } : recordNotFound(change.id);
  });
}

/** The id of the record, which is stored from now on; of requests at once the first one does it. */
async function keepFirst(
  store: Store,
  collection: RecordCollection,
  scope: readonly Condition[],
  seeded: Seeded,
): Promise<Id> {
  const entry = await find(store, collection, scope);
  if (entry) return entry.id;
  const { id, text } = seeded(scope);
  await store.create(collection, { id, members: parseJson(text) as Members, scope });
  return id;
}

/** Back to its first state: a service has no `/settings` that are missing. */
function compileRemove(context: ActionContext): Act {
  const { operation, collection } = context;
  const { status } = successForm(operation);
  const sampled = sampleBody(context);
  const seeded = compileSeeded(context);
  return async ({ values, store }) => {
    const id = await keepFirst(store, collection, collection.scopeFrom(values.parameters.path), seeded);
    await store.remove(collection, id, []);
    return { status, ...sampled() };
  };
}

async function find(
  store: Store,
  collection: RecordCollection,
  scope: readonly Condition[],
): Promise<Entry | undefined> {
  const { entries } = await store.contents(collection);
  const places = scope.map(({ key, anyOf }) => ({ place: collection.keys.indexOf(key), value: anyOf[0] }));
  return entries.find(({ keys }) => places.every(({ place, value }) => keys[place] === value));
}

type Seeded = (scope: readonly Condition[]) => Entry;

/** The record as it is before anybody writes it, the same for the same path: as the document shows it, where it does. */
function compileSeeded({ collection, seeds, contract }: ActionContext): Seeded {
  const { resource } = collection;
  // What is in a list by then has been added by requests.
  const emptied = resource.further.flatMap(({ operation }) => {
    const { property } = listChange(operation, resource.shape, contract.resources) ?? {};
    return property === undefined ? [] : [[property, []] as const];
  });
  const shown = onFirstCall(() => {
    const checks = resource.shape.parts.map((part) => contract.validators.compile(part, 'response'));
    const all = recordExamples(resource).map(({ members }) => members);
    const found = all.find((members) => checks.every((check) => check(members).length === 0));
    return () => found;
  });
  return (scope) => {
    const key = stringifyJson(scope.map(({ anyOf }) => anyOf[0]));
    const first = shown() ?? (seeds.single(resource, key) as Members);
    const members = { ...first, ...Object.fromEntries(emptied) };
    return collection.complete(key, { id: key, members, scope });
  };
}

/** What a request does to a record with a list in it. */
interface Edit {
  /** The id of the record in the list. */
  readonly id: Id;
  /** Undefined: the list has no such record. */
  edit(record: Members): Members | undefined;
}

/**
 * Compiles what an operation does to the list of others in the record that it responds with: it adds the record that its
 * path names, which must exist, or removes it, which must be in the list. Undefined: it does nothing of the kind.
 */
function compileListChange({ operation, collection, contract, collections }: ActionContext) {
  const found = listChange(operation, collection.resource.shape, contract.resources);
  const others = found && collections.get(found.of);
  const name = found?.of.id?.property;
  if (!found || !others || name === undefined) return undefined;
  const { property, parameter, change } = found;
  return async ({ values, store }: Task): Promise<Edit | Refusal> => {
    const id = others.idFrom(values.parameters.path[parameter]);
    const added = change === 'add' ? await store.read(others, id, []) : '';
    if (added === undefined) return recordNotFound(id);
    return {
      id,
      edit(record) {
        const old = listOf(record, found);
        const left = old.filter((one) => one[name] !== id);
        if (change === 'add') return { ...record, [property]: [...left, parseJson(added)] };
        return left.length < old.length ? { ...record, [property]: left } : undefined;
      },
    };
  };
}

function listOf(record: Members, { property }: Pick<ListChange, 'property'>): readonly Members[] {
  const { [property]: list } = record;
  return Array.isArray(list) ? list : [];
}
