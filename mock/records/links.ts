import type { Id, Store } from '../store/port.ts';

/** What an account has done for itself with a record: it has liked it, or follows it. */
export interface Link {
  /** The subject of the account. */
  readonly account: string;
  /** The name of the collection. */
  readonly collection: string;
  readonly id: Id;
  /** The flag of the record that shows it. */
  readonly flag: string;
}

/** The links of one store: like its accounts they live as long as the mock. */
export interface Links {
  has(link: Link): boolean;
  set(link: Link, isOn: boolean): void;
  /** All of a record that is gone. */
  forget(record: Pick<Link, 'collection' | 'id'>): void;
  clear(): void;
}

/** Records with links, of one store; the oldest go. */
const MOST = 100_000;

const books = new WeakMap<Store, Links>();

export function linksOf(store: Store): Links {
  const known = books.get(store) ?? createLinks();
  books.set(store, known);
  return known;
}

function createLinks(): Links {
  const byRecord = new Map<string, Set<string>>();
  const recordOf = ({ collection, id }: Pick<Link, 'collection' | 'id'>) => `${collection} ${id}`;
  const linkOf = ({ flag, account }: Link) => `${flag} ${account}`;
  return {
    has: (link) => byRecord.get(recordOf(link))?.has(linkOf(link)) ?? false,
    set(link, isOn) {
      const record = recordOf(link);
      const links = byRecord.get(record) ?? new Set();
      if (isOn) byRecord.set(record, links.add(linkOf(link)));
      else links.delete(linkOf(link));
      const [oldest] = byRecord.keys();
      if (byRecord.size > MOST && oldest !== undefined) byRecord.delete(oldest);
    },
    forget: (record) => void byRecord.delete(recordOf(record)),
    clear: () => byRecord.clear(),
  };
}
