import { isRecord } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { type Basis, basisOf } from '../meaning/basis.ts';
import { QUERY_WORDS, type QueryMeaning } from '../meaning/keys.ts';
import { memberNames } from '../meaning/member-named.ts';
import { namesOne } from '../meaning/names.ts';
import { type OrderChoosing, orderOf, type UsualOrder } from '../meaning/order.ts';
import { type PageParameters, pagingOf } from '../meaning/paging.ts';
import type { Bound, Filter, Search } from '../meaning/selection.ts';
import { has, listed, spoken, textOf } from '../meaning/words.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { memberMeaning } from './members.ts';
import { itemOf, lastSegment, recordName } from './paths.ts';
import { boundsOf, filtersOf } from './queries.ts';
import {
  answerShape,
  bodyShape,
  hasSameSchema,
  isObjectShape,
  memberShape,
  successOf,
  withoutNull,
} from './record-schema.ts';
import type { ListForm, ListPlace } from './resource.ts';
import { partsOf, searchOf } from './searches.ts';

/** Usual names of the member with a list's records. */
export const USUAL_MEMBER =
  /^(?:data|items|results?|records|entries|values|content|list|rows|nodes|_embedded)$/i;

/** Names of members that describe a page. */
export const OF_PAGE =
  /^(?:total|page|next|prev|has_?(?:more|next)|number_?of)|^(?:offset|cursor|pagination|paging)$/i;

/** The place of the records in an operation's response; undefined: it returns no list. */
export function listPlace(operation: Operation): ListPlace | undefined {
  const shape = answerShape(operation);
  const said = operation.said.facts.in?.records?.split('.');
  if (said) return { member: said.at(-1), within: said.at(-2) };
  if (!shape || shape.mainType === 'array') return shape && { member: undefined, within: undefined };
  const usual = [...shape.properties].filter(([name]) => USUAL_MEMBER.test(name));
  return [[undefined, shape] as const, ...usual]
    .map(([within, around]) => ({ member: arrayMember(around, operation), within }))
    .find(({ member }) => member !== undefined);
}

/** The only array of objects in an object, else the one with a usual name of a list. */
function arrayMember({ properties }: Shape, { path }: Operation): string | undefined {
  const arrays = [...properties].flatMap(([name, { items }]) => (isObjectShape(items) ? [name] : []));
  if (arrays.length < 2) return arrays[0];
  const named = arrays.filter((name) => USUAL_MEMBER.test(name) || name === lastSegment(path));
  return named.length === 1 ? named[0] : undefined;
}

/** The path of the records in a list's response; empty: the response is the array. */
export const listPath = ({ member, within }: ListPlace): readonly string[] =>
  [within, member].filter((name) => name !== undefined);

/** The array of records in the schema of a list's response. */
export function arrayShape({ member, within }: ListPlace, answer: Shape | undefined): Shape | undefined {
  const around = within === undefined ? answer : answer?.properties.get(within);
  return member === undefined ? around : around?.properties.get(member);
}

/** The schema of a list's items; undefined: the operation returns no list. */
export function itemsOf(operation: Operation): Shape | undefined {
  const place = listPlace(operation);
  return place && arrayShape(place, answerShape(operation))?.items;
}

/**
 * Whether a read returns a list with one record, as the list above it does: `{ "accounts": [] }` of `/accounts` and
 * `/accounts/{accountId}`.
 */
export function isListOfOne(read: Operation, list: Operation | undefined): boolean {
  const { above = '', parameter = '' } = itemOf(read.path) ?? {};
  const [items, shape] = [list, read].map((operation) => operation && itemsOf(operation));
  if (!list || !items || !shape || !hasSameSchema(items, shape)) return false;
  const places = [list, read].map(listPlace);
  const described = read.parameters.find(({ in: place, name }) => place === 'path' && name === parameter);
  const isSame = listPath(places[0] as ListPlace).join() === listPath(places[1] as ListPlace).join();
  return isSame && described?.shape.mainType !== 'array' && namesOne(parameter, recordName(above));
}

/** The value at the place of the records in a list's response; undefined: there is none. */
export function listedIn({ member, within }: ListPlace, body: unknown): unknown {
  const around = within === undefined ? body : isRecord(body) ? body[within] : undefined;
  return member === undefined ? around : isRecord(around) ? around[member] : undefined;
}

/**
 * The form of a list. Each query parameter has one role: it filters by the member of its name, else its name may be one
 * for paging.
 */
export const listForm = (list: Operation, place: ListPlace, shape: Shape): ListForm =>
  formsOf(list)(shape, place);

/** Cached, since each step of the inference needs it. */
const formsOf = oncePer((list: Operation) =>
  oncePer((shape: Shape, place: ListPlace) => readForm(list, place, shape)),
);

function readForm(operation: Operation, place: ListPlace, shape: Shape): ListForm {
  const parameters = parametersOf(operation).map(withoutNullIn);
  const list = { ...operation, parameters };
  const said = saidQuery(list);
  const open = { ...list, parameters: parameters.filter(({ name }) => !said.names.has(name)) };
  const filters = [...said.filters, ...filtersOf(open, shape)];
  const order = orderOf(said.order ? list : open, shape, said.order);
  const bounds = [...said.bounds, ...boundsOf(open, shape)];
  const search = said.search ?? searchOf(open, shape);
  const parts = partsOf(open, shape).filter(
    (part) => !filters.some(({ parameter }) => parameter === part.parameter),
  );
  const meant = new Set(
    [...filters, ...bounds, ...parts, ...(order ? [order] : []), ...(search ? [search] : [])].map(
      (filter) => filter.parameter,
    ),
  );
  const paging = pagingOf({
    parameters: open.parameters.filter((parameter) => !meant.has(parameter)),
    answer: answerShape(operation),
    place,
    headers: successOf(operation)?.headers ?? [],
    chosen: said.pages,
    said: operation.said,
  });
  return { ...place, filters, bounds, search, parts, order, usual: usualOrder(list, shape), ...paging };
}

/** The query parameters; for a POST that lists, the members of its body. */
function parametersOf(operation: Operation): Parameter[] {
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const { properties = [], required } = (operation.method === 'POST' && bodyShape(operation)) || {};
  const inBody = [...properties].map(([name, shape]) => ({
    name,
    in: 'query' as const,
    style: 'form' as const,
    explode: true,
    required: required?.has(name) ?? false,
    schema: shape.spot,
    shape,
    spot: shape.spot,
  }));
  return [...inQuery, ...inBody];
}

/** Generators declare optional parameters as nullable, although a query cannot be null. */
function withoutNullIn(parameter: Parameter): Parameter {
  const shape = withoutNull(parameter.shape);
  return shape === parameter.shape ? parameter : { ...parameter, shape };
}

/** The facts of `x-paddock` about query parameters, which exclude any inference about these. */
interface SaidQuery {
  readonly names: ReadonlySet<string>;
  readonly filters: readonly Filter[];
  readonly bounds: readonly Bound[];
  readonly search: Search | undefined;
  readonly order: OrderChoosing | undefined;
  readonly pages: Partial<PageParameters>;
}

/** The keyword of each paging parameter. */
const PAGE_WORDS = { pageSize: '$limit', offset: '$offset', page: '$page', cursor: '$cursor' } as const;
const PAGE_ROLES = Object.keys(PAGE_WORDS) as readonly (keyof typeof PAGE_WORDS)[];

function saidQuery({ parameters, said: { facts, at } }: Operation): SaidQuery {
  const said = Object.entries(facts.query ?? {}).flatMap(([written, meaning]) => {
    const [, name = written, key] = /^(.*)\[(.*)\]$/.exec(written) ?? [];
    const parameter = parameters.find((one) => [written, name].includes(one.name));
    if (!parameter) return [];
    const basis: Basis = basisOf(['said'], at('query', written) ?? parameter.spot);
    return [{ parameter, meaning, basis, key: parameter.name === written ? undefined : key }];
  });
  const [filters, bounds]: [Filter[], Bound[]] = [[], []];
  for (const { parameter, meaning, basis, key } of said) {
    if (typeof meaning !== 'string' || (QUERY_WORDS as readonly string[]).includes(meaning)) continue;
    if (meaning.startsWith('!=')) continue;
    const [, sign, member = meaning] = /^([<>]=?)\s+(.*)$/.exec(meaning) ?? [];
    const [property = '', inner] = member.split('.');
    const side = sign?.startsWith('>') ? 'least' : 'most';
    if (sign === undefined) filters.push({ parameter, property, inner, ...basis });
    else bounds.push({ parameter, key, property, side, inclusive: sign.endsWith('='), ...basis });
  }
  const saying = (word: string, key = '') =>
    said.findLast(({ meaning }) => meaning === word || (typeof meaning !== 'string' && key in meaning));
  const membersOf = ({ meaning }: { meaning: QueryMeaning }) =>
    typeof meaning === 'string' ? [] : 'search' in meaning ? meaning.search : meaning.order;
  const [search, order] = [saying('$search', 'search'), saying('$order', 'order')];
  const direction = saying('$direction')?.parameter;
  return {
    names: new Set(said.map(({ parameter }) => parameter.name)),
    filters,
    bounds,
    search: search && { parameter: search.parameter, members: membersOf(search), ...search.basis },
    order: order && { parameter: order.parameter, members: membersOf(order), direction, basis: order.basis },
    pages: Object.fromEntries(
      PAGE_ROLES.flatMap((role) => {
        const parameter = saying(PAGE_WORDS[role]);
        return parameter ? [[role, parameter.parameter]] : [];
      }),
    ),
  };
}

/** The meaning of a query parameter in the form of `x-paddock`. */
interface QueryFact {
  readonly parameter: Parameter;
  /** The name, with the property of a `deepObject`: `price[gte]`. */
  readonly name: string;
  readonly role: ListMeaning;
  readonly meaning: QueryMeaning;
  readonly basis: Basis;
}

/** The effect of a query parameter. */
export type ListMeaning = 'filter' | 'bound' | 'search' | 'order' | 'page';

export function queryFacts(list: ListForm): QueryFact[] {
  const { filters, bounds, search, parts, order } = list;
  const fact = (
    role: ListMeaning,
    basis: Basis,
    parameter: Parameter,
    meaning: QueryMeaning,
    key?: string,
  ) => ({
    parameter,
    role,
    meaning,
    basis,
    name: key === undefined ? parameter.name : `${parameter.name}[${key}]`,
  });
  const ordered = [...new Set(order?.choices.flatMap(({ keys }) => keys.map(({ property }) => property)))];
  return [
    ...filters.map((filter) =>
      fact(
        'filter',
        filter,
        filter.parameter,
        [filter.property, ...(filter.inner ? [filter.inner] : [])].join('.'),
      ),
    ),
    ...bounds.map((bound) => {
      const sign = `${bound.side === 'least' ? '>' : '<'}${bound.inclusive === false ? '' : '='}`;
      return fact('bound', bound, bound.parameter, `${sign} ${bound.property}`, bound.key);
    }),
    ...[...(search ? [search] : []), ...parts].map((one) => {
      const members = one.members.length > 0 ? { search: one.members } : '$search';
      return fact('search', one, one.parameter, members);
    }),
    ...(order
      ? [fact('order', order, order.parameter, ordered.length > 0 ? { order: ordered } : '$order')]
      : []),
    ...(order?.direction ? [fact('order', order, order.direction, '$direction')] : []),
    ...PAGE_ROLES.flatMap((role) => {
      const parameter = list[role];
      const basis = list.bases[role] ?? (parameter && basisOf(['name'], parameter.spot));
      return parameter && basis ? [fact('page', basis, parameter, PAGE_WORDS[role])] : [];
    }),
  ];
}

/** The query parameters of a list that have an effect, by name. */
export const listMeanings = (list: ListForm): ReadonlyMap<string, ListMeaning> =>
  new Map(queryFacts(list).map(({ parameter, role }) => [parameter.name, role]));

const NEWEST = listed('newest|recent|most recently|latest first');
/** Phrases for lists with the newest first. */
const FEEDS = [...NEWEST, ...listed('latest|last|feed|timeline')];

/**
 * The default order: as `x-paddock` says, else newest first where a name or words suggest it, which is only a presumption.
 */
function usualOrder(list: Operation, record: Shape): UsualOrder | undefined {
  const { facts, at } = list.said;
  if (facts.order) {
    const keys = facts.order.map((one) => ({
      property: one.replace(/^-/, ''),
      descending: one.startsWith('-'),
    }));
    return { keys, ...basisOf(['said'], at('order') ?? list.spot) };
  }
  const name = spoken(lastSegment(list.path) ?? '');
  const isNamed = FEEDS.some((one) => name.endsWith(` ${one} `));
  if (!isNamed && !has(spoken(textOf(list.spot)), NEWEST)) return undefined;
  const created = memberNames(record).find(
    (name) => memberMeaning(name, memberShape(record, name) ?? record, {}).holds === 'created',
  );
  const keys = created === undefined ? [] : [{ property: created, descending: true }];
  return { keys, ...basisOf([isNamed ? 'name' : 'words'], list.spot) };
}
