import {
  accountFlags,
  answerShape,
  flaggedIn,
  isRecord,
  memberShape,
  type Resource,
  type Shape,
  schemaKey,
} from '#spec';
import { andThen } from '../../http/exchange.ts';
import type { Id } from '../../store/port.ts';
import { type Links, linksOf } from '../links.ts';
import type { OperationContext, Run } from './action.ts';
import { withJson } from './show.ts';

/**
 * Shows an account the flags that it has set itself: others that have not set them see `favorited: false`. To whoever has no
 * account, they show those of the records.
 */
export function compileOwnFlags(context: OperationContext): Run | undefined {
  const { operation } = context;
  const flagged = [...context.collections.keys()].filter((one) => accountFlags(one).length > 0);
  const answer = answerShape(operation);
  const mark = answer && flagged.length > 0 ? compileMark(answer, flagged, context, new Set()) : undefined;
  if (!mark) return undefined;
  return (task, next) => {
    const { sender, store } = task;
    if (!sender) return next(task);
    return andThen(next(task), (outcome) =>
      andThen(linksOf(store, sender.account), (links) => withJson(outcome, (body) => mark(body, links))),
    );
  };
}

/** Marks a value with the flags of an account. */
type Mark = (value: unknown, links: Links) => unknown;

/** Undefined: nothing in a value of the schema has such flags. */
function compileMark(
  shape: Shape,
  flagged: readonly Resource[],
  context: Pick<OperationContext, 'collections'>,
  outer: ReadonlySet<unknown>,
): Mark | undefined {
  const key = schemaKey(shape) ?? shape;
  if (outer.has(key) || outer.size > DEEPEST) return undefined;
  const within = new Set([...outer, key]);
  if (shape.items) {
    const item = compileMark(shape.items, flagged, context, within);
    return item && ((value, links) => (Array.isArray(value) ? value.map((one) => item(one, links)) : value));
  }
  const members = [...shape.properties].flatMap(([name, member]) => {
    const mark = compileMark(member, flagged, context, within);
    return mark ? [[name, mark] as const] : [];
  });
  const of = flaggedIn(shape, flagged);
  const id = of?.id?.property ?? '';
  const name = of && context.collections.get(of)?.name;
  const flags = of ? accountFlags(of).filter((one) => memberShape(shape, one) !== undefined) : [];
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
