import type { Page, Query } from './port.ts';

/** Pages for each collection: a client that asks for ever new ones must not fill the memory. */
const MAX_PAGES = 256;

/** In characters: a list that the document does not limit can be as long as its collection. */
const MAX_LENGTH = 2 ** 18;

/** Pages of one collection, valid until the next write. */
export interface PageCache {
  get(query: Query, load: (query: Query) => Page): Page;
  /** To be called at each write. */
  clear(): void;
}

export function createPageCache(): PageCache {
  const pages = new Map<string, Page>();
  return {
    get(query, load) {
      const key = cacheKey(query);
      const cached = pages.get(key);
      if (cached) return cached;
      const page = load(query);
      if (pages.size >= MAX_PAGES) pages.clear();
      if (page.text.length <= MAX_LENGTH) pages.set(key, page);
      return page;
    },
    clear() {
      // To clear an empty map costs as much as to make a new one.
      if (pages.size > 0) pages.clear();
    },
  };
}

/** Strings are quoted, so that no value can look like another condition. */
function cacheKey({ where, offset, limit, counted }: Query): string {
  let text = counted ? `${offset} ${limit} counted` : `${offset} ${limit}`;
  for (const { key, anyOf } of where) {
    text += ` ${key}`;
    for (const value of anyOf)
      text += typeof value === 'string' ? JSON.stringify(value) : `=${typeof value}${value}`;
  }
  return text;
}
