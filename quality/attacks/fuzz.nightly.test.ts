import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Endurance, endure } from './endurance.ts';
import { type MeasuredMock, startMeasuredMock } from './processes.ts';

const MIB = 2 ** 20;
const EXCHANGES = 20_000;
let mock: MeasuredMock;
let endured: Endurance;

beforeAll(async () => {
  mock = await startMeasuredMock();
  endured = await endure(mock, EXCHANGES, 1);
  process.stdout.write(endured.summary);
}, 300_000);

afterAll(() => mock.stop());

test('20,000 malformed exchanges: each complete one gets a well-formed response, and none a 500', () => {
  expect(endured.outcome.faults).toEqual([]);
  expect(Object.values(endured.outcome.sent).reduce((sum, count) => sum + count)).toBe(EXCHANGES);
  // Else the bytes would not be what they are meant to be.
  const statuses = Object.keys(endured.outcome.statuses).map(Number);
  expect(statuses).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 405, 413, 415, 431]));
});

/** Told once for each name, and for so many names. */
const IGNORED = /^the query parameter ".*" is ignored: \w+ has none of this name \(\S+\)$/;

test('the mock is alive, and has printed nothing but names of parameters that it ignores', () => {
  expect(mock.child.exitCode).toBeNull();
  const printed = mock.output().all.split('\n\n').slice(1).join('').split('\n').filter(Boolean);
  const ignored = printed.filter((line) => IGNORED.test(line));
  expect(ignored).toHaveLength(100);
  const others = printed.filter((line) => !ignored.includes(line));
  expect(others).toEqual(['further query parameters that are ignored are not named']);
});

test('it stores exactly what it has acknowledged', () => {
  const { records, outcome } = endured;
  const want = new Map(records.before);
  for (const record of outcome.acknowledged) want.set((record as { id: unknown }).id, record);
  expect(want.size).toBe(records.before.size + outcome.acknowledged.length);
  expect(outcome.acknowledged.length).toBeGreaterThan(1000);
  expect(records.after).toEqual(want);
});

test('the same process covers 8 of 8 cells directly afterwards', () => {
  const { report } = endured;
  expect(report.findings).toEqual([]);
  expect(report.cells.map(({ verdict }) => verdict)).toEqual(Array(8).fill('covered'));
  expect(report.exitCode).toBe(0);
});

test('after a reset, memory and handles are as before', () => {
  const { before, after } = endured.memory;
  expect(after.heap - before.heap).toBeLessThan(8 * MIB);
  expect(after.handles).toEqual(before.handles);
});
