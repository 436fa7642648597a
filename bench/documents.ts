import { loadContract } from '../spec/index.ts';
import { type MockProcess, startMock } from '../testing/paddock.ts';
import { costOf } from './process-cost.ts';
import { refuse } from './rounds.ts';
import { table } from './table.ts';

/**
 * What documents cost: `npm run bench:documents -- FILE...`. For each a mock is started in a process of its own; it is
 * asked for the first list of the document, and then for all of them. Times are milliseconds of the mock's own CPU,
 * in steps of 10.
 */
const files = process.argv.slice(2);
if (files.length === 0) refuse('name the documents to be measured');

const rows: string[][] = [];
for (const file of files) rows.push(await measure(file));
const head = ['document', 'operations', 'start', 'first answer', 'lists', 'average list', 'slowest list'];
process.stdout.write(`${table([...head, 'memory, first', 'memory, all'], rows)}\n`);

async function measure(file: string): Promise<string[]> {
  const contract = await loadContract(file);
  const paths = contract.resources.flatMap(({ actions: { list } }) =>
    !list || list.parameters.some(({ required, in: place }) => required && place !== 'path') ? [] : list.path,
  );
  const mock = await startMock([file, '--any-key', '--no-log', '--no-base-path']);
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
