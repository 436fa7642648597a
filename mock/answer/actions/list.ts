import type { ListForm, ReadRequest } from '#spec';
import type { Condition, Page, Query, Scalar } from '../../store/port.ts';
import { type Act, type ActionContext, compileScope } from './action.ts';
import { firstPage } from './page.ts';
import { concreteType, successForm } from './success.ts';
import { compileWrapper } from './wrapper.ts';

/** Records in the order of their ids: filtered, and no more than the page size. */
export function compileList({ operation, collection, seeds }: ActionContext): Act | undefined {
  const { list } = collection.resource;
  const { status, media } = successForm(operation);
  if (!list || !media?.shape) return undefined;
  const queryOf = compileQuery(list, compileScope(collection));
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

/** Compiles the reading of a list's parameters. */
function compileQuery(form: ListForm, scopeOf: (values: ReadRequest) => readonly Condition[]) {
  const { filters, pageSize, offset, page } = form;
  const first = firstPage(page);
  const unpaged = page ? DEFAULT_PAGE_SIZE : Number.POSITIVE_INFINITY;
  const count = (value: unknown, fallback: number) =>
    value === undefined ? fallback : Math.max(0, Number(value));

  return (values: ReadRequest): Query => {
    const { query } = values.parameters;
    let where = scopeOf(values);
    for (const { parameter, property } of filters) {
      const value = query[parameter.name];
      if (value === undefined) continue;
      where = [...where, { key: property, anyOf: (Array.isArray(value) ? value : [value]) as Scalar[] }];
    }
    const limit = pageSize ? count(query[pageSize.name], unpaged) : unpaged;
    const skipped = offset ? count(query[offset.name], 0) : 0;
    const pages = page ? count(query[page.name], first) - first : 0;
    return { where, limit, offset: skipped + (pages > 0 ? pages * limit : 0) };
  };
}

/** For documents that number their pages and do not say how long one is. */
const DEFAULT_PAGE_SIZE = 20;
