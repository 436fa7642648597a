import { type ListForm, type Shape, sample, stringifyJson } from '#spec';
import type { SeedValues } from '../../seed/values.ts';
import type { Page, Query } from '../../store/port.ts';
import { firstPage } from './page.ts';

const TOTAL = /^(?:total|total_?(?:count|items|results|records|elements)|count)$/i;

/** Compiles the object around a list: its number of records, the page asked for, and samples for the rest. */
export function compileWrapper(shape: Shape, form: ListForm, member: string, seeds: SeedValues) {
  const parts = [...shape.properties].flatMap(([name, inner]) => {
    const value = name === member ? (page: Page) => page.text : compileMember(name, inner, form);
    if (value) return [{ name, value }];
    if (!shape.required.has(name)) return [];
    const fixed = stringifyJson(sample(inner, { key: seeds.keyOf(member, name) }));
    return [{ name, value: () => fixed }];
  });
  return (page: Page, query: Query): string =>
    `{${parts.map(({ name, value }) => `${JSON.stringify(name)}:${value(page, query)}`).join(',')}}`;
}

function compileMember(name: string, shape: Shape, form: ListForm) {
  if (shape.mainType !== 'integer' && shape.mainType !== 'number') return undefined;
  if (TOTAL.test(name)) return ({ total }: Page) => String(total);
  if (name === form.pageSize?.name) {
    return ({ count }: Page, { limit }: Query) => String(Number.isFinite(limit) ? limit : count);
  }
  if (name === form.offset?.name) return (_: Page, { offset }: Query) => String(offset);
  if (name !== form.page?.name) return undefined;
  const first = firstPage(form.page);
  return (_: Page, { offset, limit }: Query) => String(first + Math.floor(offset / Math.max(1, limit)));
}
