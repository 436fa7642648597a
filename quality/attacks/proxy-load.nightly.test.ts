import { execFileSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { openConnections, requestOnEach } from './load.ts';
import type { Measure } from './probe.ts';
import { type MeasuredProxy, renderMeasures, startMeasuredMock, startMeasuredProxy } from './processes.ts';

const MIB = 2 ** 20;
/** Some machines allow fewer than we want; a thousand are left for connections to the target. */
const FILES = Number(execFileSync('sh', ['-c', 'ulimit -Hn']).toString().replace('unlimited', '1e9'));
const CONNECTIONS = Math.min(10_000, FILES - 1000);
const STEP = 1000;

const sockets = ({ handles }: Measure) => handles.TCPSocketWrap ?? 0;

async function begin() {
  if (CONNECTIONS < 10_000) process.stderr.write(`this machine allows ${FILES} open files in a process\n`);
  const mock = await startMeasuredMock();
  const proxy = await startMeasuredProxy([mock.url]);
  onTestFinished(async () => void (await Promise.all([proxy.stop(), mock.stop()])));
  // What every connection needs is there after the first ones.
  expect(await requestOnEach(await openConnections(proxy.port, STEP))).toEqual({ 200: STEP });
  return { proxy, before: await atRest(proxy) };
}

async function atRest(proxy: MeasuredProxy): Promise<Measure> {
  const rest = async () => sockets(await proxy.measure());
  await expect.poll(rest, { timeout: 60_000 }).toBe(0);
  return proxy.measure();
}

function tell(before: Measure, peak: Measure, after: Measure): void {
  process.stdout.write(renderMeasures({ before, peak, after }));
}

test(`${CONNECTIONS} connections through the proxy, open at once, are all answered, and leave nothing behind`, {
  timeout: 300_000,
}, async () => {
  const { proxy, before } = await begin();
  const opened = await openConnections(proxy.port, CONNECTIONS);
  let peak = before;
  const accepted = async () => {
    peak = await proxy.measure();
    return sockets(peak);
  };
  await expect.poll(accepted, { timeout: 60_000 }).toBe(CONNECTIONS);
  expect(await requestOnEach(opened)).toEqual({ 200: CONNECTIONS });
  const handles = async () => (await proxy.measure()).handles;
  await expect.poll(handles, { timeout: 60_000 }).toEqual(before.handles);
  const after = await proxy.measure();
  tell(before, peak, after);
  expect(after.heap - before.heap).toBeLessThan(16 * MIB);
});

test(`${CONNECTIONS} clients that begin a request and go away leave nothing behind`, {
  timeout: 300_000,
}, async () => {
  const { proxy, before } = await begin();
  let peak = before;
  for (let begun = 0; begun < CONNECTIONS; begun += STEP) {
    const some = await openConnections(proxy.port, STEP);
    for (const [at, socket] of some.entries()) {
      const head = 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"name":';
      // At any byte: nothing, a part of the head, or a part of the body.
      socket.write(head.slice(0, at % (head.length + 1)));
    }
    await expect
      .poll(async () => sockets(await proxy.measure()), { timeout: 60_000 })
      .toBeGreaterThanOrEqual(STEP);
    peak = await proxy.measure();
    for (const [at, socket] of some.entries()) at % 2 ? socket.destroy() : socket.resetAndDestroy();
  }
  const handles = async () => (await proxy.measure()).handles;
  await expect.poll(handles, { timeout: 60_000 }).toEqual(before.handles);
  const after = await proxy.measure();
  tell(before, peak, after);
  expect(after.heap - before.heap).toBeLessThan(16 * MIB);
});
