import { isRecord, isSecretName, type ListForm, type ReadRequest, stringifyJson } from '#spec';
import type { Page, Query, Store } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import type { Extent } from './page-signs.ts';

interface Selected extends Query {
  readonly extent: Extent;
}

/**
 * Describes what a query selected: `51 records, status=sold: 17, page 1 of limit 3`. Undefined: this needs a further query.
 */
export type DescribeSelection = (
  page: Page,
  query: Selected,
  values: ReadRequest,
  store: Store,
) => string | undefined;

/** Only for stores that respond synchronously, so that no request waits for a count. */
export function compileSelection(form: ListForm, collection: RecordCollection): DescribeSelection {
  const { scopeFrom } = collection;
  const { filters, bounds, search, parts } = form;
  const chosen = [...filters, ...bounds, ...parts, ...(search ? [search] : [])].map(
    ({ parameter }) => parameter.name,
  );
  const names = [...new Set(chosen)];

  function count(store: Store, where: Query['where']): number | undefined {
    const all = store.list(collection, { where, offset: 0, limit: 0, counted: true });
    return all instanceof Promise ? undefined : all.total;
  }

  return (page, { where, extent, limit }, { parameters: { path, query }, body }, store) => {
    const total = count(store, scopeFrom(path));
    if (total === undefined) return undefined;
    const sent: Readonly<Record<string, unknown>> = isRecord(body) ? { ...body, ...query } : query;
    const asked = names.flatMap((name) =>
      sent[name] === undefined ? [] : [`${name}=${isSecretName(name) ? '***' : valueText(sent[name])}`],
    );
    const matching = page.total ?? count(store, where);
    return [
      total === 1 ? '1 record' : `${total} records`,
      ...(asked.length > 0 ? [`${asked.join(', ')}: ${matching}`] : []),
      ...(Number.isFinite(limit) ? [`page ${extent.page} of limit ${limit}`] : []),
    ].join(', ');
  };
}

/** Per value, in characters. */
const LONGEST = 40;

function valueText(value: unknown): string {
  const text = typeof value === 'object' ? stringifyJson(value) : String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}
