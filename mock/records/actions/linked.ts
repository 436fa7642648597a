import {
  accountFlags,
  answerShape,
  arrayShape,
  type Data,
  flaggedIn,
  followOf,
  innerNamed,
  isEqual,
  isRecord,
  type ListForm,
  MAKER,
  memberShape,
  pathParameters,
  type ReadRequest,
  type Resource,
  referencesOf,
  valueAt,
  whereOf,
} from '#spec';
import { type Awaitable, allOf, andThen } from '../../http/exchange.ts';
import { type Id, recordsWhere } from '../../store/port.ts';
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
  /** The path parameters that select by members of other records. */
  readonly elsewhere: readonly string[];
}

/**
 * Compiles selection by what accounts have done: `?favorited=ann` selects the records that ann has favorited,
 * `/users/ann/likes` those that she likes, `/feed` those whose author the account follows. Without an account, the record's
 * flag counts.
 */
export function compileLinked(context: ActionContext): LinkedList {
  const { collection, collections } = context;
  const { filters = [] } = collection.resource.list ?? {};
  const flagEntry = [...collections].find(
    ([resource, { name }]) => name === collection.name && accountFlags(resource).length > 0,
  );
  const flags = flagEntry ? accountFlags(flagEntry[0]) : [];
  const byFlag = filters.filter(({ property }) => flags.includes(property));
  const within = namedWithin(context);
  const all = [
    ...byFlag.map(({ parameter, property }) =>
      compileFlag(context, property, ({ parameters }) => parameters.query[parameter.name]),
    ),
    ...compileWhere(context, flagEntry?.[0] ?? collection.resource),
    ...within.map(compileShown),
  ];
  const elsewhere = within.flatMap(({ place, name }) => (place === 'path' ? name : []));
  if (all.length === 0) return { filters, elsewhere, linked: undefined };
  const isWithin = ({ parameter }: ListForm['filters'][number]) =>
    within.some(({ place, name }) => place === 'query' && name === parameter.name);
  return {
    elsewhere,
    filters: filters.filter((filter) => !byFlag.includes(filter) && !isWithin(filter)),
    linked: (task) =>
      andThen(allOf(all.map((one) => one(task))), (tests) => {
        const meant = tests.filter((test) => test !== undefined);
        return meant.length === 0 ? undefined : (record: Data) => meant.every((isMeant) => isMeant(record));
      }),
  };
}

/** A member of an embedded record to select by: the name of the `building`, for `?buildingName=` or `/{buildingName}`. */
interface Within {
  readonly place: 'query' | 'path';
  readonly name: string;
  readonly property: string;
  readonly inner: string;
  readonly of: ActionContext['collection'];
}

function namedWithin({ operation, collection: { resource }, collections }: ActionContext): Within[] {
  const { shape, list } = resource;
  const asked = [
    ...(list?.filters ?? []).map((filter) => ({
      ...filter,
      place: 'query' as const,
      name: filter.parameter.name,
    })),
    ...pathParameters(operation.path).flatMap((name) => {
      const member = innerNamed(shape, name);
      return member ? [{ ...member, place: 'path' as const, name }] : [];
    }),
  ];
  if (asked.every(({ inner }) => inner === undefined)) return [];
  const references = referencesOf(shape, [...collections.keys()]);
  return asked.flatMap(({ place, name, property, inner }) => {
    const { to } = references.find((reference) => reference.shape && reference.property === property) ?? {};
    const of = to && collections.get(to);
    const isOther = inner !== undefined && inner !== to?.id?.property && to?.shape.properties.has(inner);
    return of && isOther ? [{ place, name, property, inner, of }] : [];
  });
}

/** Compiles selecting by the embedded record, of which the list's records only store the id. */
function compileShown({ place, name, property, inner, of }: Within): Linked {
  const id = of.resource.id?.property ?? '';
  return ({ values: { parameters }, store }) => {
    const { [name]: value } = parameters[place];
    if (value === undefined || value === '') return undefined;
    const wanted = [value].flat().map(String);
    return andThen(recordsWhere(store, of, []), (all) => {
      const ids = new Set(
        all.filter((one) => wanted.includes(String(one[inner]))).map((one) => String(one[id])),
      );
      return (record: Data) =>
        [record[property]].flat().some((one) => isRecord(one) && ids.has(String(one[id])));
    });
  };
}

/** The selection that the path implies. */
function compileWhere(context: ActionContext, resource: Resource): Linked[] {
  const { operation, collection, collections, contract } = context;
  const { list } = collection.resource;
  const itemShape = (list && arrayShape(list, answerShape(operation))?.items) ?? resource.shape;
  const described = { operations: contract.operations, resources: [...collections.keys()] };
  const where = whereOf(operation, resource, described, itemShape) ?? {};
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
