import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startMock } from '../../quality/testing/paddock.ts';
import { startPostgres } from '../testing/postgres-server.ts';

test('a mock on a file that is killed while it writes loses nothing that it acknowledged', async () => {
  const { acknowledged, faults } = await killRounds(4);
  expect(faults).toEqual([]);
  expect(acknowledged.size).toBeGreaterThanOrEqual(4);
});

test('a replica that is killed and a database that is restarted lose nothing, and every response is documented', async () => {
  const { acknowledged, statuses, faults } = await killReplica(1000);
  expect(faults).toEqual([]);
  expect(acknowledged.size).toBeGreaterThanOrEqual(1000);
  // Otherwise nothing was killed and restarted in between.
  expect(statuses.get(0)).toBeGreaterThan(0);
  expect(statuses.get(503)).toBeGreaterThan(0);
});

/** Kills a mock with a SQLite file during writes, again and again, and compares its records with the acknowledged ones. */
async function killRounds(rounds: number): Promise<Ledger> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-kill-'));
  const store = `file:${join(folder, 'records.db')}`;
  const ledger = new Ledger();
  try {
    for (let round = 1; round <= rounds; round++) {
      const mock = await startOnStore(store);
      await ledger.compare(mock.url);
      const before = ledger.acknowledged.size;
      let isOver = false;
      const writing = withClients(16, async () => {
        while (!isOver) await ledger.create(mock.url);
      });
      // Any moment of a write may be hit; a round without a record would test nothing.
      while (ledger.acknowledged.size === before) await sleep(1);
      await sleep(Math.random() * 100);
      isOver = true;
      await mock.stop('SIGKILL');
      await writing;
    }
    const last = await startOnStore(store);
    await ledger.compare(last.url);
    await last.stop();
    const files = await readdir(folder);
    if (files.length !== 1) throw new Error(`after a clean stop there are ${files.join(', ')}`);
    return ledger;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Two replicas on one PostgreSQL receive creates until enough are acknowledged; half-way one replica is killed, and later
 * the database is restarted.
 */
async function killReplica(creates: number): Promise<Ledger> {
  const server = await startPostgres();
  const ledger = new Ledger();
  try {
    const store = await server.createPlace();
    const [survivor, victim] = await Promise.all([startOnStore(store), startOnStore(store)]);
    let turn = 0;
    const incidents = [
      { after: 0.5, happen: () => victim.stop('SIGKILL') },
      { after: 0.75, happen: () => server.stop().then(() => server.start()) },
    ];
    const happening: Promise<unknown>[] = [];
    await withClients(64, async () => {
      while (ledger.acknowledged.size < creates) {
        const [next] = incidents;
        if (next && ledger.acknowledged.size >= creates * next.after) {
          incidents.shift();
          happening.push(next.happen());
        }
        const status = await ledger.create([survivor.url, victim.url][turn++ % 2] as string);
        // Sooner than Retry-After requests, to hit the restart.
        if (status !== 201) await sleep(20);
      }
    });
    await Promise.all(happening);
    await ledger.compare(survivor.url);
    // A restarted replica must see the same.
    const another = await startOnStore(store);
    await ledger.compare(another.url);
    await Promise.all([another.stop(), survivor.stop()]);
    return ledger;
  } finally {
    await server.remove();
  }
}

/** The store is set by the environment, as arguments with a password would be visible to other users. */
function startOnStore(store: string) {
  return startMock(['--log=quiet'], { env: { PADDOCK_STORE: store } });
}

const HEADERS = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };

/** The writes that were acknowledged to clients, for comparison with the final records. */
class Ledger {
  /** Names of acknowledged records, by id. */
  readonly acknowledged = new Map<string, string>();
  /** Responses by status; 0 if the connection broke without one. */
  readonly statuses = new Map<number, number>();
  /** Lost records, repeated ids, and undocumented responses. */
  readonly faults: string[] = [];
  #sent = 0;

  /** Sends one create, notes the result, and returns the status. */
  async create(url: string): Promise<number> {
    const name = `animal ${++this.#sent}`;
    const { status, text } = await post(url, name);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 201) {
      // Ids are small numbers here, which fit a double.
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
async function withClients(count: number, client: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, client));
}
