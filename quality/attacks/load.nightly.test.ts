import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { openConnections, requestOnEach, type Statuses, sendRequests } from './load.ts';
import type { Measure } from './probe.ts';
import { type MeasuredMock, renderMeasures, startMeasuredMock } from './processes.ts';

const MIB = 2 ** 20;
/** Node raises the soft limit of open files to the hard one at its start; some machines allow fewer than we want. */
const FILES = Number(execFileSync('sh', ['-c', 'ulimit -Hn']).toString().replace('unlimited', '1e9'));
const CONNECTIONS = Math.min(10_000, FILES - 200);
/** An hour of ten requests a second. */
const REQUESTS = 36_000;

/** Waits until the handles are as before, and gives what the heap has grown by. */
async function growthOf(mock: MeasuredMock, before: Measure, peak: Measure, statuses: Statuses) {
  await expect.poll(async () => (await mock.measure()).handles, { timeout: 20_000 }).toEqual(before.handles);
  const after = await mock.measure();
  process.stdout.write(`${JSON.stringify(statuses)}\n${renderMeasures({ before, peak, after })}`);
  return after.heap - before.heap;
}

test(`${CONNECTIONS} connections open at once are all answered, and leave nothing behind`, async () => {
  if (CONNECTIONS < 10_000) process.stderr.write(`this machine allows ${FILES} open files in a process\n`);
  const mock = await startMeasuredMock();
  const before = await mock.measure();
  const sockets = await openConnections(mock.port, CONNECTIONS);
  // The last connections may still wait for the mock to accept them.
  let peak = before;
  const opened = async () => {
    peak = await mock.measure();
    return peak.handles.TCPSocketWrap;
  };
  await expect.poll(opened, { timeout: 20_000 }).toBe(CONNECTIONS);
  const statuses = await requestOnEach(sockets);
  expect(await growthOf(mock, before, peak, statuses)).toBeLessThan(12 * MIB);
  expect(statuses).toEqual({ 200: CONNECTIONS });
  expect(await mock.stop()).toBe(0);
});

test(`an hour of ${REQUESTS} requests, as fast as they are answered, leaves nothing behind`, async () => {
  const mock = await startMeasuredMock();
  // A tenth of it first: compiled code and a full journal are no growth.
  await sendRequests(mock.url, REQUESTS / 10);
  await mock.reset();
  const before = await mock.measure();
  const statuses = await sendRequests(mock.url, REQUESTS);
  const peak = await mock.measure();
  await mock.reset();
  expect(await growthOf(mock, before, peak, statuses)).toBeLessThan(8 * MIB);
  expect(statuses).toEqual({
    200: REQUESTS * 0.7,
    201: REQUESTS * 0.1,
    400: REQUESTS * 0.1,
    404: REQUESTS * 0.1,
  });
  // Only a collapse: other programs run on the machine as well.
  expect(peak.delay.max).toBeLessThan(5000);
  expect(await mock.stop()).toBe(0);
});
