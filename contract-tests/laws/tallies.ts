import {
  basisOf,
  countsIn,
  type Filter,
  isBelow,
  isEqual,
  isRecord,
  type Operation,
  pathParameters,
  placeOf,
  summarySelection,
  type Tally,
  tallied,
  talliesOf,
  toPointer,
  valueAt,
} from '#spec';
import { shorten } from './compare-records.ts';
import { type Evidence, recordOf } from './evidence.ts';
import { type Broken, breachOf, type Judge } from './law.ts';
import { type Page, parametersIn } from './list-page.ts';
import { isNear } from './promises.ts';

/** The length up to which an array without documented paging counts as complete. */
const MOST_UNPAGED = 20;

/** Counts and sums between two equal lists agree with these lists. */
export const talliesAgree: Judge = (evidence) => {
  const { page, operation, earlier } = evidence;
  if (!page || !isWhole(page)) return undefined;
  const start = earlier.findLastIndex(
    (one) => one.operation === operation && one.page && isEqual(one.exchange.input, evidence.exchange.input),
  );
  const before = earlier[start]?.page;
  // Nothing follows if others changed the list meanwhile.
  if (!before || !isEqual(before.records, page.records)) return undefined;
  return earlier.slice(start + 1).flatMap((one) => disagreements(one, evidence, page));
};

/** The filters that a summary shares with a list: both select the same records. */
export function sharedFilters(
  summary: Operation,
  { resource, form }: Pick<Page, 'resource' | 'form'>,
): Filter[] {
  const { filters } = summarySelection(summary, resource);
  return filters.filter(({ parameter: { name }, property, inner }) =>
    form.filters.some(
      (other) => other.parameter.name === name && other.property === property && other.inner === inner,
    ),
  );
}

/** The filters by which a summary and a list were asked about the same records. Undefined: these may be others. */
function filtersOfBoth({ operation, exchange }: Evidence, list: Evidence, page: Page): Filter[] | undefined {
  const { [page.form.pageSize?.name ?? '']: _, ...listed } = list.exchange.input.query ?? {};
  const { query = {} } = exchange.input;
  const isByDefault = operation.parameters.some(
    ({ in: place, name, shape }) => place === 'query' && !(name in query) && shape.find('default'),
  );
  const shared = sharedFilters(operation, page).filter(({ parameter }) => parameter.name in query);
  const isSame = isEqual(listed, query) && shared.length === Object.keys(query).length;
  return isSame && !isByDefault ? shared : undefined;
}

/** Whether a page has all records, or states their total. */
function isWhole({ form, complete, records, total }: Page): boolean {
  return total !== undefined || (complete && (form.pageSize !== undefined || records.length < MOST_UNPAGED));
}

function disagreements(evidence: Evidence, list: Evidence, page: Page): Broken[] {
  const filters = filtersOfBoth(evidence, list, page);
  if (!filters) return [];
  return talliesIn(evidence, list).flatMap(({ tally, value }): Broken | [] => {
    const { total, complete, records } = page;
    const isPlain = tally.sum === undefined && tally.by === undefined && tally.where === undefined;
    const wanted = complete ? tallied(tally, records) : isPlain ? total?.value : undefined;
    if (wanted === undefined || value === undefined || isAsCounted(tally, value, wanted)) return [];
    const documented = `${shorten(wanted)}, as ${list.operation.id} before and after shows`;
    const alsoRests = showsOthers(list) ? [basisOf(['path'], list.operation.spot)] : [];
    return breachOf(tally, 'unequal', `${tally.path.join('.')} ${shorten(value)}`, documented, {
      at: placeOf(tally.shape.spot),
      part: toPointer([...tally.path]),
      shownBy: evidence.exchange,
      rests: [tally, ...filters, ...page.rests, ...alsoRests],
    });
  });
}

/** Whether a parameter without a known meaning may show otherwise hidden records, such as archived ones. */
function showsOthers({ page, operation }: Evidence): boolean {
  const parameters = page && parametersIn(page.form);
  return (
    !parameters ||
    operation.parameters.some((parameter) => parameter.in === 'query' && !parameters.has(parameter))
  );
}

/** The counts and sums in an exchange that are about the records of a list. */
function talliesIn(evidence: Evidence, { page, exchange, operation }: Evidence) {
  const { contract, role, succeeded, json } = evidence;
  const [path, listed] = [evidence.exchange.input.path ?? {}, exchange.input.path ?? {}];
  if (!page || !succeeded) return [];
  if (role?.action === 'read') {
    const { resource } = role;
    const names = pathParameters(operation.path);
    const parent = names[pathParameters(resource.path).length];
    const isOf = parent !== undefined && isEqual(listed[parent], path[resource.id?.parameter ?? '']);
    const record = isOf && isBelow(page.resource, resource) ? recordOf(evidence) : undefined;
    if (!record) return [];
    const counts = countsIn(resource, contract.resources).filter(({ of }) => of === page.resource);
    return counts.map((tally) => ({ tally, value: valueAt(record, tally.path) }));
  }
  const isSame = Object.keys(path).every((name) => !(name in listed) || isEqual(path[name], listed[name]));
  const tallies = isSame ? talliesOf(evidence.operation, contract) : [];
  return tallies
    .filter(({ of }) => of === page.resource)
    .map((tally) => ({ tally, value: valueAt(json, tally.path) }));
}

/** A summary may show 0 or nothing for a value without records. */
function isAsCounted({ by, of }: Tally, value: unknown, wanted: NonNullable<ReturnType<typeof tallied>>) {
  if (typeof wanted === 'number') return typeof value !== 'number' || isNear(value, wanted);
  if (!isRecord(value)) return true;
  const values = of.shape.properties.get(by ?? '')?.values;
  const names = Object.keys(value).filter((name) => !values || values.includes(name));
  return [...new Set([...names, ...Object.keys(wanted)])].every(
    (name) => (value[name] ?? 0) === (wanted[name] ?? 0),
  );
}
