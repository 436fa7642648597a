import { placeOf, stringifyJson } from '#spec';
import { shorten } from './compare-records.ts';
import type { Evidence } from './evidence.ts';
import type { Breach, Law } from './law.ts';
import { idProperty } from './list.ts';
import { type Page, positionOf, positionParameter, type Total } from './list-page.ts';
import { parentsOf } from './own-record.ts';
import { equalJson } from './same-value.ts';

type Data = Readonly<Record<string, unknown>>;

/** Exchanges that are equal, and what was sent between them: what both show was there all the time. */
interface Bracket {
  readonly first: Evidence;
  readonly between: readonly Evidence[];
  readonly last: Evidence;
}

function bracketOf(last: Evidence): Bracket | undefined {
  const { earlier } = last;
  const at = earlier.findLastIndex((one) => isEqualRequest(one, last));
  const first = earlier[at];
  return first && { first, between: earlier.slice(at + 1), last };
}

function isEqualRequest({ exchange: one }: Evidence, { exchange: other }: Evidence): boolean {
  return (
    one.operation === other.operation &&
    equalJson(one.input.path ?? {}, other.input.path ?? {}) &&
    equalJson(one.input.query ?? {}, other.input.query ?? {})
  );
}

/** The ids that both ends of a bracket show. */
function lastingIds({ first, last }: Bracket): Map<string, Data> {
  const before = new Set(shown(first).map(([id]) => id));
  return new Map(shown(last).filter(([id]) => before.has(id)));
}

function shown({ page, role, succeeded, json }: Evidence): [id: string, record: Data][] {
  const property = role && idProperty(role.resource);
  if (!property) return [];
  const records = page?.records ?? (role.action === 'read' && succeeded ? [json as Data] : []);
  return records.flatMap((record) =>
    record?.[property] === undefined ? [] : [[String(record[property]), record] as [string, Data]],
  );
}

/** What pages of one list have in common: all of the request but their position. */
function listKey(evidence: Evidence): string | undefined {
  const { role, operation, exchange } = evidence;
  if (role?.action !== 'list' || !role.resource.id) return undefined;
  const { [positionParameter(role.resource)?.name ?? '']: _, ...query } = exchange.input.query ?? {};
  return stringifyJson([operation.id, exchange.input.path ?? {}, query]);
}

const distinctPages: Law = {
  name: 'distinct-pages',
  about: 'sequence',
  settles: 'sequence',
  applies: (evidence) => evidence.page?.position.parameter !== undefined && bracketOf(evidence) !== undefined,
  judge(last) {
    const bracket = bracketOf(last);
    const { page } = last;
    if (!bracket || !page?.position.parameter) return [];
    const lasting = lastingIds(bracket);
    for (const other of bracket.between) {
      if (listKey(other) !== listKey(last) || !other.page || !isOtherWindow(other.page, page, other, last))
        continue;
      const [twice] = shown(other).filter(([id]) => lasting.has(id));
      if (!twice) continue;
      const { name, spot } = page.position.parameter;
      const [one, two] = [last, other].map(
        ({ exchange }) => `${name}=${shorten(exchange.input.query?.[name])}`,
      );
      return [
        {
          law: 'distinct-pages',
          received: `${shorten(twice[1])} with ${one} and with ${two}`,
          documented: 'each record on one page',
          at: placeOf(spot),
          shownBy: other.exchange,
        },
      ];
    }
    return [];
  },
};

/** Whether two pages of one list have no position in common. */
function isOtherWindow(left: Page, right: Page, ...[one, other]: [Evidence, Evidence]): boolean {
  const [lower, upper] = [left, right].sort((a, b) => (a.position.start ?? 0) - (b.position.start ?? 0));
  const [from, to] = [lower?.position.start, upper?.position.start];
  if (from !== undefined && to !== undefined)
    return from + (lower?.size?.limit ?? lower?.records.length ?? 0) <= to && from < to;
  const sentBy = ({ exchange }: Evidence) => exchange.input.query?.[left.position.parameter?.name ?? ''];
  return sentBy(one) !== undefined && sentBy(other) !== undefined && !equalJson(sentBy(one), sentBy(other));
}

/** What was there before and after two equal walks through all pages, and is on none of them. */
const completePages: Law = {
  name: 'complete-pages',
  about: 'sequence',
  settles: 'sequence',
  applies: (evidence) => evidence.succeeded && (bracketOf(evidence)?.between.length ?? 0) > 1,
  judge(last) {
    const bracket = bracketOf(last);
    const resource = last.role?.resource;
    if (!bracket || !resource) return [];
    const lasting = lastingIds(bracket);
    const groups = Map.groupBy(bracket.between, listKey);
    for (const [key, group] of groups) {
      const [first] = group;
      const ids = key === undefined || !first || !isSameList(first, last) ? undefined : walkedTwice(group);
      const missing = [...lasting].find(([id]) => ids?.has(id) === false);
      if (!first || !ids || !missing) continue;
      return [
        {
          law: 'complete-pages',
          received: `pages with ${ids.size} records together, without ${shorten(missing[1])}`,
          documented: 'every record on one of the pages',
          at: placeOf(positionParameter(resource)?.spot ?? first.operation.spot),
          shownBy: first.exchange,
        },
      ];
    }
    return [];
  },
};

/** Whether a list has all records that the other list has, or a record of the same parents. */
function isSameList(list: Evidence, other: Evidence): boolean {
  const resource = list.role?.resource;
  if (!resource || other.role?.resource !== resource) return false;
  const paging = new Set([resource.list?.pageSize?.name, positionParameter(resource)?.name]);
  const others = ({ role, exchange }: Evidence) =>
    role?.action !== 'list'
      ? {}
      : Object.fromEntries(Object.entries(exchange.input.query ?? {}).filter(([name]) => !paging.has(name)));
  const parents = [list, other].map(({ exchange }) => parentsOf(resource, exchange.input.path));
  return equalJson(others(list), others(other)) && equalJson(parents[0], parents[1]);
}

/** The ids on all pages of a list that was walked through twice with the same result; undefined: it was not. */
function walkedTwice(pages: readonly Evidence[]): ReadonlySet<string> | undefined {
  const starts = pages.flatMap((page, index) => (startOf(page) === 0 ? [index] : []));
  const [from, again] = starts.slice(-2);
  if (from === undefined || again === undefined) return undefined;
  const [first, second] = [pages.slice(from, again), pages.slice(again)];
  if (!isWholeWalk(first) || !isWholeWalk(second)) return undefined;
  const [one, two] = [first, second].map((walk) => walk.flatMap(shown).map(([id]) => id));
  return equalJson(one, two) ? new Set(two) : undefined;
}

function startOf({ role, request, exchange }: Evidence): number | undefined {
  if (!role) return undefined;
  return positionOf(role.resource, request, new Set(Object.keys(exchange.input.query ?? {}))).start;
}

/** Page by page up to one that is short, or is refused since it is behind the last. */
function isWholeWalk(pages: readonly Evidence[]): boolean {
  const last = pages.at(-1);
  if (!last || !pages.slice(0, -1).every(({ page }) => page)) return false;
  const { limit } = pages[0]?.page?.size ?? {};
  const isEnd = last.page
    ? last.page.records.length < (limit ?? 1)
    : last.response.status >= 400 && last.response.status < 500 && pages.length > 1;
  const isContiguous = pages.every((page, index) => limit === undefined || startOf(page) === index * limit);
  return isEnd && isContiguous;
}

const totalBreach = (total: Total, seen: number, shownBy: Evidence): Breach => ({
  law: 'total',
  received: `${total.name} ${total.value}, with ${seen} records seen`,
  documented: `${total.name} at least ${seen}`,
  at: placeOf(total.spot),
  shownBy: shownBy.exchange,
});

/** There are at least as many records as the page holds and as are before it. */
const pageTotal: Law = {
  name: 'total',
  settles: 'request',
  applies: ({ page }) => page?.total !== undefined && page.position.start !== undefined,
  judge(evidence) {
    const { records, total, position } = evidence.page ?? {};
    const start = position?.start ?? 0;
    // A service may show its last page again to those who ask for one behind it.
    if (!records?.length || !total || (start > 0 && start >= total.value)) return [];
    const seen = start + records.length;
    return seen > total.value ? [totalBreach(total, seen, evidence)] : [];
  },
};

/** Distinct records that were there at one time are on several pages. */
const totalOfPages: Law = {
  name: 'total',
  about: 'sequence',
  settles: 'sequence',
  applies: (evidence) => evidence.page?.total !== undefined && bracketOf(evidence) !== undefined,
  judge(last) {
    const bracket = bracketOf(last);
    if (!bracket) return [];
    const lasting = [...lastingIds(bracket).keys()];
    for (const other of bracket.between) {
      const total = listKey(other) === listKey(last) ? other.page?.total : undefined;
      const seen = new Set([...lasting, ...shown(other).map(([id]) => id)]).size;
      if (total && seen > total.value) return [totalBreach(total, seen, other)];
    }
    return [];
  },
};

/** What the pages of one list are together. What others write in between is no evidence. */
export const PAGE_LAWS: readonly Law[] = [distinctPages, completePages, pageTotal, totalOfPages];
