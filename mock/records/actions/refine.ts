import {
  boundValue,
  compareOrdered,
  isRecord,
  isWithin,
  type ListForm,
  parseJson,
  type ReferredTo,
  readOrder,
  type Search,
  type SortKey,
  stringifyJson,
} from '#spec';
import type { Page } from '../../store/port.ts';

type Data = Readonly<Record<string, unknown>>;

/** Selects and orders records; undefined of a query: nothing that a store does not do itself. */
export type Refine = (records: readonly Data[]) => readonly Data[];

/** Compiles what a query asks for beside equal values and pages: bounds, a search, an order. */
export function compileRefine(
  { bounds, search, order }: ListForm,
  referred: readonly ReferredTo[] = [],
): (query: Data) => Refine | undefined {
  return (query) => {
    const wanted = referred.flatMap(({ name, names, property }) =>
      query[name] === undefined ? [] : [{ property, names, values: [query[name]].flat().map(String) }],
    );
    const sets = bounds.flatMap((bound) => {
      const value = boundValue(bound, query);
      return value === undefined ? [] : [{ bound, value }];
    });
    const text = search && query[search.parameter.name];
    const keys = order && readOrder(order, query);
    if (wanted.length + sets.length === 0 && typeof text !== 'string' && !keys) return undefined;
    // Where the document leaves it open, the bound itself is let through.
    const isMeant = (record: Data) =>
      wanted.every(({ property, names, values }) =>
        valuesShown(record[property], names).some((one) => values.includes(one)),
      ) &&
      sets.every(({ bound, value }) =>
        isWithin({ inclusive: true, ...definite(bound) }, record[bound.property], value),
      ) &&
      (!search || typeof text !== 'string' || holds(record, search, text.toLowerCase()));
    return (records) => {
      const meant = records.filter(isMeant);
      return keys ? meant.sort((one, other) => compareBy(keys, one, other)) : meant;
    };
  };
}

function valuesShown(value: unknown, names: RegExp): string[] {
  return [value]
    .flat()
    .filter(isRecord)
    .flatMap((one) => Object.entries(one).filter(([name]) => names.test(name)))
    .map(([, id]) => String(id));
}

function definite({ side, inclusive }: ListForm['bounds'][number]) {
  return inclusive === undefined ? { side } : { side, inclusive };
}

/** A page of what is left of all records. */
export function refinedPage({ text }: Page, refine: Refine, offset: number, limit: number): Page {
  const all = refine((parseJson(text) as unknown[]).filter(isRecord));
  const records = all.slice(offset, offset + limit);
  return { text: stringifyJson(records), count: records.length, total: all.length };
}

function holds(record: Data, { members }: Search, text: string): boolean {
  const values = members.length > 0 ? members.map((name) => record[name]) : Object.values(record);
  return values.some((value) => contains(value, text));
}

function contains(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(text);
  if (Array.isArray(value) || isRecord(value)) return Object.values(value).some((one) => contains(one, text));
  return false;
}

/** Records without the member come last, whatever the direction is. */
function compareBy(keys: readonly SortKey[], one: Data, other: Data): number {
  for (const { property, descending } of keys) {
    const [left, right] = [one[property] ?? undefined, other[property] ?? undefined];
    if (left === undefined || right === undefined) {
      if (left !== right) return left === undefined ? 1 : -1;
      continue;
    }
    const order = compareOrdered(left, right) ?? compareTexts(String(left), String(right));
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
