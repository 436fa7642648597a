import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments } from '../../arguments.ts';
import { startOnStore } from '../variants.ts';
import { Ledger, withClients } from './ledger.ts';

const CLIENTS = 16;

/**
 * Kills a mock with a SQLite file in the middle of writes, again and again, and compares its records with those that
 * it acknowledged: `npm run bench -- kill --rounds 200`.
 */
export async function killRounds(rounds: number): Promise<Ledger> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-kill-'));
  const store = `file:${join(folder, 'records.db')}`;
  const ledger = new Ledger();
  try {
    for (let round = 1; round <= rounds; round++) {
      const mock = await startOnStore(store);
      await ledger.compare(mock.url);
      const before = ledger.acknowledged.size;
      let isOver = false;
      const writing = withClients(CLIENTS, async () => {
        while (!isOver) await ledger.create(mock.url);
      });
      // Any moment of a write may be hit; a round without a record would test nothing.
      while (ledger.acknowledged.size === before) await sleep(1);
      await sleep(Math.random() * 100);
      isOver = true;
      await mock.stop('SIGKILL');
      await writing;
      if (round % 20 === 0) process.stderr.write(`round ${round} of ${rounds}: ${ledger.summary()}\n`);
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

if (import.meta.main) {
  const help = 'npm run bench -- kill [--rounds 200]\n\nAcknowledged records after kill -9, in a file.';
  const { values } = readArguments(help, { rounds: { type: 'string', default: '200' } });
  const ledger = await killRounds(Number(values.rounds));
  process.stdout.write(`${values.rounds} rounds: ${ledger.summary()}\n`);
  process.exitCode = ledger.faults.length === 0 ? 0 : 1;
}
