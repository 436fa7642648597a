import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../../mock/testing/postgres-server.ts';
import { readArguments } from '../../arguments.ts';
import { startOnStore } from '../variants.ts';
import { Ledger, withClients } from './ledger.ts';

const CLIENTS = 64;

/**
 * Two replicas on one PostgreSQL get creates until so many are acknowledged; half-way one replica is killed, and
 * later the database is restarted: `npm run bench -- kill-replica --creates 20000`.
 */
export async function killReplica(creates: number): Promise<Ledger> {
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
    await withClients(CLIENTS, async () => {
      while (ledger.acknowledged.size < creates) {
        const [next] = incidents;
        if (next && ledger.acknowledged.size >= creates * next.after) {
          incidents.shift();
          happening.push(next.happen());
        }
        const status = await ledger.create([survivor.url, victim.url][turn++ % 2] as string);
        // Sooner than Retry-After asks for, to hit the moment of the restart.
        if (status !== 201) await sleep(20);
      }
    });
    await Promise.all(happening);
    await ledger.compare(survivor.url);
    // A replica that starts anew must see the same.
    const another = await startOnStore(store);
    await ledger.compare(another.url);
    await Promise.all([another.stop(), survivor.stop()]);
    return ledger;
  } finally {
    await server.remove();
  }
}

if (import.meta.main) {
  const help =
    'npm run bench -- kill-replica [--creates 20000]\n\nAcknowledged records after kill -9 of one of two replicas.';
  const { values } = readArguments(help, { creates: { type: 'string', default: '20000' } });
  const begun = performance.now();
  const ledger = await killReplica(Number(values.creates));
  process.stdout.write(`${ledger.summary()}, in ${((performance.now() - begun) / 1000).toFixed(0)} s\n`);
  process.exitCode = ledger.faults.length === 0 ? 0 : 1;
}
