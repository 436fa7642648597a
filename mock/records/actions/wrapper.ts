import { type ListForm, type Resource, type Shape, sample, stringifyJson } from '#spec';
import type { Page } from '../../store/port.ts';
import type { SeedValues } from '../seed/values.ts';
import { compilePosition } from './cursor.ts';
import type { Exact, Extent } from './page.ts';

const TOTAL = /^(?:total|total_?(?:count|items|results|records|elements)|count)$/i;
const PAGE_COUNT = /^(?:total_?pages|page_?count|pages)$/i;
const PAGE_NUMBER = /^(?:(?:current_?)?page|page_?(?:number|no|index))$/i;
const PAGE_SIZE = /^(?:limit|per_?page|page_?size)$/i;

/** What the members beside a list are about. */
interface Listed {
  readonly form: ListForm;
  /** The member that identifies a record. */
  readonly id: string | undefined;
}

/** Compiles the object around a list: its number of records, the requested page, and samples for other members. */
export function compileWrapper(shape: Shape, { list, id }: Resource, seeds: SeedValues) {
  const form = list as ListForm;
  const { member, within } = form;
  const listed = { form, id: id?.property };
  const key = seeds.keyOf(member);
  const records = (name: string): Write | undefined => (name === member ? ({ text }) => text : undefined);
  if (within === undefined) return compileObject(shape, listed, key, records);
  return compileObject(shape, listed, key, (name, inner) =>
    name === within ? compileObject(inner, listed, `${key}/${within}`, records) : undefined,
  );
}

/** JSON text. */
type Write = (page: Page, extent: Extent) => string;

function compileObject(
  shape: Shape,
  listed: Listed,
  key: string,
  recordsAt: (name: string, shape: Shape) => Write | undefined = () => undefined,
): Write {
  const { form, id } = listed;
  const parts = [...shape.properties].flatMap(([name, inner]) => {
    const position = compilePosition(name, inner, form, id);
    const value =
      recordsAt(name, inner) ??
      compileCount(name, inner, form) ??
      (position && shape.required.has(name) ? orEmpty(position) : position) ??
      compileNested(inner, listed, `${key}/${name}`);
    if (value) return [{ name: JSON.stringify(name), value }];
    if (!shape.required.has(name)) return [];
    const fixed = stringifyJson(sample(inner, { key: `${key}/${name}` }));
    return [{ name: JSON.stringify(name), value: () => fixed }];
  });
  return (page: Page, extent: Extent): string => {
    const members = parts.flatMap(({ name, value }) => {
      const text = value(page, extent);
      return text === undefined ? [] : `${name}:${text}`;
    });
    return `{${members.join(',')}}`;
  };
}

/** Of a required member that cannot be null: there is no next page, and no cursor for it. */
function orEmpty(write: (page: Page, extent: Extent) => string | undefined): Write {
  return (page, extent) => write(page, extent) ?? '""';
}

/** An object beside the list that tells something of it, such as `meta` or `pagination`. */
function compileNested(inner: Shape, listed: Listed, key: string): Write | undefined {
  const { form, id } = listed;
  const tells = [...inner.properties].some(
    ([name, member]) => compileCount(name, member, form) ?? compilePosition(name, member, form, id),
  );
  return tells ? compileObject(inner, listed, key) : undefined;
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
