import type { Parameter } from '#spec';

/** Page numbers begin with 1 unless the document allows 0. */
export function firstPage(page: Parameter | undefined): number {
  return page?.shape.range.low?.value === 0 ? 0 : 1;
}
