import {
  basisOf,
  endingBeforeOf,
  exclusionsOf,
  isEqual,
  isIdOfLast,
  isRecord,
  memberShape,
  type Parameter,
  previousCursorAt,
  searchesIn,
  valueAt,
} from '#spec';
import type { Data } from '../send/wire.ts';
import { shorten } from './compare-records.ts';
import type { Evidence } from './evidence.ts';
import { type Broken, breachOf, type Judge } from './law.ts';
import { idProperty } from './list.ts';
import { asksForSizeAlone, type Page, positionParameter } from './list-page.ts';
import { saysMore } from './next-page.ts';

/** Rules for lists that rest on parameter names and descriptions alone, checked against other lists of the sequence. */

const presumed = ({ spot }: Parameter) => basisOf(['name'], spot);

/** No record has the excluded value. */
export const leftOut: Judge = ({ page, operation, exchange }) => {
  const { query = {} } = exchange.input;
  const all = page ? exclusionsOf(operation, page.resource.shape) : [];
  const sent = all.filter(({ parameter }) => parameter.name in query);
  if (!page || sent.length === 0) return undefined;
  return sent.flatMap((fact): Broken | [] => {
    const { parameter, property } = fact;
    const values = [query[parameter.name] ?? []].flat();
    const strays = page.records.filter((record) => values.some((value) => isEqual(record[property], value)));
    const [stray] = strays;
    if (!stray) return [];
    const received = `a record whose ${property} is ${shorten(stray[property])}`;
    const documented = `none of those, since ${parameter.name} leaves them out`;
    return breachOf(fact, 'stray', received, documented, { about: strays });
  });
};

/** A filter with several values returns records with any of them, according to lists by a single value. */
export const amongValues: Judge = ({ page, exchange, earlier, operation }) => {
  if (!page) return undefined;
  const { query = {} } = exchange.input;
  const { shape } = page.resource;
  const sent = page.form.filters.filter(({ parameter, property }) => {
    const isScalar = ['string', 'integer', 'boolean'].includes(memberShape(shape, property)?.mainType ?? '');
    return isScalar && [query[parameter.name] ?? []].flat().length > 1;
  });
  if (sent.length === 0) return undefined;
  return sent.flatMap(({ parameter, property }): Broken | [] => {
    const values = [query[parameter.name]].flat();
    const isMeant = (record: Data) =>
      record[property] === undefined || values.some((value) => isEqual(record[property], value));
    const stray = page.records.find((record) => !isMeant(record));
    const documented = `records whose ${property} is one of ${shorten(values)}`;
    const fact = presumed(parameter);
    if (stray) return breachOf(fact, 'stray', shorten(stray), documented, { about: [stray] });
    const isSingle = (evidence: Evidence) =>
      evidence.operation === operation &&
      [evidence.exchange.input.query?.[parameter.name]].flat().length === 1;
    const isFull = page.records.length >= (page.size?.limit ?? Number.POSITIVE_INFINITY);
    const ids = idsOf(page);
    const missing = earlier
      .flatMap((evidence) => (isSingle(evidence) && evidence.page?.records) || [])
      .find((record) => record[property] !== undefined && isMeant(record) && !ids.has(idOf(page, record)));
    if (isFull || !missing) return [];
    return breachOf(fact, 'missing', `a list without ${shorten(missing)}`, documented);
  });
};

const idOf = ({ resource }: Page, record: Data) => String(record[idProperty(resource)]);
const idsOf = (page: Page) => new Set(page.records.map((record) => idOf(page, record)));

/** A search returns only records with its text, and also the new record that contains it, in any case or in part. */
export const searched: Judge = ({ page, earlier }) => {
  const { search, text = '' } = page?.query.search ?? {};
  if (!page || !search) return undefined;
  const { parts, cases } = searchesIn(search.parameter);
  const wanted = text.toLowerCase();
  const textsOf = (record: Data) =>
    search.members.map((name) => record[name]).filter((one) => typeof one === 'string');
  const isShown = (record: Data) => textsOf(record).length === search.members.length;
  const has = (record: Data) => textsOf(record).some((one) => one.toLowerCase().includes(wanted));
  const documented = `${search.members.join(' or ')} with ${shorten(text)}`;
  const fact = presumed(search.parameter);
  const stray = parts ? page.records.find((record) => isShown(record) && !has(record)) : undefined;
  if (stray) return breachOf(fact, 'stray', shorten(stray), documented);
  const made = earlier.findLast(
    (evidence) => evidence.role?.action === 'create' && evidence.role.resource === page.resource,
  );
  const record = made?.succeeded && isRecord(made.json) ? made.json : undefined;
  const isMeant = (one: string) =>
    one !== text && ((parts && one.includes(text)) || (cases && one.toLowerCase() === wanted));
  if (!page.complete || !record || !textsOf(record).some(isMeant)) return [];
  if (idsOf(page).has(idOf(page, record))) return [];
  return breachOf(fact, 'missing', `a list without ${shorten(record)}`, documented);
};

/** What a page says of further pages, checked against the whole list before it. */
export const moreIsThere: Judge = (evidence) => {
  const { page, json, earlier } = evidence;
  const says = page && saysMore(page.form, json);
  const sign = page?.form.members.find((member) => ['has more', 'is last'].includes(member.says));
  const cursor = page?.form.cursor;
  // Without such a cursor a service may not know that a full page is the last.
  if (!page || says === undefined || !sign || !cursor || !isIdOfLast(cursor)) return undefined;
  const fact = basisOf(['name'], sign.shape.spot);
  const before = earlier.at(-1);
  const name = sign.path.join('.');
  const isNext = before?.page?.next?.query && isEqual(before.page.next.query, evidence.exchange.input.query);
  if (isNext && saysMore(page.form, before.json) === true && page.records.length === 0) {
    const received = `${name} ${sign.says === 'has more'}, and an empty page behind it`;
    return breachOf(fact, 'unequal', received, 'a record on the next page');
  }
  const whole = frontOf(evidence);
  const isThere = whole && isMoreIn(whole, evidence);
  if (!whole || isThere === undefined || isThere === says) return [];
  const received = `${name} says that ${says ? '' : 'no '}more is there`;
  const documented = `the opposite: the list before has ${whole.records.length} records`;
  return breachOf(fact, 'unequal', received, documented);
};

/** The longest earlier page that starts at the first record. */
function frontOf({ earlier, operation }: Evidence): Page | undefined {
  const isFront = (evidence: Evidence) => evidence.operation === operation && asksForSizeAlone(evidence);
  const pages = earlier.flatMap((evidence) => (isFront(evidence) && evidence.page ? [evidence.page] : []));
  const most = Math.max(...pages.map(({ records }) => records.length));
  return pages.findLast(({ records }) => records.length === most);
}

/** Whether records follow the page or, for a page before a record, precede it; undefined: the lists disagree. */
function isMoreIn(whole: Page, { page, exchange, operation }: Evidence): boolean | undefined {
  const { query = {} } = exchange.input;
  const back = endingBeforeOf(operation)?.name ?? '';
  const { cursor, pageSize } = whole.form;
  const names = new Set([back, cursor?.name, pageSize?.name]);
  if (!page || page.records.length === 0 || Object.keys(query).some((name) => !names.has(name)))
    return undefined;
  const all = whole.records.map((record) => idOf(whole, record));
  const first = all.indexOf(idOf(page, page.records[0] as Data));
  const isSame = page.records.every((record, index) => all[first + index] === idOf(page, record));
  if (first < 0 || !isSame) return undefined;
  const isBehind = first + page.records.length < all.length;
  if (query[back] !== undefined) return first > 0;
  return isBehind || whole.complete ? isBehind : undefined;
}

/** The previous page that a page names is the one that led to it. */
export const leadsBack: Judge = ({ page, operation, exchange, earlier, json }) => {
  const before = earlier.at(-1);
  const next = before?.page?.next;
  if (!page || !next?.query || !isEqual(next.query, exchange.input.query)) return undefined;
  if (before?.operation !== operation || before.page?.records.length === 0) return undefined;
  const path = previousCursorAt(operation, page.form);
  const cursor = path && valueAt(json, path);
  if (cursor !== null || page.records.length === 0) return [];
  const received = `${path?.join('.')} null, where another page is before this one`;
  return breachOf(basisOf(['name'], next.spot), 'missing', received, 'the cursor of that page');
};

/** A page before a record contains the records just before it in the whole list, in the same order. */
export const endsBefore: Judge = (evidence) => {
  const { page, operation, exchange } = evidence;
  const parameter = endingBeforeOf(operation);
  const id = parameter && exchange.input.query?.[parameter.name];
  const whole = frontOf(evidence);
  if (!page || !parameter || id === undefined || !whole || positionParameter(page.resource)) return undefined;
  const all = whole.records.map((record) => idOf(whole, record));
  const path = previousCursorAt(operation, page.form);
  const shownBy = path && evidence.earlier.findLast((one) => one.page && valueAt(one.json, path) === id);
  const [first] = shownBy?.page?.records ?? [];
  const end = all.indexOf(first ? idOf(page, first) : String(id));
  const size = page.size?.limit;
  if (end < 0 || size === undefined) return [];
  const wanted = all.slice(Math.max(0, end - size), end);
  const got = page.records.map((record) => idOf(page, record));
  if (isEqual(got, wanted)) return [];
  const documented = `${shorten(wanted)}, just before ${shorten(id)} in the whole list`;
  const isSaid = operation.said.facts.query?.[parameter.name] === '$before';
  const fact = basisOf([isSaid ? 'said' : 'name'], parameter.spot);
  return breachOf(fact, 'unequal', `a page of ${shorten(got)}`, documented);
};
