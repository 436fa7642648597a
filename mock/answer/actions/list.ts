import type { ListForm, Parameter, ReadRequest } from '#spec';
import type { Page, Query, Scalar } from '../../store/port.ts';
import { andThen } from '../and-then.ts';
import type { RecordCollection } from '../collection.ts';
import type { Answer } from '../exchange.ts';
import { keptWith } from '../kept-with.ts';
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
  const type = concreteType(media);
  const answerOf =
    list.member === undefined
      ? // A store may give the same page until something is written: its answer is the same, too.
        keptWith((page: Page): Answer => ({ status, type, body: page.text, lasting: true }))
      : answerWith(compileWrapper(media.shape, list, list.member, seeds));

  function answerWith(wrap: ReturnType<typeof compileWrapper>) {
    return (page: Page, query: Query): Answer => ({ status, type, body: wrap(page, query) });
  }
  return ({ values, store }) => {
    const query = queryOf(values);
    return andThen(store.list(collection, query), (page) => answerOf(page, query));
  };
}

type Values = Readonly<Record<string, unknown>>;

/** Compiles the reading of a list's parameters; their defaults are filled in already. */
function compileQuery(form: ListForm, { scopeFrom }: RecordCollection) {
  const { filters, pageSize, offset, page } = form;
  const first = firstPage(form.page);
  const unasked = unaskedPageSize(form);
  // Only an object around a list has a place for its total.
  const counted = form.member !== undefined;

  function read(query: Values, scope: Query['where']): Query {
    let where = scope;
    for (const { parameter, property } of filters) {
      const value = query[parameter.name];
      if (value === undefined) continue;
      where = [...where, { key: property, anyOf: (Array.isArray(value) ? value : [value]) as Scalar[] }];
    }
    const limit = count(query, pageSize, unasked);
    const skippedPages = count(query, page, first) - first;
    const skipped = skippedPages > 0 ? skippedPages * limit : 0;
    return { where, limit, offset: count(query, offset, 0) + skipped, counted };
  }

  // The values of a query that was asked before are the same object.
  const asked = keptWith((query: Values) => read(query, []));

  return ({ parameters: { path, query } }: ReadRequest): Query => {
    const scope = scopeFrom(path);
    if (scope.length > 0) return read(query, scope);
    return asked(query);
  };
}

function count(query: Values, parameter: Parameter | undefined, fallback: number): number {
  const value = parameter && query[parameter.name];
  return value === undefined ? fallback : Math.max(0, Number(value));
}
