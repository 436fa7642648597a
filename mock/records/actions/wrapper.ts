import { type ListForm, type Shape, sample, stringifyJson } from '#spec';
import type { SeedValues } from '../../seed/values.ts';
import type { Page, Query } from '../../store/port.ts';
import { firstPage } from './page.ts';

const TOTAL = /^(?:total|total_?(?:count|items|results|records|elements)|count)$/i;
const PAGE_COUNT = /^(?:total_?pages|page_?count|pages)$/i;
const PAGE_NUMBER = /^(?:(?:current_?)?page|page_?(?:number|no|index))$/i;
const PAGE_SIZE = /^(?:limit|per_?page|page_?size)$/i;

/** Compiles the object around a list: its number of records, the requested page, and samples for other members. */
export function compileWrapper(shape: Shape, form: ListForm, member: string, seeds: SeedValues) {
  const text = (page: Page) => page.text;
  return compileObject(shape, form, seeds.keyOf(member), (name) => (name === member ? text : undefined));
}

type Write = (page: Page, query: Query) => string | number;

function compileObject(
  shape: Shape,
  form: ListForm,
  key: string,
  listed: (name: string) => Write | undefined = () => undefined,
): (page: Page, query: Query) => string {
  const parts = [...shape.properties].flatMap(([name, inner]) => {
    const value =
      listed(name) ?? compileMember(name, inner, form) ?? compileNested(inner, form, `${key}/${name}`);
    if (value) return [{ name: JSON.stringify(name), value }];
    if (!shape.required.has(name)) return [];
    const fixed = stringifyJson(sample(inner, { key: `${key}/${name}` }));
    return [{ name: JSON.stringify(name), value: () => fixed }];
  });
  return (page: Page, query: Query): string =>
    `{${parts.map(({ name, value }) => `${name}:${value(page, query)}`).join(',')}}`;
}

/** An object beside the list that counts something, such as `meta` or `pagination`. */
function compileNested(inner: Shape, form: ListForm, key: string): Write | undefined {
  const counts = [...inner.properties].some(([name, member]) => compileMember(name, member, form));
  return counts ? compileObject(inner, form, key) : undefined;
}

type Count = (page: Page, query: Query) => number;

/** The meaning of a number beside the list, inferred from its name; undefined: unknown. */
function compileMember(name: string, { mainType }: Shape, form: ListForm): Count | undefined {
  if (mainType !== 'integer' && mainType !== 'number') return undefined;
  const first = firstPage(form.page);
  // Without a page size all records are on one page.
  const totalOf = ({ total = 0 }: Page) => total;
  const sizeOf: Count = (page, { limit }) => (Number.isFinite(limit) ? limit : Math.max(totalOf(page), 1));
  if (TOTAL.test(name)) return totalOf;
  if (PAGE_COUNT.test(name)) return (page, query) => Math.ceil(totalOf(page) / sizeOf(page, query));
  if (name === form.page?.name || PAGE_NUMBER.test(name)) {
    return (page, query) => first + Math.floor(query.offset / sizeOf(page, query));
  }
  if (name === form.pageSize?.name || PAGE_SIZE.test(name)) return sizeOf;
  return name === form.offset?.name ? (_, { offset }) => offset : undefined;
}
