import { parseArgs } from 'node:util';
import { simulateDay } from './simulate-day.ts';

/**
 * Whether memory stays in a long run: `npm run bench -- day`, or with `--requests 200000`. Prints the memory of mock
 * and proxy after each tenth of the requests. Ends with 1 where what they need has grown since the first.
 */
const { values } = parseArgs({ options: { requests: { type: 'string', default: '2000000' } } });
/** Of the heap after the first tenth; resident memory varies with the garbage between two collections. */
const MOST = 1.25;

const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0).padStart(5);
const begun = performance.now();
process.stdout.write('MiB after | mock: resident, heap | proxy: resident, heap\n');
const { tenths, statuses, counts, findings } = await simulateDay(
  Number(values.requests),
  ({ mock, proxy }, at) => {
    const row = [mock.rss, mock.heap, proxy.rss, proxy.heap].map(mib).join(' ');
    process.stdout.write(`${`${at * 10} %`.padStart(9)} ${row}\n`);
  },
);
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
process.stdout.write(
  `${minutes} minutes, statuses ${JSON.stringify(statuses)}, passed ${JSON.stringify(counts)}, findings ${findings.length}\n`,
);
const [first, last] = [tenths[0], tenths.at(-1)];
const hasGrown = (['mock', 'proxy'] as const).some(
  (name) => (last?.[name].heap ?? 0) > MOST * (first?.[name].heap ?? 0),
);
process.exitCode = hasGrown || findings.length > 0 ? 1 : 0;
