import type { ListForm, Parameter, ReadRequest } from '#spec';
import type { Page, Query, Scalar } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import type { Act, ActionContext } from './action.ts';
import { firstPage, unaskedPageSize } from './page.ts';
import { concreteType, successForm } from './success.ts';
import { compileWrapper } from './wrapper.ts';

/** Records in the order of their ids: filtered, and no more than the page size. */
export function compileList({ operation, collection, seeds }: ActionContext): Act | undefined {
  const { list } = collection.resource;
  const { status, media } = successForm(operation);
  if (!list || !media?.shape) return undefined;
  const queryOf = compileQuery(list, collection);
  const wrap = list.member === undefined ? textOf : compileWrapper(media.shape, list, list.member, seeds);
  const type = concreteType(media);
  return async ({ values, store }) => {
    const query = queryOf(values);
    const page = await store.list(collection, query);
    return { status, type, body: wrap(page, query) };
  };
}

function textOf({ text }: Page): string {
  return text;
}

/** Compiles the reading of a list's parameters; their defaults are filled in already. */
function compileQuery(form: ListForm, { scopeFrom }: RecordCollection) {
  const { filters, pageSize, offset, page } = form;
  const first = firstPage(form.page);
  const unasked = unaskedPageSize(form);

  return ({ parameters: { path, query } }: ReadRequest): Query => {
    let where = scopeFrom(path);
    for (const { parameter, property } of filters) {
      const value = query[parameter.name];
      if (value === undefined) continue;
      where = [...where, { key: property, anyOf: (Array.isArray(value) ? value : [value]) as Scalar[] }];
    }
    const limit = count(query, pageSize, unasked);
    const skippedPages = count(query, page, first) - first;
    const skipped = skippedPages > 0 ? skippedPages * limit : 0;
    return { where, limit, offset: count(query, offset, 0) + skipped };
  };
}

function count(
  query: Readonly<Record<string, unknown>>,
  parameter: Parameter | undefined,
  fallback: number,
): number {
  const value = parameter && query[parameter.name];
  return value === undefined ? fallback : Math.max(0, Number(value));
}
