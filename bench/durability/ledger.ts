import { KEY } from '../operations.ts';

/** What was acknowledged to clients, to be compared with what is stored in the end. */
export interface Ledger {
  /** Names of the records that were acknowledged, by id. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Responses by status; 0 where the connection broke and there was none. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Lost records, ids given twice, and undocumented responses. */
  readonly faults: readonly string[];
  /** Sends one create, records the result, and gives the status. */
  create(url: string): Promise<number>;
  /** Compares with all records of a mock. */
  compare(url: string): Promise<void>;
}

const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

export function openLedger(): Ledger {
  const acknowledged = new Map<string, string>();
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  let sent = 0;

  async function post(url: string, name: string): Promise<{ status: number; text: string }> {
    try {
      const body = JSON.stringify({ name, categoryId: 1, status: 'sold' });
      const response = await fetch(`${url}/pets`, { method: 'POST', headers: HEADERS, body });
      return { status: response.status, text: await response.text() };
    } catch {
      return { status: 0, text: '' };
    }
  }

  return {
    acknowledged,
    statuses,
    faults,
    async create(url) {
      const name = `animal ${++sent}`;
      const { status, text } = await post(url, name);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 201) {
        // Ids are small numbers here, which a double holds exactly.
        const id = String((JSON.parse(text) as { id: number }).id);
        if (acknowledged.has(id)) faults.push(`the id ${id} was given twice`);
        acknowledged.set(id, name);
      } else if (status !== 503 && status !== 0) {
        faults.push(`a create got ${status}: ${text}`);
      }
      return status;
    },
    async compare(url) {
      const response = await fetch(new URL('/__admin/state', url));
      const { records } = (await response.json()) as { records: { '/pets': { id: number; name: string }[] } };
      const kept = new Map(records['/pets'].map(({ id, name }) => [String(id), name]));
      if (kept.size < records['/pets'].length) faults.push('two records have one id');
      for (const [id, name] of acknowledged) {
        const found = kept.get(id);
        if (found === undefined) faults.push(`the record ${id} was acknowledged and is lost`);
        else if (found !== name) faults.push(`the record ${id} is ${found}, not ${name}`);
      }
    },
  };
}

/** Runs clients concurrently, each with one request at a time. */
export async function withClients(count: number, client: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, client));
}

/** One line. */
export function summary({ acknowledged, statuses, faults }: Ledger): string {
  const counts = [...statuses].sort().map(([status, count]) => `${status || 'broken off'} ${count} times`);
  const told = faults.length === 0 ? 'nothing lost, no id given twice' : faults.slice(0, 10).join('; ');
  return `${acknowledged.size} records acknowledged (${counts.join(', ')}): ${told}`;
}

/** Prints a line, and sets the exit code of the process. */
export function conclude({ faults }: Ledger, line: string): void {
  process.stdout.write(`${line}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
