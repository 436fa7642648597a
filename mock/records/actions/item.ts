import {
  answerShape,
  type Data,
  fullyFits,
  idMemberIn,
  memberShape,
  once,
  parseJson,
  pathParameters,
  type Resource,
  recordExamples,
  recordName,
  saysOf,
  unwrapped,
} from '#spec';
import { type Awaitable, andThen } from '../../http/exchange.ts';
import { onFirstCall } from '../../http/memoize.ts';
import type { Outcome } from '../../http/refusal.ts';
import { compileRecordContent, successForm } from '../../http/representations.ts';
import type { Id, Scalar } from '../../store/port.ts';
import { accountsWith } from '../accounts.ts';
import { changeRecord } from '../fitting-record.ts';
import { compileItemAddress, type ItemAddress, isAlone, isAnyId, isShown, recordNotFound } from '../item.ts';
import { removeRecord } from '../links.ts';
import { idsOf } from '../relations.ts';
import type { Act, ActionContext, Run, Task } from './action.ts';
import { compileQueryUpdate } from './edit.ts';
import { compileFirst } from './list.ts';
import { type Change, compileNamedChange } from './named-change.ts';
import { compileSample, sampleBody, withConstants } from './sample.ts';
import { compileTransitions, moveOf } from './transitions.ts';

/** Responds with a record by its id. */
export function compileRead({ operation, collection }: ActionContext): Act | undefined {
  const form = successForm(operation);
  const addressOf = compileItemAddress(collection);
  if (!form.media) return undefined;
  const contentOf = compileRecordContent(form);
  const { list } = collection.resource;
  if (!addressOf) return list && compileFirst(collection, list, contentOf);
  return ({ values, store }) => {
    const { id, scope } = addressOf(values);
    return andThen(store.read(collection, id, scope), (text) =>
      text === undefined ? recordNotFound(id) : contentOf(text),
    );
  };
}

/** Removes a record. A documented response body shows the removed record if its schema does, else a sample of success. */
export function compileRemove(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  const { status } = successForm(operation);
  const addressOf = compileItemAddress(collection);
  if (!addressOf) return undefined;
  const showsRecord = isShown(operation, collection.resource);
  const sampled = sampleBody(context);
  const isBound = moveOf(context) !== undefined;
  const forbidden = onFirstCall(() => compileTransitions(context));
  return async ({ values, store }) => {
    const { id, scope } = addressOf(values);
    const text = showsRecord || isBound ? await store.read(collection, id, scope) : undefined;
    const refusal = isBound && text !== undefined ? forbidden(parseJson(text) as Data, {}) : undefined;
    if (refusal) return refusal;
    if (!(await removeRecord(store, collection, id, scope))) return recordNotFound(id);
    const { type, body } = sampled();
    return { status, type, body: showsRecord ? (text ?? body) : body };
  };
}

/**
 * Acts on an existing record. The document does not say how, unless the path names a member: a response with the record's
 * schema shows it unchanged, any other is a sample.
 */
export function compileItemAction(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  const addressOf = compileItemAddress(collection);
  if (!addressOf) return undefined;
  const contentOf = compileRecordContent(successForm(operation));
  const sampled = compileSample(context);
  const showsRecord = isShown(operation, collection.resource);
  const update = compileQueryUpdate(context);
  if (update) return update;
  const change = onFirstCall(() => compileNamedChange(context) ?? (() => undefined));
  const told = compileTold(context);
  const forbidden = onFirstCall(() => compileTransitions(context));

  function changed(task: Task, made: Change | undefined, address: ItemAddress): Awaitable<Outcome> {
    const { id, scope } = address;
    const stored = made
      ? changeRecord(task.store, collection, address, (record) => {
          const members = made.edit(record);
          return forbidden(record, members) ?? { id, members, scope };
        })
      : andThen(task.store.read(collection, id, scope), (text) => text ?? recordNotFound(id));
    return andThen(stored, (text): Awaitable<Outcome> => {
      if (typeof text !== 'string') return andThen(made?.undo(), () => text);
      const refusal = made?.refusal();
      if (refusal) return refusal;
      return showsRecord ? contentOf(text) : sampled(task, told(parseJson(text) as Data));
    });
  }
  return (task) => {
    const { id, scope } = addressOf(task.values);
    return andThen(change(task, id), (made) => changed(task, made, { id, scope }));
  };
}

/**
 * Compiles what a response tells of the record that an action has changed: its id as `order_id`, and its members, unless the
 * response has an id of its own and so is another record.
 */
function compileTold({ operation, collection: { resource } }: ActionContext): (record: Data) => Data {
  const noun = recordName(resource.path);
  const answer = unwrapped(answerShape(operation), noun);
  const isOther = answer !== undefined && memberShape(answer, 'id') !== undefined;
  const constants = saysOf(operation, true);
  const isTold = (name: string) => !isOther && !Object.hasOwn(constants, name);
  return (record) => {
    const id = record[idMemberIn(resource.shape, noun) ?? ''];
    const members = Object.entries(record).filter(([name]) => isTold(name));
    return { ...(id !== undefined && { [`${noun}_id`]: id }), ...Object.fromEntries(members) };
  };
}

/** A singleton has its seeded value until a request writes it. */
export function compileAlone({ collection, operation, seeds }: ActionContext): Run | undefined {
  const { resource, name } = collection;
  const addressOf = isAlone(resource) ? compileItemAddress(collection) : undefined;
  if (!addressOf) return undefined;
  const findExample = once(() => {
    const all = recordExamples(resource).map(({ members }) => members);
    return all.find((members) => fullyFits(resource.shape, members));
  });
  return (task, next) => {
    const { store } = task;
    const { id, scope } = addressOf(task.values);
    const first = () => {
      const made = seeds.single(resource, id) as Data;
      return {
        id,
        members: findExample() ?? withConstants(made, resource.actions.read ?? operation, false),
        scope,
      };
    };
    /** The first of several concurrent requests creates it; for the others it exists. */
    const keep = () => store.create(collection, first());
    return next({
      ...task,
      store: {
        ...store,
        read: (one, ...of) =>
          andThen(store.read(one, ...of), (text) =>
            text === undefined && one.name === name ? collection.complete(id, first()).text : text,
          ),
        change: (one, ...how) =>
          andThen(one.name === name ? keep() : undefined, () => store.change(one, ...how)),
        remove: (one, ...how) =>
          andThen(one.name === name ? keep() : undefined, () => store.remove(one, ...how)),
      },
    });
  };
}

/**
 * Creates the record of an action on demand, where the document does not say which ids exist. A value that cannot be an id,
 * such as the last of several coordinates, gets a sample.
 */
export function compileAnyId(context: ActionContext): Run | undefined {
  const { operation, collection, seeds } = context;
  const { resource } = collection;
  const addressOf =
    isAnyId(resource) && !isAlone(resource) ? compileItemAddress(collection, operation) : undefined;
  if (!addressOf) return undefined;
  const sample = onFirstCall(() => compileSample(context));
  const isId = (id: Id) => !resource.id || fullyFits(resource.id.shape, id);
  return (task, next) => {
    const { id, scope } = addressOf(task.values);
    return andThen(task.store.read(collection, id, scope), (text) => {
      if (text !== undefined) return next(task);
      if (!isId(id)) return sample(task);
      // The id is the former name of an account that was renamed or removed.
      return andThen(accountsWith(task.store, 'former', [String(id)]), ([former]) => {
        if (former) return recordNotFound(id);
        const members = seeds.record(collection.resource, id) as Data;
        return andThen(task.store.create(collection, { id, members, scope }), () => next(task));
      });
    });
  };
}

/** Finds a record by another member than its id: `PUT /users/email/{email}`. */
export function compileFound({ collection }: ActionContext): Run | undefined {
  const key = keyOf(collection.resource);
  if (key === undefined) return undefined;
  return (task, next) => {
    const { values, store } = task;
    const { path } = values.parameters;
    return andThen(idsOf(store, collection, [{ key, anyOf: [path[key] as Scalar] }]), ([id]) => {
      if (id === undefined) return recordNotFound(String(path[key]));
      const parameters = { ...values.parameters, path: { ...path, [key]: id } };
      return next({ ...task, values: { ...values, parameters } });
    });
  };
}

/** The member other than the id by which a path names a record. Undefined: it uses the id. */
function keyOf({ actions, id, shape }: Resource): string | undefined {
  const { parameter } = id ?? {};
  const isOwn =
    parameter === undefined ||
    Object.values(actions).some(({ path }) => pathParameters(path).includes(parameter));
  return isOwn || parameter === id?.property || !memberShape(shape, parameter) ? undefined : parameter;
}
