import {
  attributesIn,
  type Data,
  type Effect,
  effectOf,
  isEqual,
  isNullable,
  isPresumed,
  isRecord,
  isSentAs,
  lastSegment,
  memberShape,
  parseJson,
  recordExamples,
  type Shape,
  sentType,
} from '#spec';
import { type Awaitable, andThen } from '../../http/exchange.ts';
import { memoizeFew, onFirstCall } from '../../http/memoize.ts';
import type { Outcome, Refusal } from '../../http/refusal.ts';
import { successForm } from '../../http/representations.ts';
import type { Id } from '../../store/port.ts';
import { accountsWith } from '../accounts.ts';
import { changeRecord } from '../fitting-record.ts';
import { compileItemAddress, type ItemAddress, isAlone, isAnyId, isShown, recordNotFound } from '../item.ts';
import { type Link, removeRecord, setLink } from '../links.ts';
import { compileFit } from '../seed/fake.ts';
import type { Act, ActionContext, Run, Task } from './action.ts';
import { compileQueryUpdate } from './edit.ts';
import { accountIn } from './made-by.ts';
import { compileTouched, compileWrite } from './moments.ts';
import { compileSample, sampleBody, withConstants } from './sample.ts';
import { compileTransitions, moveOf } from './transitions.ts';

/** Responds with one record by its id. */
export function compileRead({ operation, collection }: ActionContext): Act | undefined {
  const { status, media } = successForm(operation);
  const addressOf = compileItemAddress(collection);
  if (!media || !addressOf) return undefined;
  const type = sentType(media);
  return ({ values, store }) => {
    const { id, scope } = addressOf(values);
    return andThen(store.read(collection, id, scope), (text) =>
      text === undefined ? recordNotFound(id) : { status, type, body: text, version: text },
    );
  };
}

/** Removes a record. A documented body is the removed record if that is described, else a sample that says yes. */
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
 * Does something to a record that must exist. What it does the document does not say, unless its path names a member: a
 * response that describes the record shows it as it is, any other one is a sample.
 */
export function compileItemAction(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  const addressOf = compileItemAddress(collection);
  if (!addressOf) return undefined;
  const { status, media } = successForm(operation);
  const type = media && sentType(media);
  const sampled = compileSample(context);
  const showsRecord = isShown(operation, collection.resource);
  const update = compileQueryUpdate(context);
  if (update) return update;
  const change = onFirstCall(() => compileNamedChange(context) ?? (() => undefined));
  const forbidden = onFirstCall(() => compileTransitions(context));

  function changed(task: Task, made: Change | undefined, address: ItemAddress): Awaitable<Outcome> {
    const { id, scope } = address;
    const found = made
      ? changeRecord(task.store, collection, address, (record) => {
          const members = made.edit(record);
          return forbidden(record, members) ?? { id, members, scope };
        })
      : andThen(task.store.read(collection, id, scope), (text) => text ?? recordNotFound(id));
    return andThen(found, (text): Awaitable<Outcome> => {
      if (typeof text !== 'string') return andThen(made?.undo(), () => text);
      const refusal = made?.refusal();
      if (refusal) return refusal;
      if (showsRecord) return { status, type, body: text, version: text };
      return sampled(task);
    });
  }
  return (task) => {
    const { id, scope } = addressOf(task.values);
    return andThen(change(task, id), (made) => changed(task, made, { id, scope }));
  };
}

/** What there is one of at a path reads as it was seeded until somebody writes it. */
export function compileAlone({ collection, operation, seeds, contract }: ActionContext): Run | undefined {
  const { resource, name } = collection;
  const addressOf = isAlone(resource) ? compileItemAddress(collection) : undefined;
  if (!addressOf) return undefined;
  const shown = onFirstCall(() => {
    const checks = resource.shape.roots.map((part) => contract.validators.compile(part, 'response'));
    const all = recordExamples(resource).map(({ members }) => members);
    const found = all.find((members) => checks.every((check) => check(members).length === 0));
    return () => found;
  });
  return (task, next) => {
    const { store } = task;
    const { id, scope } = addressOf(task.values);
    const first = () => {
      const made = seeds.single(resource, id) as Data;
      return {
        id,
        members: shown() ?? withConstants(made, resource.actions.read ?? operation, false),
        scope,
      };
    };
    /** Of requests at once the first one does it. */
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
 * Lets an action on one record find a record, whatever its id is, where nothing says which ids there are. A value that no
 * record can have as its id, such as the last of several coordinates, is answered with a sample.
 */
export function compileAnyId(context: ActionContext): Run | undefined {
  const { operation, collection, contract, seeds } = context;
  const { resource } = collection;
  const addressOf =
    isAnyId(resource) && !isAlone(resource) ? compileItemAddress(collection, operation) : undefined;
  if (!addressOf) return undefined;
  const sample = onFirstCall(() => compileSample(context));
  const parts = collection.resource.id?.shape.roots ?? [];
  const isId = (id: Id) =>
    parts.every((part) => contract.validators.compile(part, 'response')(id).length === 0);
  return (task, next) => {
    const { id, scope } = addressOf(task.values);
    return andThen(task.store.read(collection, id, scope), (text) => {
      if (text !== undefined) return next(task);
      if (!isId(id)) return sample(task);
      // An account that has been called so is called otherwise now, or is gone.
      return andThen(accountsWith(task.store, 'former', [String(id)]), ([former]) => {
        if (former) return recordNotFound(id);
        const members = seeds.record(collection.resource, id) as Data;
        return andThen(task.store.create(collection, { id, members, scope }), () => next(task));
      });
    });
  };
}

/** What a request makes of a record; undefined: nothing. */
export type NamedChange = (task: Task, id: Id) => Awaitable<Change | undefined>;

export interface Change {
  edit(record: Data): Data;
  /** Why it is not made: it is made already. To ask after the edit. */
  refusal(): Refusal | undefined;
  /** There is no such record. */
  undo(): Awaitable<unknown>;
}

/**
 * Compiles the change of a record that an operation says: members get values, that of the body or the query, or the moment,
 * and are counted. Undefined: nothing is known of one.
 */
function compileNamedChange(context: ActionContext): NamedChange | undefined {
  const { operation, collection } = context;
  const effect = effectOf(operation, collection.resource);
  const { property, to } = moveOf(context) ?? {};
  // `dispatch` leads to a state that no verb names.
  if (property !== undefined && to !== undefined && effect?.sets[property] === undefined)
    return compileEffect(context, { signs: ['words'], ...effect, sets: { ...effect?.sets, [property]: to } });
  if (effect) return compileEffect(context, effect);
  const inside = attributesIn(collection.resource.shape);
  if (!inside) return undefined;
  const resource = { ...collection.resource, shape: inside, id: undefined };
  const within = effectOf(operation, resource);
  const change = within && compileEffect({ ...context, collection: { ...collection, resource } }, within);
  return change && ((task, id) => andThen(change(task, id), (made) => made && inAttributes(made)));
}

/** Of JSON:API what is done is done to the attributes. */
const inAttributes = ({ edit, ...made }: Change): Change => ({
  ...made,
  edit: (record) => ({
    ...record,
    attributes: edit(isRecord(record.attributes) ? record.attributes : {}),
  }),
});

type Fits = (name: string, value: unknown) => boolean;

function compileFits({ collection: { resource }, contract }: ActionContext): Fits {
  const checkOf = memoizeFew((name: string) =>
    compileFit(memberShape(resource.shape, name) as Shape, contract.validators),
  );
  return (name, value) => {
    const member = memberShape(resource.shape, name);
    if (!member || value === null) return member !== undefined && isNullable(member);
    return checkOf(name)(value);
  };
}

/** What the body or the query says of a member. */
function saidOf({ values: { body, parameters } }: Task, name: string): unknown {
  const valueIn = (given: unknown) =>
    isRecord(given) ? Object.entries(given).find(([own]) => isSentAs(own, name))?.[1] : undefined;
  const whole = isRecord(body) || Array.isArray(body) ? undefined : body;
  return valueIn(body) ?? whole ?? valueIn(parameters.query) ?? valueIn(parameters.path);
}

function compileEffect(context: ActionContext, { sets, own }: Effect): NamedChange {
  const { collection, contract, operation } = context;
  const { shape, id: identity } = collection.resource;
  const fits = compileFits(context);
  const touched = compileTouched(collection.resource, contract.validators);
  const [said] = Object.entries(operation.said.facts.refuses ?? {}).find(([, why]) => why === 'state') ?? [];
  const isRefused = said !== undefined || operation.responses.some(({ key }) => key === '409');
  const refusal = { ...isDoneAlready(operation, collection.name), ...(said && { status: Number(said) }) };
  const members = Object.entries(sets).map(([name, value]): Setting => {
    const member = memberShape(shape, name);
    const write = member && value === '$now' ? compileWrite(name, member, contract.validators) : undefined;
    return { name, value, shape: member, write };
  });
  const settled = members.filter(({ value }) => value !== null && !/^(?:\$|[+-]1$)/.test(String(value)));
  const named = new Set([identity?.property, ...Object.keys(sets)]);
  const isSaid = members.length > 0 && members.every(({ value }) => value === '$body');

  /** What else the body says of the record, or the query where there is none, such as a reason. */
  function saidBeside({ values: { body, parameters } }: Task): Data {
    const given = operation.body && !isPresumed(operation.body) ? body : (body ?? parameters.query);
    const said = isRecord(given) ? Object.entries(given) : [];
    const kept = said.filter(([name, value]) => {
      const member = named.has(name) ? undefined : memberShape(shape, name);
      return member && !member.readOnly && !member.writeOnly && fits(name, value);
    });
    return Object.fromEntries(kept);
  }

  /** NOT_SET: it stays as it is; undefined: it goes. */
  function valueFor({ name, value, shape: member, write }: Setting, task: Task, record: Data): unknown {
    if (value === '$body') return saidOf(task, name) ?? NOT_SET;
    if (value === '$now' && member) return write ? write(task.time()) : NOT_SET;
    if (value === '$account' && member)
      return (task.sender && accountIn(name, member, task.sender.account)) ?? NOT_SET;
    if (value === '+1' || value === '-1') {
      const count = Number(record[name] ?? 0) + Number(value);
      return count < 0 ? NOT_SET : count;
    }
    if (value === null && member && !isNullable(member))
      return shape.required.has(name) ? NOT_SET : undefined;
    return value;
  }

  /** @param was whether the account has done it before; undefined: it is done for all */
  function isDoneIn(record: Data, was: boolean | undefined): boolean {
    if (own && was !== undefined)
      return (
        was === own.isOn &&
        settled.every(({ name, value }) => name === own.key || isEqual(record[name], value))
      );
    if (settled.length > 0) return settled.every(({ name, value }) => isEqual(record[name], value));
    const moments = members.filter(({ value }) => value === '$now' || value === null);
    const isOnlyMoments = moments.length > 0 && moments.length === members.length;
    return (
      isOnlyMoments &&
      moments.every(({ name, value }) => ((record[name] ?? null) === null) === (value === null))
    );
  }

  return (task, id) => {
    if (isSaid && members.every(({ name }) => !fits(name, saidOf(task, name)))) return undefined;
    const account = own && task.sender?.account;
    const link: Link | undefined = account && {
      ...{ account: account.subject, collection: collection.name, id, flag: own.key },
    };
    return andThen(link && setLink(task.store, link, own?.isOn === true), (was) => {
      let isDone = false;
      return {
        edit(record) {
          isDone = isDoneIn(record, was);
          if (isDone) return record;
          const made: Data = Object.fromEntries(
            members.flatMap((setting): [string, unknown][] => {
              const { name } = setting;
              if (was !== undefined && name === own?.key) return [];
              const value = valueFor(setting, task, record);
              return value === NOT_SET || (value !== undefined && !fits(name, value)) ? [] : [[name, value]];
            }),
          );
          const changed = isSaid ? made : { ...saidBeside(task), ...made };
          // What an account does for itself does not change what the record is about.
          const all = own ? changed : { ...changed, ...touched(record, changed, task.time()) };
          const next = Object.entries({ ...record, ...all });
          return Object.fromEntries(next.filter(([, value]) => value !== undefined));
        },
        refusal: () => (isDone && isRefused ? refusal : undefined),
        undo: () => link && setLink(task.store, link, was === true),
      };
    });
  };
}

interface Setting {
  readonly name: string;
  readonly value: unknown;
  readonly shape: Shape | undefined;
  /** Of a moment. */
  readonly write: ReturnType<typeof compileWrite>;
}

const NOT_SET = Symbol('not set');

/** What is done already cannot be done again where the document has a 409 for an action. */
const isDoneAlready = ({ path }: ActionContext['operation'], name: string): Refusal => ({
  refuse: 'conflict',
  message: `It is done already: ${lastSegment(path)} of a record of ${name}`,
});
