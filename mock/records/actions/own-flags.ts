import {
  answerShape,
  isRecord,
  memberShape,
  parseJson,
  type Resource,
  type Shape,
  schemaKey,
  sharesMembers,
  stringifyJson,
} from '#spec';
import { andThen } from '../../http/exchange.ts';
import type { Id } from '../../store/port.ts';
import { type Links, linksOf } from '../links.ts';
import type { Act, ActionContext } from './action.ts';
import { withText } from './show.ts';
import { effectOfPath } from './verb-effect.ts';

/** A collection whose records accounts like, follow and the like. */
export interface Flagged {
  readonly resource: Resource;
  /** Of the collection with the records, in the store. */
  readonly name: string;
  readonly id: string;
  /** The keys of what accounts do with its records, each the flag that shows it, or else the verb. */
  readonly keys: readonly string[];
}

const known = new WeakMap<ActionContext['collections'], readonly Flagged[]>();

/** The collections of a document with flags that belong to accounts: an operation sets them for the account that sends it. */
export function flaggedOf({ collections }: Pick<ActionContext, 'collections'>): readonly Flagged[] {
  const found = known.get(collections) ?? readFlagged(collections);
  known.set(collections, found);
  return found;
}

function readFlagged(collections: ActionContext['collections']): Flagged[] {
  return [...collections].flatMap(([resource, { name }]) => {
    const { further, id } = resource;
    if (!id || id.inner !== undefined) return [];
    const keys = further.flatMap(({ role, operation }) => {
      const effect = role === 'action' ? effectOfPath(operation, resource) : undefined;
      return effect?.isPersonal ? [effect.key] : [];
    });
    return keys.length > 0 ? [{ resource, name, id: id.property, keys: [...new Set(keys)] }] : [];
  });
}

/** The flagged collection whose records are objects of a schema, or are shown in them in part: the author of an article. */
export function flaggedAs(shape: Shape, flagged: readonly Flagged[]): Flagged | undefined {
  return flagged.find(
    ({ resource, id, keys }) =>
      memberShape(shape, id) !== undefined &&
      (sharesMembers(shape, resource.shape) || keys.some((key) => memberShape(shape, key) !== undefined)),
  );
}

/**
 * Lets responses show an account the flags that it has set itself: others that have not set them see `favorited: false`. To whoever has no
 * account, they show those of the records.
 */
export function compileOwnFlags(context: Omit<ActionContext, 'collection'>, act: Act): Act {
  const { operation } = context;
  const flagged = flaggedOf(context);
  if (flagged.length === 0) return act;
  const answer = answerShape(operation);
  const mark = answer && compileMark(answer, flagged, new Set());
  if (!mark) return act;
  return (task) => {
    const { sender, store } = task;
    if (!sender) return act(task);
    return andThen(act(task), (outcome) =>
      andThen(linksOf(store, sender.account), (links) =>
        withText(outcome, (body) => stringifyJson(mark(parseJson(body), links))),
      ),
    );
  };
}

/** Marks a value with the flags of an account. */
type Mark = (value: unknown, links: Links) => unknown;

/** Undefined: nothing in a value of the schema has such flags. */
function compileMark(
  shape: Shape,
  flagged: readonly Flagged[],
  outer: ReadonlySet<unknown>,
): Mark | undefined {
  const key = schemaKey(shape) ?? shape;
  if (outer.has(key) || outer.size > DEEPEST) return undefined;
  const within = new Set([...outer, key]);
  if (shape.items) {
    const item = compileMark(shape.items, flagged, within);
    return item && ((value, links) => (Array.isArray(value) ? value.map((one) => item(one, links)) : value));
  }
  const members = [...shape.properties].flatMap(([name, member]) => {
    const mark = compileMark(member, flagged, within);
    return mark ? [[name, mark] as const] : [];
  });
  const { name, id = '', keys = [] } = flaggedAs(shape, flagged) ?? {};
  const flags = keys.filter((one) => memberShape(shape, one) !== undefined);
  if (members.length === 0 && flags.length === 0) return undefined;
  return (value, links) => {
    if (!isRecord(value)) return value;
    const marked: Record<string, unknown> = Object.assign(Object.create(null), value);
    for (const [member, mark] of members)
      if (Object.hasOwn(marked, member)) marked[member] = mark(marked[member], links);
    if (name === undefined || !Object.hasOwn(marked, id)) return marked;
    const link = { collection: name, id: marked[id] as Id };
    for (const flag of flags) marked[flag] = links.has({ ...link, flag });
    return marked;
  };
}

const DEEPEST = 6;
