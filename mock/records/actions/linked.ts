import {
  answerShape,
  arrayShape,
  foldedName,
  isRecord,
  type ListForm,
  type ReadRequest,
  type Shape,
  sameName,
} from '#spec';
import { type Awaitable, allOf, andThen } from '../../http/exchange.ts';
import type { Id } from '../../store/port.ts';
import { accountsWith } from '../accounts.ts';
import { linksOf } from '../links.ts';
import type { ActionContext, Task } from './action.ts';
import { type Flagged, flaggedAs, flaggedOf } from './own-flags.ts';
import { effectOf, lastSegment } from './verb-effect.ts';

type Data = Readonly<Record<string, unknown>>;
export type IsMeant = (record: Data) => boolean;

/** What a request says of the records that a list shows, by what accounts have done with them; undefined: nothing. */
export type Linked = (task: Task) => Awaitable<IsMeant | undefined>;

/** What a list shows by flags that belong to accounts. */
interface LinkedList {
  /** Of all filters those that compare members. */
  readonly filters: ListForm['filters'];
  readonly linked: Linked | undefined;
}

/**
 * Compiles how a list selects by what accounts have done: `?favorited=ann` the records that she has favorited, `/users/ann/likes` those
 * that she likes, `/feed` those of whom the account follows. Without an account it is the flag of the record that counts.
 */
export function compileLinked(context: ActionContext): LinkedList {
  const { collection } = context;
  const { list } = collection.resource;
  const { filters = [] } = list ?? {};
  const flagged = flaggedOf(context);
  const own = flagged.find(({ name }) => name === collection.name);
  const byFlag = own ? filters.filter(({ property }) => own.keys.includes(property)) : [];
  const all = [
    ...byFlag.map(({ parameter, property }) =>
      compileFilter(own as Flagged, property, ({ parameters }) => parameters.query[parameter.name]),
    ),
    own && compileView(context, own),
    flagged.length > 0 ? compileFeed(context, flagged) : undefined,
  ].filter((one) => one !== undefined);
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

/** By a flag: `true` and `false` for the account of the request, anything else is the name of one. */
function compileFilter(
  { name, id }: Flagged,
  flag: string,
  valueIn: (values: ReadRequest) => unknown,
): Linked {
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

/** `/users/{username}/favorites`, `/me/starred`: the end of the path says what has been done. */
function compileView(context: ActionContext, own: Flagged): Linked | undefined {
  const { operation, collection } = context;
  const segments = operation.path.split('/');
  const segment = segments.at(-1) ?? '';
  const { resource } = collection;
  const known = resource.shape.properties;
  const effect = segment.includes('{') ? undefined : effectOf(segment, true, resource);
  const flag = own.keys.find((key) => key === effect?.key || sameName(key, segment));
  if (flag === undefined || operation.path === resource.path) return undefined;
  const parameter = /^\{(.+)\}$/.exec(segments.at(-2) ?? '')?.[1];
  const isOfAll = parameter === undefined && !known.has(flag);
  return isOfAll
    ? undefined
    : compileFilter(own, flag, ({ parameters }) =>
        parameter === undefined ? true : parameters.path[parameter],
      );
}

const FEED = /^(?:my|home|news|following)?(?:feed|timeline|stream|following|subscriptions)$/;
const FOLLOWS = /follow|subscri/i;

/** What those have made whom the account follows: whom a record shows, or names. */
function compileFeed({ operation, collection }: ActionContext, flagged: readonly Flagged[]) {
  const { resource, family } = collection;
  if (!FEED.test(foldedName(lastSegment(operation.path)))) return undefined;
  const shape = shownShape(operation, resource.list) ?? resource.shape;
  const shown = [...shape.properties].flatMap(([member, inner]) => {
    const found = inner.mainType === 'object' ? flaggedAs(inner, flagged) : undefined;
    return found ? [{ member, inner: found.id, ...followedBy(found) }] : [];
  });
  const named = family.kin.flatMap(({ property, inner, parent }) => {
    const found = flagged.find(({ resource: one }) => one === parent);
    return found && property !== undefined ? [{ member: property, inner, ...followedBy(found) }] : [];
  });
  const [maker] = [...shown, ...named].filter(({ flag }) => flag !== undefined);
  if (!maker) return undefined;
  const { member, inner, name, flag = '' } = maker;
  const linked: Linked = ({ sender, store }) =>
    sender &&
    andThen(linksOf(store, sender.account), (links) => (record: Data) => {
      const value = record[member];
      const id = inner === undefined ? value : isRecord(value) ? value[inner] : undefined;
      return links.has({ collection: name, id: id as Id, flag });
    });
  return linked;
}

const followedBy = ({ name, keys }: Flagged) => ({ name, flag: keys.find((key) => FOLLOWS.test(key)) });

function shownShape(operation: ActionContext['operation'], list: ListForm | undefined): Shape | undefined {
  return list && arrayShape(list, answerShape(operation))?.items;
}
