import { readArguments } from '../arguments.ts';
import { median, ratio, table } from './report.ts';
import { roundsOptions, toRounds } from './rounds.ts';
import { measureVariants } from './variants.ts';

const HELP = `npm run bench -- growth [--records 1000000] [--rounds 5] [--seconds 4] [--warming 10]

CPU time for a request with many records against that with 100, in memory.
`;

const { values } = readArguments(HELP, {
  ...roundsOptions({ rounds: 5, seconds: 4, warming: 10 }),
  records: { type: 'string', default: '1000000' },
});
const [few, many] = ['100', values.records];
const variants = [few, many].map((count) => ({ name: count, store: 'memory', options: ['--count', count] }));
const rows = (await measureVariants(variants, toRounds(values))).map(({ operation, figures }) => {
  const [ofFew, ofMany] = [figures(few, 'cpu'), figures(many, 'cpu')];
  return [operation, median(ofFew).toFixed(1), median(ofMany).toFixed(1), ratio(ofMany, ofFew).toFixed(2)];
});
const head = ['operation', `CPU µs/request, ${few} records`, `${many} records`, 'ratio'];
process.stdout.write(`${table(head, rows)}\n`);
