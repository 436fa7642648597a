import {
  answerShape,
  arrayShape,
  bodyPath,
  isRecord,
  namedInBody,
  parseJson,
  recordPath,
  sentExamples,
  shapeAt,
  stringifyJson,
  valueAt,
  withValueAt,
} from '#spec';
import { isRefusal, type Outcome, type Refusal } from '../../http/refusal.ts';
import type { Store } from '../../store/port.ts';
import { compileItemAddress } from '../item.ts';
import type { RelationsOf } from '../relations.ts';
import type { Act, ActionContext, ActionName, Task } from './action.ts';
import { compileWrittenWithin } from './written-within.ts';

type Data = Readonly<Record<string, unknown>>;

interface RelatedContext extends ActionContext {
  readonly relationsOf: RelationsOf;
}

/**
 * Lets an action on the records of a collection know those of others: what a body names must be there, what belongs to a
 * removed record goes with it, and a response shows the records that belong to another one in it.
 */
export function compileRelated(context: RelatedContext, action: ActionName, act: Act): Act {
  if (action === 'remove') return compileWithBelow(context, act);
  const check = compileNamed(context, action);
  const checked: Act = check ? async (task) => (await check(task)) ?? act(task) : act;
  const write = WRITES.has(action) ? compileWrittenWithin(context, action) : undefined;
  const show = compileEmbedded(context, action);
  if (!write && !show) return checked;
  return async (task) => {
    const outcome = await checked(task);
    await write?.(outcome, task);
    return show?.(outcome, task.store) ?? outcome;
  };
}

function compileWithBelow({ operation, collection, relationsOf }: RelatedContext, act: Act): Act {
  const { removeBelow, heldBy } = relationsOf(collection);
  const addressOf = compileItemAddress(collection, operation);
  if (!addressOf || !(removeBelow ?? heldBy)) return act;
  return async (task) => {
    const { id, scope } = addressOf(task.values);
    const name = await heldBy?.(task.store, id);
    if (name !== undefined && (await task.store.read(collection, id, scope)) !== undefined)
      return { refuse: 'conflict', message: `There are records of ${name} that belong to it` };
    const outcome = await act(task);
    if (!isRefusal(outcome)) await removeBelow?.(task.store, id);
    return outcome;
  };
}

const WRITES: ReadonlySet<ActionName> = new Set(['create', 'replace', 'update']);

/** Undefined: a body names no record of another collection, or the document has no status for one that is not there. */
function compileNamed(
  { operation, collection, relationsOf }: RelatedContext,
  action: ActionName,
): ((task: Task) => Promise<Refusal | undefined>) | undefined {
  const { family, collectionOf } = relationsOf(collection);
  if (!family || !WRITES.has(action)) return undefined;
  const { resource } = collection;
  const said = new Set(collection.scopeFrom({}).map(({ key }) => key));
  const { kin, status } = namedInBody(resource, family, operation, said) ?? {};
  if (!kin || status === undefined) return undefined;
  const path = bodyPath(resource, operation);
  const refuse = REFUSALS[status] ?? 'invalid';
  const addressOf = action === 'create' ? undefined : compileItemAddress(collection, operation);
  return async ({ values, store }) => {
    const sent = valueAt(values.body, path);
    if (!isRecord(sent)) return undefined;
    for (const { property, parent } of kin) {
      const other = collectionOf(parent);
      const { [property]: id } = sent;
      if (isNone(id) || (await store.read(other, other.idFrom(id), [])) !== undefined) continue;
      const { id: own, scope } = addressOf?.(values) ?? {};
      const old = own === undefined || !scope ? undefined : await store.read(collection, own, scope);
      // A request that the document shows is valid.
      if (sentExamples(resource, operation, property).includes(id)) continue;
      // What it named before may be gone meanwhile.
      if (old !== undefined && (parseJson(old) as Data)[property] === id) continue;
      const message = `must be the id of a record of ${other.name}, not ${stringifyJson(id)}`;
      const where = ['body', ...path, property].join('.');
      return { refuse, message: `${where} ${message}`, details: [{ where, message }] };
    }
    return undefined;
  };
}

/** What stands for no record. */
const isNone = (id: unknown) =>
  id === undefined || id === null || id === 0 || id === '' || typeof id === 'object';

const REFUSALS: Readonly<Record<number, Refusal['refuse']>> = { 404: 'not found', 409: 'conflict' };

/** Undefined: responses show no records of other collections. */
function compileEmbedded({ operation, collection, relationsOf }: RelatedContext, action: ActionName) {
  const answer = answerShape(operation);
  const { list } = collection.resource;
  const isList = action === 'list' || action === 'view';
  const path = isList
    ? [list?.within, list?.member].filter((name) => name !== undefined)
    : answer && recordPath(collection.resource, operation);
  const shape = isList ? list && arrayShape(list, answer)?.items : answer && shapeAt(answer, path ?? []);
  const { embedIn, shownText } = relationsOf(collection);
  const embed = shape && embedIn(shape);
  if (!embed || !path) return undefined;
  return async (outcome: Outcome, store: Store): Promise<Outcome> => {
    if (isRefusal(outcome) || typeof outcome.body !== 'string' || outcome.body === '') return outcome;
    const body = parseJson(outcome.body);
    const shown = valueAt(body, path);
    const filled = Array.isArray(shown)
      ? await Promise.all(shown.map((record) => embed(store, record as Data)))
      : isRecord(shown)
        ? await embed(store, shown)
        : shown;
    const { status, type, headers, version } = outcome;
    return {
      ...{ status, type, body: stringifyJson(withValueAt(body, path, () => filled)) },
      ...(headers && { headers }),
      ...(version !== undefined && { version: (await shownText?.(store, version)) ?? version }),
    };
  };
}
