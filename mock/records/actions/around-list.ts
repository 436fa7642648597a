import { type ListForm, type Operation, type Resource, Shape, sample, stringifyJson, successOf } from '#spec';
import type { MockRequest } from '../../http/exchange.ts';
import type { Page } from '../../store/port.ts';
import type { SeedValues } from '../seed/values.ts';
import { compilePosition, type Exact, type Extent } from './page.ts';

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

/** An object beside the list that describes it, such as `meta` or `pagination`. */
function compileNested(inner: Shape, listed: Listed, key: string): Write | undefined {
  const { form, id } = listed;
  const describes = [...inner.properties].some(
    ([name, member]) => compileCount(name, member, form) ?? compilePosition(name, member, form, id),
  );
  return describes ? compileObject(inner, listed, key) : undefined;
}

/** A number beside the list as JSON text, no further from what was asked for than its own schema demands. */
function compileCount(name: string, shape: Shape, form: ListForm): Write | undefined {
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

const TOTAL = /^(?:total|total_?(?:count|items|results|records|elements)|count)$/i;
const PAGE_COUNT = /^(?:total_?pages|page_?count|pages)$/i;
const PAGE_NUMBER = /^(?:(?:current_?)?page|page_?(?:number|no|index))$/i;
const PAGE_SIZE = /^(?:limit|per_?page|page_?size)$/i;

/** The headers of a list that say how much there is, and where the other pages are. */
type ListHeaders = (
  page: Page,
  extent: Extent,
  request: Pick<MockRequest, 'path' | 'query'>,
) => Readonly<Record<string, string>>;

/** Compiles the documented headers of a list that count records or pages, and `Link`; undefined: there are none. */
export function compileListHeaders(operation: Operation, form: ListForm): ListHeaders | undefined {
  const documented = successOf(operation)?.headers ?? [];
  const counts = documented.flatMap(({ name, schema }) => {
    const count = schema && compileCount(memberName(name), Shape.of([schema]), form);
    return count ? [{ name, count }] : [];
  });
  const links = documented.some(({ name }) => name === 'link') ? compileLinks(form) : undefined;
  if (counts.length === 0 && !links) return undefined;
  return (page, extent, request) => {
    const headers: Record<string, string> = {};
    for (const { name, count } of counts) headers[name] = count(page, extent);
    const link = links?.(page, extent, request) ?? '';
    if (link !== '') headers.Link = link;
    return headers;
  };
}

/** `X-Total-Count` as the member of a body that means the same: `total_count`. */
function memberName(header: string): string {
  return header
    .replace(/^x-/, '')
    .replace(/^pagination-/, '')
    .replaceAll('-', '_');
}

type Links = (...given: Parameters<ListHeaders>) => string;

/** The pages beside one (RFC 8288, relations of the IANA registry). */
function compileLinks({ page: number, offset, pageSize }: ListForm): Links | undefined {
  const position = number ?? offset;
  if (!position) return undefined;
  const first = number && number.shape.range.low?.value !== 0 ? 1 : 0;
  return ({ total = 0 }, { size, offset: before }, { path, query }) => {
    if (size === undefined || size < 1) return '';
    const length = Number(size);
    const pages = Math.max(1, Math.ceil(total / length));
    // Behind the last page the one before it is the last.
    const current = before > total ? pages : Math.floor(Number(before) / length);
    const to = (index: number) => {
      const asked = new URLSearchParams(query);
      asked.set(position.name, String(number ? index + first : index * length));
      if (pageSize) asked.set(pageSize.name, stringifyJson(size));
      return `${path}?${asked}`;
    };
    const relations: [relation: string, index: number][] = [
      ['first', 0],
      ...(current > 0 ? [['prev', Math.min(current, pages) - 1] as [string, number]] : []),
      ...(current < pages - 1 ? [['next', current + 1] as [string, number]] : []),
      ['last', pages - 1],
    ];
    return relations.map(([relation, index]) => `<${to(index)}>; rel="${relation}"`).join(', ');
  };
}
