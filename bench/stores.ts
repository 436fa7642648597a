import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../mock/testing/postgres-server.ts';
import { median, ratio } from './ratios.ts';
import { table } from './table.ts';
import { figures, measureVariants } from './variants.ts';

/** The stores side by side: `npm run bench:stores`. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    warming: { type: 'string', default: '8' },
  },
});
const folder = await mkdtemp(join(tmpdir(), 'paddock-stores-'));
const server = await startPostgres();
try {
  const variants = [
    { name: 'memory', store: 'memory' },
    { name: 'file', store: `file:${join(folder, 'records.db')}` },
    { name: 'postgres', store: await server.createPlace() },
  ];
  const operations = ['list', 'read', 'create'] as const;
  const loads = await measureVariants(variants, operations, {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    warming: Number(values.warming),
  });
  const rows = operations.flatMap((operation) => {
    const throughputs = (name: string) => figures(loads, operation, name, 'throughput');
    return variants.map(({ name }) => [
      operation,
      name,
      median(throughputs(name)).toFixed(0),
      median(figures(loads, operation, name, 'cpu')).toFixed(1),
      ratio(throughputs(name), throughputs('memory')).toFixed(2),
    ]);
  });
  process.stdout.write(
    `${table(['operation', 'store', 'requests/s', 'CPU µs/request', 'throughput, of memory'], rows)}\n`,
  );
} finally {
  await server.remove();
  await rm(folder, { recursive: true });
}
