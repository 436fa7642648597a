import {
  answerShape,
  explicitStatuses,
  type Operation,
  parseJson,
  type Resource,
  recordPath,
  shapeAt,
  sharesMembers,
} from '#spec';
import { andThen } from '../../http/exchange.ts';
import { onFirstCall } from '../../http/memoize.ts';
import { concreteType, successForm } from '../../http/representations.ts';
import type { Id } from '../../store/port.ts';
import { compileItemAddress, recordNotFound } from '../item.ts';
import type { Act, ActionContext } from './action.ts';
import { compileSample, sampleBody } from './sample.ts';
import { compileShow } from './show.ts';

/** Responds with one record by its id. */
export function compileRead({ operation, collection }: ActionContext): Act | undefined {
  const { status, media } = successForm(operation);
  const addressOf = compileItemAddress(collection);
  if (!media || !addressOf) return undefined;
  const type = concreteType(media);
  return ({ values, store }) => {
    const { id, scope } = addressOf(values);
    return andThen(store.read(collection, id, scope), (text) =>
      text === undefined ? recordNotFound(id) : { status, type, body: text, version: text },
    );
  };
}

/** Removes a record. A documented body is the removed record if that fits, else a sample. */
export function compileRemove(context: ActionContext): Act | undefined {
  const { operation, collection, contract } = context;
  const { status, media } = successForm(operation);
  const addressOf = compileItemAddress(collection);
  if (!addressOf) return undefined;
  const validate = media?.schema && contract.validators.compile(media.schema, 'response');
  const sampled = sampleBody(context);
  return async ({ values, store }) => {
    const { id, scope } = addressOf(values);
    const text = validate && (await store.read(collection, id, scope));
    if (!(await store.remove(collection, id, scope))) return recordNotFound(id);
    const { type, body } = sampled();
    const fits = text !== undefined && validate?.(parseJson(text)).length === 0;
    return { status, type, body: fits ? text : body };
  };
}

/**
 * Does something to a record that must exist. What it does the document does not say: a response that describes the
 * record shows it as it is, any other one is a sample.
 */
export function compileItemAction(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  const addressOf = compileItemAddress(collection);
  if (!addressOf) return undefined;
  const { status, media } = successForm(operation);
  const type = media && concreteType(media);
  const sampled = compileSample(context);
  const shown = shapeAt(answerShape(operation), recordPath(collection.resource, operation));
  const showsRecord = shown !== undefined && sharesMembers(shown, collection.resource.shape);
  const act: Act = (task) => {
    const { id, scope } = addressOf(task.values);
    return andThen(task.store.read(collection, id, scope), (text) => {
      if (text === undefined) return recordNotFound(id);
      return showsRecord ? { status, type, body: text, version: text } : sampled(task);
    });
  };
  return showsRecord ? onFirstCall(() => compileShow(context, 'action', act)) : act;
}

/**
 * Whether any id names a record: nothing says which ones do, and no status is documented for those that do not
 * (`/exchange-rates/{currency}`).
 */
function isAnyId({ actions, further }: Resource): boolean {
  if (actions.list || actions.create || further.some(({ role }) => TELLING.has(role))) return false;
  return Object.values(actions).every((operation) => !documentsNotFound(operation));
}

/** What shows or makes the ids of a collection. */
const TELLING: ReadonlySet<string> = new Set(['list', 'view', 'create', 'createMany']);

function documentsNotFound({ responses }: Operation): boolean {
  return explicitStatuses(responses).some((status) => status === 404 || status === 410);
}

/**
 * Lets an action on one record of such a collection find a record, whatever its id is. A value that no record can have as
 * its id, such as the last of several coordinates, is answered with a sample.
 */
export function compileAnyId(context: ActionContext, act: Act): Act {
  const { operation, collection, contract, seeds } = context;
  const addressOf = isAnyId(collection.resource) ? compileItemAddress(collection, operation) : undefined;
  if (!addressOf) return act;
  const sample = onFirstCall(() => compileSample(context));
  const parts = collection.resource.id?.shape.parts ?? [];
  const isId = (id: Id) =>
    parts.every((part) => contract.validators.compile(part, 'response')(id).length === 0);
  return (task) => {
    const { id, scope } = addressOf(task.values);
    return andThen(task.store.read(collection, id, scope), (text) => {
      if (text !== undefined) return act(task);
      if (!isId(id)) return sample(task);
      const members = seeds.record(collection.resource, id) as Readonly<Record<string, unknown>>;
      return andThen(task.store.create(collection, { id, members, scope }), () => act(task));
    });
  };
}
