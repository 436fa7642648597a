import { admin } from '../shell/admin.ts';
import type { Operation } from './model.ts';

/** A record whose id a parameter may have. */
export interface OfferedRecord {
  readonly id: string;
  /** What it is called, as far as a member says so. */
  readonly label: string;
}

/** How many are offered. */
const MOST = 100;

/** Members that name a record, the best first. */
const NAMES = ['name', 'title', 'label', 'summary', 'email', 'username', 'description'];

interface FoundRecords {
  readonly records: readonly { readonly id: unknown; readonly record: unknown }[];
}

/**
 * The records that each path parameter may name, by parameter; those of an inner collection within what is chosen before it,
 * else within the first.
 */
export async function idsFor(
  { parents = {}, path }: Operation,
  texts: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, readonly OfferedRecord[]>>> {
  const found: Record<string, readonly OfferedRecord[]> = {};
  const chosen: Record<string, string> = {};
  for (const [, parameter = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    const collection = Object.hasOwn(parents, parameter) ? parents[parameter] : undefined;
    const within = collection?.replace(/\{([^{}]+)\}/g, (whole, name: string) =>
      chosen[name] === undefined ? whole : encodeURIComponent(chosen[name]),
    );
    if (within !== undefined) found[parameter] = await recordsOf(within);
    const text = texts[`path.${parameter}`] || found[parameter]?.[0]?.id;
    if (text !== undefined) chosen[parameter] = text;
  }
  return found;
}

async function recordsOf(collection: string): Promise<readonly OfferedRecord[]> {
  const { records } = await admin<FoundRecords>('records', { query: { collection, limit: String(MOST) } });
  return records.map(({ id, record }) => ({ id: String(id), label: labelOf(record) }));
}

function labelOf(record: unknown): string {
  const members = (typeof record === 'object' && record !== null ? record : {}) as Readonly<
    Record<string, unknown>
  >;
  const name = NAMES.find((one) => typeof members[one] === 'string');
  return name === undefined ? '' : String(members[name]).slice(0, 60);
}
