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
 * Shows accounts their own flags: `favorited: false` to those that have not set it. Requests without an account see the
 * record's.
 */
export function compileOwnFlags(context: OperationContext): Run | undefined {
  const { operation } = context;
  const flagged = [...context.collections.keys()].filter((key) => accountFlags(key).length > 0);
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

/** Sets an account's flags in a value. */
type Mark = (value: unknown, links: Links) => unknown;

/** Compiles setting flags. Undefined: nothing in the schema has flags. */
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
  const flags = of
    ? accountFlags(of).filter((accountFlag) => memberShape(shape, accountFlag) !== undefined)
    : [];
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
