import type { Operation } from '../operation.ts';
import type { Header, Parameter } from '../parameter.ts';
import { Shape } from '../schema/shape.ts';
import { type Basis, basisOf, type Sign } from './basis.ts';
import type { PageSign } from './meaning.ts';
import { foldedName, pairsOf, setOf } from './names.ts';
import { has, isTakenBack, listed, spoken, textOf, textOfParameter } from './words.ts';

/** The query parameters of a list that choose one of its pages. */
export interface PageParameters {
  readonly pageSize: Parameter | undefined;
  /** How many records are before the page. */
  readonly offset: Parameter | undefined;
  /** The number of the page. */
  readonly page: Parameter | undefined;
  /** Where the page begins, a value from the response of an earlier page. */
  readonly cursor: Parameter | undefined;
}
type PageRole = keyof PageParameters;

/** A member of the body that describes the page. */
export interface PageMember extends Basis {
  readonly says: PageSign;
  /** The names that lead to it in the body. */
  readonly path: readonly string[];
  readonly shape: Shape;
}

/** A header that describes the page; `links`: `Link` (RFC 8288). */
export interface PageHeader extends Basis {
  readonly says: PageSign | 'links';
  /** In lower case. */
  readonly name: string;
  readonly shape: Shape;
}

/** How a list is paged: the parameters that choose a page, and the members and headers that describe it. */
export interface Paging extends PageParameters {
  /** The evidence for each parameter. */
  readonly bases: Readonly<Partial<Record<PageRole, Basis>>>;
  readonly members: readonly PageMember[];
  readonly headers: readonly PageHeader[];
  /** The number of the first page, where `x-paddock` says it. */
  readonly first?: FirstPosition | undefined;
}

/** Where the records of a list are in its response. */
interface Place {
  readonly member: string | undefined;
  readonly within: string | undefined;
}

/** A list as documented, with what is already inferred of it. */
interface DocumentedList {
  /** Query parameters without another role. */
  readonly parameters: readonly Parameter[];
  /** The schema of the response's body. */
  readonly answer?: Shape | undefined;
  readonly place?: Place;
  readonly headers?: readonly Header[];
  /** The parameters that `x-paddock` names. */
  readonly chosen?: Partial<PageParameters>;
  readonly said?: Operation['said'];
}

function table<Says>(lines: Readonly<Record<string, string>>): ReadonlyMap<string, Says> {
  const entries = Object.entries(lines) as [Says & string, string][];
  return new Map(entries.flatMap(([says, names]) => names.split(' ').map((name) => [name, says] as const)));
}

/** Synonyms in folded names. */
const SAME = pairsOf(
  'result:item record:item element:item row:item entrie:item hit:item doc:item ' +
    'pagenumber:page pageindex:page pageno:page previous:prev odata:',
);

/** A folded name with synonyms replaced: `totalitems` for `totalElements`, `prevpage` for `previous_page_number`. */
const pageName = (name: string): string =>
  [...SAME].reduce((text, [one, other]) => text.replaceAll(one, other), foldedName(name));

/** Names of cursors that take the id of the previous page's last record; other cursors are opaque. */
const ID_CURSORS = 'after startingafter startafter pageafter sinceid lastid marker';
const ID_CURSOR_NAMES = setOf(ID_CURSORS);
const PARAMETERS = table<PageRole>({
  pageSize:
    'limit pagelimit perpage pagesize maxpagesize itemsperpage size count take top first maxitems maxkeys ' +
    'porpagina itemsporpagina tamanhopagina tamanopagina limite parpage proseite',
  offset: 'offset pageoffset skip startindex startat',
  page: 'page currentpage pagina paginaatual paginaactual seite',
  cursor:
    'cursor pagecursor next nexttoken nextcursor pagetoken nextpagetoken continuation continuationtoken ' +
    `skiptoken exclusivestartkey bookmark ${ID_CURSORS}`,
});

/** Names of numbers beside a list. */
const COUNTS = table<PageSign>({
  total:
    'total totalcount totalsize totalitems totalitemscount count itemcount itemscount itemstotal numberfound',
  pages: 'pages totalpages totalpage totalpagesnumber pagecount pagestotal numpages numberofpages lastpage',
  listed: 'numberofitems',
  size: 'perpage pagesize itemsperpage',
  page: 'page currentpage number',
  'first item': 'from',
  'last item': 'to',
});
const FLAGS = table<PageSign>({
  'has more': 'hasmore more morepages hasmorepages hasnext hasnextpage truncated istruncated',
  'has previous': 'hasprev hasprevpage',
  'is first': 'first isfirst isfirstpage',
  'is last': 'last islast islastpage',
  'is empty': 'empty isempty',
});

/** Names that refer to another page, with the kind of their value: `nextPageToken`, `prev_url`. */
const RELATIONS = new Map<string, readonly ['next' | 'previous', value: string]>(
  ['', 'page'].flatMap((noun) =>
    ['', 'url', 'uri', 'link', 'href', 'token', 'cursor'].flatMap((value) => [
      [`next${noun}${value}`, ['next', value] as const],
      [`prev${noun}${value}`, ['previous', value] as const],
    ]),
  ),
);

/** Names of objects that describe a page. Other objects beside a list may be about anything. */
const ENVELOPES = setOf('meta metadata page pages paging pagination pager pageable pageinfo links cursors');

/** Phrases that describe a paging parameter. */
const OF_PAGES = listed(
  'page number|which page|pages|per page|page size|skip|offset|cursor|token|how many|to return',
);
const END = listed('last page|no more|no next|end of the list');

const says = (parameter: Parameter, phrases: readonly string[]) =>
  has(spoken(textOfParameter(parameter)), phrases);

/** The schema of the integers that a parameter accepts; undefined: it accepts none. */
export const countShape = ({ shape }: Pick<Parameter, 'shape'>): Shape | undefined =>
  formOf(shape, 'integer', 'number');

const formOf = (shape: Shape, ...types: readonly string[]) =>
  [shape, ...shape.alternatives].find(({ mainType }) => mainType && types.includes(mainType));

/** Whether null is among the values, in the schema itself or in an alternative. */
export function isNullable(shape: Shape): boolean {
  return [shape, ...shape.alternatives].some((one) => one.nullable || one.mainType === 'null');
}

/** The longest page worth asking for, whatever bound a schema sets. */
const LONGEST = 1000;

/** The longest page to ask for; undefined: the document sets no bound. */
export function longestPage({ pageSize }: Pick<PageParameters, 'pageSize'>): number | undefined {
  const high = pageSize && countShape(pageSize)?.range.high?.value;
  return high === undefined ? undefined : Math.min(LONGEST, Number(high));
}

/** Whether a parameter, or a member of a body, has a paging name and accepts numbers. */
export function mayPage(parameter: Pick<Parameter, 'name' | 'shape'>): boolean {
  const role = PARAMETERS.get(pageName(parameter.name));
  return role !== undefined && role !== 'cursor' && countShape(parameter) !== undefined;
}

/** Whether a cursor takes the id of the previous page's last record, by its name. */
export const takesId = ({ name }: Parameter): boolean => ID_CURSOR_NAMES.has(pageName(name));

/** Whether a description confirms that the id of the last record is the cursor of the next page. */
export const isIdOfLast = (cursor: Parameter): boolean =>
  takesId(cursor) &&
  says(cursor, ['id', 'ids', 'identifier']) &&
  says(cursor, [...OF_PAGES, ...listed('page|last|after|behind|following')]);

/** How a list comes in pages, by the names and types of what it documents. */
export function pagingOf(list: DocumentedList): Paging {
  const { answer, headers = [], said } = list;
  const parameters = pageParameters(list);
  const { page = {}, first } = said?.facts ?? {};
  const members = answer ? membersOf(answer, list.place ?? {}, parameters) : [];
  const signs = {
    members: members.filter((member) => !page[member.path.join('.')]),
    headers: headers.flatMap((header) => (page[header.name] ? [] : headerSigns(header, parameters))),
  };
  for (const [name, sign] of Object.entries(page)) {
    const header = headers.find((one) => one.name === name);
    const path = name.split('.');
    const shape = header
      ? header.shape
      : path.reduce<Shape | undefined>((at, one) => at?.properties.get(one), answer);
    const basis = shape && basisOf(['said'], said?.at('page', name) ?? shape.spot);
    if (basis && header) signs.headers.push({ says: sign, name, shape, ...basis });
    else if (basis && sign !== 'links') signs.members.push({ says: sign, path, shape, ...basis });
  }
  const spot = said?.at('first');
  return {
    ...parameters,
    ...signs,
    bases: basesOf(list, parameters, [...signs.members, ...signs.headers]),
    first: first === undefined || !spot ? undefined : { value: first, ...basisOf(['said'], spot) },
  };
}

function pageParameters({ parameters, chosen }: DocumentedList): PageParameters {
  const candidates = parameters.filter((parameter) => !isTakenBack(parameter));
  const named = (role: PageRole, fits: (parameter: Parameter) => unknown) =>
    candidates.find((candidate) => PARAMETERS.get(pageName(candidate.name)) === role && fits(candidate));
  // A date is a bound, not a cursor.
  const isOpaque = ({ shape }: Parameter) => {
    const value = formOf(shape, 'string', 'integer', 'number');
    return value && !String(value.find('format')?.value).startsWith('date');
  };
  const [pageSize, offset, page] = (['pageSize', 'offset', 'page'] as const).map(
    (role) => named(role, countShape) ?? named(role, isPlainText),
  );
  // Many documents type each parameter as a string: beside another paging parameter it is a number.
  const isAlone = [pageSize, offset, page].filter((parameter) => parameter !== undefined).length === 1;
  const counted = (parameter: Parameter | undefined) =>
    isAlone && parameter && !countShape(parameter) ? undefined : parameter;
  return {
    pageSize: counted(pageSize),
    offset: counted(offset),
    page: counted(page),
    cursor: named('cursor', isOpaque),
    ...chosen,
  };
}

/** A parameter that accepts any text, or that has no schema. */
function isPlainText({ shape }: Parameter): boolean {
  const text = shape.isUntyped ? shape : formOf(shape, 'string');
  const format = String(text?.find('format')?.value ?? 'int32');
  return text !== undefined && !text.values && !text.find('pattern') && format.startsWith('int');
}

/** The name is one sign; limits or other paging parameters and members are another, and so are words. */
function basesOf(
  { chosen }: DocumentedList,
  parameters: PageParameters,
  told: readonly (PageMember | PageHeader)[],
): Paging['bases'] {
  const present = Object.entries(parameters).filter(([, parameter]) => parameter) as [PageRole, Parameter][];
  // A total alone may be a sum.
  const isToldOfPage = told.some(({ says: what, certainty }) => what !== 'total' && certainty === 'promised');
  const isPaged = present.length > 1 || isToldOfPage;
  return Object.fromEntries(
    present.map(([role, parameter]) => {
      const isOfPage = isPaged || (role === 'pageSize' && hasPageLimits(parameter));
      const isNumber = role === 'cursor' || countShape(parameter) !== undefined;
      const second = [isOfPage && 'schema', says(parameter, OF_PAGES) && 'words'] as const;
      const signs = ['name', ...(isNumber ? second : [])] as const;
      return [role, basisOf(chosen?.[role] ? ['said'] : signs, parameter.spot)];
    }),
  );
}

/** Bounds that fit the size of a page: at least one record, at most more than one. */
function hasPageLimits(parameter: Parameter): boolean {
  const { low, high } = countShape(parameter)?.range ?? {};
  return high !== undefined && high.value > 1 && (low === undefined || low.value <= 1);
}

/** The members of a list's response, and of its paging objects, that describe the page. */
function membersOf(
  { properties }: Shape,
  { member, within }: Partial<Place>,
  parameters: PageParameters,
  path: readonly string[] = [],
): PageMember[] {
  const around = path.at(-1) ?? '';
  return [...properties].flatMap(([name, shape]): PageMember[] => {
    const at = [...path, name];
    const folded = pageName(RELATIONS.has(pageName(around)) ? around + name : name);
    if (shape.mainType === 'object') {
      const isOfPage =
        ENVELOPES.has(folded) || RELATIONS.has(folded) || (path.length === 0 && name === within);
      return isOfPage && path.length < 2 ? membersOf(shape, { member }, parameters, at) : [];
    }
    const [sign, ...signs] = signOf(folded, shape, parameters, pageName(member ?? '')) ?? [];
    return sign ? [{ says: sign, path: at, shape, ...basisOf(['name', ...signs], shape.spot) }] : [];
  });
}

/** `X-Total-Count` and `X-Pagination-Total` mean what members of the body with these names do. */
function headerSigns({ name, schema, spot }: Header, parameters: PageParameters): PageHeader[] {
  const shape = schema ? Shape.of([schema]) : new Shape([{ ...spot, value: {} }]);
  if (name === 'link') return [{ says: 'links', name, shape, ...basisOf(['said'], spot) }];
  const folded = pageName(name.replace('x-', '').replace('pagination-', ''));
  // What is in a header is text, whatever its schema says.
  const [sign, ...signs] =
    countSign(folded, shape, parameters, '') ?? signOf(folded, shape, parameters, '') ?? [];
  return sign ? [{ says: sign, name, shape, ...basisOf(['name', ...signs], spot) }] : [];
}

/** The meaning of a name, and further signs for it: the type, or a parameter that takes the value. */
type Found = readonly [says: PageSign, ...signs: Sign[]];

/** @param records the name of the member with the records; empty: the response is the list, or a header is read */
function signOf(name: string, shape: Shape, parameters: PageParameters, records: string): Found | undefined {
  if (shape.mainType === 'boolean') {
    const flag = FLAGS.get(name);
    return flag && [flag, 'schema'];
  }
  const isNumber = countShape({ shape }) !== undefined;
  const text = formOf(shape, 'string');
  const { cursor, page, offset } = parameters;
  const [relation, value] = RELATIONS.get(name) ?? [];
  const count = isNumber ? countSign(name, shape, parameters, records) : undefined;
  if (count || !(isNumber || text)) return count;
  const cursorName = cursor && pageName(cursor.name);
  const isKey = value === 'token' || value === 'cursor';
  if (cursorName === name || (cursorName && name === `next${cursorName}`)) return ['next cursor', 'schema'];
  if (!relation) return undefined;
  if (text && !isKey && (value !== '' || isUrl(text, 'anywhere'))) return [`${relation} url`, 'schema'];
  if (cursor && (isKey || value === '')) return [`${relation} cursor`, 'schema'];
  if (text) return isKey || !(page || offset) ? undefined : [`${relation} url`];
  if (page) return [`${relation} page`, 'schema'];
  if (offset) return [`${relation} offset`, 'schema'];
  // Without a paging parameter only a name with `page` in it is certain enough.
  return name.includes('page') ? [`${relation} page`] : undefined;
}

/** The meaning of a number; one with the name of a parameter repeats its value. */
function countSign(
  name: string,
  shape: Shape,
  { pageSize, offset, page, cursor }: PageParameters,
  records: string,
): Found | undefined {
  const isOwn = (parameter: Parameter | undefined) =>
    parameter !== undefined && name === pageName(parameter.name);
  if (isOwn(pageSize)) return ['size'];
  if (isOwn(offset)) return ['offset'];
  const meaning = [`total${records}`, `${records}count`].includes(name) ? 'total' : COUNTS.get(name);
  // Without paging parameters, a total may be a sum of something else.
  const isPaged = pageSize ?? offset ?? page ?? cursor;
  if (isPaged && name.startsWith('total') && meaning === 'total' && shape.mainType !== 'number')
    return ['total', 'schema'];
  // Without paging parameters, `from` and `to` are as likely the ends of a period.
  if (meaning?.endsWith(' item') && !isPaged) return undefined;
  return meaning ? [meaning] : PARAMETERS.get(name) === 'page' ? ['page'] : undefined;
}

/** Whether a URL must be absolute, by its format or its examples. */
export const isAbsoluteUrl = (shape: Shape): boolean => isUrl(formOf(shape, 'string') ?? shape);

function isUrl(text: Shape, at?: 'anywhere'): boolean {
  const starts = ['http:', 'https:', ...(at ? ['/', '?'] : [])];
  const formats = ['uri', 'url', 'iri', ...(at ? ['uri-reference'] : [])];
  const isShown = (one: unknown) => starts.some((start) => typeof one === 'string' && one.startsWith(start));
  return formats.includes(String(text.find('format')?.value)) || text.ownExamples.some(isShown);
}

/** The value of a parameter that asks for the first page. */
export interface FirstPosition extends Basis {
  readonly value: number;
}

/**
 * The first page or offset: by a default, by a minimum, else by convention. Generators write `minimum: 0` for
 * any unsigned type, so that this alone promises nothing about pages.
 */
export function firstPosition(
  parameter: Parameter,
  { page, first }: Pick<Paging, 'page' | 'first'>,
): FirstPosition {
  if (first) return first;
  const shape = countShape(parameter) ?? parameter.shape;
  const byDefault = shape.find('default');
  const start = [0, 1].find((one) => String(byDefault?.value) === String(one));
  if (byDefault && start !== undefined) return { value: start, ...basisOf(['said'], byDefault.spot) };
  if (parameter !== page) return { value: 0, ...basisOf(['name', 'schema'], parameter.spot) };
  const least = shape.find('minimum')?.value;
  return { value: least === 0 ? 0 : 1, ...basisOf(['name', least === 1 && 'schema'], parameter.spot) };
}

const NEXT: readonly PageHeader['says'][] = ['links', 'next url', 'next cursor', 'next page', 'next offset'];

/** The members and headers that lead to the next page, the most certain first. */
export function nextSigns({ members, headers }: Paging): readonly (PageMember | PageHeader)[] {
  const all = [...headers, ...members];
  return NEXT.flatMap((sign) => all.filter((one) => one.says === sign));
}

/** Whether the document says how to recognise the last page: by null, by a flag, or in words. */
export function tellsEnd(paging: Paging): boolean {
  const all = [...paging.headers, ...paging.members].filter(({ certainty }) => certainty === 'promised');
  const isTold = ({ shape, because }: PageMember | PageHeader) =>
    isNullable(shape) || has(spoken(textOf(because)), END);
  return all.some((one) => one.says === 'has more' || (NEXT.includes(one.says) && isTold(one)));
}
