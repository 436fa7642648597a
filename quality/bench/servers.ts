import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readArguments, refuse } from '../arguments.ts';
import { median, renderTable } from '../table.ts';
import { buildPackage, type Contender, contenders, NAMES, paddockIn, start } from './contenders.ts';
import { costOf, format, type Load, measureLoads, ROUNDS, ratio, toRounds } from './measure.ts';
import { OPERATIONS, recordResponses } from './operations.ts';

const TOPICS = ['start', ...OPERATIONS.map(({ name }) => name)];

const HELP = `npm run lab -- bench servers [${TOPICS.join('|')}]... [options]

The mock, in memory and on a file, beside a bare node:http that sends the same bytes, and Prism: start and memory, and
operations. Medians of rounds in which all are measured in turn. CPU time for a request is the server's own, and valid
even where the load generator is the bottleneck.

  --servers NAME,...   these only: ${NAMES.join('; ')}
  --before CLONE       the mock of another clone, too; both are built as packages first
  --rounds N --seconds N --warming N   default: 5, 1 and 5

Examples:
  npm run lab -- bench servers list read
  npm run lab -- bench servers create --servers paddock,before --before ../before
`;

const { values, positionals } = readArguments(HELP, {
  ...ROUNDS,
  servers: { type: 'string' },
  before: { type: 'string' },
});
const rounds = toRounds(values);
const named = values.servers?.split(/,(?! )/);
refuseUnknown(positionals, TOPICS);
refuseUnknown(named ?? [], [...NAMES, 'before']);
const isWanted = (name: string) => positionals.length === 0 || positionals.includes(name);

const folder = buildPackage('.');
const before = values.before === undefined ? undefined : buildPackage(values.before);
const first = await start(paddockIn(folder));
const recorded = await recordResponses(first.url);
await first.stop();
const all = contenders(folder, recorded, before).filter(({ name }) => named?.includes(name) ?? true);
if (isWanted('start')) await measureStarts(all);
const operations = OPERATIONS.filter(({ name }) => isWanted(name));
if (operations.length > 0) await measureOperations(all);
await rm(dirname(recorded), { recursive: true });

/** The first round fills Node's compile cache and the system's file cache for all servers, and is not counted. */
async function measureStarts(servers: readonly Contender[]): Promise<void> {
  const figures = new Map(
    servers.map(({ name }) => [name, { startUp: [] as number[], memory: [] as number[] }]),
  );
  for (let round = 0; round <= rounds.rounds; round++)
    for (const server of servers) {
      const running = await start(server);
      const { memory } = costOf(running.pid);
      await running.stop();
      if (round > 0) figures.get(server.name)?.startUp.push(running.startUp);
      if (round > 0) figures.get(server.name)?.memory.push(memory);
    }
  const prism = figures.get('Prism');
  const rows = [...figures].map(([name, { startUp, memory }]) => [
    name,
    format(median(startUp), 0),
    format(median(memory), 0),
    format(ratio(startUp, prism?.startUp), 2),
    format(ratio(memory, prism?.memory), 2),
  ]);
  const head = ['Server', 'Start to first answer, ms', 'Memory, MiB', 'Start, of Prism', 'Memory, of Prism'];
  process.stdout.write(`${renderTable(head, rows)}\n\n`);
}

async function measureOperations(servers: readonly Contender[]): Promise<void> {
  const running = await Promise.all(servers.map(start));
  const rows: string[][] = [];
  try {
    for (const operation of operations) {
      const loads = await measureLoads(running, operation, rounds);
      const each = (name: string, figure: keyof Load) => loads.get(name)?.map((load) => load[figure]) ?? [];
      for (const name of loads.keys()) {
        const [throughput, cpu] = [each(name, 'throughput'), each(name, 'cpu')];
        rows.push([
          operation.name,
          name,
          format(median(throughput), 0),
          format(median(each(name, 'p50')), 2),
          format(median(each(name, 'p99')), 2),
          format(median(cpu), 1),
          format(ratio(cpu, each('bare node:http', 'cpu')), 2),
          format(ratio(throughput, each('Prism', 'throughput')), 2),
        ]);
      }
    }
  } finally {
    await Promise.all(running.map(({ stop }) => stop()));
  }
  const head = ['Operation', 'Server', 'Requests/s', 'p50, ms', 'p99, ms', 'CPU, µs/request'];
  process.stdout.write(`${renderTable([...head, 'CPU, of bare', 'Requests/s, of Prism'], rows)}\n`);
}

function refuseUnknown(names: readonly string[], all: readonly string[]): void {
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) refuse(`unknown: ${unknown.join(', ')}; known: ${all.join(', ')}`);
}
