import { readArguments } from '../arguments.ts';
import { median, renderTable } from '../table.ts';
import { buildPackage, paddockIn, type Running, start } from './contenders.ts';
import { format, measureLoads, ROUNDS, ratio, toRounds } from './measure.ts';
import { OPERATIONS } from './operations.ts';

const HELP = `npm run lab -- bench proxy [--rounds 5] [--seconds 1] [--warming 5]

CPU time of \`paddock proxy\` for a request against that of a proxy of node:http that only pipes, in turn; and how much of
what has passed was judged: what comes faster than it can be judged is left out.
`;

const rounds = toRounds(readArguments(HELP, ROUNDS).values);
const folder = buildPackage('.');
const mock = await start(paddockIn(folder));
const pipe = ['quality/bench/servers/pipe.ts', '{port}', new URL(mock.url).port];
const judging = ['cli/paddock.js', 'proxy', mock.url, '--port', '{port}', '--log', 'quiet'];
const running = await Promise.all([
  start({ name: 'pipe', basePath: '/v1', args: pipe }),
  start({ name: 'proxy', basePath: '/v1', args: judging, folder }),
]);
const rows: string[][] = [];
try {
  for (const operation of OPERATIONS.filter(({ name }) => ['list', 'create'].includes(name))) {
    const before = await countsOf(running[1]);
    const loads = await measureLoads(running, operation, rounds);
    const after = await countsOf(running[1]);
    const judged = (after.judged - before.judged) / (after.requests - before.requests);
    const [ofPipe, ofProxy] = ['pipe', 'proxy'].map((name) => loads.get(name)?.map(({ cpu }) => cpu) ?? []);
    rows.push([
      operation.name,
      format(median(ofPipe ?? []), 1),
      format(median(ofProxy ?? []), 1),
      format(ratio(ofProxy, ofPipe), 2),
      `${Math.floor(judged * 100)} %`,
    ]);
  }
} finally {
  await Promise.all([...running, mock].map(({ stop }) => stop()));
}
const head = ['Operation', 'CPU of node:http, µs/request', 'CPU of paddock proxy', 'Ratio', 'Judged'];
process.stdout.write(`${renderTable(head, rows)}\n`);

async function countsOf({ url }: Running): Promise<{ requests: number; judged: number }> {
  const response = await fetch(new URL('/__admin/findings', url));
  return ((await response.json()) as { counts: { requests: number; judged: number } }).counts;
}
