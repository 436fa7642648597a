import type { Page, Query } from './port.ts';

/** Pages for each collection; a client that asks for ever new ones must not fill the memory. */
const MOST = 256;

/** In characters: a list that the document does not limit can be as long as its collection. */
const LONGEST = 2 ** 18;

/** Pages of one collection that hold until the next write. */
export interface KeptPages {
  find(query: Query, make: (query: Query) => Page): Page;
  /** To be called at each write. */
  forget(): void;
}

export function keepPages(): KeptPages {
  const pages = new Map<string, Page>();
  return {
    find(query, make) {
      const name = pageName(query);
      const known = pages.get(name);
      if (known) return known;
      const page = make(query);
      if (pages.size >= MOST) pages.clear();
      if (page.text.length <= LONGEST) pages.set(name, page);
      return page;
    },
    forget() {
      // To clear an empty map costs as much as to make a new one.
      if (pages.size > 0) pages.clear();
    },
  };
}

/** A name for the same question; conditions are quoted, so that no value can look like another condition. */
function pageName({ where, offset, limit, counted }: Query): string {
  let name = counted ? `${offset} ${limit} counted` : `${offset} ${limit}`;
  for (const { key, anyOf } of where) {
    name += ` ${key}`;
    for (const value of anyOf)
      name += typeof value === 'string' ? JSON.stringify(value) : `=${typeof value}${value}`;
  }
  return name;
}
