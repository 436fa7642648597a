import type { Collection, Store } from '../../store/port.ts';

/** Above so many records a collection is seeded before the first request, which would have to wait for it otherwise. */
const LARGE = 10_000;

const REPORT_EVERY = 100_000;

const isLarge = ({ size = 0 }: Collection) => size > LARGE;

/** The same collections; large ones report the progress of seeding. */
export function withProgress(
  collections: readonly Collection[],
  report: (text: string) => void,
): readonly Collection[] {
  return collections.map((collection) => {
    if (!isLarge(collection)) return collection;
    const { name, size = 0 } = collection;
    return {
      ...collection,
      *seeds() {
        let count = 0;
        for (const seed of collection.seeds()) {
          if (++count % REPORT_EVERY === 0) {
            report(`${name}: ${count.toLocaleString('en')} of ${size.toLocaleString('en')} records`);
          }
          yield seed;
        }
      },
    };
  });
}

/** Seeds the large collections of the main session now. */
export async function fillLarge(store: Store, collections: readonly Collection[]): Promise<void> {
  for (const collection of collections) {
    if (isLarge(collection)) await store.list(collection, { where: [], offset: 0, limit: 0 });
  }
}
