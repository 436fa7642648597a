import type { ListForm, Parameter } from '#spec';

/** Page numbers begin with 1 unless the document allows 0. */
export function firstPage(page: Parameter | undefined): number {
  return page?.shape.range.low?.value === 0 ? 0 : 1;
}

/** How many records a list holds where the client does not say: as many as the document allows. */
export function unaskedPageSize({ page, pageSize }: ListForm): number {
  const longest = pageSize?.shape.range.high?.value;
  if (longest !== undefined) return Number(longest);
  return page ? NUMBERED_PAGE_SIZE : Number.POSITIVE_INFINITY;
}

/** For documents that number their pages and do not say how long one is. */
const NUMBERED_PAGE_SIZE = 20;
