import { type ListForm, type Operation, Shape, stringifyJson, successOf } from '#spec';
import type { MockRequest } from '../../http/exchange.ts';
import type { Page } from '../../store/port.ts';
import type { Extent } from './page.ts';
import { compileCount } from './wrapper.ts';

/** The headers of a list that say how much there is, and where the other pages are. */
export type ListHeaders = (
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
