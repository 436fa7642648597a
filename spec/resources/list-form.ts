import { isRecord } from '../json/json-value.ts';
import { basisOf, type Sign } from '../meaning/basis.ts';
import { boundsOf } from '../meaning/bound.ts';
import { memberNames } from '../meaning/member-named.ts';
import { findNamed, idStem, idWord, namesSeveral } from '../meaning/names.ts';
import { orderOf } from '../meaning/order.ts';
import { countShape } from '../meaning/page-members.ts';
import { mayPage, pagingOf } from '../meaning/paging.ts';
import { searchOf } from '../meaning/search.ts';
import { has, isTakenBack, sentencesIn, spoken, statedEquality, textOfParameter } from '../meaning/words.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { lastSegment } from './paths.ts';
import { answerShape, isObjectShape, memberShape, successOf, withoutNull } from './record-schema.ts';
import { idMemberIn, shownNames } from './references.ts';
import type { Filter, ListForm, ListPlace } from './resource.ts';
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
  const said = saidQuery(list);
  const parameters = list.parameters.filter(({ name }) => !said.names.has(name));
  const open = { ...list, parameters: parameters.map(withoutNullIn) };
  const inQuery = open.parameters.filter(({ in: where }) => where === 'query');
  const filters = [
    ...said.filters,
    ...inQuery.flatMap((parameter) => filterBy(list, parameter, shape) ?? []),
  ];
  const order = orderOf(said.order ? list : open, shape, said.order);
  const bounds = [...said.bounds, ...boundsOf(open, shape)];
  const search = said.search ?? searchOf(open, shape);
  const meant = [...filters, ...bounds, ...(order ? [order] : []), ...(search ? [search] : [])];
  const others = inQuery.filter((one) => !meant.some(({ parameter }) => parameter === one));
  const headers = successOf(list)?.headers ?? [];
  const { page = {}, first: number } = list.said.facts;
  const first =
    number === undefined
      ? undefined
      : { value: number, ...basisOf(['said'], list.said.at('first') ?? list.spot) };
  const saidPage = new Map(
    Object.entries(page).map(([name, says]) => [
      name,
      { says, because: list.said.at('page', name) ?? list.spot },
    ]),
  );
  const answer = answerShape(list);
  const paging = pagingOf({ parameters: others, answer, place, headers, said: said.pages, saidPage, first });
  return { ...place, filters, bounds, search, order, ...paging };
}

/** Generators write each optional parameter as one that may be null, which no query can be. */
function withoutNullIn(parameter: Parameter): Parameter {
  const shape = withoutNull(parameter.shape);
  return shape === parameter.shape ? parameter : { ...parameter, shape };
}

/** A member that a parameter names, and what is compared in it. */
type Compared = Pick<Filter, 'property' | 'inner'>;

/** The member of the parameter's name; of `tag` the list `tags` or `tagList`, of `owner_id` the `owner`, or its `id`. */
function comparedBy(name: string, parameter: Shape, shape: Shape): Compared | undefined {
  const names = memberNames(shape);
  const isSet = (one: string) => memberShape(shape, one)?.items?.mainType === 'string';
  const [set, ...sets] = new Set(names.filter((one) => isSet(one) && namesSeveral(one, name)));
  const property = findNamed(names, name) ?? (sets.length > 0 ? undefined : set);
  if (property !== undefined) return { property, inner: undefined };
  const [stem, ...more] = shownNames(new Map([[name, parameter]]), shape).values();
  const member = stem === undefined || more.length > 0 ? undefined : memberShape(shape, stem);
  const object = member?.items ?? member;
  const inner =
    object && (findNamed(object.properties.keys(), name) ?? idMemberIn(object, idStem(name) ?? ''));
  if (stem !== undefined && inner !== undefined) return { property: stem, inner };
  const scalar = findNamed(names, idStem(name) ?? '');
  return scalar !== undefined && isSameId(parameter, memberShape(shape, scalar))
    ? { property: scalar, inner: undefined }
    : undefined;
}

/** A text without a format may be anything. */
function isSameId(parameter: Shape, member: Shape | undefined): boolean {
  const [own, other] = [parameter, member].map((one) => one?.items ?? one);
  const format = own?.find('format')?.value;
  const isSame = own?.mainType === other?.mainType && format === other?.find('format')?.value;
  return isSame && (own?.mainType === 'integer' || format !== undefined);
}

function filterBy(list: Operation, parameter: Parameter, shape: Shape): Filter | undefined {
  const { name, spot } = parameter;
  const compared = comparedBy(name, parameter.shape, shape);
  const member = compared && memberShape(shape, compared.property);
  if (!compared || !member || isTakenBack(parameter)) return undefined;
  // A switch chooses what is shown of records whose member is none.
  if (parameter.shape.mainType === 'boolean' && (member.mainType ?? 'boolean') !== 'boolean')
    return undefined;
  const stated = statedEquality(list, parameter, member, compared.property);
  const object = [member, member.items].find((one) => one?.mainType === 'object');
  const inner = object && (compared.inner ?? memberNamedBy(parameter, object));
  // No value of a query is equal to an object.
  if (object && (inner === undefined || (compared.inner === undefined && stated !== 'equal')))
    return undefined;
  // A member of another type is not what a parameter with a name for pages filters by.
  const isPage = mayPage(parameter);
  if (isPage && !countShape({ shape: member.items ?? member })) return undefined;
  const value = (inner === undefined ? member : object?.properties.get(inner)) ?? member;
  const isId = idWord(name) !== undefined && isSameId(parameter.shape, value);
  const signs: Sign[] = isPage ? [] : ['name'];
  if (stated !== 'otherwise' && (isId || isSameSchema(parameter.shape, value))) signs.push('schema');
  if (stated === 'equal') signs.push('words');
  return { parameter, property: compared.property, inner, ...basisOf(signs, spot) };
}

/** The one member of an object that the description of a parameter names: `Filter by author (username)`. */
function memberNamedBy(parameter: Parameter, { properties }: Shape): string | undefined {
  const sentences = sentencesIn(textOfParameter(parameter));
  const [named, ...more] = [...properties].filter(
    ([name, { mainType }]) =>
      mainType !== 'object' &&
      mainType !== 'array' &&
      name !== parameter.name &&
      sentences.some((one) => has(one, [spoken(name).trim()])),
  );
  return more.length === 0 ? named?.[0] : undefined;
}

/** The same enumeration, a boolean, or the same Schema Object by reference. */
function isSameSchema(parameter: Shape, member: Shape): boolean {
  const [own, other] = [parameter, member].map((one) => one.items ?? one) as [Shape, Shape];
  if (own.mainType === 'boolean') return other.mainType === 'boolean';
  const known = other.values;
  if (own.values && known)
    return own.values.every((value) => value === null || known.some((one) => one === value));
  return own.parts.some(({ value }) => other.parts.some((part) => part.value === value));
}

/** The values that a filter compares with that of its parameter. */
export function filteredValues(
  record: Readonly<Record<string, unknown>>,
  { property, inner }: Pick<Filter, 'property' | 'inner'>,
): unknown[] {
  const values = [record[property]].flat();
  return inner === undefined ? values : values.flatMap((one) => (isRecord(one) ? [one[inner]] : []));
}
