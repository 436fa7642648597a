import { type ListForm, type Shape, sample, stringifyJson } from '#spec';
import type { SeedValues } from '../../seed/values.ts';
import type { Page } from '../../store/port.ts';
import type { Exact, Extent } from './page.ts';

const TOTAL = /^(?:total|total_?(?:count|items|results|records|elements)|count)$/i;
const PAGE_COUNT = /^(?:total_?pages|page_?count|pages)$/i;
const PAGE_NUMBER = /^(?:(?:current_?)?page|page_?(?:number|no|index))$/i;
const PAGE_SIZE = /^(?:limit|per_?page|page_?size)$/i;

/** Compiles the object around a list: its number of records, the requested page, and samples for other members. */
export function compileWrapper(shape: Shape, form: ListForm, member: string, seeds: SeedValues) {
  const text = (page: Page) => page.text;
  return compileObject(shape, form, seeds.keyOf(member), (name) => (name === member ? text : undefined));
}

/** JSON text. */
type Write = (page: Page, extent: Extent) => string;

function compileObject(
  shape: Shape,
  form: ListForm,
  key: string,
  listed: (name: string) => Write | undefined = () => undefined,
): (page: Page, extent: Extent) => string {
  const parts = [...shape.properties].flatMap(([name, inner]) => {
    const value =
      listed(name) ?? compileCount(name, inner, form) ?? compileNested(inner, form, `${key}/${name}`);
    if (value) return [{ name: JSON.stringify(name), value }];
    if (!shape.required.has(name)) return [];
    const fixed = stringifyJson(sample(inner, { key: `${key}/${name}` }));
    return [{ name: JSON.stringify(name), value: () => fixed }];
  });
  return (page: Page, extent: Extent): string =>
    `{${parts.map(({ name, value }) => `${name}:${value(page, extent)}`).join(',')}}`;
}

/** An object beside the list that counts something, such as `meta` or `pagination`. */
function compileNested(inner: Shape, form: ListForm, key: string): Write | undefined {
  const counts = [...inner.properties].some(([name, member]) => compileCount(name, member, form));
  return counts ? compileObject(inner, form, key) : undefined;
}

/** A number beside the list as JSON text, no further from what was asked for than its own schema demands. */
export function compileCount(name: string, shape: Shape, form: ListForm): Write | undefined {
  const count = compileMember(name, shape, form);
  if (!count) return undefined;
  const { low, high } = shape.range;
  const [least, most] = [low?.exclusive ? undefined : low?.value, high?.exclusive ? undefined : high?.value];
  return (page, extent) => {
    const value = count(page, extent);
    if (most !== undefined && value > most) return stringifyJson(most);
    return stringifyJson(least !== undefined && value < least ? least : value);
  };
}

type Count = (page: Page, extent: Extent) => Exact;

/** The meaning of a number beside the list, inferred from its name; undefined: unknown. */
function compileMember(name: string, { mainType }: Shape, form: ListForm): Count | undefined {
  if (mainType !== 'integer' && mainType !== 'number') return undefined;
  // Without a page size all records are on one page.
  const totalOf = ({ total = 0 }: Page) => total;
  const sizeOf: Count = (page, { size }) => size ?? Math.max(totalOf(page), 1);
  if (TOTAL.test(name)) return totalOf;
  if (PAGE_COUNT.test(name))
    return (page, extent) => Math.ceil(totalOf(page) / Math.max(1, Number(sizeOf(page, extent))));
  if (name === form.page?.name || PAGE_NUMBER.test(name)) return (_, extent) => extent.page;
  if (name === form.pageSize?.name || PAGE_SIZE.test(name)) return sizeOf;
  return name === form.offset?.name ? (_, { offset }) => offset : undefined;
}
