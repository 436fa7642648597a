import { join } from 'node:path';
import { loadContract } from '#spec';
import { readArguments, refuse } from '../arguments.ts';
import { renderTable } from '../table.ts';
import { startMock } from '../testing/paddock.ts';
import { buildPackage } from './contenders.ts';
import { costOf } from './measure.ts';

const HELP = `npm run lab -- bench documents FILE...

What documents cost. For each a mock of the package is started in a process of its own; it is asked for the first list of
the document, and then for all of them. Times are milliseconds of the mock's own CPU, in steps of 10.

Examples:
  npm run lab -- bench documents spec/openapi.yaml
`;

const { positionals: files } = readArguments(HELP, {});
if (files.length === 0) refuse('name the documents to be measured');

const program = join(buildPackage('.'), 'cli/paddock.js');
const rows: string[][] = [];
for (const file of files) rows.push(await measure(file));
const head = ['Document', 'Operations', 'Start, ms', 'First answer, ms', 'Lists', 'Average list, ms'];
process.stdout.write(
  `${renderTable([...head, 'Slowest list, ms', 'Memory, first, MiB', 'Memory, all, MiB'], rows)}\n`,
);

async function measure(file: string): Promise<string[]> {
  const { title, operations, resources } = await loadContract(file);
  const lists = resources.flatMap(({ actions: { list } }) => list ?? []);
  const plain = lists.filter(
    (list) => !list.parameters.some((parameter) => parameter.required && parameter.in !== 'path'),
  );
  const mock = await startMock([file, '--any-key', '--log=quiet', '--no-base-path'], { program });
  const started = costOf(mock.pid);
  let answered = started;
  const times: number[] = [];
  for (const { path } of plain) {
    const { cpu } = costOf(mock.pid);
    // A nested operation may look up its parent and respond that it does not exist.
    const target = mock.url + path.replace(/\{[^}]+\}/g, '1');
    await (await fetch(target, { headers: { Authorization: 'Bearer any-key' } })).arrayBuffer();
    const after = costOf(mock.pid);
    if (times.length === 0) answered = after;
    times.push((after.cpu - cpu) * 1000);
  }
  const { memory } = costOf(mock.pid);
  await mock.stop();
  const average = times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length);
  const figures = [
    operations.length,
    started.cpu * 1000,
    answered.cpu * 1000,
    times.length,
    average,
    Math.max(0, ...times),
    answered.memory,
    memory,
  ];
  return [title, ...figures.map((figure) => figure.toFixed(0))];
}
