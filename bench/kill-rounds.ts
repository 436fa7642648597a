import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Ledger, openLedger, summary, withClients } from './durability/ledger.ts';
import { startMock } from './durability/mock-process.ts';

const CLIENTS = 16;

/**
 * Kills a mock with a SQLite file in the middle of writes, again and again, and holds what it has against what it
 * acknowledged: `node bench/kill-rounds.ts --rounds 200`.
 */
export async function killRounds(rounds: number): Promise<Ledger> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-kill-'));
  const store = `file:${join(folder, 'records.db')}`;
  const ledger = openLedger();
  try {
    for (let round = 1; round <= rounds; round++) {
      const mock = await startMock(store);
      await ledger.compare(mock.url);
      const before = ledger.acknowledged.size;
      let isOver = false;
      const writing = withClients(CLIENTS, async () => {
        while (!isOver) await ledger.create(mock.url);
      });
      // Every moment of a write is to be hit; a round without a record would be none.
      while (ledger.acknowledged.size === before) await sleep(1);
      await sleep(Math.random() * 100);
      isOver = true;
      await mock.kill();
      await writing;
      if (round % 20 === 0) process.stderr.write(`round ${round} of ${rounds}: ${summary(ledger)}\n`);
    }
    const last = await startMock(store);
    await ledger.compare(last.url);
    await last.stop();
    const files = await readdir(folder);
    if (files.length !== 1) throw new Error(`after a clean stop there are ${files.join(', ')}`);
    return ledger;
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } });
  const ledger = await killRounds(Number(values.rounds));
  process.stdout.write(`${values.rounds} rounds: ${summary(ledger)}\n`);
  process.exitCode = ledger.faults.length === 0 ? 0 : 1;
}
