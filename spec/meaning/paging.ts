import type { Header, Parameter } from '../parameter.ts';
import { Shape } from '../schema/shape.ts';
import { statedFirst, statesEnd, statesId, statesIdOfLast, statesTotal } from '../stated.ts';
import type { Basis, Certainty } from './basis.ts';
import { foldedName } from './names.ts';

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

const RECORDS = '(?:items|results|records|entries|elements|hits|rows)';
const PAGE_SIZE = new RegExp(
  `^(?:limit|perpage|(?:max)?page(?:size|limit)|size|count|take|top|first|max(?:results|items|keys)|${RECORDS}perpage)$`,
);
const OFFSET = /^(?:(?:page)?offset|skip|start(?:index|at)?)$/;
const PAGE = /^(?:(?:current)?page|page(?:number|no|num|index))$/;
const CURSOR =
  /^(?:(?:page)?cursor|(?:page|start|starting)?after(?:cursor|id)?|next|next(?:page)?(?:token|cursor)|pagetoken|continuation(?:token)?|continue|marker|skiptoken|sinceid|lastid|(?:exclusive)?startkey|bookmark)$/;
/** Cursors that take the id of the last record of the page before; the value of any other one is opaque. */
const ID_CURSOR = /^(?:(?:page|start|starting)?after(?:id)?|marker|since(?:id)?|lastid)$/;

const TOTAL = new RegExp(
  `^(?:total|total(?:number|no)?(?:of)?(?:count|size|docs|documents|${RECORDS})|(?:record|item|result)s?(?:count|total)|number(?:of)?found)$`,
);
const PAGES =
  /^(?:total(?:number|no)?(?:of)?pages?|pages?(?:count|total)|pages|num(?:ber)?(?:of)?pages|lastpage)$/;
const SIZE = new RegExp(`^(?:limit|perpage|pagesize|size|${RECORDS}perpage)$`);
const LISTED = /^(?:numberofelements|current(?:item)?count|returned(?:count)?)$/;
const HAS_MORE = /^(?:has(?:more|next)(?:pages?|items|results|records)?|(?:is)?truncated|more)$/;
const HAS_PREVIOUS = /^hasprev(?:ious)?(?:page)?$/;
const NEXT_CURSOR =
  /^(?:next|next(?:page)?(?:token|cursor|marker|key|id|after|startingafter)?|endcursor|after|cursor|continuation(?:token)?|continue|lastevaluatedkey)$/;
const PREVIOUS_CURSOR = /^(?:prev(?:ious)?(?:page)?(?:token|cursor|marker|key|id)?|startcursor|before)$/;
const RELATED = /^(next|prev(?:ious)?|first|last|self|current)(?:page|results)?(url|uri|link|href|path)?$/;
const RELATIONS: Readonly<Record<string, Relation>> = {
  ...{ next: 'next', prev: 'previous', previous: 'previous' },
  ...{ first: 'first', last: 'last', self: 'self', current: 'self' },
};

/** Objects that describe a page; what any other object beside a list says is about something else as likely. */
const ENVELOPE =
  /^(?:(?:response|list|result|paging)?meta(?:data)?|pag(?:e|es|ing|ination|er|eable|einfo|inginfo)|links|cursors?)$/;
const LINKS = /^links$/;
/** How deep a member may be that is about the page. */
const DEEPEST = 2;

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
  const name = foldedName(parameter.name);
  return [PAGE_SIZE, OFFSET, PAGE].some((one) => one.test(name)) && countShape(parameter) !== undefined;
}

/** Whether a cursor is the id of the last record of the page before. */
export function takesId({ name }: Parameter): boolean {
  return ID_CURSOR.test(foldedName(name));
}

/** Whether the document says that the id of the last record leads to the next page. */
export function isIdOfLast(cursor: Parameter): boolean {
  return takesId(cursor) && statesIdOfLast(cursor);
}

/** How a list comes in pages, by the names and types of what it documents. */
export function pagingOf(list: DocumentedList): Paging {
  const parameters = pageParameters(list);
  const members = list.answer ? membersOf(list.answer, list, parameters) : [];
  return { ...parameters, members, headers: list.headers.flatMap((one) => headerSign(one, parameters)) };
}

function pageParameters({ parameters, answer, said }: DocumentedList): PageParameters {
  const counting = (pattern: RegExp) =>
    parameters.find((one) => pattern.test(foldedName(one.name)) && countShape(one));
  const [pageSize, offset, page] = [PAGE_SIZE, OFFSET, PAGE].map(counting);
  const named = new Set(answer ? namesIn(answer, DEEPEST) : []);
  const others = parameters.filter((one) => one !== pageSize && one !== offset && one !== page);
  return { pageSize, offset, page, cursor: others.find((one) => isCursor(one, named)), ...said };
}

/** By its own name, or by that of a member of the response which says the next one: `next_marker`, `nextPage`. */
function isCursor(parameter: Parameter, named: ReadonlySet<string>): boolean {
  const name = foldedName(parameter.name);
  const text = textShape(parameter.shape);
  // A moment is a bound, and no page.
  if (/^date|^time$/.test(String(text?.find('format')?.value ?? ''))) return false;
  if (!text && !countShape(parameter)) return false;
  if (CURSOR.test(name) || named.has(`next${name}`)) return true;
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
  readonly certainty: Certainty;
  /** It is a link by its place. */
  readonly isLink: boolean;
}

const TOP: Around = { path: [], certainty: 'promised', isLink: false };

function membersOf(
  { properties }: Shape,
  list: DocumentedList,
  parameters: PageParameters,
  { path, certainty, isLink }: Around = TOP,
): PageMember[] {
  const { member, within } = list.place;
  const names = new Set([...properties.keys()].map(foldedName));
  const records = foldedName(member ?? '');
  return [...properties].flatMap(([name, shape]): PageMember[] => {
    const here = [...path, name];
    const found = (says: PageSign, at: readonly string[] = here, sure = certainty) => [
      { says, path: at, shape, certainty: sure, because: shape.spot },
    ];
    if (shape.mainType === 'object') {
      const target = [...shape.properties.keys()].find((one) => /^(?:href|url)$/i.test(one));
      const relation = target === undefined ? undefined : RELATIONS[foldedName(name)];
      if (target !== undefined && relation)
        return found(`${relation} url`, [...here, target]).map((one) => ({
          ...one,
          shape: shape.properties.get(target) ?? shape,
        }));
      const isAround = here.length === 1 && name === within;
      if (path.length >= DEEPEST || foldedName(name) === 'sort') return [];
      const sure = isAround || ENVELOPE.test(foldedName(name)) ? certainty : 'presumed';
      return membersOf(shape, list, parameters, {
        ...{ path: here, certainty: sure, isLink: LINKS.test(foldedName(name)) },
      });
    }
    const sign = signOf(foldedName(name), shape, { names, records, parameters, isLink });
    return sign ? found(sign.says, here, sign.certainty === 'presumed' ? 'presumed' : certainty) : [];
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

interface Sign {
  readonly says: PageSign;
  readonly certainty: Certainty;
}

const promised = (says: PageSign): Sign => ({ says, certainty: 'promised' });
const presumed = (says: PageSign): Sign => ({ says, certainty: 'presumed' });

function signOf(name: string, shape: Shape, beside: Beside): Sign | undefined {
  if (shape.mainType === 'boolean') return flagSign(name);
  if (countShape({ shape })) return countSign(name, shape, beside) ?? cursorSign(name, beside);
  const text = textShape(shape);
  return text && (urlSign(name, text, beside) ?? cursorSign(name, beside) ?? idSign(name));
}

function flagSign(name: string): Sign | undefined {
  if (HAS_MORE.test(name)) return promised('has more');
  if (HAS_PREVIOUS.test(name)) return presumed('has previous');
  if (/^(?:is)?first(?:page)?$/.test(name)) return presumed('is first');
  if (/^(?:is)?last(?:page)?$/.test(name)) return promised('is last');
  return /^(?:is)?empty$/.test(name) ? presumed('is empty') : undefined;
}

/** The meaning of a number beside a list. */
function countSign(name: string, shape: Shape, { names, records, parameters }: Beside): Sign | undefined {
  const { pageSize, offset, page } = parameters;
  const isPaged = Object.values(parameters).some((one) => one !== undefined);
  if (TOTAL.test(name) || (records !== '' && name === `total${records}`))
    // Where there are no pages, a bare total may be the sum of something else.
    return isPaged || name !== 'total' ? promised('total') : presumed('total');
  if (PAGES.test(name)) return presumed('pages');
  if (LISTED.test(name)) return presumed('listed');
  if (name === 'count' && [...names].some((one) => TOTAL.test(one))) return presumed('listed');
  if (name === 'count' || isCountOf(name, records))
    return statesTotal(shape) ? promised('total') : presumed('total');
  if (name === foldedName(page?.name ?? '') || PAGE.test(name)) return presumed('page');
  if (name === 'number' && page) return presumed('page');
  if (name === 'size' && ['limit', 'pagesize', 'perpage'].some((one) => names.has(one)))
    return presumed('listed');
  if (name === foldedName(pageSize?.name ?? '') || SIZE.test(name)) return presumed('size');
  if (name === foldedName(offset?.name ?? '') || name === 'offset') return presumed('offset');
  const [, relation, what] = /^(next|prev(?:ious)?)(page(?:number|no)?|offset|skip)?$/.exec(name) ?? [];
  const other = relation === 'next' ? 'next' : 'previous';
  if (relation === undefined) return undefined;
  if (page && what?.startsWith('page')) return promised(`${other} page`);
  return offset && !what?.startsWith('page') ? promised(`${other} offset`) : undefined;
}

/** `articlesCount`, `articleCount` beside `articles`. */
function isCountOf(name: string, records: string): boolean {
  const [, what = ''] = /^(.{3,})count$/.exec(name) ?? [];
  return what !== '' && records.startsWith(what);
}

function cursorSign(name: string, { parameters: { cursor } }: Beside): Sign | undefined {
  if (!cursor) return undefined;
  const own = foldedName(cursor.name);
  if (NEXT_CURSOR.test(name) || name === own || name === `next${own}`) return promised('next cursor');
  return PREVIOUS_CURSOR.test(name) || name === `prev${own}` || name === `previous${own}`
    ? presumed('previous cursor')
    : undefined;
}

function urlSign(name: string, shape: Shape, { parameters, isLink }: Beside): Sign | undefined {
  const [, related = '', suffix] = RELATED.exec(name.replace(/^odata/, '')) ?? [];
  const relation = RELATIONS[related];
  if (!relation) return undefined;
  const isUrl = suffix !== undefined || isLink || isUrlShape(shape);
  if (isUrl) return promised(`${relation} url`);
  const { cursor, page, offset } = parameters;
  const isOther = relation === 'next' || relation === 'previous';
  return isOther && !cursor && (page || offset) ? presumed(`${relation} url`) : undefined;
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

function idSign(name: string): Sign | undefined {
  if (name === 'firstid') return presumed('first id');
  return name === 'lastid' ? presumed('last id') : undefined;
}

/** `X-Total-Count` and `X-Pagination-Total` mean what members of the body with these names do. */
function headerSign({ name, schema, spot }: Header, parameters: PageParameters): PageHeader[] {
  const shape = schema ? Shape.of([schema]) : new Shape([{ ...spot, value: {} }]);
  const header = (says: PageHeader['says'], certainty: Certainty): PageHeader[] => [
    { says, name, shape, certainty, because: spot },
  ];
  if (name === 'link') return header('links', 'promised');
  const own = foldedName(name.replace(/^x-/, '').replace(/^pagination-/, ''));
  const beside: Beside = { parameters, names: new Set(), records: '', isLink: false };
  // What is in a header is text, whatever its schema says.
  const sign = countSign(own, shape, beside) ?? signOf(own, shape, beside);
  return sign ? header(sign.says, sign.certainty) : [];
}

/** The value of a parameter that asks for the first page. */
export interface FirstPosition extends Basis {
  readonly value: number;
}

/**
 * Where pages, or records, are counted from: by a default, by a least value, by words. Generators write `minimum: 0` for any
 * type without a sign, so that alone it promises nothing of pages.
 */
export function firstPosition(parameter: Parameter, { members }: Pick<Paging, 'members'>): FirstPosition {
  const shape = countShape(parameter) ?? parameter.shape;
  const first = (value: number, certainty: Certainty, because = parameter.spot) => ({
    ...{ value, certainty, because },
  });
  const byDefault = shape.find('default');
  if (byDefault?.value === 0 || byDefault?.value === 1)
    return first(byDefault.value, 'promised', byDefault.spot);
  const name = foldedName(parameter.name);
  const least = shape.find('minimum');
  if (!PAGE.test(name))
    return least?.value === 1 && !/offset|skip/.test(name)
      ? first(1, 'promised')
      : first(0, least?.value === 0 || /offset|skip/.test(name) ? 'promised' : 'presumed');
  if (least?.value === 1) return first(1, 'promised');
  const stated = statedFirst(parameter);
  if (stated !== undefined) return first(stated, 'promised');
  const isFromZero =
    least?.value === 0 || members.some(({ says, path }) => says === 'page' && path.at(-1) === 'number');
  return first(isFromZero ? 0 : 1, 'presumed');
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
    ({ shape, because, certainty }) => certainty === 'promised' && (isNullable(shape) || statesEnd(because)),
  );
}
