import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PRISM } from '../testing/prism.ts';
import { buildPackage, contenders, paddockIn, type Running, start } from './contenders.ts';
import { findGenerator } from './generators.ts';
import { costOf, type Loads, measureLoads } from './measure.ts';
import { type Measured, OPERATIONS, recordResponses } from './operations.ts';
import { loadFigures } from './report.ts';

/** The ratios of `npm run bench` when they were last recorded. */
const EXPECTED: {
  readonly cpuAgainstBare: Readonly<Record<string, number>>;
  readonly throughputAgainstPrism: Readonly<Record<string, number>>;
  readonly startUpAgainstPrism: number;
  readonly memoryAgainstPrism: number;
} = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8'));

/** The noise of a busy machine stays below this factor. */
const COLLAPSED = 2;

const running = new Map<string, Running>();

beforeAll(async () => {
  const folder = buildPackage('.');
  const first = await start(paddockIn(folder));
  const recorded = await recordResponses(first.url);
  await first.stop();
  const named = new Set(['paddock', 'bare node:http', 'Prism']);
  for (const one of contenders(folder, recorded, PRISM))
    if (named.has(one.name)) running.set(one.name, await start(one));
}, 120_000);

afterAll(async () => {
  await Promise.all([...running.values()].map(({ stop }) => stop()));
});

const server = (name: string) => running.get(name) as Running;

function measure(
  operations: readonly Measured[],
  servers: readonly string[],
  rounds: number,
): Promise<Loads> {
  return measureLoads(findGenerator(), servers.map(server), operations, { rounds, seconds: 1, warming: 1 });
}

describe('no ratio has collapsed', () => {
  test('start and memory, of Prism', () => {
    const [mine, its] = [server('paddock'), server('Prism')];
    expect(mine.startUp / its.startUp).toBeLessThan(EXPECTED.startUpAgainstPrism * COLLAPSED);
    const memory = costOf(mine.pid).memory / costOf(its.pid).memory;
    expect(memory).toBeLessThan(EXPECTED.memoryAgainstPrism * COLLAPSED);
  });

  const compared = OPERATIONS.filter(({ name }) => name in EXPECTED.cpuAgainstBare);
  test.each(compared)('CPU time of $name, of a bare server', { timeout: 120_000 }, async (operation) => {
    const loads = await measure([operation], ['paddock', 'bare node:http'], 2);
    const cpu = loadFigures(loads)[operation.name]?.paddock?.cpuAgainstBare;
    expect(cpu).toBeLessThan((EXPECTED.cpuAgainstBare[operation.name] as number) * COLLAPSED);
  });

  const raced = OPERATIONS.filter(({ name }) => name in EXPECTED.throughputAgainstPrism);
  test.each(raced)('throughput of $name, of Prism', { timeout: 120_000 }, async (operation) => {
    const loads = await measure([operation], ['paddock', 'Prism'], 1);
    const times = loadFigures(loads)[operation.name]?.Prism?.paddockIsFasterBy;
    expect(times).toBeGreaterThan((EXPECTED.throughputAgainstPrism[operation.name] as number) / COLLAPSED);
  });
});

test('npm run bench', async () => {
  const args = ['run', '--silent', 'bench', '--', 'start', '--servers', 'paddock,Prism', '--rounds', '3'];
  const { stdout } = await promisify(execFile)('npm', args);
  // The aim is 0.4; a noisy machine must not fail the test, a collapse must.
  expect(Number(/^\| paddock +\| +\d+ +\| +\d+ +\| +([\d.]+)/m.exec(stdout)?.[1])).toBeLessThan(0.8);
});

test('npm run bench -- requests', { timeout: 240_000 }, async () => {
  const document = 'node_modules/@readme/oas-examples/3.1/json/train-travel.json';
  const rounds = ['--rounds', '1', '--seconds', '1', '--warming', '1'];
  const { stdout } = await promisify(execFile)('npm', [
    ...['run', '--silent', 'bench', '--', 'requests', document],
    ...rounds,
  ]);
  for (const operation of ['list', 'read', 'create', '404', '400'])
    expect(stdout).toMatch(new RegExp(`^\\| Train Travel API +\\| ${operation} /bookings`, 'm'));
  // A tree costs the same for each route; to try one after the other cost sixteen times as much.
  expect(Number(/costs ([\d.]+) times the first/.exec(stdout)?.[1])).toBeLessThan(4);
});
