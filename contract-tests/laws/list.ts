import {
  type Bound,
  compareOrdered,
  countShape,
  EqualValues,
  type Filter,
  filteredValues,
  isEqual,
  isWithin,
  memberShape,
  memberValue,
  type Parameter,
  placeOf,
  type Resource,
  type Shape,
  type SortKey,
  toPointer,
} from '#spec';
import type { Data } from '../send/wire.ts';
import { shorten } from './compare-records.ts';
import { type Evidence, showsWholeRecords } from './evidence.ts';
import { isRepeated } from './follow-ups.ts';
import type { Broken, Judge } from './law.ts';
import type { Page } from './list-page.ts';
import { parentsOf } from './operation-role.ts';
import { isSameAddress, sameValue } from './same-value.ts';
import { isId } from './sent-members.ts';

/** A page has at most as many records as its size; fewer is always valid. An invalid size never exceeds the maximum. */
export const pageSize: Judge = ({ page }) => {
  const most = page && mostOf(page);
  if (!page?.size?.sent || most === undefined) return undefined;
  if (page.records.length <= most) return [];
  const { parameter } = page.size;
  return {
    received: `${page.records.length} records`,
    documented: `at most ${most} (${parameter.name})`,
    at: placeOf(parameter.spot),
    about: page.records.slice(most),
    rests: [page.form.bases.pageSize],
  };
};

function mostOf({ size }: Page): number | undefined {
  if (!size) return undefined;
  const greatest = countShape(size.parameter)?.range.high?.value;
  return size.limit ?? (greatest === undefined ? undefined : Number(greatest));
}

/**
 * A list without a page size is as long as one with the default. Other clients may write in between, and replicas may lag:
 * only a lasting difference is a breach.
 */
export const pageDefault: Judge = ({ page, exchange, earlier }) => {
  const { parameter, limit, sent } = page?.size ?? {};
  if (!page || !parameter || sent || limit === undefined) return undefined;
  const spot = countShape(parameter)?.find('default')?.spot ?? parameter.spot;
  const breach = (received: string, documented: string, about: readonly Data[]): Broken => ({
    received,
    documented,
    at: placeOf(spot),
    about,
    rests: [page.form.bases.pageSize],
  });
  const { length } = page.records;
  if (length > limit)
    return breach(`${length} records without ${parameter.name}`, `at most ${limit} (the default)`, []);
  const before = earlier.at(-1);
  const wanted = { ...exchange.input.query, [parameter.name]: limit };
  if (before?.page?.resource !== page.resource || !isEqual(before.exchange.input.query, wanted)) return [];
  const asked = before.page.records.length;
  const lacking = asked === length ? [] : shownOnceOnly(before.page, page);
  if (lacking.length === 0) return [];
  const received = `${length} records without ${parameter.name}, ${asked} with ${parameter.name}=${limit}`;
  return breach(received, `equally many (default ${limit})`, lacking);
};

/** The records of the longer list that the shorter one lacks; all of them, if records have no id. */
function shownOnceOnly(one: Page, other: Page): readonly Data[] {
  const [shorter, longer] = one.records.length < other.records.length ? [one, other] : [other, one];
  const { property } = one.resource.id ?? {};
  if (property === undefined) return longer.records;
  const ids = new Set(shorter.records.map((record) => String(record[property])));
  return longer.records.filter((record) => !ids.has(String(record[property])));
}

/** Each record has the filtered value; in a list of values, among others. A hidden member proves nothing. */
export const filter: Judge = (evidence) => {
  const { filters, records } = evidence.page ?? { filters: [], records: [] };
  if (filters.length === 0) return undefined;
  const isWhole = showsWholeRecords(evidence);
  return filters.flatMap(({ filter: sent, value }): Broken | [] => {
    const { property, inner } = sent;
    const isShown = (record: Data) => (inner === undefined ? isWhole : false) || property in record;
    const strays = records.filter((record) => isShown(record) && !mayMatch(record, sent, value));
    const name = inner === undefined ? property : `${inner} of ${property}`;
    return straying(strays, sent, `only records whose ${name} is ${shorten(value)}`);
  });
};

/** A breach for records that do not belong in a list, by a fact of the document. */
function straying(strays: readonly Data[], fact: Filter | Bound, documented: string): Broken | [] {
  const { property, parameter } = fact;
  const [stray] = strays;
  if (!stray) return [];
  return {
    kind: 'stray',
    received: `a record whose ${property} is ${shorten(stray[property])}: ${shorten(stray)}`,
    documented,
    at: placeOf(parameter.spot),
    part: toPointer([property]),
    about: strays,
    rests: [fact],
  };
}

/** The document does not state whether a free text matches as a whole, a prefix or a part, or its case. */
function mayMatch(record: Data, filter: Filter, value: unknown): boolean {
  const { values, items } = filter.parameter.shape;
  if (typeof value !== 'string' || (values ?? items?.values)) return matches(record, filter, value);
  return filteredValues(record, filter).some((item) =>
    String(item).toLowerCase().includes(value.toLowerCase()),
  );
}

export function matches(record: Data, filter: Filter, value: unknown): boolean {
  return filteredValues(record, filter).some(
    (item) => sameValue(item, value) || isSameAddress(item, value, filter.property, filter.parameter.shape),
  );
}

/**
 * A list with one filter or bound, between two complete lists: matches in both complete lists are in it, and its records
 * are in one of them. Changes by others in between prove nothing.
 */
export const selectionIsWhole =
  (law: Selection['law']) =>
  (evidence: Evidence): Broken | [] | undefined => {
    const between = betweenComplete(evidence);
    if (between?.selection.law !== law) return undefined;
    const { before, filtered, after, selection } = between;
    const { resource } = after.page;
    const { records } = filtered.page;
    const id = idProperty(resource);
    const parents = parentsOf(resource, after.exchange.input.path);
    const isOfOthers = (one: Data) => after.model.isOfOthers(resource, one, parents);
    const idsIn = (list: readonly Data[]) => new EqualValues(list.map((one) => one[id]));
    const ids = idsIn(records);
    const lacking = before.page.records.filter(
      (record) => !ids.has(record[id]) && selection.matches(record) && !isOfOthers(record),
    );
    const lasting = new EqualValues(lacking.length > 0 ? after.page.records : []);
    const missing = lacking.find((one) => lasting.has(one));
    const { rests } = filtered.page;
    const lack = (length: number, record: Data) => ({
      kind: 'missing' as const,
      received: `a list of ${length}, shorter than asked for, without ${shorten(record)}`,
      documented: 'every record that matches',
      rests,
    });
    if (missing) {
      const at = placeOf(selection.parameter.spot);
      return { ...lack(records.length, missing), at, shownBy: filtered.exchange };
    }
    // A record that is new to the run may have been created and removed by others in between.
    const earlierIds = before.model.idsOf(resource, parents);
    const complete = idsIn([...before.page.records, ...after.page.records]);
    const stray = records.find(
      (record) => !complete.has(record[id]) && earlierIds.has(String(record[id])) && !isOfOthers(record),
    );
    if (!stray) return [];
    const at = placeOf(after.operation.spot);
    return { ...lack(after.page.records.length, stray), law: 'complete-list', at };
  };

/** The one filter or bound of a list. */
interface Selection {
  readonly law: 'filter' | 'bounds';
  readonly parameter: Parameter;
  readonly matches: (record: Data) => boolean;
}

function selectionOf({ filters, query }: Page): Selection | undefined {
  const [filtered] = filters;
  const [bounded] = query.bounds;
  if (query.search || filters.length + query.bounds.length !== 1) return undefined;
  if (filtered) {
    const { filter: by, value } = filtered;
    return { law: 'filter', parameter: by.parameter, matches: (record) => matches(record, by, value) };
  }
  if (!bounded) return undefined;
  const { bound, value } = bounded;
  const isIn = (record: Data) => isWithin(bound, memberValue(record, bound.property), value) === true;
  return { law: 'bounds', parameter: bound.parameter, matches: isIn };
}

function betweenComplete(last: Evidence) {
  const [before, filtered, after] = [...last.earlier.slice(-2), last].filter(hasPage);
  if (!before || !filtered || !after) return undefined;
  const isOfOne = [before, filtered, after].every(
    ({ page: { complete, resource } }) => complete && resource === after.page.resource,
  );
  const isWhole = [before, after].every(
    ({ page: { filters, query } }) => filters.length + query.bounds.length === 0 && !query.search,
  );
  const selection = selectionOf(filtered.page);
  return isOfOne && isWhole && selection ? { before, filtered, after, selection } : undefined;
}

function hasPage(evidence: Evidence): evidence is Evidence & { readonly page: Page } {
  return evidence.page !== undefined;
}

/** Ids are distinct within a list, and a created record's id differs from all that the run has seen before. */
export const distinctIds: Judge = (evidence) => {
  const { page, role, json, model, exchange, succeeded } = evidence;
  const resource = role?.resource;
  if (!resource || !(page || (role.action === 'create' && succeeded))) return undefined;
  const { property, shape } = resource.id ?? {};
  if (property === undefined || !shape) return [];
  const breach = (id: string): Broken => ({
    received: `${property} ${id} twice`,
    documented: 'another id for each record',
    at: placeOf(shape.spot),
  });
  if (page) {
    const ids = page.records.flatMap((record) => (isId(record[property]) ? [String(record[property])] : []));
    const seen = new Set<string>();
    const twice = ids.find((id) => seen.size === seen.add(id).size);
    const about = page.records.filter((record) => String(record[property]) === twice);
    return twice === undefined ? [] : { ...breach(twice), about };
  }
  const id = (json as Data | undefined)?.[property];
  // After removals a service may reuse ids.
  const isKnown =
    id !== undefined &&
    !resource.actions.remove &&
    !isRepeated(evidence) &&
    model.idsOf(resource, parentsOf(resource, exchange.input.path)).has(String(id));
  return isKnown ? breach(String(id)) : [];
};

export function idProperty(resource: Resource): string {
  return resource.id?.property ?? '';
}

/** Each record in a list is within its bounds. Only a written promise decides whether the bound itself is included. */
export const withinBounds: Judge = ({ page }) => {
  const { query, records } = page ?? { query: { bounds: [] }, records: [] };
  if (query.bounds.length === 0) return undefined;
  return query.bounds.flatMap(({ bound, value }): Broken | [] => {
    const { property, side } = bound;
    const strays = records.filter(
      (record) => isWithin(bound, memberValue(record, property), value) === false,
    );
    const rest = bound.inclusive === false ? ', and not this one' : '';
    return straying(strays, bound, `only records whose ${property} is at ${side} ${shorten(value)}${rest}`);
  });
};

/** Texts that every collation sorts in the same way. */
const PLAIN = [/^[a-z]+$/, /^[A-Z]+$/];

/** Compares two values; undefined: services may differ, as for mixed case or the order of an enumeration. */
function orderOfValues(left: unknown, right: unknown, member: Shape | undefined): number | undefined {
  if (!member || member.values || left == null || right == null) return undefined;
  if (typeof left !== 'string' || typeof right !== 'string') return compareOrdered(left, right);
  if (member.find('format')) return compareOrdered(left, right);
  if (!PLAIN.some((one) => one.test(left) && one.test(right))) return undefined;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Whether the second record must precede the first one. `ways`: the directions that the list has shown so far. */
function isMisplaced(
  one: Data,
  other: Data,
  keys: readonly SortKey[],
  record: Shape,
  ways: Map<string, boolean>,
): boolean {
  for (const { property, descending } of keys) {
    const order = orderOfValues(
      memberValue(one, property),
      memberValue(other, property),
      memberShape(record, property),
    );
    if (order === undefined) return false;
    if (order === 0) continue;
    const way = descending ?? ways.get(property) ?? order > 0;
    ways.set(property, way);
    return order > 0 !== way;
  }
  return false;
}

/**
 * The records of a list, and of the previous page, are in the requested order; ties, null and texts that depend on
 * collation are free. An undocumented direction may be either, for the whole list.
 */
export const inOrder: Judge = (evidence) => {
  const { page } = evidence;
  const sent = page?.query.order;
  if (!page || !sent) return undefined;
  const ways = new Map<string, boolean>();
  const { order, keys } = sent;
  const breach = (one: Data, other: Data, where: string): Broken => {
    const describe = (record: Data) =>
      keys.map(({ property }) => `${property} ${shorten(record[property])}`).join(', ');
    return {
      received: `${describe(one)} before ${describe(other)}${where}`,
      documented: `ordered by ${keys.map(keyText).join(', then ')}`,
      at: placeOf(order.parameter.spot),
      about: [one, other],
      rests: [order],
    };
  };
  for (const [index, record] of page.records.entries()) {
    const next = page.records[index + 1];
    if (next && isMisplaced(record, next, keys, order.record, ways)) return breach(record, next, '');
  }
  const around = acrossPages(evidence);
  if (!around || keys.some(({ descending }) => descending === undefined)) return [];
  return isMisplaced(around.last, around.first, keys, order.record, ways)
    ? breach(around.last, around.first, ', on the next page')
    : [];
};

function keyText({ property, descending }: SortKey): string {
  return descending === undefined
    ? property
    : `${property}, ${descending ? 'the greatest' : 'the least'} first`;
}

/** The last record of a page and the first one of the next, if the same page is unchanged afterwards. */
function acrossPages(now: Evidence): { readonly last: Data; readonly first: Data } | undefined {
  const [before, next] = now.earlier.slice(-2);
  if (!before?.page || !next?.page || !now.page || next.page.resource !== now.page.resource) return undefined;
  const isSame =
    isEqual(before.exchange.input, now.exchange.input) && isEqual(before.page.records, now.page.records);
  const last = before.page.records.at(-1);
  const [first] = next.page.records;
  if (!isSame || !last || !first || !isEqual(before.page.query.order?.keys, next.page.query.order?.keys))
    return undefined;
  const follows =
    next.page.position.start === (before.page.position.start ?? Number.NaN) + before.page.records.length;
  return follows ? { last, first } : undefined;
}
