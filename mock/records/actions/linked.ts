import {
  accountFlags,
  answerShape,
  arrayShape,
  type Data,
  flaggedIn,
  followOf,
  isEqual,
  type ListForm,
  MAKER,
  memberShape,
  type ReadRequest,
  type Resource,
  valueAt,
  whereOf,
} from '#spec';
import { type Awaitable, allOf, andThen } from '../../http/exchange.ts';
import type { Id } from '../../store/port.ts';
import { accountsWith } from '../accounts.ts';
import { linksOf, MADE } from '../links.ts';
import type { ActionContext, Task } from './action.ts';
import { isMadeBy } from './made-by.ts';

export type IsMeant = (record: Data) => boolean;

/** Which records a list selects by flags and links of accounts. Undefined: all. */
export type Linked = (task: Task) => Awaitable<IsMeant | undefined>;

/** A list whose records are selected by flags and links of accounts. */
interface LinkedList {
  /** The filters that compare members of the record. */
  readonly filters: ListForm['filters'];
  readonly linked: Linked | undefined;
}

/**
 * Compiles selection by what accounts have done: `?favorited=ann` selects the records that ann has favorited,
 * `/users/ann/likes` those that she likes, `/feed` those whose author the account follows. Without an account, the record's
 * flag counts.
 */
export function compileLinked(context: ActionContext): LinkedList {
  const { collection, collections } = context;
  const { filters = [] } = collection.resource.list ?? {};
  const own = [...collections].find(
    ([one, { name }]) => name === collection.name && accountFlags(one).length > 0,
  );
  const flags = own ? accountFlags(own[0]) : [];
  const byFlag = filters.filter(({ property }) => flags.includes(property));
  const all = [
    ...byFlag.map(({ parameter, property }) =>
      compileFlag(context, property, ({ parameters }) => parameters.query[parameter.name]),
    ),
    ...compileWhere(context, own?.[0] ?? collection.resource),
  ];
  if (all.length === 0) return { filters, linked: undefined };
  return {
    filters: filters.filter((one) => !byFlag.includes(one)),
    linked: (task) =>
      andThen(allOf(all.map((one) => one(task))), (said) => {
        const meant = said.filter((one) => one !== undefined);
        return meant.length === 0 ? undefined : (record: Data) => meant.every((isMeant) => isMeant(record));
      }),
  };
}

/** The selection that the path implies. */
function compileWhere(context: ActionContext, resource: Resource): Linked[] {
  const { operation, collection, collections, contract } = context;
  const { list } = collection.resource;
  const shown = (list && arrayShape(list, answerShape(operation))?.items) ?? resource.shape;
  const described = { operations: contract.operations, resources: [...collections.keys()] };
  const where = whereOf(operation, resource, described, shown) ?? {};
  return Object.entries(where).flatMap(([member, value]) => {
    if (member === MAKER) return compileMaker(collection);
    if (value === '$followed') return compileFollowed(context, member.split('.')) ?? [];
    if (!accountFlags(resource).includes(member))
      return compileHas(member, value, operation.said.facts.where !== undefined);
    const [, parameter] = /^\{(.+)\}$/.exec(String(value)) ?? [];
    return compileFlag(context, member, ({ parameters }) =>
      parameter === undefined ? value : parameters.path[parameter],
    );
  });
}

/**
 * Selects by a member: the account of the request, or a value. Keys see all, unless `x-paddock` restricts the list to an
 * account.
 */
function compileHas(member: string, wanted: unknown, isSaid: boolean): Linked {
  return ({ sender }) => {
    const { account } = sender ?? {};
    return (record) => {
      if (wanted !== '$account') return isEqual(record[member], wanted);
      return account ? isMadeBy(member, record[member], account) === true : !isSaid;
    };
  };
}

/** Selects what the account has created. An account that never registered sees all, since seeded records belong to nobody. */
export function compileMaker({ name, resource }: ActionContext['collection']): Linked {
  const property = resource.id?.property ?? '';
  return ({ sender, store }) => {
    const { account } = sender ?? {};
    if (account?.password === undefined) return undefined;
    return andThen(linksOf(store, account), (links) => (record: Data) => {
      const id = record[property] as Id;
      return account.records?.[name] === id || links.has({ collection: name, flag: MADE, id });
    });
  };
}

/** Selects by a flag: `true` and `false` for the account of the request, anything else names an account. */
function compileFlag(
  { collection: { name, resource } }: ActionContext,
  flag: string,
  valueIn: (values: ReadRequest) => unknown,
): Linked {
  const id = resource.id?.property ?? '';
  return (task) => {
    const value = valueIn(task.values);
    if (value === undefined) return undefined;
    const isOn = value !== false && value !== 'false';
    const isOwn = typeof value === 'boolean' || value === 'true' || value === 'false';
    const { sender, store } = task;
    const named = () => andThen(accountsWith(store, 'identity', [String(value)]), ([first]) => first);
    return andThen(isOwn ? sender?.account : named(), (account) => {
      if (!account) return isOwn ? (record: Data) => (record[flag] === true) === isOn : () => false;
      return andThen(linksOf(store, account), (links) => {
        return (record: Data) => links.has({ collection: name, flag, id: record[id] as Id }) === isOn;
      });
    });
  };
}

/** Selects records whose maker, embedded or referred to, the account follows. */
function compileFollowed(
  { collection, collections }: ActionContext,
  path: readonly string[],
): Linked | undefined {
  const { resource, family } = collection;
  const [member = ''] = path;
  const shape = memberShape(resource.shape, member);
  const to =
    family.kin.find(({ property, parent }) => property === member && followOf(parent))?.parent ??
    (shape && flaggedIn(shape, [...collections.keys()]));
  const flag = to && followOf(to);
  const name = to && collections.get(to)?.name;
  if (flag === undefined || name === undefined) return undefined;
  return ({ sender, store }) =>
    sender &&
    andThen(linksOf(store, sender.account), (links) => (record: Data) => {
      return links.has({ collection: name, id: valueAt(record, path) as Id, flag });
    });
}
