import { readArguments } from '../arguments.ts';
import { buildPackage, type Contender, paddockIn, type Running, start } from './contenders.ts';
import { findGenerator } from './generators.ts';
import { load } from './measure.ts';
import { type Measured, OPERATIONS, recordResponses } from './operations.ts';
import { median, ratio, table } from './report.ts';
import { progressOf, roundsOptions, toRounds } from './rounds.ts';

const HELP = `npm run bench -- proxy [--before CLONE] [--rounds 5] [--seconds 4] [--warming 6]

CPU time of paddock proxy against that of a proxy of node:http that only pipes, side by side, and of the one of another clone.
Exit code 1: one is more than its limit times as much.
`;

interface Passing {
  readonly what: string;
  readonly operation: Measured;
  readonly target: Running;
  readonly limit: number;
}

const { values } = readArguments(HELP, {
  ...roundsOptions({ rounds: 5, seconds: 4, warming: 6 }),
  before: { type: 'string' },
});
const { rounds, seconds, warming } = toRounds(values);
const [list] = OPERATIONS;
const create = OPERATIONS.find(({ name }) => name === 'create') as Measured;
const generator = findGenerator();
const folder = buildPackage('.');
const before = values.before === undefined ? undefined : buildPackage(values.before);
const mock = await start(paddockIn(folder));
const numbered = await start({
  name: 'numbered',
  basePath: '/v1',
  args: ['quality/bench/servers/numbered.ts', '{port}', await recordResponses(mock.url)],
});

const passing: readonly Passing[] = [
  { what: 'list of 20, the same response again and again', operation: list, target: mock, limit: 0.6 },
  { what: 'list of 20, another response each time', operation: list, target: numbered, limit: 3 },
  { what: 'create, another record each time', operation: create, target: numbered, limit: 3 },
];
let isBeyond = false;
const rows: string[][] = [];
try {
  for (const one of passing) rows.push(await compare(one));
} finally {
  await Promise.all([mock.stop(), numbered.stop()]);
}
const head = ['what passes', 'CPU µs/request, node:http', 'paddock proxy', 'ratio', 'judged'];
process.stdout.write(
  `${table(before === undefined ? head : [...head, 'ratio before', 'judged before'], rows)}\n`,
);
process.exitCode = isBeyond ? 1 : 0;

function proxyOf(name: string, folder: string, target: string): Contender {
  const args = ['cli/paddock.js', 'proxy', target, '--port', '{port}', '--log', 'quiet'];
  return { name, basePath: '/v1', args, folder };
}

async function compare({ what, operation, target, limit }: Passing): Promise<string[]> {
  const port = new URL(target.url).port;
  const contenders: readonly Contender[] = [
    { name: 'pipe', basePath: '/v1', args: ['quality/bench/servers/pipe.ts', '{port}', port] },
    proxyOf('paddock proxy', folder, target.url),
    ...(before === undefined ? [] : [proxyOf('before', before, target.url)]),
  ];
  const running = await Promise.all(contenders.map((one) => start(one)));
  const cpu: number[][] = running.map(() => []);
  let judged: string[] = [];
  const tell = progressOf(what, rounds);
  try {
    for (let round = 0; round <= rounds; round++) {
      tell(round);
      for (const [at, server] of running.entries()) {
        const measured = await load(generator, server, operation, round === 0 ? warming : seconds);
        if (round > 0) cpu[at]?.push(measured.cpu);
      }
    }
    judged = await Promise.all(running.slice(1).map(shareJudged));
  } finally {
    await Promise.all(running.map(({ stop }) => stop()));
  }
  const [ofPipe = [], ofProxy = [], ofBefore] = cpu;
  const own = ratio(ofProxy, ofPipe);
  if (own > limit) isBeyond = true;
  const [share = '', shareBefore = ''] = judged;
  const shown = [median(ofPipe).toFixed(1), median(ofProxy).toFixed(1), own.toFixed(2), share];
  return [what, ...shown, ...(ofBefore ? [ratio(ofBefore, ofPipe).toFixed(2), shareBefore] : [])];
}

/** How much of what has passed was judged: under more load than there is time for, the rest is left out. */
async function shareJudged({ url }: Running): Promise<string> {
  const response = await fetch(new URL('/__admin/findings', url));
  const { counts } = (await response.json()) as { counts: { requests: number; judged: number } };
  return `${Math.floor((counts.judged / counts.requests) * 100)} %`;
}
