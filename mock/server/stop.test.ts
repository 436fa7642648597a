import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { exchange } from '../../quality/testing/attack.ts';
import { type MockProcess, startMock } from '../../quality/testing/paddock.ts';

const GET = 'GET /v1/pets/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer paddock-dev-key\r\n\r\n';

/** Connects and sends; `received` is everything that came back until the connection closed. */
async function dial({ port }: MockProcess, text: string): Promise<{ received: Promise<string> }> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  await once(socket, 'connect');
  socket.write(text);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  return { received: once(socket, 'close').then(() => received) };
}

/** The mock answers this once it has read the earlier requests. */
async function takenIn({ port }: MockProcess): Promise<void> {
  await exchange(port, HEALTH);
  await exchange(port, HEALTH);
}

const HEALTH = 'GET /__admin/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

async function refused({ port }: MockProcess): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const [event] = await Promise.race([
    once(socket, 'connect').then(() => ['connect']),
    once(socket, 'error').then(([error]) => [error.code]),
  ]).catch((error) => [error.code]);
  socket.destroy();
  return event === 'ECONNREFUSED';
}

test('SIGTERM: requests in flight are answered, new connections refused, exit code 0 within 5 s', async () => {
  const mock = await startMock(['--latency', '1500']);
  const inFlight = await Promise.all(Array.from({ length: 30 }, () => dial(mock, GET)));
  const idle = await dial(mock, '');
  await takenIn(mock);
  const begun = performance.now();
  mock.child.kill('SIGTERM');
  await expect.poll(() => refused(mock), { interval: 20 }).toBe(true);
  expect(mock.child.exitCode).toBeNull();
  const responses = await Promise.all(inFlight.map(({ received }) => received));
  for (const response of responses) {
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(response).toMatch(/Connection: close\r\n/i);
  }
  expect(await idle.received).toBe('');
  expect(await mock.ended).toBe(0);
  expect(performance.now() - begun).toBeLessThan(5000);
});

test('SIGTERM: clients that never finish a request, or read events for ever, delay the end by less than 5 s', async () => {
  const mock = await startMock();
  const post = 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer paddock-dev-key\r\n';
  const slow = await dial(mock, `${post}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
  const half = await dial(mock, 'GET /v1/pe');
  const events = await dial(mock, 'GET /__admin/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect((await exchange(mock.port, GET)).status).toBe(200);
  const begun = performance.now();
  mock.child.kill('SIGTERM');
  expect(await mock.ended).toBe(0);
  expect(performance.now() - begun).toBeLessThan(5000);
  await Promise.all([slow, half, events].map(({ received }) => received));
});

test('a second signal ends the process at once', async () => {
  const mock = await startMock(['--latency', '3000']);
  const { received } = await dial(mock, GET);
  await takenIn(mock);
  mock.child.kill('SIGTERM');
  await expect.poll(() => refused(mock), { interval: 20 }).toBe(true);
  const begun = performance.now();
  mock.child.kill('SIGTERM');
  expect(await mock.ended).toBe('SIGTERM');
  expect(performance.now() - begun).toBeLessThan(2000);
  expect(await received).toBe('');
});
