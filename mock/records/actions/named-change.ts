import {
  attributesIn,
  bodyPath,
  type Data,
  type Effect,
  effectOf,
  isEqual,
  isNullable,
  isPresumed,
  isRecord,
  isSentAs,
  type Json,
  lastSegment,
  memberShape,
  parseJson,
  type Shape,
  valueAt,
} from '#spec';
import { type Awaitable, andThen } from '../../http/exchange.ts';
import { memoizeFew } from '../../http/memoize.ts';
import type { Refusal } from '../../http/refusal.ts';
import type { Id } from '../../store/port.ts';
import { type Link, linksOf, setLink } from '../links.ts';
import { compileFit } from '../seed/fake.ts';
import type { ActionContext, Task } from './action.ts';
import { accountIn } from './made-by.ts';
import { compileTouched, compileWrite } from './moments.ts';
import { moveOf } from './transitions.ts';

/** What a request changes in a record. Undefined: nothing. */
export type NamedChange = (task: Task, id: Id) => Awaitable<Change | undefined>;

export interface Change {
  edit(record: Data): Data;
  /** Why the change is refused: it was made before. Call it after the edit. */
  refusal(): Refusal | undefined;
  /** Reverts the change if there is no such record. */
  undo(): Awaitable<unknown>;
}

/**
 * Compiles the change that an operation names: members get a value, from the body or query, or the current time, or count
 * up. Undefined: no change is known.
 */
export function compileNamedChange(context: ActionContext): NamedChange | undefined {
  const { operation, collection } = context;
  const effect = effectOf(operation, collection.resource);
  const { property, to } = moveOf(context) ?? {};
  // `dispatch` leads to a state without a verb of its own.
  if (property !== undefined && to !== undefined && effect?.sets[property] === undefined)
    return compileEffect(context, { signs: ['words'], ...effect, sets: { ...effect?.sets, [property]: to } });
  if (effect) return effect.toggles ? compileToggle(context, effect) : compileEffect(context, effect);
  const inside = attributesIn(collection.resource.shape);
  if (!inside) return undefined;
  const resource = { ...collection.resource, shape: inside, id: undefined };
  const within = effectOf(operation, resource);
  const change = within && compileEffect({ ...context, collection: { ...collection, resource } }, within);
  return change && ((task, id) => andThen(change(task, id), (made) => made && inAttributes(made)));
}

/** In JSON:API, changes apply to the attributes. */
const inAttributes = ({ edit, ...made }: Change): Change => ({
  ...made,
  edit: (record) => ({
    ...record,
    attributes: edit(isRecord(record.attributes) ? record.attributes : {}),
  }),
});

type Fits = (name: string, value: unknown) => boolean;

function compileFits({ collection: { resource } }: ActionContext): Fits {
  const checkOf = memoizeFew((name: string) => compileFit(memberShape(resource.shape, name) as Shape));
  return (name, value) => {
    const member = memberShape(resource.shape, name);
    if (!member || value === null) return member !== undefined && isNullable(member);
    return checkOf(name)(value);
  };
}

/** The value of a member in the body or query. */
function saidOf({ values: { body, parameters } }: Task, name: string, path: readonly string[]): unknown {
  const valueIn = (source: unknown) =>
    isRecord(source) ? Object.entries(source).find(([key]) => isSentAs(key, name))?.[1] : undefined;
  const whole = isRecord(body) || Array.isArray(body) ? undefined : body;
  return valueIn(valueAt(body, path)) ?? whole ?? valueIn(parameters.query) ?? valueIn(parameters.path);
}

/** A repeated action is reverted: per account, where each account has its own flag. */
function compileToggle(context: ActionContext, effect: Effect): NamedChange {
  const { collection } = context;
  const { accountFlag, sets } = effect;
  const back = Object.entries(sets).flatMap(([name, value]) =>
    BACK.has(value) ? [[name, BACK.get(value) as Json] as const] : [],
  );
  const [flag = ''] = Object.keys(sets).filter((name) => typeof sets[name] === 'boolean');
  const taken = {
    ...effect,
    sets: Object.fromEntries(back),
    ...(accountFlag && { accountFlag: { ...accountFlag, isOn: !accountFlag.isOn } }),
  };
  const [on, off] = [compileEffect(context, effect), compileEffect(context, taken)];
  return (task, id) => {
    const { account } = (accountFlag && task.sender) ?? {};
    const isDone = account
      ? andThen(linksOf(task.store, account), (links) =>
          links.has({ collection: collection.name, id, flag: accountFlag?.key ?? '' }),
        )
      : andThen(task.store.read(collection, id, []), (text) => {
          return text !== undefined && valueAt(parseJson(text), [flag]) === sets[flag];
        });
    return andThen(isDone, (is) => (is ? off : on)(task, id));
  };
}

const BACK: ReadonlyMap<Json, Json> = new Map<Json, Json>([
  [true, false],
  [false, true],
  ['+1', '-1'],
  ['-1', '+1'],
  ['$now', null],
]);

function compileEffect(context: ActionContext, { sets, accountFlag }: Effect): NamedChange {
  const { collection, operation } = context;
  const { shape, id: identity } = collection.resource;
  const fits = compileFits(context);
  const touched = compileTouched(collection.resource);
  const path = bodyPath(collection.resource, operation);
  const [statusKey] =
    Object.entries(operation.said.facts.refuses ?? {}).find(([, why]) => why === 'state') ?? [];
  const isRefused = statusKey !== undefined || operation.responses.some(({ key }) => key === '409');
  const refusal = {
    ...isDoneAlready(operation, collection.name),
    ...(statusKey && { status: Number(statusKey) }),
  };
  const members = Object.entries(sets).map(([name, value]): Setting => {
    const member = memberShape(shape, name);
    const write = member && value === '$now' ? compileWrite(name, member) : undefined;
    return { name, value, shape: member, write };
  });
  const settled = members.filter(({ value }) => value !== null && !/^(?:\$|[+-]1$)/.test(String(value)));
  const named = new Set([identity?.property, ...Object.keys(sets)]);
  const isSaid = members.length > 0 && members.every(({ value }) => value === '$body');

  /** Other members of the record in the body, or in the query without a body, such as a reason. */
  function saidBeside({ values: { body, parameters } }: Task): Data {
    const whole = operation.body && !isPresumed(operation.body) ? body : (body ?? parameters.query);
    const sentValue = valueAt(whole, path);
    const entries = isRecord(sentValue) ? Object.entries(sentValue) : [];
    const kept = entries.filter(([name, value]) => {
      const member = named.has(name) ? undefined : memberShape(shape, name);
      return member && !member.readOnly && !member.writeOnly && fits(name, value);
    });
    return Object.fromEntries(kept);
  }

  /** NOT_SET: keep the member; undefined: remove it. */
  function valueFor({ name, value, shape: member, write }: Setting, task: Task, record: Data): unknown {
    if (value === '$body') return saidOf(task, name, path) ?? NOT_SET;
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

  /** @param was whether the account did it before; undefined: the change is not per account */
  function isDoneIn(record: Data, was: boolean | undefined): boolean {
    if (accountFlag && was !== undefined)
      return (
        was === accountFlag.isOn &&
        settled.every(({ name, value }) => name === accountFlag.key || isEqual(record[name], value))
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
    if (isSaid && members.every(({ name }) => !fits(name, saidOf(task, name, path)))) return undefined;
    const account = accountFlag && task.sender?.account;
    const link: Link | undefined = account && {
      account: account.subject,
      collection: collection.name,
      id,
      flag: accountFlag.key,
    };
    return andThen(link && setLink(task.store, link, accountFlag?.isOn === true), (was) => {
      let isDone = false;
      return {
        edit(record) {
          isDone = isDoneIn(record, was);
          if (isDone) return record;
          const made: Data = Object.fromEntries(
            members.flatMap((setting): [string, unknown][] => {
              const { name } = setting;
              if (was !== undefined && name === accountFlag?.key) return [];
              const value = valueFor(setting, task, record);
              return value === NOT_SET || (value !== undefined && !fits(name, value)) ? [] : [[name, value]];
            }),
          );
          const changed = isSaid ? made : { ...saidBeside(task), ...made };
          // A change for one account does not touch the record's time of change.
          const all = accountFlag ? changed : { ...changed, ...touched(record, changed, task.time()) };
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
  /** Writes the current time. */
  readonly write: ReturnType<typeof compileWrite>;
}

const NOT_SET = Symbol('not set');

/** A repeated action is refused where the document has a 409 for it. */
const isDoneAlready = ({ path }: ActionContext['operation'], name: string): Refusal => ({
  refuse: 'conflict',
  message: `It is done already: ${lastSegment(path)} of a record of ${name}`,
});
