import { isRecord } from '../json/json-value.ts';
import { boundsOf } from '../meaning/bound.ts';
import { plainName } from '../meaning/member-named.ts';
import { orderOf } from '../meaning/order.ts';
import { mayPage, pagingOf } from '../meaning/paging.ts';
import { searchOf } from '../meaning/search.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { memberNamedBy, statesFilter } from '../stated.ts';
import { lastSegment } from './paths.ts';
import { answerShape, isObjectShape, memberShape, successOf } from './record-schema.ts';
import type { Filter, ListForm, ListPlace } from './resource.ts';

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
  const inQuery = list.parameters.filter(({ in: where }) => where === 'query');
  const filters = inQuery.flatMap((parameter) => filterBy(list, parameter, shape) ?? []);
  const order = orderOf(list, shape);
  const bounds = boundsOf(list, shape);
  const search = searchOf(list, shape);
  const meant = [...filters, ...bounds, ...(order ? [order] : []), ...(search ? [search] : [])];
  const parameters = inQuery.filter((one) => !meant.some(({ parameter }) => parameter === one));
  const headers = successOf(list)?.headers ?? [];
  const paging = pagingOf({ parameters, answer: answerShape(list), place, headers });
  return { ...place, filters, bounds, search, order, ...paging };
}

/** The list of texts of which a parameter names one: `tag` of `tags`, or of `tagList`. */
function setNamed(name: string, { properties }: Shape): string | undefined {
  const names = [`${name}s`, `${name}es`, `${name}list`].map(plainName);
  const sets = [...properties].filter(([, { items }]) => items?.mainType === 'string');
  return sets.find(([own]) => names.includes(plainName(own)))?.[0];
}

/** A member of another type is not what a parameter with a name for pages filters by. */
function filterBy(list: Operation, parameter: Parameter, shape: Shape): Filter | undefined {
  const { name } = parameter;
  const property = memberShape(shape, name) ? name : setNamed(name, shape);
  if (property === undefined) return undefined;
  const member = memberShape(shape, property);
  if (!member) return undefined;
  const promised = statesFilter(list, parameter, member);
  const object = [member, member.items].find((one) => one?.mainType === 'object');
  const inner = object && memberNamedBy(parameter, object);
  // No value of a query is equal to an object.
  if (object && (inner === undefined || !promised)) return undefined;
  const ambiguous = mayPage(parameter);
  const isNumber = [member, member.items].some(
    (one) => one?.mainType === 'integer' || one?.mainType === 'number',
  );
  return ambiguous && !isNumber ? undefined : { parameter, property, inner, ambiguous, promised };
}

/** The values that a filter compares with that of its parameter. */
export function filteredValues(
  record: Readonly<Record<string, unknown>>,
  { property, inner }: Pick<Filter, 'property' | 'inner'>,
): unknown[] {
  const values = [record[property]].flat();
  return inner === undefined ? values : values.flatMap((one) => (isRecord(one) ? [one[inner]] : []));
}
