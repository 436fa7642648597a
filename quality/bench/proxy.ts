import { parseArgs } from 'node:util';
import { buildPackage, type Contender, paddockIn, type Running, start } from './contenders.ts';
import { findGenerator } from './generators.ts';
import { load } from './measure.ts';
import { OPERATIONS, recordResponses } from './operations.ts';
import { median, ratio, table } from './report.ts';
import { progressOf, roundsOptions, toRounds } from './rounds.ts';

/**
 * CPU time of `paddock proxy` against that of a proxy of `node:http` that only pipes, for a list of 20, side by side:
 * `npm run bench -- proxy`. Ends with 1 where it is more than {@link LIMIT} times as much.
 */
const LIMIT = 1.5;

const { values } = parseArgs({ options: roundsOptions({ rounds: 5, seconds: 4, warming: 6 }) });
const { rounds, seconds, warming } = toRounds(values);
const [list] = OPERATIONS;
const generator = findGenerator();
const folder = buildPackage('.');
const mock = await start(paddockIn(folder));
const numbered = await start({
  name: 'numbered',
  basePath: '/v1',
  args: ['quality/bench/servers/numbered.ts', '{port}', await recordResponses(mock.url)],
});

const rows: string[][] = [];
for (const [what, target] of [
  ['the same response again and again', mock],
  ['another response each time', numbered],
] as const)
  rows.push([what, ...(await compare(what, target))]);
await Promise.all([mock.stop(), numbered.stop()]);
const head = ['list of 20', 'CPU µs/request, node:http', 'paddock proxy', 'ratio'];
process.stdout.write(`${table(head, rows)}\n`);
process.exitCode = Number(rows[0]?.[3]) > LIMIT ? 1 : 0;

async function compare(what: string, target: Running): Promise<string[]> {
  const port = new URL(target.url).port;
  const contenders: readonly Contender[] = [
    { name: 'pipe', basePath: '/v1', args: ['quality/bench/servers/pipe.ts', '{port}', port] },
    {
      name: 'paddock proxy',
      basePath: '/v1',
      args: ['cli/paddock.js', 'proxy', target.url, '--port', '{port}', '--log', 'quiet'],
      folder,
    },
  ];
  const running = await Promise.all(contenders.map((one) => start(one)));
  const cpu: number[][] = running.map(() => []);
  const tell = progressOf(what, rounds);
  for (let round = 0; round <= rounds; round++) {
    tell(round);
    for (const [at, server] of running.entries()) {
      const measured = await load(generator, server, list, round === 0 ? warming : seconds);
      if (round > 0) cpu[at]?.push(measured.cpu);
    }
  }
  await Promise.all(running.map(({ stop }) => stop()));
  const [ofPipe = [], ofProxy = []] = cpu;
  return [median(ofPipe).toFixed(1), median(ofProxy).toFixed(1), ratio(ofProxy, ofPipe).toFixed(2)];
}
