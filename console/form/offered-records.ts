import { admin } from '../shell/admin.ts';
import type { FoundRecords } from '../wire.ts';

/** A record whose id a parameter or member may have. */
export interface OfferedRecord {
  readonly id: string;
  /** Its name, if a member has one. */
  readonly label: string;
}

/** The most records to offer. */
const MOST = 100;

/** Members with a record's name, the best first. */
const NAMES = ['name', 'title', 'label', 'summary', 'subject', 'email', 'username', 'description'];

export async function offeredRecords(collection: string): Promise<readonly OfferedRecord[]> {
  const query = { collection, limit: String(MOST) };
  const { records } = await admin<FoundRecords>('records', { query });
  return records.map(({ id, record }) => ({ id: String(id), label: recordName(record) }));
}

/** The name of a record; empty: no member has it. */
export function recordName(record: unknown): string {
  const members = (typeof record === 'object' && record !== null ? record : {}) as Readonly<
    Record<string, unknown>
  >;
  const name = NAMES.find((one) => typeof members[one] === 'string');
  return name === undefined ? '' : String(members[name]).slice(0, 60);
}
