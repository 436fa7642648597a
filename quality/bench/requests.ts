import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { loadContract } from '../../spec/index.ts';
import { readArguments } from '../arguments.ts';
import { buildPackage, type Contender, paddockIn, type Running, start } from './contenders.ts';
import { operationsOf } from './document-operations.ts';
import { findGenerator } from './generators.ts';
import { measureLoads } from './measure.ts';
import { type Measured, recordResponses } from './operations.ts';
import { loadFigures, ratio, table } from './report.ts';
import { progressOf, roundsOptions, toRounds } from './rounds.ts';

const LIMIT = 1.5;
const ROUTES = 1500;

const HELP = `npm run bench -- requests [FILE...] [--rounds 5] [--seconds 1] [--warming 5]

What requests of other documents cost beside a bare node:http that sends the same bytes; and in a document of ${ROUTES}
templates a request of the last one beside one of the first: exit code 1 where that costs more than ${LIMIT} times as much.
`;

const { values, positionals: files } = readArguments(
  HELP,
  roundsOptions({ rounds: 5, seconds: 1, warming: 5 }),
);
const options = toRounds(values);
const generator = findGenerator();
const folder = buildPackage('.');
process.stdout.write(
  `Load by ${generator.name}, ${options.rounds} rounds of ${options.seconds} s, medians.\n`,
);

const rows: string[][] = [];
for (const file of files) rows.push(...(await measureDocument(file)));
if (rows.length > 0) {
  const head = ['document', 'operation', 'status', 'CPU µs/request', 'bare node:http', 'CPU against bare'];
  process.stdout.write(`\n${table(head, rows)}\n`);
}
const last = await measureRoutes();
process.stdout.write(
  `\nThe last of ${ROUTES} routes costs ${last.toFixed(2)} times the first, at most ${LIMIT}.\n`,
);
process.exitCode = last > LIMIT ? 1 : 0;

function mockOf(document: string): Contender {
  const { args, ...rest } = paddockIn(folder);
  return { ...rest, basePath: '', args: [...args, resolve(document), '--any-key', '--no-base-path'] };
}

async function measureDocument(file: string): Promise<string[][]> {
  const contract = await loadContract(file);
  const first = { name: 'health', path: '/__admin/health', status: 200 };
  const mock = await start(mockOf(file), first);
  let bare: Running | undefined;
  let recorded: string | undefined;
  try {
    const operations = await operationsOf(contract, mock.url);
    recorded = await recordResponses(mock.url, operations);
    const args = ['quality/bench/servers/bare.ts', '{port}', recorded];
    bare = await start({ name: 'bare node:http', basePath: '', args }, operations[0]);
    const onRound = progressOf(contract.title, options.rounds);
    const figures = loadFigures(await measureLoads(generator, [mock, bare], operations, options, onRound));
    return operations.map(({ name, path, status }) => {
      const { paddock, 'bare node:http': limit } = figures[name] ?? {};
      const shown = [paddock?.cpu.toFixed(1), limit?.cpu.toFixed(1), paddock?.cpuAgainstBare.toFixed(2)];
      return [contract.title, `${name} ${path}`, `${status}`, ...shown.map((figure = '') => figure)];
    });
  } finally {
    await Promise.all([mock.stop(), bare?.stop()]);
    if (recorded) await rm(dirname(recorded), { recursive: true });
  }
}

/** Templates that begin alike, as most of those of a large document do. */
async function measureRoutes(): Promise<number> {
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const parameters = [{ name: 'owner', in: 'path', required: true, schema: { type: 'string' } }];
  const responses = { 200: { description: 'It', content: { 'application/json': { schema } } } };
  const pathOf = (number: number) => `/things/{owner}/kind${number}`;
  const paths = Object.fromEntries(
    Array.from({ length: ROUTES }, (_, index) => [pathOf(index + 1), { get: { parameters, responses } }]),
  );
  const document = { openapi: '3.1.1', info: { title: 'Routes', version: '1' }, paths };
  const temporary = await mkdtemp(join(tmpdir(), 'paddock-routes-'));
  const file = join(temporary, 'routes.json');
  await writeFile(file, JSON.stringify(document));
  const operationAt = (name: string, number: number): Measured => ({
    name,
    path: pathOf(number).replace('{owner}', 'me'),
    status: 200,
  });
  const operations = [operationAt('first', 1), operationAt('last', ROUTES)] as const;
  const mock = await start(mockOf(file), operations[0]);
  try {
    const loads = await measureLoads(
      generator,
      [mock],
      operations,
      options,
      progressOf('routes', options.rounds),
    );
    const cpu = (name: string) =>
      loads
        .get(name)
        ?.get(mock.name)
        ?.map((load) => load.cpu);
    return ratio(cpu('last'), cpu('first'));
  } finally {
    await mock.stop();
    await rm(temporary, { recursive: true });
  }
}
