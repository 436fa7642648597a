import { isEqual, type Operation, oncePer, placeOf, type Spot, stringifyJson, tellsEnd } from '#spec';
import type { Data } from '../send/wire.ts';
import { shorten } from './compare-records.ts';
import type { Evidence } from './evidence.ts';
import type { Broken, Judge } from './law.ts';
import { idProperty } from './list.ts';
import { positionOf, positionParameter, queryKey, type Total } from './list-page.ts';
import { parentsOf } from './operation-role.ts';

/** Two equal exchanges and those between them: what both show existed all the time. */
interface Bracket {
  readonly first: Evidence;
  readonly between: readonly Evidence[];
  readonly last: Evidence;
}

function bracketOf(last: Evidence): Bracket | undefined {
  const { earlier } = last;
  const at = earlier.findLastIndex((evidence) => isEqualRequest(evidence, last));
  const first = earlier[at];
  return first && { first, between: earlier.slice(at + 1), last };
}

function isEqualRequest(one: Evidence, other: Evidence): boolean {
  return one.operation === other.operation && requestKey(one) === requestKey(other);
}

/** The ids that both ends of a bracket show. */
function lastingIds({ first, last }: Bracket): Map<string, Data> {
  const before = new Set(shownById(first).map(([id]) => id));
  return new Map(shownById(last).filter(([id]) => before.has(id)));
}

function shownById({ page, role, succeeded, json }: Evidence): [id: string, record: Data][] {
  const property = role && idProperty(role.resource);
  if (!property) return [];
  const records = page?.records ?? (role.action === 'read' && succeeded ? [json as Data] : []);
  return records.flatMap((record) =>
    record?.[property] === undefined ? [] : [[String(record[property]), record] as [string, Data]],
  );
}

export const distinctPages: Judge = (last) => {
  const spot = leads(last);
  const bracket = spot && bracketOf(last);
  if (!bracket) return undefined;
  const lasting = lastingIds(bracket);
  for (const other of bracket.between) {
    if (!other.page || placeIn(other).list !== placeIn(last).list || !isOtherWindow(other, last)) continue;
    const [twice] = shownById(other).filter(([id]) => lasting.has(id));
    if (!twice) continue;
    return {
      received: `${shorten(twice[1])} with ${askedBy(last)} and with ${askedBy(other)}`,
      documented: 'each record on one page',
      at: placeOf(spot),
      shownBy: other.exchange,
      rests: [last, other].flatMap(({ page }) => page?.rests ?? []),
    };
  }
  return [];
};

/** The part of the document that leads from one page to others. */
function leads({ page }: Evidence): Spot | undefined {
  return page?.position.parameter?.spot ?? page?.next?.spot;
}

/** The query that selects a page: `offset=2`. */
function askedBy({ role, exchange: { input } }: Evidence): string {
  const { pageSize, cursor } = role?.resource.list ?? {};
  const query = input.query ?? {};
  const names = [role && positionParameter(role.resource)?.name, cursor?.name].flatMap((name) => name ?? []);
  const sent = names.find((name) => query[name] !== undefined);
  if (sent !== undefined) return `${sent}=${shorten(query[sent])}`;
  const { [pageSize?.name ?? '']: _, ...others } = query;
  return Object.keys(others).length > 0 ? shorten(others) : `no ${names[0] ?? 'parameter'}`;
}

/** Whether two pages of a list do not overlap. */
function isOtherWindow(left: Evidence, right: Evidence): boolean {
  const [lower, upper] = [left, right].sort((a, b) => (placeIn(a).start ?? 0) - (placeIn(b).start ?? 0));
  if (!lower || !upper) return false;
  const [from, to] = [placeIn(lower).start, placeIn(upper).start];
  const { records = [], size } = lower.page ?? {};
  // A page that a response links to begins where the previous one ends, however short that is.
  const length = placeIn(upper).before ? records.length : (size?.limit ?? records.length);
  if (from !== undefined && to !== undefined) return from + length <= to && from < to;
  const { name = '' } = left.page?.position.parameter ?? {};
  const sentBy = ({ exchange }: Evidence) => exchange.input.query?.[name];
  return sentBy(left) !== undefined && sentBy(right) !== undefined && !isEqual(sentBy(left), sentBy(right));
}

/** No page links back to an earlier one of its walk. */
export const leadingBack: Judge = (evidence) => {
  const { page } = evidence;
  if (page?.next?.query === undefined || page.records.length === 0) return undefined;
  const walk = walkTo(evidence);
  // A list without an end may expect clients to ask again for new records.
  const pages = tellsEnd(page.form) ? walk : walk.slice(0, -1);
  if (!pages.some((one) => namesAsNext(evidence, one))) return [];
  return {
    received: `the page with ${askedBy(evidence)} names one as the next that has been shown before`,
    documented: 'each record on one page',
    at: placeOf(page.next.spot),
    rests: page.rests,
  };
};

/** So many consecutive pages without a record, each with a next one, count as endless. */
export const MOST_EMPTY = 10;

export const endingPages: Judge = (evidence) => {
  const { page } = evidence;
  // Otherwise clients may poll for ever: the next page may have new records.
  if (page?.next?.query === undefined || page.records.length > 0 || !tellsEnd(page.form)) return undefined;
  const last = walkTo(evidence).slice(-MOST_EMPTY);
  if (last.length < MOST_EMPTY || last.some((one) => one.page?.records.length !== 0)) return [];
  return {
    received: `${MOST_EMPTY} pages without a record, each of which names a next one`,
    documented: 'a last page',
    at: placeOf(page.next.spot),
    rests: page.rests,
  };
};

/** A record that existed before and after two equal walks through all pages is on one of them. */
export const completePages: Judge = (last) => {
  const bracket = last.succeeded ? bracketOf(last) : undefined;
  if (!bracket || bracket.between.length < 2) return undefined;
  const lasting = lastingIds(bracket);
  const pages = bracket.between.filter(({ role }) => role?.action === 'list');
  for (const group of Map.groupBy(pages, (page) => placeIn(page).list).values()) {
    const [first] = group;
    const walked = first && isSameList(first, last) ? walkedTwice(group) : undefined;
    if (!first || !walked) continue;
    const at = placeOf(leads(first) ?? first.operation.spot);
    const breach = { at, shownBy: first.exchange, rests: group.flatMap(({ page }) => page?.rests ?? []) };
    const ids = new Set(walked.map((record) => nameOf(record, last)));
    const missing = [...lasting].find(([id]) => !ids.has(id));
    const together = `pages with ${walked.length} records together`;
    if (missing) {
      const received = `${together}, without ${shorten(missing[1])}`;
      return { ...breach, received, documented: 'every record on one of the pages' };
    }
    const all = unnamedRecords(bracket);
    if (all === undefined || all === walked.length) continue;
    const law = all > walked.length ? 'complete-pages' : 'distinct-pages';
    const documented = `${all} records, as the list has without pages`;
    return { ...breach, law, received: together, documented };
  }
  return [];
};

/** The number of records in a whole list whose records have no ids; undefined: unknown. */
function unnamedRecords({ first, last }: Bracket): number | undefined {
  const [before, after] = [first.page, last.page];
  if (!before?.complete || !after?.complete || shownById(last).length > 0) return undefined;
  return isEqual(before.records, after.records) ? after.records.length : undefined;
}

/** The id of a record, or all of its members if it has none. */
function nameOf(record: Data, { role }: Evidence): string {
  return String(record[(role && idProperty(role.resource)) ?? ''] ?? stringifyJson(record));
}

/** Whether a list contains all records of the other list, or of the same parents. */
function isSameList(list: Evidence, other: Evidence): boolean {
  const resource = list.role?.resource;
  if (!resource || other.role?.resource !== resource) return false;
  const paging = new Set([resource.list?.pageSize?.name, positionParameter(resource)?.name]);
  const others = ({ role, exchange }: Evidence) =>
    role?.action !== 'list'
      ? {}
      : Object.fromEntries(Object.entries(exchange.input.query ?? {}).filter(([name]) => !paging.has(name)));
  const parents = [list, other].map(({ exchange }) => parentsOf(resource, exchange.input.path));
  return isEqual(others(list), others(other)) && isEqual(parents[0], parents[1]);
}

/** The records on all pages of a list that two walks showed alike; undefined: they did not. */
function walkedTwice(pages: readonly Evidence[]): readonly Data[] | undefined {
  const starts = pages.flatMap((page, index) => (placeIn(page).start === 0 ? [index] : []));
  const [from, again] = starts.slice(-2);
  if (from === undefined || again === undefined) return undefined;
  const walks = [pages.slice(from, again), pages.slice(again)];
  if (!walks.every((walk) => isWholeWalk(walk) || isFollowed(walk))) return undefined;
  const [one, two] = walks.map((walk) =>
    walk.flatMap((evidence) => (evidence.page?.records ?? []).map((record) => nameOf(record, evidence))),
  );
  return isEqual(one, two) ? walks[1]?.flatMap(({ page }) => page?.records ?? []) : undefined;
}

/** Whether each page leads to the following one, and the last page to none. */
function isFollowed(pages: readonly Evidence[]): boolean {
  const last = pages.at(-1);
  if (!last?.page?.next || !pages.every((page, at) => at === 0 || placeIn(page).before === pages[at - 1]))
    return false;
  const { form, next, records } = last.page;
  // Without new records a page may name itself: clients ask again later.
  const isEnd = next.query === undefined || (records.length === 0 && namesAsNext(last, last));
  // A single page may be all that the service shows without paging, which another parameter enables.
  const isOnlyWay = tellsEnd(form) && form.cursor !== undefined && !form.page && !form.offset;
  return isEnd && (pages.length > 1 || isOnlyWay);
}

/** Whether pages follow each other up to one that is short, or is rejected as out of range. */
function isWholeWalk(pages: readonly Evidence[]): boolean {
  const last = pages.at(-1);
  if (!last || !pages.slice(0, -1).every(({ page }) => page)) return false;
  const { limit } = pages[0]?.page?.size ?? {};
  const isEnd = last.page
    ? last.page.records.length < (limit ?? 1) && last.page.next?.query === undefined
    : last.response.status >= 400 && last.response.status < 500 && pages.length > 1;
  const isContiguous = pages.every((page, index) => limit === undefined || startOf(page) === index * limit);
  return isEnd && isContiguous;
}

const totalBreach = (total: Total, seen: number, shownBy: Evidence): Broken => ({
  received: `${total.name} ${total.value}, with ${seen} records seen`,
  documented: `${total.name} at least ${seen}`,
  at: placeOf(total.spot),
  shownBy: shownBy.exchange,
  rests: shownBy.page?.rests ?? [],
});

/** The total is at least the number of records on the page and before it. */
export const pageTotal: Judge = (evidence) => {
  const { records = [], total, position } = evidence.page ?? {};
  const start = position?.start;
  if (!total || start === undefined) return undefined;
  // A service may repeat its last page for a position out of range.
  if (records.length === 0 || (start > 0 && start >= total.value)) return [];
  const seen = start + records.length;
  return seen > total.value ? totalBreach(total, seen, evidence) : [];
};

/** The total is at least the number of distinct records on several pages that existed at the same time. */
export const totalOfPages: Judge = (last) => {
  const bracket = last.page?.total && bracketOf(last);
  if (!bracket) return undefined;
  const lasting = [...lastingIds(bracket).keys()];
  for (const other of bracket.between) {
    const total = placeIn(other).list === placeIn(last).list ? other.page?.total : undefined;
    const seen = new Set([...lasting, ...shownById(other).map(([id]) => id)]).size;
    if (total && seen > total.value) return totalBreach(total, seen, other);
  }
  return [];
};

/** The position of a page in a walk through a list. */
interface Place {
  /** Identifies the list: equal for all pages of the walk. */
  readonly list: string;
  /** The number of records before it; undefined: unknown. */
  readonly start: number | undefined;
  /** The page that led to this one; undefined: none did. */
  readonly before: Evidence | undefined;
}

/** A cursor or link reveals its position only through the page that led to it. */
const placeIn: (evidence: Evidence) => Place = oncePer((evidence: Evidence): Place => {
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
});

function keyOf({ id }: Operation, path: Data = {}, query: Data = {}): string {
  return `${id} ${stringifyJson(path)} ${queryKey(query)}`;
}

/** A key that is equal for the same page in two walks, whose cursors may differ. */
function requestKey(evidence: Evidence): string {
  const { list, start, before } = placeIn(evidence);
  const { path, query } = evidence.exchange.input;
  return before && start !== undefined ? `${list} ${start}` : keyOf(evidence.operation, path, query);
}

/** The pages that led to a page, which comes last. */
function walkTo(evidence: Evidence): Evidence[] {
  const { before } = placeIn(evidence);
  return before ? [...walkTo(before), evidence] : [evidence];
}

function namesAsNext({ page, operation, exchange }: Evidence, other: Evidence): boolean {
  const { path, query } = other.exchange.input;
  const next = page?.next?.query;
  return (
    next !== undefined && keyOf(operation, exchange.input.path, next) === keyOf(other.operation, path, query)
  );
}

/** The number of records before a page, according to its request; undefined: unknown. */
function startOf({ role, request, exchange }: Evidence): number | undefined {
  if (!role) return undefined;
  return positionOf(role.resource, request, new Set(Object.keys(exchange.input.query ?? {}))).start;
}
