import type { Spot } from '../document/spot.ts';
import type { Header, Parameter } from '../parameter.ts';
import { Shape } from '../schema/shape.ts';
import { type Basis, basisOf, type Sign } from './basis.ts';
import type { PageSign } from './meaning.ts';
import { foldedName } from './names.ts';
import { COUNTS, CURSORS, ENVELOPES, FLAGS, PARAMETERS, RELATIONS, URL_ENDS } from './page-names.ts';
import { has, spoken, textOf } from './words.ts';

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

/** What a list documents, and what is known of it. */
export interface DocumentedList {
  /** Its query parameters that have no other role. */
  readonly parameters: readonly Parameter[];
  /** The schema of the response's body. */
  readonly answer: Shape | undefined;
  /** Where the records are in it. */
  readonly place: { readonly member: string | undefined; readonly within: string | undefined };
  readonly headers: readonly Header[];
  /** The parameters of which `x-paddock` says so. */
  readonly said?: Partial<PageParameters>;
  /** What `x-paddock` says of members, with dots between, and of headers. */
  readonly saidPage?: ReadonlyMap<string, { readonly says: PageHeader['says']; readonly because: Spot }>;
  /** What it says of the number of the first page. */
  readonly first?: (Basis & { readonly value: number }) | undefined;
}

/** The whole numbers that a parameter takes, beside others or alone; undefined: it takes none. */
export function countShape({ shape }: Pick<Parameter, 'shape'>): Shape | undefined {
  return [shape, ...shape.alternatives].find(
    ({ mainType }) => mainType === 'integer' || mainType === 'number',
  );
}

export function textShape(shape: Shape): Shape | undefined {
  return [shape, ...shape.alternatives].find(({ mainType }) => mainType === 'string');
}

/** How deep a member may be that is about the page. */
export const DEEPEST = 2;

const IN_TOTAL = 'total|in all|overall|all pages|all matching|all records|all results|regardless'.split('|');
const SUMS = 'sum|price|prices|amount|cost|costs|money|currency'.split('|');
/** Where a member is, and what is known around it. */
interface Around {
  readonly path: readonly string[];
  /** It may be about something else than the page. */
  readonly isApart: boolean;
  /** It is a link by its place. */
  readonly isLink: boolean;
}

export function membersOf(
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
export function headerSigns({ name, schema, spot }: Header, parameters: PageParameters): PageHeader[] {
  const shape = schema ? Shape.of([schema]) : new Shape([{ ...spot, value: {} }]);
  if (name === 'link') return [{ says: 'links', name, shape, ...basisOf(['said'], spot) }];
  const own = foldedName(name.replace(/^x-/, '').replace(/^pagination-/, ''));
  const beside: Beside = { parameters, names: new Set(), records: '', isLink: false };
  // What is in a header is text, whatever its schema says.
  const sign = countSign(own, shape, beside) ?? signOf(own, shape, beside);
  return sign ? [{ says: sign.says, name, shape, ...basisOf(sign.signs, spot) }] : [];
}
