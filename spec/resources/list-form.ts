import { isRecord } from '../json/json-value.ts';
import { orderOf } from '../meaning/order.ts';
import { pagingOf } from '../meaning/paging.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { lastSegment } from './paths.ts';
import { boundsOf, filtersOf, searchOf } from './queries.ts';
import { answerShape, isObjectShape, successOf, withoutNull } from './record-schema.ts';
import type { ListForm, ListPlace } from './resource.ts';
import { saidQuery } from './said-query.ts';

/** Members that usually hold the records of a list, whatever these are. */
export const USUAL_MEMBER =
  /^(?:data|items|results?|records|entries|values|content|list|rows|nodes|_embedded)$/i;

/** What a page says of itself. */
export const OF_PAGE =
  /^(?:total|page|next|prev|has_?(?:more|next)|number_?of)|^(?:offset|cursor|pagination|paging)$/i;

/** Where the records are; undefined: the operation returns no list. */
export function listPlace(operation: Operation): ListPlace | undefined {
  const shape = answerShape(operation);
  if (!shape) return undefined;
  const said = operation.said.facts.in?.records?.split('.');
  if (said) return { member: said.at(-1), within: said.at(-2) };
  if (shape.mainType === 'array') return { member: undefined, within: undefined };
  const member = arrayMember(shape, operation);
  if (member !== undefined) return { member, within: undefined };
  for (const [within, inner] of shape.properties) {
    if (!USUAL_MEMBER.test(within) || inner.mainType !== 'object') continue;
    const nested = arrayMember(inner, operation);
    if (nested !== undefined) return { member: nested, within };
  }
  return undefined;
}

/** The only array of objects in an object, else the one whose name says that it holds the list. */
function arrayMember(shape: Shape, { path }: Operation): string | undefined {
  const arrays = [...shape.properties].filter(([, { items }]) => isObjectShape(items));
  const [first, ...more] = arrays.map(([name]) => name);
  if (more.length === 0) return first;
  const named = arrays.filter(([name]) => USUAL_MEMBER.test(name) || name === lastSegment(path));
  return named.length === 1 ? named[0]?.[0] : undefined;
}

/** The array of records in the schema of a list's response. */
export function arrayShape({ member, within }: ListPlace, answer: Shape | undefined): Shape | undefined {
  const around = within === undefined ? answer : answer?.properties.get(within);
  return member === undefined ? around : around?.properties.get(member);
}

/** What a list holds by its schema; undefined: the operation returns none. */
export function itemsOf(operation: Operation): Shape | undefined {
  const place = listPlace(operation);
  return place && arrayShape(place, answerShape(operation))?.items;
}

/** The value of a list's response where its records should be; undefined: nothing is there. */
export function listedIn({ member, within }: ListPlace, body: unknown): unknown {
  const around = within === undefined ? body : isRecord(body) ? body[within] : undefined;
  return member === undefined ? around : isRecord(around) ? around[member] : undefined;
}

/** Each query parameter has one role: it filters by a member of its name, else its name may say that it pages. */
export function listForm(list: Operation, place: ListPlace, shape: Shape): ListForm {
  const ofList = forms.get(list) ?? new Map<Shape, ListForm>();
  const form = ofList.get(shape) ?? readForm(list, place, shape);
  forms.set(list, ofList.set(shape, form));
  return form;
}

/** It is asked for with each step of the inference. */
const forms = new WeakMap<Operation, Map<Shape, ListForm>>();

function readForm(list: Operation, place: ListPlace, shape: Shape): ListForm {
  const said = saidQuery(list);
  const parameters = list.parameters.filter(({ name }) => !said.names.has(name));
  const open = { ...list, parameters: parameters.map(withoutNullIn) };
  const inQuery = open.parameters.filter(({ in: where }) => where === 'query');
  const filters = [...said.filters, ...filtersOf(open, shape)];
  const order = orderOf(said.order ? list : open, shape, said.order);
  const bounds = [...said.bounds, ...boundsOf(open, shape)];
  const search = said.search ?? searchOf(open, shape);
  const meant = [...filters, ...bounds, ...(order ? [order] : []), ...(search ? [search] : [])];
  const others = inQuery.filter((one) => !meant.some(({ parameter }) => parameter === one));
  const headers = successOf(list)?.headers ?? [];
  const paging = pagingOf({
    ...{ parameters: others, answer: answerShape(list), place, headers, chosen: said.pages, said: list.said },
  });
  return { ...place, filters, bounds, search, order, ...paging };
}

/** Generators write each optional parameter as one that may be null, which no query can be. */
function withoutNullIn(parameter: Parameter): Parameter {
  const shape = withoutNull(parameter.shape);
  return shape === parameter.shape ? parameter : { ...parameter, shape };
}

/** What a parameter of a list does to it. */
export type ListMeaning = 'filter' | 'bound' | 'search' | 'order' | 'page';

/** The query parameters of a list that have an effect, by name. */
export function listMeanings(list: ListForm): ReadonlyMap<string, ListMeaning> {
  const { filters, bounds, search, order, pageSize, page, offset, cursor } = list;
  const named = (meaning: ListMeaning, ...all: readonly (Parameter | undefined)[]) =>
    all.flatMap((one) => (one ? [[one.name, meaning] as const] : []));
  return new Map([
    ...named('filter', ...filters.map(({ parameter }) => parameter)),
    ...named('bound', ...bounds.map(({ parameter }) => parameter)),
    ...named('search', search?.parameter),
    ...named('order', order?.parameter, order?.direction),
    ...named('page', pageSize, page, offset, cursor),
  ]);
}
