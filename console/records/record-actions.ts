import { withMember } from '../form/member-value.ts';
import { admin } from '../shell/admin.ts';
import { attempt } from '../shell/messages.ts';
import type { CollectionView, FoundRecord } from '../wire.ts';

/** The length of a query is limited. */
const MOST_REMOVED = 100;

/** The removal can be undone, which adds the records as the newest. */
export async function removeRecords(
  path: string,
  removed: readonly FoundRecord[],
  onRemoved: () => void,
): Promise<void> {
  const [first] = removed;
  const done =
    removed.length === 1 ? `Record ${first?.id} was removed.` : `${removed.length} records were removed.`;
  const work = async () => {
    for (let start = 0; start < removed.length; start += MOST_REMOVED) {
      const part = removed.slice(start, start + MOST_REMOVED);
      const ids = part.map(({ id }) => `id=${encodeURIComponent(String(id))}`);
      await admin(`records?${ids.join('&')}`, { method: 'DELETE', query: { collection: path } });
    }
    onRemoved();
  };
  const undo = async () => {
    for (const [collection, records] of Map.groupBy(removed, (foundRecord) => foundRecord.path))
      await addRecords(collection, records.map(({ record }) => record).reverse());
  };
  await attempt(work, done, undo);
}

/** Changes one value of a record. */
export const changeMember = (
  path: string,
  { id, record }: FoundRecord,
  member: string,
  value: unknown,
): Promise<void> =>
  attempt(() =>
    admin('records', {
      method: 'PUT',
      query: { collection: path, id: String(id) },
      body: withMember(record, member, value),
    }),
  );

/** Adds seeded records after the existing ones. */
export const addSamples = (path: string, total: number, count: number): Promise<void> =>
  attempt(
    async () => {
      const samples: unknown[] = [];
      for (let made = 1; made <= count; made++) {
        const query = { collection: path, number: String(total + made) };
        const { record } = await admin<{ readonly record: unknown }>('records/sample', {
          method: 'POST',
          query,
        });
        samples.push(record);
      }
      await addRecords(path, samples);
    },
    count === 1 ? '1 sample was added.' : `${count} samples were added.`,
  );

export const addCopies = (
  path: string,
  collection: CollectionView,
  kept: readonly FoundRecord[],
  onAdded: () => void,
): Promise<void> =>
  attempt(async () => {
    await addRecords(
      path,
      kept.map((foundRecord) => withoutIdentity(collection, foundRecord)),
    );
    onAdded();
  }, `${kept.length} records were added.`);

const addRecords = (collection: string, body: readonly unknown[]) =>
  admin('records', { method: 'POST', query: { collection }, body });

/** A record without members that the service sets. */
export function withoutIdentity({ id, members }: CollectionView, { record }: FoundRecord) {
  const readOnlyNames = new Set(members.filter(({ readOnly }) => readOnly).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => name !== id && !readOnlyNames.has(name)),
  );
}
