import { join } from 'node:path';
import { loadContract } from '../../spec/index.ts';
import { readArguments, refuse } from '../arguments.ts';
import { type MockProcess, startMock } from '../testing/paddock.ts';
import { buildPackage } from './contenders.ts';
import { costOf } from './measure.ts';
import { table } from './report.ts';

const HELP = `npm run bench -- documents FILE... [--before CLONE] [--rounds 3]

What documents cost. For each a mock is started in a process of its own; it is asked for the first list of the document,
and then for all of them. Times are milliseconds of the mock's own CPU, in steps of 10. With --before the start and the first
answer are compared with those of another clone, in turn with it: the least of some rounds counts. Packages are measured, as
users start them.
`;

const { values, positionals: files } = readArguments(HELP, {
  before: { type: 'string' },
  rounds: { type: 'string', default: '3' },
});
if (files.length === 0) refuse('name the documents to be measured');

const programOf = (clone: string) => join(buildPackage(clone), 'cli/paddock.js');
const program = programOf('.');
const rows: string[][] = [];
if (values.before === undefined) {
  for (const file of files) rows.push(await measure(file));
  const head = ['document', 'operations', 'start', 'first answer', 'lists', 'average list', 'slowest list'];
  process.stdout.write(`${table([...head, 'memory, first', 'memory, all'], rows)}\n`);
} else {
  const before = programOf(values.before);
  for (const file of files) rows.push(...(await compare(file, before)));
  process.stdout.write(`${table(['document', '', 'start', 'first answer', 'memory, first answer'], rows)}\n`);
}

/** In milliseconds of CPU time and MiB. */
interface FirstAnswer {
  readonly start: number;
  readonly answer: number;
  readonly memory: number;
}

async function compare(file: string, before: string): Promise<string[][]> {
  const contract = await loadContract(file);
  const paths = listsOf(contract).slice(0, 1);
  const found: Record<'before' | 'now', FirstAnswer[]> = { before: [], now: [] };
  for (let round = 0; round < Number(values.rounds); round++) {
    found.before.push(await firstAnswer(file, before, paths));
    found.now.push(await firstAnswer(file, program, paths));
  }
  const least = (side: readonly FirstAnswer[], key: keyof FirstAnswer) =>
    Math.min(...side.map((one) => one[key]));
  const cells = (show: (key: keyof FirstAnswer) => string) =>
    (['start', 'answer', 'memory'] as const).map(show);
  const unit = (key: keyof FirstAnswer) => (key === 'memory' ? 'MiB' : 'ms');
  const shown = (side: readonly FirstAnswer[]) =>
    cells((key) => `${Math.round(least(side, key))} ${unit(key)}`);
  return [
    [contract.title, 'before', ...shown(found.before)],
    ['', 'now', ...shown(found.now)],
    ['', 'ratio', ...cells((key) => (least(found.now, key) / least(found.before, key)).toFixed(2))],
  ];
}

async function firstAnswer(file: string, started: string, paths: readonly string[]): Promise<FirstAnswer> {
  const mock = await startMock([file, '--any-key', '--no-log', '--no-base-path'], { program: started });
  const start = costOf(mock.pid).cpu * 1000;
  await timesOf(mock, paths);
  const { cpu, memory } = costOf(mock.pid);
  await mock.stop();
  return { start, answer: cpu * 1000, memory };
}

function listsOf({ resources }: Awaited<ReturnType<typeof loadContract>>): string[] {
  return resources.flatMap(({ actions: { list } }) =>
    !list || list.parameters.some(({ required, in: place }) => required && place !== 'path') ? [] : list.path,
  );
}

async function measure(file: string): Promise<string[]> {
  const contract = await loadContract(file);
  const paths = listsOf(contract);
  const mock = await startMock([file, '--any-key', '--no-log', '--no-base-path'], { program });
  const started = costOf(mock.pid);
  const first = await timesOf(mock, paths.slice(0, 1));
  const answered = costOf(mock.pid);
  const times = [...first, ...(await timesOf(mock, paths.slice(1)))];
  const { memory } = costOf(mock.pid);
  await mock.stop();
  const ms = (value: number) => `${Math.round(value)} ms`;
  return [
    contract.title,
    `${contract.operations.length}`,
    ms(started.cpu * 1000),
    ms(answered.cpu * 1000),
    `${paths.length}`,
    ms(times.reduce((sum, time) => sum + time, 0) / times.length),
    ms(Math.max(...times)),
    `${Math.round(answered.memory)} MiB`,
    `${Math.round(memory)} MiB`,
  ];
}

/** Asks for each list once. A nested one may say that its parent does not exist, after it has looked for it. */
async function timesOf({ url, pid }: MockProcess, paths: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const path of paths) {
    const { cpu } = costOf(pid);
    const target = url + path.replace(/\{[^}]+\}/g, '1');
    const response = await fetch(target, { headers: { Authorization: 'Bearer any-key' } });
    await response.arrayBuffer();
    times.push((costOf(pid).cpu - cpu) * 1000);
  }
  return times;
}
