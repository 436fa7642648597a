import type { Header, Parameter } from '../parameter.ts';
import { Shape } from '../schema/shape.ts';
import { type Basis, basisOf, type Sign } from './basis.ts';
import { foldedName } from './names.ts';
import { has, isTakenBack, spoken, textOf, textOfParameter } from './words.ts';

/** The query parameters of a list that choose one of its pages. */
export interface PageParameters {
  readonly pageSize: Parameter | undefined;
  /** How many records are before the page. */
  readonly offset: Parameter | undefined;
  /** The number of the page. */
  readonly page: Parameter | undefined;
  /** Where the page begins, as an earlier page has said it. */
  readonly cursor: Parameter | undefined;
}

type Relation = 'next' | 'previous' | 'first' | 'last' | 'self';

/** What a member beside a list, or a header of its response, says of the page. */
export type PageSign =
  /** Numbers of records: on all pages, on this one, at most on one, before this one. */
  | 'total'
  | 'listed'
  | 'size'
  | 'offset'
  /** The number of all pages, and that of this one. */
  | 'pages'
  | 'page'
  | 'has more'
  | 'has previous'
  | 'is first'
  | 'is last'
  | 'is empty'
  /** Values of the parameters of another page. */
  | 'next cursor'
  | 'previous cursor'
  | 'next page'
  | 'previous page'
  | 'next offset'
  | 'previous offset'
  | 'first id'
  | 'last id'
  | `${Relation} url`;

/** A member of the body that is about the page. */
export interface PageMember extends Basis {
  readonly says: PageSign;
  /** Where it is in the body. */
  readonly path: readonly string[];
  readonly shape: Shape;
}

/** A header that is about the page; `links`: `Link` (RFC 8288). */
export interface PageHeader extends Basis {
  readonly says: PageSign | 'links';
  /** In lower case. */
  readonly name: string;
  readonly shape: Shape;
}

/** How a list comes in pages: what asks for one, and what a response says of it. */
export interface Paging extends PageParameters {
  /** Of each parameter that it has. */
  readonly bases: Readonly<Partial<Record<keyof PageParameters, Basis>>>;
  readonly members: readonly PageMember[];
  readonly headers: readonly PageHeader[];
}

/** What a list documents, and what is known of it. */
interface DocumentedList {
  /** Its query parameters that have no other role. */
  readonly parameters: readonly Parameter[];
  /** The schema of the response's body. */
  readonly answer: Shape | undefined;
  /** Where the records are in it. */
  readonly place: { readonly member: string | undefined; readonly within: string | undefined };
  readonly headers: readonly Header[];
  /** The parameters of which `x-paddock` says so. */
  readonly said?: Partial<PageParameters>;
}

/** From lines of a meaning and folded names; of `next nextpage + token key` each first part with each second one. */
function table<Says extends string>(text: string): ReadonlyMap<string, Says> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [says = '', names = ''] = line.split(':').map((one) => one.trim());
      const [first = [], second = ['']] = names.split(' + ').map((one) => one.split(' '));
      return first.flatMap((one) => second.map((other) => [one + other, says as Says] as const));
    }),
  );
}

const RECORDS = 'items results records entries elements hits rows';

const PARAMETERS = table<
  keyof PageParameters
>(`pageSize: limit perpage pagesize pagelimit maxpagesize maxpagelimit
  pageSize: size count take top first maxresults maxitems maxkeys
  pageSize: ${RECORDS} + perpage
  offset: offset pageoffset skip start startindex startat
  page: page currentpage pagenumber pageno pagenum pageindex
  cursor: cursor pagecursor next pagetoken continuation continuationtoken continue skiptoken startkey exclusivestartkey
  cursor: next nextpage + token cursor
  cursor: bookmark aftercursor after afterid pageafter startafter startingafter startingafterid marker sinceid lastid`);
/** Cursors that take the id of the last record of the page before; the value of any other one is opaque. */
const ID_CURSORS =
  'after afterid pageafter startafter startingafter startingafterid marker since sinceid lastid'.split(' ');

/** What a number beside a list says. */
const COUNTS =
  table<PageSign>(`total: total totalcount totalsize totaldocs totaldocuments totalnumber numberfound
  total: total totalof totalnumberof + ${RECORDS}
  total: record records item items result results + count total
  pages: pages totalpages totalpage pagecount pagetotal numpages numberofpages totalnumberofpages lastpage
  listed: numberofelements currentcount currentitemcount returned returnedcount
  size: limit perpage pagesize size
  size: ${RECORDS} + perpage
  offset: offset
  next page: nextpage nextpagenumber nextpageno
  previous page: prev previous + page pagenumber pageno
  next offset: next nextoffset nextskip
  previous offset: prev previous prevoffset previousoffset`);
const FLAGS = table<PageSign>(`has more: hasmore hasnext truncated istruncated more
  has more: hasmore hasnext + page pages ${RECORDS}
  has previous: hasprev hasprevious hasprevpage haspreviouspage
  is first: first isfirst firstpage isfirstpage
  is last: last islast lastpage islastpage
  is empty: empty isempty`);
const CURSORS =
  table<PageSign>(`next cursor: next endcursor after cursor continuation continuationtoken continue
  next cursor: lastevaluatedkey nextpage nextafter nextstartingafter
  next cursor: next nextpage + token cursor marker key id
  previous cursor: prev previous startcursor before
  previous cursor: prev previous prevpage previouspage + token cursor marker key id`);
const RELATIONS = table<Relation>(`next: next nextpage nextresults
  previous: prev prevpage prevresults previous previouspage previousresults
  first: first firstpage
  last: last lastpage
  self: self current currentpage`);
const URL_ENDS = ['url', 'uri', 'link', 'href', 'path'];

/** Objects that describe a page; what any other object beside a list says is about something else as likely. */
const ENVELOPES = table(`meta: meta metadata page pages paging pagination pager pageable pageinfo paginginfo
  links: links cursor cursors
  meta: response list result paging + meta metadata`);
/** How deep a member may be that is about the page. */
const DEEPEST = 2;

/** What descriptions say of a parameter or a member for pages. */
const WORDS: Readonly<Record<keyof PageParameters, readonly string[]>> = {
  pageSize: 'page size|per page|page|pages|number of|how many|maximum|at most|to return'.split('|'),
  offset: 'skip|skipped|offset|paging|pagination|page|pages'.split('|'),
  page: 'page number|number of the page|which page|pages|paging|pagination|page to'.split('|'),
  cursor: 'cursor|token|next page|pages|paging|pagination|page'.split('|'),
};
const IN_TOTAL = 'total|in all|overall|all pages|all matching|all records|all results|regardless'.split('|');
const SUMS = 'sum|price|prices|amount|cost|costs|money|currency'.split('|');
const END = [
  ...['last page', 'final page', 'no more', 'no further', 'no next', 'no other', 'no additional'],
  ...['list', 'result', 'results', 'page', 'pages', 'collection', 'records'].map(
    (one) => `end of the ${one}`,
  ),
];

/** The whole numbers that a parameter takes, beside others or alone; undefined: it takes none. */
export function countShape({ shape }: Pick<Parameter, 'shape'>): Shape | undefined {
  return [shape, ...shape.alternatives].find(
    ({ mainType }) => mainType === 'integer' || mainType === 'number',
  );
}

/** A type alone allows billions: no page is that long. */
const LONGEST = 1000;

/** The longest page that a list is sensibly asked for; undefined: the document sets no bound. */
export function longestPage({ pageSize }: Pick<PageParameters, 'pageSize'>): number | undefined {
  const high = pageSize && countShape(pageSize)?.range.high?.value;
  return high === undefined ? undefined : Math.min(LONGEST, Number(high));
}

/** Whether null is among the values, in the schema itself or in an alternative. */
export function isNullable(shape: Shape): boolean {
  return [shape, ...shape.alternatives].some((one) => one.nullable || one.mainType === 'null');
}

function textShape(shape: Shape): Shape | undefined {
  return [shape, ...shape.alternatives].find(({ mainType }) => mainType === 'string');
}

/** Whether a parameter, or a member of a body, has a name for pages, and takes numbers. */
export function mayPage(parameter: Pick<Parameter, 'name' | 'shape'>): boolean {
  const role = PARAMETERS.get(foldedName(parameter.name));
  return role !== undefined && role !== 'cursor' && countShape(parameter) !== undefined;
}

/** Whether a cursor is the id of the last record of the page before. */
export function takesId({ name }: Parameter): boolean {
  return ID_CURSORS.includes(foldedName(name));
}

/** Whether the document says that the id of the last record leads to the next page. */
export function isIdOfLast(cursor: Parameter): boolean {
  return takesId(cursor) && statesId(cursor) && says(cursor, WORDS.cursor);
}

const says = (one: Parameter, phrases: readonly string[]) => has(spoken(textOfParameter(one)), phrases);
const statesId = (one: Parameter) => says(one, ['id', 'ids', 'identifier']);

/** How a list comes in pages, by the names and types of what it documents. */
export function pagingOf(list: DocumentedList): Paging {
  const parameters = pageParameters(list);
  const members = list.answer ? membersOf(list.answer, list, parameters) : [];
  const headers = list.headers.flatMap((one) => headerSign(one, parameters));
  return { ...parameters, bases: basesOf(list, parameters, [...members, ...headers]), members, headers };
}

function pageParameters({ parameters, answer, said }: DocumentedList): PageParameters {
  const known = parameters.filter((one) => !isTakenBack(one));
  const counting = (role: keyof PageParameters) =>
    known.find((one) => PARAMETERS.get(foldedName(one.name)) === role && countShape(one));
  const [pageSize, offset, page] = [counting('pageSize'), counting('offset'), counting('page')];
  const named = new Set(answer ? namesIn(answer, DEEPEST) : []);
  const others = known.filter((one) => one !== pageSize && one !== offset && one !== page);
  return { pageSize, offset, page, cursor: others.find((one) => isCursor(one, named)), ...said };
}

/** The name is one sign; limits, other parameters or members for the same pages are another, and so are words. */
function basesOf(
  { said }: DocumentedList,
  parameters: PageParameters,
  told: readonly (PageMember | PageHeader)[],
): Paging['bases'] {
  const given = (Object.entries(parameters) as [keyof PageParameters, Parameter | undefined][]).flatMap(
    ([role, parameter]) => (parameter ? [{ role, parameter }] : []),
  );
  // A total alone may be a sum.
  const isToldOfPage = told.some(({ says: what, certainty }) => what !== 'total' && certainty === 'promised');
  return Object.fromEntries(
    given.map(({ role, parameter }) => {
      const isPaged = given.length > 1 || isToldOfPage;
      const isSchema = isPaged || (role === 'pageSize' && hasPageLimits(parameter));
      const signs: Sign[] = ['name', ...(isSchema ? (['schema'] as const) : [])];
      if (says(parameter, WORDS[role])) signs.push('words');
      return [role, basisOf(said?.[role] ? ['said'] : signs, parameter.spot)];
    }),
  );
}

/** A page has one record at least, and more than one at most. */
function hasPageLimits(parameter: Parameter): boolean {
  const shape = countShape(parameter);
  const { low, high } = shape?.range ?? {};
  const isLimited =
    high !== undefined || low?.value === 1 || typeof shape?.find('default')?.value === 'number';
  return isLimited && (low === undefined || low.value <= 1) && (high === undefined || high.value > 1);
}

/** By its own name, or by that of a member of the response which says the next one: `next_marker`, `nextPage`. */
function isCursor(parameter: Parameter, named: ReadonlySet<string>): boolean {
  const name = foldedName(parameter.name);
  const text = textShape(parameter.shape);
  // A moment is a bound, and no page.
  const format = String(text?.find('format')?.value ?? '');
  if (format.startsWith('date') || format === 'time') return false;
  if (!text && !countShape(parameter)) return false;
  if (PARAMETERS.get(name) === 'cursor' || named.has(`next${name}`)) return true;
  return name === 'since' && !text && statesId(parameter);
}

function namesIn({ properties }: Shape, depth: number): string[] {
  return [...properties].flatMap(([name, inner]) => [
    foldedName(name),
    ...(depth > 0 && inner.mainType === 'object' ? namesIn(inner, depth - 1) : []),
  ]);
}

/** Where a member is, and what is known around it. */
interface Around {
  readonly path: readonly string[];
  /** It may be about something else than the page. */
  readonly isApart: boolean;
  /** It is a link by its place. */
  readonly isLink: boolean;
}

function membersOf(
  { properties }: Shape,
  list: DocumentedList,
  parameters: PageParameters,
  { path, isApart, isLink }: Around = { path: [], isApart: false, isLink: false },
): PageMember[] {
  const { member, within } = list.place;
  const names = new Set([...properties.keys()].map(foldedName));
  const records = foldedName(member ?? '');
  const found = (sign: Found, at: readonly string[], shape: Shape): PageMember => ({
    ...{ says: sign.says, path: at, shape, ...basisOf(isApart ? ['name'] : sign.signs, shape.spot) },
  });
  return [...properties].flatMap(([name, shape]): PageMember[] => {
    const at = [...path, name];
    const own = foldedName(name);
    if (shape.mainType !== 'object') {
      const sign = signOf(own, shape, { names, records, parameters, isLink });
      return sign ? [found(sign, at, shape)] : [];
    }
    const target = [...shape.properties].find(([one]) => ['href', 'url'].includes(one.toLowerCase()));
    const relation = target && RELATIONS.get(own);
    if (target && relation) return [found(fitting(`${relation} url`), [...at, target[0]], target[1])];
    if (path.length >= DEEPEST || own === 'sort') return [];
    const isOfPage = (at.length === 1 && name === within) || ENVELOPES.has(own);
    const around = { path: at, isApart: isApart || !isOfPage, isLink: own === 'links' };
    return membersOf(shape, list, parameters, around);
  });
}

interface Beside {
  readonly parameters: PageParameters;
  /** Those of the members of the same object. */
  readonly names: ReadonlySet<string>;
  /** That of the member with the records; empty: the response is the list. */
  readonly records: string;
  readonly isLink: boolean;
}

interface Found {
  readonly says: PageSign;
  readonly signs: readonly Sign[];
}

/** The type, or a parameter that takes the value, is the second sign. */
const fitting = (says: PageSign): Found => ({ says, signs: ['name', 'schema'] });
const named = (says: PageSign): Found => ({ says, signs: ['name'] });

function signOf(name: string, shape: Shape, beside: Beside): Found | undefined {
  if (shape.mainType === 'boolean') {
    const flag = FLAGS.get(name);
    return flag && (flag === 'has more' || flag === 'is last' ? fitting(flag) : named(flag));
  }
  if (countShape({ shape })) return countSign(name, shape, beside) ?? cursorSign(name, beside);
  const text = textShape(shape);
  const id = name === 'firstid' ? named('first id') : name === 'lastid' ? named('last id') : undefined;
  return text && (urlSign(name, text, beside) ?? cursorSign(name, beside) ?? id);
}

/** The meaning of a number beside a list. */
function countSign(name: string, shape: Shape, { names, records, parameters }: Beside): Found | undefined {
  const { pageSize, offset, page } = parameters;
  const known = name === `total${records}` ? 'total' : COUNTS.get(name);
  const text = spoken(shape.parts.map(textOf).join(' '));
  const inTotal: Found = { says: 'total', signs: has(text, IN_TOTAL) ? ['name', 'words'] : ['name'] };
  if (known === 'total') {
    if (shape.mainType === 'number' || has(text, SUMS)) return named('total');
    // Where there are no pages, a bare total may be the sum of something else.
    const isPaged = Object.values(parameters).some((one) => one !== undefined);
    return isPaged || name !== 'total' ? fitting('total') : inTotal;
  }
  if (known === 'pages' || known === 'listed') return named(known);
  if (name === 'count')
    return [...names].some((one) => COUNTS.get(one) === 'total') ? named('listed') : inTotal;
  // `articlesCount`, `articleCount` beside `articles`.
  if (name.endsWith('count') && name.length > 7 && records.startsWith(name.slice(0, -5))) return inTotal;
  const isPage = PARAMETERS.get(name) === 'page' || (name === 'number' && page !== undefined);
  if (isPage || name === foldedName(page?.name ?? '')) return named('page');
  if (name === 'size' && ['limit', 'pagesize', 'perpage'].some((one) => names.has(one)))
    return named('listed');
  if (known === 'size' || name === foldedName(pageSize?.name ?? '')) return named('size');
  if (known === 'offset' || name === foldedName(offset?.name ?? '')) return named('offset');
  const isOfPage = known === 'next page' || known === 'previous page';
  return known && (isOfPage ? page : offset) ? fitting(known) : undefined;
}

function cursorSign(name: string, { parameters: { cursor } }: Beside): Found | undefined {
  if (!cursor) return undefined;
  const own = foldedName(cursor.name);
  const known = CURSORS.get(name);
  if (known === 'next cursor' || name === own || name === `next${own}`) return fitting('next cursor');
  const isPrevious = known !== undefined || name === `prev${own}` || name === `previous${own}`;
  return isPrevious ? named('previous cursor') : undefined;
}

function urlSign(name: string, shape: Shape, { parameters, isLink }: Beside): Found | undefined {
  const bare = name.startsWith('odata') ? name.slice('odata'.length) : name;
  const end = URL_ENDS.find((one) => bare.endsWith(one)) ?? '';
  const relation = RELATIONS.get(bare.slice(0, bare.length - end.length));
  if (!relation) return undefined;
  if (end !== '' || isLink || isUrlShape(shape)) return fitting(`${relation} url`);
  const { cursor, page, offset } = parameters;
  const isOther = relation === 'next' || relation === 'previous';
  return isOther && !cursor && (page || offset) ? named(`${relation} url`) : undefined;
}

function isUrlShape(shape: Shape): boolean {
  return (
    isUrlFormat(shape) || shape.shown.some((one) => typeof one === 'string' && /^(?:https?:|[/?])/.test(one))
  );
}

function isUrlFormat(shape: Shape): boolean {
  return /^(?:ur[il]|iri)(?:-reference)?$/.test(String(shape.find('format')?.value));
}

/** Whether a URL must begin with its scheme, by its schema or by what that shows. */
export function isAbsoluteUrl(shape: Shape): boolean {
  const text = textShape(shape) ?? shape;
  const isWhole = /^(?:ur[il]|iri)$/.test(String(text.find('format')?.value));
  return isWhole || text.shown.some((one) => typeof one === 'string' && /^https?:/.test(one));
}

/** `X-Total-Count` and `X-Pagination-Total` mean what members of the body with these names do. */
function headerSign({ name, schema, spot }: Header, parameters: PageParameters): PageHeader[] {
  const shape = schema ? Shape.of([schema]) : new Shape([{ ...spot, value: {} }]);
  if (name === 'link') return [{ says: 'links', name, shape, ...basisOf(['said'], spot) }];
  const own = foldedName(name.replace(/^x-/, '').replace(/^pagination-/, ''));
  const beside: Beside = { parameters, names: new Set(), records: '', isLink: false };
  // What is in a header is text, whatever its schema says.
  const sign = countSign(own, shape, beside) ?? signOf(own, shape, beside);
  return sign ? [{ says: sign.says, name, shape, ...basisOf(sign.signs, spot) }] : [];
}

/** The value of a parameter that asks for the first page. */
export interface FirstPosition extends Basis {
  readonly value: number;
}

const FIRSTS = [
  '0 based|zero based|0 indexed|zero indexed|from 0|from zero|at 0|at zero|page is 0|page is zero|with 0|0 n',
  '1 based|one based|1 indexed|one indexed|from 1|from one|at 1|at one|page is 1|page is one|with 1|1 n',
].map((text) => text.split('|'));

/**
 * Where pages, or records, are counted from: by a default, by a least value, by words. Generators write `minimum: 0` for any
 * type without a sign, so that alone it promises nothing of pages.
 */
export function firstPosition(parameter: Parameter, { members }: Pick<Paging, 'members'>): FirstPosition {
  const shape = countShape(parameter) ?? parameter.shape;
  const first = (value: number, signs: readonly Sign[], because = parameter.spot): FirstPosition => ({
    ...{ value, ...basisOf(signs, because) },
  });
  const given = shape.find('default');
  if (given?.value === 0 || given?.value === 1) return first(given.value, ['said'], given.spot);
  const name = foldedName(parameter.name);
  const least = shape.find('minimum')?.value;
  if (PARAMETERS.get(name) !== 'page') {
    const isOffset = name.includes('offset') || name.includes('skip');
    if (least === 1 && !isOffset) return first(1, ['name', 'schema']);
    return first(0, least === 0 || isOffset ? ['name', 'schema'] : ['name']);
  }
  if (least === 1) return first(1, ['name', 'schema']);
  const stated = FIRSTS.findIndex((phrases) => says(parameter, phrases));
  if (stated >= 0) return first(stated, ['name', 'words']);
  const isNumber = members.some(({ says: what, path }) => what === 'page' && path.at(-1) === 'number');
  return first(least === 0 || isNumber ? 0 : 1, ['name']);
}

/** What says where the next page is, the surest first. */
export function nextSigns({ members, headers }: Paging): readonly (PageMember | PageHeader)[] {
  const all = [...headers, ...members];
  const order: readonly PageHeader['says'][] = [
    'links',
    'next url',
    'next cursor',
    'next page',
    'next offset',
  ];
  return order.flatMap((says) => all.filter((one) => one.says === says));
}

/** Whether the document says how the last page is told: by null, by a flag, or in words. */
export function tellsEnd(paging: Paging): boolean {
  const all = [...paging.headers, ...paging.members];
  if (all.some(({ says, certainty }) => says === 'has more' && certainty === 'promised')) return true;
  return nextSigns(paging).some(
    ({ shape, because, certainty }) =>
      certainty === 'promised' && (isNullable(shape) || has(spoken(textOf(because)), END)),
  );
}
