import { isRecord, parseJson, recordExamples, type Singleton, sentType, stringifyJson } from '#spec';
import { andThen } from '../../http/exchange.ts';
import { onFirstCall } from '../../http/memoize.ts';
import type { Refusal } from '../../http/refusal.ts';
import { successForm } from '../../http/representations.ts';
import type { Condition, Entry, Id, Store } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import type { Act, ActionContext, CompileAction } from './action.ts';
import { replaceMembers, updateMembers } from './edit.ts';
import { sampleBody } from './sample.ts';
import { compileShow } from './show.ts';
import { compileTransitions, only } from './transitions.ts';
import { compileWritableMembers, type Members } from './writable-members.ts';

/** What operations do with the one record at a path; before it is first written it reads as it was seeded. */
export const SINGLETON_ACTIONS: Readonly<Record<keyof Singleton['actions'], CompileAction>> = {
  read: compileSingletonRead,
  replace: (context) => shown(context, compileWrite(context, replaceMembers(context))),
  update: (context) => shown(context, compileWrite(context, updateMembers)),
  remove: compileRemove,
};

function shown(context: ActionContext, act: Act | undefined): Act | undefined {
  return act && onFirstCall(() => compileShow(context, 'read', act));
}

/** Responds with the record as it is. */
export function compileSingletonRead(context: ActionContext): Act | undefined {
  return shown(context, compileRead(context));
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
  const { changes } = operation.said.facts;
  const makes = changes ? updateMembers : combine;
  const forbidden = onFirstCall(() => compileTransitions(context));
  return async ({ values, request, store }) => {
    const scope = collection.scopeFrom(values.parameters.path);
    const contentType = String(request.headers['content-type']);
    let refusal: Refusal | undefined;
    const edit = (old: string) => {
      const record = parseJson(old) as Members;
      const whole = isRecord(values.body) ? makes(record, values.body, contentType) : record;
      const given = membersOf(values.body, whole, record);
      const members = makes(record, changes ? only(changes, given) : given, contentType);
      refusal = forbidden(record, members);
      return refusal ? record : members;
    };
    const id = await keepFirst(store, collection, scope, seeded);
    const text = await store.change(collection, id, [], (old) => ({ id, members: edit(old), scope }));
    if (refusal) return refusal;
    return typeof text === 'string'
      ? { status, type, body: type ? text : '', version: text }
      : { status, type, body: '' };
  };
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
  const shown = onFirstCall(() => {
    const checks = resource.shape.parts.map((part) => contract.validators.compile(part, 'response'));
    const all = recordExamples(resource).map(({ members }) => members);
    const found = all.find((members) => checks.every((check) => check(members).length === 0));
    return () => found;
  });
  return (scope) => {
    const key = stringifyJson(scope.map(({ anyOf }) => anyOf[0]));
    const members = shown() ?? (seeds.single(resource, key) as Members);
    return collection.complete(key, { id: key, members, scope });
  };
}
