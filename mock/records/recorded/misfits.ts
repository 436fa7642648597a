import { MISFITS, type Misfit, type MisfitCount } from './recorded-traffic.ts';

/** Notes what does not fit, without keeping all of it. */
export type NoteMisfit = (kind: Misfit, place: string, reason?: string) => void;

/** How many of a kind are shown. */
const MOST_SHOWN = 3;

export function createMisfits(): { readonly note: NoteMisfit; counts(): readonly MisfitCount[] } {
  const found = new Map<Misfit, { count: number; first: string[] }>();
  return {
    note(kind, place, reason) {
      const own = found.get(kind) ?? { count: 0, first: [] };
      found.set(kind, own);
      own.count++;
      if (own.first.length < MOST_SHOWN) own.first.push(reason === undefined ? place : `${place}: ${reason}`);
    },
    counts: () =>
      (Object.keys(MISFITS) as Misfit[]).flatMap((kind) => {
        const own = found.get(kind);
        return own ? [{ kind, meaning: MISFITS[kind], ...own }] : [];
      }),
  };
}
