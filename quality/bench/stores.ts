import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../mock/testing/postgres-server.ts';
import { readArguments } from '../arguments.ts';
import { median, ratio, table } from './report.ts';
import { roundsOptions, toRounds } from './rounds.ts';
import { measureVariants } from './variants.ts';

const HELP = `npm run bench -- stores [--rounds 5] [--seconds 3] [--warming 8]

The stores side by side: memory, file and PostgreSQL.
`;

const { values } = readArguments(HELP, roundsOptions({ rounds: 5, seconds: 3, warming: 8 }));
const rounds = toRounds(values);
const folder = await mkdtemp(join(tmpdir(), 'paddock-stores-'));
const server = await startPostgres();
try {
  const variants = [
    { name: 'memory', store: 'memory' },
    { name: 'file', store: `file:${join(folder, 'records.db')}` },
    { name: 'postgres', store: await server.createPlace() },
  ];
  const loads = await measureVariants(variants, rounds);
  const rows = loads.flatMap(({ operation, figures }) =>
    variants.map(({ name }) => [
      operation,
      name,
      median(figures(name, 'throughput')).toFixed(0),
      median(figures(name, 'cpu')).toFixed(1),
      ratio(figures(name, 'throughput'), figures('memory', 'throughput')).toFixed(2),
    ]),
  );
  const head = ['operation', 'store', 'requests/s', 'CPU µs/request', 'throughput, of memory'];
  process.stdout.write(`${table(head, rows)}\n`);
} finally {
  await server.remove();
  await rm(folder, { recursive: true });
}
