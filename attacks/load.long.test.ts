import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { CrowdAnswer, CrowdOrder } from './crowd.ts';
import { type MockProcess, startMock } from './mock-process.ts';
import type { Measure } from './probe.ts';

const MIB = 2 ** 20;
/** Node raises the soft limit of open files to the hard one at its start; some machines allow fewer than we want. */
const FILES = Number(execFileSync('sh', ['-c', 'ulimit -Hn']).toString().replace('unlimited', '1e9'));
const CONNECTIONS = Math.min(10_000, FILES - 200);
/** An hour of ten requests a second. */
const REQUESTS = 36_000;

function crowd(order: CrowdOrder) {
  const child = fork(new URL('./crowd.ts', import.meta.url), { execArgv: [] });
  child.send(order);
  const next = async () => (await once(child, 'message'))[0] as CrowdAnswer;
  return { next, goOn: () => child.send('go on') };
}

async function reset({ url }: MockProcess): Promise<void> {
  await fetch(new URL('/__admin/reset', url), { method: 'POST', headers: { connection: 'close' } });
}

function say(
  title: string,
  { ms, answers }: CrowdAnswer,
  before: Measure,
  peak: Measure,
  after: Measure,
): void {
  const mib = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`;
  process.stdout.write(
    `${title} in ${(ms / 1000).toFixed(1)} s: ${JSON.stringify(answers)}\n` +
      `  heap ${mib(before.heap)} before, ${mib(peak.heap)} meanwhile, ${mib(after.heap)} after; rss ${mib(peak.rss)} meanwhile\n` +
      `  event loop late by ${peak.delay.mean.toFixed(1)} ms on average, ${peak.delay.max.toFixed(0)} ms at most\n` +
      `  handles ${JSON.stringify(before.handles)} before, ${JSON.stringify(peak.handles)} meanwhile, ${JSON.stringify(after.handles)} after\n`,
  );
}

test(`${CONNECTIONS} connections open at once are all answered, and leave nothing behind`, {
  timeout: 180_000,
}, async () => {
  if (CONNECTIONS < 10_000) process.stderr.write(`this machine allows ${FILES} open files in a process\n`);
  const mock = await startMock(['--no-log']);
  const before = await mock.measure();
  const { next, goOn } = crowd({ port: mock.port, connections: CONNECTIONS });
  await next();
  const meanwhile = await mock.measure();
  expect(meanwhile.handles.TCPSocketWrap).toBe(CONNECTIONS);
  goOn();
  const done = await next();
  await expect.poll(async () => (await mock.measure()).handles, { timeout: 20_000 }).toEqual(before.handles);
  const after = await mock.measure();
  say(`${CONNECTIONS} connections`, done, before, meanwhile, after);
  expect(done.answers).toEqual({ 200: CONNECTIONS });
  expect(after.heap - before.heap).toBeLessThan(12 * MIB);
  mock.child.kill();
  expect(await mock.ended).toBe(0);
});

test(`an hour of ${REQUESTS} requests, as fast as they are answered, leaves nothing behind`, {
  timeout: 180_000,
}, async () => {
  const mock = await startMock(['--no-log']);
  // Once a tenth of it: what is compiled, and what the log of requests holds, is no growth.
  await crowd({ port: mock.port, requests: REQUESTS / 10 }).next();
  await reset(mock);
  const before = await mock.measure();
  const done = await crowd({ port: mock.port, requests: REQUESTS }).next();
  const peak = await mock.measure();
  await reset(mock);
  await expect.poll(async () => (await mock.measure()).handles, { timeout: 20_000 }).toEqual(before.handles);
  const after = await mock.measure();
  say(`${REQUESTS} requests`, done, before, peak, after);
  expect(done.answers).toEqual({
    200: REQUESTS * 0.7,
    201: REQUESTS * 0.1,
    400: REQUESTS * 0.1,
    404: REQUESTS * 0.1,
  });
  expect(after.heap - before.heap).toBeLessThan(8 * MIB);
  // A collapse, and no more: other things run on the machine as well.
  expect(peak.delay.max).toBeLessThan(5000);
  mock.child.kill();
  expect(await mock.ended).toBe(0);
});
