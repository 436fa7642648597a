import {
  answerShape,
  arrayShape,
  bodyPath,
  bodyShape,
  type Data,
  idIn,
  isRecord,
  jobOf,
  listPath,
  madeByJob,
  memberShape,
  namedInBody,
  parseJson,
  recordPath,
  resultsOf,
  sentExamples,
  sentMany,
  shapeAt,
  stringifyJson,
  valueAt,
  withValueAt,
} from '#spec';
import { isRefusal, type Refusal } from '../../http/refusal.ts';
import type { Id, Store } from '../../store/port.ts';
import { compileItemAddress } from '../item.ts';
import { type Below, idsOf, type Relations, type RelationsOf } from '../relations.ts';
import type { ActionContext, ActionName, Run, Task } from './action.ts';

interface RelatedContext extends ActionContext {
  readonly relationsOf: RelationsOf;
  readonly action: ActionName;
}

/** Removes or keeps what belongs to a removed record, or refuses to remove it. */
export function compileBelow({
  operation,
  collection,
  relationsOf,
  action,
}: RelatedContext): Run | undefined {
  const { removeBelow, heldBy } = relationsOf(collection);
  const addressOf = action === 'remove' ? compileItemAddress(collection, operation) : undefined;
  if (!addressOf || !(removeBelow ?? heldBy)) return undefined;
  return async (task, next) => {
    const { id, scope } = addressOf(task.values);
    const name = await heldBy?.(task.store, id);
    if (name !== undefined && (await task.store.read(collection, id, scope)) !== undefined)
      return { refuse: 'conflict', message: `There are records of ${name} that belong to it` };
    const outcome = await next(task);
    if (!isRefusal(outcome)) await removeBelow?.(task.store, id);
    return outcome;
  };
}

const WRITES: ReadonlySet<ActionName> = new Set(['create', 'createMany', 'replace', 'update']);

/** Refuses a body that refers to a missing record. Undefined: it refers to none, or the document has no status for that. */
export function compileNamed({
  operation,
  collection,
  relationsOf,
  action,
  contract,
}: RelatedContext): Run | undefined {
  const { family, collectionOf } = relationsOf(collection);
  if (!family || !WRITES.has(action)) return undefined;
  const { resource } = collection;
  const scopeKeys = new Set(collection.scopeFrom({}).map(({ key }) => key));
  const isMany = action === 'createMany';
  // Each item refers to the same records as the body of a create.
  const one = isMany ? resource.actions.create : operation;
  const references = one && namedInBody(resource, family, one, scopeKeys, contract.resources);
  if (!references) return undefined;
  const { status } = references;
  const named = [
    ...references.kin,
    ...references.lists.map(({ property, to: parent }) => ({ property, parent })),
  ];
  const path = isMany ? (sentMany(operation) ?? []) : bodyPath(resource, operation);
  const refuse = REFUSALS[status] ?? 'invalid';
  const isNew = isMany || action === 'create';
  const addressOf = isNew ? undefined : compileItemAddress(collection, operation);
  async function check({ values, store }: Task, sent: unknown): Promise<Refusal | undefined> {
    if (!isRecord(sent)) return undefined;
    for (const { property, parent } of named) {
      const other = collectionOf(parent);
      const { [property]: value } = sent;
      const ids = Array.isArray(value) ? value : [value];
      const reads = await Promise.all(
        ids.map((one) => (isNone(one) ? '' : store.read(other, other.idFrom(one), []))),
      );
      const missing = reads.indexOf(undefined);
      if (missing < 0) continue;
      const id = ids[missing];
      const { id: recordId, scope } = addressOf?.(values) ?? {};
      const old =
        recordId === undefined || !scope ? undefined : await store.read(collection, recordId, scope);
      // A documented example is always valid.
      if (sentExamples(resource, operation, property).flat().includes(id)) continue;
      // A record that it referred to before may have been removed since.
      if (old !== undefined && [(parseJson(old) as Data)[property]].flat().includes(id)) continue;
      const message = `must be the id of a record of ${other.name}, not ${stringifyJson(id)}`;
      const where = ['body', ...path, property].join('.');
      return { refuse, message: `${where} ${message}`, details: [{ where, message }] };
    }
    return undefined;
  }
  const job = jobOf(operation, contract);
  const isApart = job ? madeByJob(operation, job, resource).fails : resultsOf(operation, resource)?.apart;
  return async (task, next) => {
    const sent = valueAt(task.values.body, path);
    if (!isMany) return (await check(task, sent)) ?? next(task);
    const all = await Promise.all([sent].flat().map((record) => check(task, record)));
    const wrong = all.flatMap((refusal, place) => (refusal ? [[place, refusal] as const] : []));
    const [first] = wrong;
    if (first && !isApart) return first[1];
    return next({ ...task, refused: new Map(wrong.map(([place, { message }]) => [place, message ?? ''])) });
  };
}

/** Values that refer to no record. */
const isNone = (id: unknown) =>
  id === undefined || id === null || id === 0 || id === '' || typeof id === 'object';

const REFUSALS: Readonly<Record<number, Refusal['refuse']>> = { 404: 'not found', 409: 'conflict' };

/** Fills in the embedded records of a response. Undefined: it embeds none. */
export function compileEmbedded({
  operation,
  collection,
  relationsOf,
  action,
}: RelatedContext): Run | undefined {
  if (action === 'remove') return undefined;
  const answer = answerShape(operation);
  const { list } = collection.resource;
  const isList = action === 'list' || action === 'view';
  const path = isList ? list && listPath(list) : answer && recordPath(collection.resource, operation);
  const shape = isList ? list && arrayShape(list, answer)?.items : answer && shapeAt(answer, path ?? []);
  const { embedIn, shownText } = relationsOf(collection);
  const embed = shape && embedIn(shape);
  if (!embed || !path) return undefined;
  return async (task, next) => {
    const { store } = task;
    const outcome = await next(task);
    if (isRefusal(outcome) || typeof outcome.body !== 'string' || outcome.body === '') return outcome;
    const body = parseJson(outcome.body);
    const records = valueAt(body, path);
    if (records === undefined) return outcome;
    const filled = Array.isArray(records)
      ? await Promise.all(records.map((record) => embed(store, record as Data)))
      : isRecord(records)
        ? await embed(store, records)
        : records;
    const { version } = outcome;
    return {
      ...outcome,
      body: stringifyJson(withValueAt(body, path, () => filled)),
      ...(version !== undefined && { version: (await shownText?.(store, version)) ?? version }),
    };
  };
}

/**
 * Creates the records nested in a body, such as the pets of an owner, in their own collection. Those that a PUT, or a sent
 * array, leaves out are removed.
 */
export function compileWrittenWithin({
  operation,
  collection,
  relationsOf,
  action,
}: RelatedContext): Run | undefined {
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
 * Makes these the records below a parent: those with an existing id are changed. A PATCH that names no existing record only
 * adds.
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
  const oldIds = await idsOf(store, collection, scope);
  const named = new Set(items.map((item) => identity && String(idIn(identity, item))));
  const left = oldIds.filter((id) => !named.has(String(id)));
  if (isWhole || items.length === 0 || left.length < oldIds.length)
    for (const id of left) {
      await store.remove(collection, id, scope);
      await removeBelow?.(store, id);
    }
  for (const members of items) {
    const itemId = identity && String(idIn(identity, members));
    let id = oldIds.find((oldId) => String(oldId) === itemId);
    if (id !== undefined) {
      const input = { id, members, scope };
      await store.change(collection, id, scope, () => input);
    } else {
      const made = await store.create(collection, { id: undefined, members, scope });
      // Another record has the same unique value.
      if (made === 'taken') continue;
      id = made.id;
    }
    await writeAll(store, relationsOf, within, id, members, true);
  }
}
