import { KEY } from '../operations.ts';

const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

/** What was acknowledged to clients, to be compared with what is stored in the end. */
export class Ledger {
  /** Names of the records that were acknowledged, by id. */
  readonly acknowledged = new Map<string, string>();
  /** Responses by status; 0 where the connection broke and there was none. */
  readonly statuses = new Map<number, number>();
  /** Lost records, ids given twice, and undocumented responses. */
  readonly faults: string[] = [];
  #sent = 0;

  /** Sends one create, records the result, and gives the status. */
  async create(url: string): Promise<number> {
    const name = `animal ${++this.#sent}`;
    const { status, text } = await post(url, name);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 201) {
      // Ids are small numbers here, which a double holds exactly.
      const id = String((JSON.parse(text) as { id: number }).id);
      if (this.acknowledged.has(id)) this.faults.push(`the id ${id} was given twice`);
      this.acknowledged.set(id, name);
    } else if (status !== 503 && status !== 0) {
      this.faults.push(`a create got ${status}: ${text}`);
    }
    return status;
  }

  /** Compares with all records of a mock. */
  async compare(url: string): Promise<void> {
    const response = await fetch(new URL('/__admin/state', url));
    const { records } = (await response.json()) as { records: { '/pets': { id: number; name: string }[] } };
    const stored = new Map(records['/pets'].map(({ id, name }) => [String(id), name]));
    if (stored.size < records['/pets'].length) this.faults.push('two records have one id');
    for (const [id, name] of this.acknowledged) {
      const found = stored.get(id);
      if (found === undefined) this.faults.push(`the record ${id} was acknowledged and is lost`);
      else if (found !== name) this.faults.push(`the record ${id} is ${found}, not ${name}`);
    }
  }

  /** One line. */
  summary(): string {
    const counts = [...this.statuses]
      .sort()
      .map(([status, count]) => `${status || 'no response'} ${count} times`);
    const faults = this.faults.slice(0, 10).join('; ') || 'nothing lost, no id given twice';
    return `${this.acknowledged.size} records acknowledged (${counts.join(', ')}): ${faults}`;
  }
}

async function post(url: string, name: string): Promise<{ status: number; text: string }> {
  try {
    const body = JSON.stringify({ name, categoryId: 1, status: 'sold' });
    const response = await fetch(`${url}/pets`, { method: 'POST', headers: HEADERS, body });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

/** Runs clients concurrently, each with one request at a time. */
export async function withClients(count: number, client: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, client));
}
