import type { Header, Parameter } from '../parameter.ts';
import { Shape } from '../schema/shape.ts';
import { type Basis, basisOf, type Sign } from './basis.ts';
import type { PageSign } from './meaning.ts';
import {
  COUNTS,
  CURSORS,
  ENVELOPES,
  flagOf,
  IN_TOTAL,
  PARAMETERS,
  pageName,
  relationOf,
  SUMS,
} from './page-names.ts';
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

/** Where the records of a list are in its response. */
export interface RecordsPlace {
  readonly member: string | undefined;
  readonly within: string | undefined;
}

/** The whole numbers that a parameter takes, beside others or alone; undefined: it takes none. */
export const countShape = ({ shape }: Pick<Parameter, 'shape'>): Shape | undefined =>
  formOf(shape, 'integer', 'number');
export const textShape = (shape: Shape): Shape | undefined => formOf(shape, 'string');

const formOf = (shape: Shape, ...types: readonly string[]) =>
  [shape, ...shape.alternatives].find(({ mainType }) => types.includes(mainType ?? ''));

/** How deep a member may be that is about the page. */
export const DEEPEST = 2;

/** Where a member is, and what is known around it. */
interface Around {
  readonly path: readonly string[];
  /** It may be about something else than the page. */
  readonly isApart: boolean;
  /** It is a link by its place. */
  readonly isLink: boolean;
}

/** What the members of a list's response say of its page. */
export function membersOf(
  { properties }: Shape,
  place: RecordsPlace,
  parameters: PageParameters,
  { path, isApart, isLink }: Around = { path: [], isApart: false, isLink: false },
): PageMember[] {
  const names = new Set([...properties.keys()].map(pageName));
  const records = pageName(place.member ?? '');
  const found = ({ says, signs }: Found, at: readonly string[], shape: Shape): PageMember => ({
    ...{ says, path: at, shape, ...basisOf(isApart ? ['name'] : signs, shape.spot) },
  });
  return [...properties].flatMap(([name, shape]): PageMember[] => {
    const at = [...path, name];
    const own = pageName(name);
    if (shape.mainType !== 'object') {
      const sign = signOf(own, shape, { names, records, parameters, isLink });
      return sign ? [found(sign, at, shape)] : [];
    }
    const target = [...shape.properties].find(([one]) => ['href', 'url'].includes(one.toLowerCase()));
    const relation = relationOf(own);
    if (target && relation && !relation.of)
      return [found(fitting(`${relation.relation} url`), [...at, target[0]], target[1])];
    if (path.length >= DEEPEST || own === 'sort') return [];
    const isOfPage = (at.length === 1 && name === place.within) || ENVELOPES.has(own);
    return membersOf(shape, place, parameters, {
      ...{ path: at, isApart: isApart || !isOfPage, isLink: own === 'links' },
    });
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
    const flag = flagOf(name);
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
  const isOwn = (one: Parameter | undefined) => one !== undefined && name === pageName(one.name);
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
  if (PARAMETERS.get(name) === 'page' || (name === 'number' && page) || isOwn(page)) return named('page');
  if (name === 'size' && ['limit', 'pagesize', 'perpage'].some((one) => names.has(one)))
    return named('listed');
  if (known === 'size' || isOwn(pageSize)) return named('size');
  if (known === 'offset' || isOwn(offset)) return named('offset');
  const { relation, of, isOfPage } = relationOf(name) ?? {};
  if (relation !== 'next' && relation !== 'previous') return undefined;
  if (page && (isOfPage || of === 'page') && of !== 'offset') return fitting(`${relation} page`);
  return offset && !isOfPage ? fitting(`${relation} offset`) : undefined;
}

function cursorSign(name: string, { parameters: { cursor } }: Beside): Found | undefined {
  if (!cursor) return undefined;
  const own = pageName(cursor.name);
  const { relation, of = 'key' } = relationOf(name) ?? {};
  const known = CURSORS.get(name) ?? (of === 'key' && relation ? `${relation} cursor` : undefined);
  if (known === 'next cursor' || name === own || name === `next${own}`) return fitting('next cursor');
  return known === 'previous cursor' || name === `prev${own}` ? named('previous cursor') : undefined;
}

function urlSign(name: string, shape: Shape, { parameters, isLink }: Beside): Found | undefined {
  const { relation, of } = relationOf(name.startsWith('odata') ? name.slice('odata'.length) : name) ?? {};
  if (!relation || (of && of !== 'url')) return undefined;
  if (of === 'url' || isLink || isUrlShape(shape)) return fitting(`${relation} url`);
  const { cursor, page, offset } = parameters;
  const isOther = relation === 'next' || relation === 'previous';
  return isOther && !cursor && (page || offset) ? named(`${relation} url`) : undefined;
}

const WHOLE = ['uri', 'url', 'iri'];
const formatOf = (shape: Shape) => String(shape.find('format')?.value);
const shows = (shape: Shape, ...starts: readonly string[]) =>
  shape.shown.some((one) => typeof one === 'string' && starts.some((start) => one.startsWith(start)));

const isUrlShape = (shape: Shape) =>
  WHOLE.includes(formatOf(shape).replace('-reference', '')) || shows(shape, 'http:', 'https:', '/', '?');

/** Whether a URL must begin with its scheme, by its schema or by what that shows. */
export function isAbsoluteUrl(shape: Shape): boolean {
  const text = textShape(shape) ?? shape;
  return WHOLE.includes(formatOf(text)) || shows(text, 'http:', 'https:');
}

/** `X-Total-Count` and `X-Pagination-Total` mean what members of the body with these names do. */
export function headerSigns({ name, schema, spot }: Header, parameters: PageParameters): PageHeader[] {
  const shape = schema ? Shape.of([schema]) : new Shape([{ ...spot, value: {} }]);
  if (name === 'link') return [{ says: 'links', name, shape, ...basisOf(['said'], spot) }];
  const own = pageName(name.replace('x-', '').replace('pagination-', ''));
  const beside: Beside = { parameters, names: new Set(), records: '', isLink: false };
  // What is in a header is text, whatever its schema says.
  const sign = countSign(own, shape, beside) ?? signOf(own, shape, beside);
  return sign ? [{ says: sign.says, name, shape, ...basisOf(sign.signs, spot) }] : [];
}
