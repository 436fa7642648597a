import type { ListForm, Parameter } from '#spec';

/** Page numbers start at 1 unless the document allows 0. */
export function firstPage(page: Parameter | undefined): number {
  return page?.shape.range.low?.value === 0 ? 0 : 1;
}

/** The page size where neither the client nor a `default` gives one: the maximum that the document allows. */
export function defaultPageSize({ page, pageSize }: ListForm): number {
  const maximum = pageSize?.shape.range.high?.value;
  if (maximum !== undefined) return Number(maximum);
  return page ? NUMBERED_PAGE_SIZE : Number.POSITIVE_INFINITY;
}

/** For documents that number their pages and state no size. */
const NUMBERED_PAGE_SIZE = 20;
