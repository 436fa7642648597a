import { memberNames } from '../meaning/member-named.ts';
import { findNamed, idWord, wordsOf } from '../meaning/names.ts';
import { isTakenBack } from '../meaning/words.ts';
import type { Operation } from '../operation.ts';
import { memberShape } from './record-schema.ts';
import type { ListForm, Resource } from './resource.ts';

/** What a parameter of a list does to it. */
export type ListMeaning = 'filter' | 'bound' | 'search' | 'order' | 'page';

/** The query parameters of a list that have an effect, by name. */
export function listMeanings(
  operation: Operation,
  { list, shape }: { readonly list: ListForm; readonly shape: Resource['shape'] },
): ReadonlyMap<string, ListMeaning> {
  const { filters, bounds, search, order, pageSize, page, offset, cursor } = list;
  const named = (meaning: ListMeaning, ...all: readonly ({ readonly name: string } | undefined)[]) =>
    all.flatMap((one) => (one ? [[one.name, meaning] as const] : []));
  return new Map([
    ...named(
      'filter',
      ...filters.map(({ parameter }) => parameter),
      ...referredTo(operation, { list, shape }),
    ),
    ...named('bound', ...bounds.map(({ parameter }) => parameter)),
    ...named('search', search?.parameter),
    ...named('order', order?.parameter, order?.direction),
    ...named('page', pageSize, page, offset, cursor),
  ]);
}

/**
 * A parameter that compares with a member of an object, `category_id` with the id of `category`; or with what the object is
 * called, `author` with the user name of the `author`.
 */
export interface ReferredTo {
  readonly name: string;
  readonly property: string;
  /** Of its members. */
  readonly names: readonly string[];
}

/** What parameters say of the records that others show, as their names suggest. */
export function referredTo(
  { parameters }: Operation,
  { list, shape }: Pick<Resource, 'list' | 'shape'>,
): ReferredTo[] {
  const { filters = [] } = list ?? {};
  const inner = filters.flatMap(({ parameter: { name }, property, inner }) =>
    inner === undefined ? [] : [{ name, property, names: [inner] }],
  );
  const called = parameters.flatMap((parameter): ReferredTo[] => {
    const { in: place, name } = parameter;
    const isKnown = place !== 'query' || filters.some((one) => one.parameter.name === name);
    const isOther = NO_NAME.has(parameter.shape.mainType) || isTakenBack(parameter);
    const property = isKnown || isOther ? undefined : findNamed(memberNames(shape), name);
    const member = property === undefined ? undefined : memberShape(shape, property);
    const object = member?.items ?? member;
    const names = object?.mainType === 'object' ? [...object.properties.keys()].filter(isCalling) : [];
    return property === undefined || names.length === 0 ? [] : [{ name, property, names }];
  });
  return [...inner, ...called];
}

/** Types of values that call nothing. */
const NO_NAME: ReadonlySet<unknown> = new Set(['boolean', 'object']);

const CALLING = ['name', 'login', 'slug', 'key', 'code', 'email', 'title'];

/** Whether a member tells one object from others: its id, or what it is called, such as `username`. */
const isCalling = (name: string) =>
  idWord(name) !== undefined || CALLING.some((end) => wordsOf(name).at(-1)?.endsWith(end));
