import { parseArgs } from 'node:util';
import { median, ratio } from './ratios.ts';
import { table } from './table.ts';
import { figures, measureVariants } from './variants.ts';

/** CPU time for a request with many records against that with few, in memory: `npm run bench:growth`. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    warming: { type: 'string', default: '10' },
    records: { type: 'string', default: '1000000' },
  },
});
const FEW = '100';
const many = values.records;
const variants = [FEW, many].map((count) => ({
  name: count,
  store: 'memory',
  options: ['--count', count],
}));
const operations = ['list', 'read', 'create'] as const;
const loads = await measureVariants(variants, operations, {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  warming: Number(values.warming),
});
const rows = operations.map((operation) => {
  const [few, lot] = [FEW, many].map((name) => figures(loads, operation, name, 'cpu')) as [
    number[],
    number[],
  ];
  return [operation, median(few).toFixed(1), median(lot).toFixed(1), ratio(lot, few).toFixed(2)];
});
const head = ['operation', `CPU µs/request, ${FEW} records`, `${many} records`, 'ratio'];
process.stdout.write(`${table(head, rows)}\n`);
