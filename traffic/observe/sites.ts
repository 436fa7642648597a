import { UNKNOWN_WRITE, type WatchedRecords, watchRecords } from './watched-records.ts';

/** One deployment that requests go to: an origin with a path prefix. */
export interface Site {
  readonly base: string;
  readonly records: WatchedRecords;
  /** It has answered as the service does. */
  proven: boolean;
  /** Exchanges with it before that. */
  unproven: number;
  /** What was seen of it before that: what to do with it once it is proven. */
  readonly held: (() => void)[];
}

export interface Sites {
  at(base: string): Site;
  /**
   * What one deployment stores may show at another one.
   * @returns to be called when the write is over
   */
  beginWrite(site: Site, startedAt: number | undefined): (endedAt: number | undefined) => void;
  readonly all: readonly Site[];
}

/** A browser's traffic has many origins; those that never answered as the service does are forgotten first. */
const MOST_SITES = 100;

/** @param proven whether the user has said that the service is there */
export function createSites(settle: number, proven: boolean): Sites {
  const sites = new Map<string, Site>();
  return {
    at(base) {
      const site = sites.get(base) ?? { base, records: watchRecords(settle), proven, unproven: 0, held: [] };
      sites.set(base, site);
      if (sites.size > MOST_SITES) {
        const oldest = [...sites.values()].find((one) => !one.proven && one !== site);
        if (oldest) sites.delete(oldest.base);
      }
      return site;
    },
    beginWrite(site, startedAt) {
      const others = [...sites.values()].filter((other) => other !== site);
      const begun = others.map(({ records }) => records.begin({ ...UNKNOWN_WRITE, startedAt }));
      return (endedAt) => {
        for (const watching of begun) watching.end(undefined, endedAt, false);
      };
    },
    get all() {
      return [...sites.values()];
    },
  };
}
