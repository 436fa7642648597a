import type { Operation } from '../operation.ts';
import { escapeText } from '../pattern/pattern.ts';
import { memberShape } from './record-schema.ts';
import { shownNames } from './references.ts';
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
 * A parameter with the ids of records that a member shows, `category_id` for `category`, or `list_id` for `lists`; or with what
 * they are called, `author` for the user name of the `author`.
 */
export interface ReferredTo {
  readonly name: string;
  /** Of their members. */
  readonly names: RegExp;
  readonly property: string;
}

/** What parameters say of the records that others show, as their names suggest. */
export function referredTo(
  { parameters }: Operation,
  { list, shape }: Pick<Resource, 'list' | 'shape'>,
): ReferredTo[] {
  const [said = [], known = []] = [true, false].map((isInner) =>
    list?.filters.filter(({ inner }) => (inner !== undefined) === isInner),
  );
  const told = new Set([...known, ...said].map(({ parameter }) => parameter.name));
  const inQuery = parameters.filter(({ in: place, name }) => place === 'query' && !told.has(name));
  const names = shownNames(new Map(inQuery.map((one) => [one.name, one.shape])), shape);
  const called = inQuery.flatMap(({ name }) => {
    const member = names.has(name) ? undefined : memberShape(shape, name);
    const isObject = [member, member?.items].some((one) => one?.mainType === 'object');
    return isObject ? [{ name, property: name, names: NAMES }] : [];
  });
  const promised = said.map(({ parameter: { name }, property, inner = '' }) => ({
    ...{ name, property },
    names: new RegExp(`^${escapeText(inner)}$`),
  }));
  return [...promised, ...[...names].map(([name, property]) => ({ name, property, names: IDS })), ...called];
}

const IDS = /(?:^|_)id$|Id$/;
const NAMES = /(?:^|_)id$|Id$|[nN]ame$|^(?:login|slug|key|code|e-?mail|title)$/;
