import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Endurance, endure } from './endurance.ts';
import { renderFuzz } from './fuzz-report.ts';
import { type MockProcess, startMock } from './mock-process.ts';

const MIB = 2 ** 20;
const EXCHANGES = 20_000;
let mock: MockProcess;
let endured: Endurance;

beforeAll(async () => {
  mock = await startMock(['--no-log']);
  endured = await endure(mock, EXCHANGES, 1);
  const { outcome, memory, seconds } = endured;
  process.stdout.write(renderFuzz(outcome, memory.before, memory.after, seconds));
}, 300_000);

afterAll(async () => {
  mock.child.kill();
  await mock.ended;
});

test('20,000 malformed exchanges: each complete one gets a well-formed answer, and none a 500', () => {
  expect(endured.outcome.faults).toEqual([]);
  expect(Object.values(endured.outcome.sent).reduce((sum, count) => sum + count)).toBe(EXCHANGES);
  // Or else the bytes would not be what they are meant to be.
  const statuses = Object.keys(endured.outcome.answers).map(Number);
  expect(statuses).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 405, 413, 415, 431]));
});

test('the mock lives, and has said nothing', () => {
  expect(mock.child.exitCode).toBeNull();
  expect(mock.output().split('\n\n').slice(1).join('')).toBe('');
});

test('it holds exactly what it has acknowledged', () => {
  const { records, outcome } = endured;
  const want = new Map(records.before);
  for (const record of outcome.acknowledged) want.set((record as { id: unknown }).id, record);
  expect(want.size).toBe(records.before.size + outcome.acknowledged.length);
  expect(outcome.acknowledged.length).toBeGreaterThan(1000);
  expect(records.after).toEqual(want);
});

test('directly after, 8 of 8 cells are covered on the same process', () => {
  const { report } = endured;
  expect(report.findings).toEqual([]);
  expect(report.cells.map(({ verdict }) => verdict)).toEqual(Array(8).fill('covered'));
  expect(report.exitCode).toBe(0);
});

test('when the records are gone, so is the memory; no handle is left open', () => {
  const { before, after } = endured.memory;
  expect(after.heap - before.heap).toBeLessThan(8 * MIB);
  expect(after.handles).toEqual(before.handles);
});
