import { admin } from '../shell/admin.ts';
import type { FoundRecords } from '../wire.ts';

/** A record whose id a parameter or a member may have. */
export interface OfferedRecord {
  readonly id: string;
  /** What it is called, as far as a member says so. */
  readonly label: string;
}

/** How many are offered. */
const MOST = 100;

/** Members that name a record, the best first. */
const NAMES = ['name', 'title', 'label', 'summary', 'subject', 'email', 'username', 'description'];

export async function offeredRecords(collection: string): Promise<readonly OfferedRecord[]> {
  const query = { collection, limit: String(MOST) };
  const { records } = await admin<FoundRecords>('records', { query });
  return records.map(({ id, record }) => ({ id: String(id), label: recordName(record) }));
}

/** What a record is called; empty: no member says it. */
export function recordName(record: unknown): string {
  const members = (typeof record === 'object' && record !== null ? record : {}) as Readonly<
    Record<string, unknown>
  >;
  const name = NAMES.find((one) => typeof members[one] === 'string');
  return name === undefined ? '' : String(members[name]).slice(0, 60);
}
