import { type Operation, stringifyJson } from '#spec';
import type { Evidence } from './evidence.ts';
import { positionOf, positionParameter } from './list-page.ts';
import { queryKey } from './next-page.ts';

type Data = Readonly<Record<string, unknown>>;

/** Where a page is in a walk through a list. */
interface Place {
  /** What all pages of the walk have in common. */
  readonly list: string;
  /** How many records are before it; undefined: nothing tells. */
  readonly start: number | undefined;
  /** The page whose response has led here; undefined: none has. */
  readonly before: Evidence | undefined;
}

const places = new WeakMap<Evidence, Place>();

export function placeIn(evidence: Evidence): Place {
  const known = places.get(evidence) ?? findPlace(evidence);
  places.set(evidence, known);
  return known;
}

/** A cursor, and a link, say nothing by themselves: what has led to them does. */
function findPlace(evidence: Evidence): Place {
  const { role, operation, exchange, earlier } = evidence;
  const { path, query = {} } = exchange.input;
  const position = role && positionParameter(role.resource)?.name;
  const { [position ?? '']: _, ...others } = query;
  const start = startOf(evidence);
  const here: Place = { list: keyOf(operation, path, others), start, before: undefined };
  if (role?.action !== 'list' || start === 0) return here;
  const before = earlier.findLast((one) => namesAsNext(one, evidence));
  if (!before) return here;
  const { list, start: from } = placeIn(before);
  const shownBefore = before.page?.records.length ?? 0;
  return { list, before, start: start ?? (from === undefined ? undefined : from + shownBefore) };
}

function keyOf({ id }: Operation, path: Data = {}, query: Data = {}): string {
  return `${id} ${stringifyJson(path)} ${queryKey(query)}`;
}

/** Equal for the same page of two walks, whose cursors may differ. */
export function requestKey(evidence: Evidence): string {
  const { list, start, before } = placeIn(evidence);
  const { path, query } = evidence.exchange.input;
  return before && start !== undefined ? `${list} ${start}` : keyOf(evidence.operation, path, query);
}

/** The pages that have led to one, which is the last. */
export function walkTo(evidence: Evidence): Evidence[] {
  const { before } = placeIn(evidence);
  return before ? [...walkTo(before), evidence] : [evidence];
}

/** Whether a page names another as the one after it. */
export function namesAsNext({ page, operation, exchange }: Evidence, other: Evidence): boolean {
  const { path, query } = other.exchange.input;
  const next = page?.next?.query;
  return (
    next !== undefined && keyOf(operation, exchange.input.path, next) === keyOf(other.operation, path, query)
  );
}

/** How many records are before a page, as its request says; undefined: it does not say. */
export function startOf({ role, request, exchange }: Evidence): number | undefined {
  if (!role) return undefined;
  return positionOf(role.resource, request, new Set(Object.keys(exchange.input.query ?? {}))).start;
}
