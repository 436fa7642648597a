import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, expect, test } from 'vitest';
import { createClient } from './client.ts';
import { createPace } from './pace.ts';
import { createPatientClient } from './patience.ts';
import { FateUnknown, MAX_BODY, Unreachable, type WireRequest } from './wire.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

function request(url: URL, method = 'GET'): WireRequest {
  return { method, url, headers: [], body: undefined, chunked: false };
}

function patient(retries = 3, timeout = 2000) {
  const pace = createPace();
  return { ...createPatientClient(createClient({ timeout }), retries, pace), sent: pace.sent };
}

/** Answers with these statuses in turn; the last one stays. */
function inTurn(...statuses: number[]): RequestListener {
  let count = 0;
  return (_, response) => {
    const status = statuses[Math.min(count++, statuses.length - 1)] as number;
    response.writeHead(status, status === 429 ? { 'retry-after': '0' } : {}).end();
  };
}

test.for([
  ['429', 'GET', [429, 429, 200]],
  ['502 on a read', 'GET', [502, 200]],
  ['503 and 504 on a read', 'GET', [503, 504, 200]],
  ['429 on a create', 'POST', [429, 201]],
  ['500 is the service speaking', 'GET', [500]],
] as const)('what the environment spoils is sent again: %s', async ([, method, statuses]) => {
  const client = patient();
  const { status } = await client.send(request(await serve(inTurn(...statuses)), method));
  expect(status).toBe(statuses.at(-1));
  expect(client.sent()).toBe(statuses.length);
});

test('an unsafe request is never repeated after a failure that may have carried it out', async () => {
  const client = patient();
  await expect(client.send(request(await serve(inTurn(502, 201)), 'POST'))).rejects.toThrow(FateUnknown);
  expect(client.sent()).toBe(1);
});

test('an operation that leaves three unsafe requests unanswered gets no more of them, and reads still', async () => {
  const client = patient(0, 30);
  const url = await serve(({ method }, response) => method === 'GET' && response.end());
  for (let count = 0; count < 3; count++)
    await expect(client.send(request(url, 'POST'), 'createPet')).rejects.toThrow(FateUnknown);
  await expect(client.send(request(url, 'POST'), 'createPet')).rejects.toThrow(
    'createPet is not answered in time: unsafe requests are not sent to it any more',
  );
  await expect(client.send(request(url, 'POST'), 'createOwner')).rejects.toThrow(FateUnknown);
  expect((await client.send(request(url), 'createPet')).status).toBe(200);
  expect(client.sent()).toBe(5);
});

test('patience ends, and says what stood in the way', async () => {
  await expect(patient(1).send(request(await serve(inTurn(503))))).rejects.toThrow(
    'the target keeps answering 503',
  );
  await expect(patient(0).send(request(new URL('http://127.0.0.1:9/')))).rejects.toThrow(
    'nothing listens there',
  );
});

test('no wait goes beyond the end of the run', async () => {
  const url = await serve((_, response) => response.writeHead(429, { 'retry-after': '20' }).end());
  const client = createPatientClient(
    createClient({ timeout: 2000 }),
    5,
    createPace({ deadline: performance.now() + 5000 }),
  );
  await expect(client.send(request(url))).rejects.toThrow(
    'the target keeps answering 429, and --max-time leaves no time to wait',
  );
});

test('nothing is sent after the end of the run', async () => {
  let asked = 0;
  const url = await serve((_, response) => {
    asked += 1;
    response.end();
  });
  const pace = createPace({ deadline: performance.now() - 1 });
  const client = createPatientClient(createClient({ timeout: 2000 }), 5, pace);
  await expect(client.send(request(url))).rejects.toThrow('--max-time is over');
  expect([asked, pace.sent()]).toEqual([0, 0]);
});

test('a switch of protocols is no answer', async () => {
  const url = await serve((incoming) => {
    incoming.socket.write('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
  });
  await expect(patient(0).send(request(url))).rejects.toThrow('switches to another protocol');
});

test('a target that never answers is given up after the timeout', async () => {
  const url = await serve(() => {});
  await expect(patient(0, 100).send(request(url))).rejects.toThrow('no whole answer within 100 ms');
});

test('a read that takes as long when nothing else is sent is not repeated any more', async () => {
  let asked = 0;
  const url = await serve(() => {
    asked += 1;
  });
  await expect(patient(5, 100).send(request(url))).rejects.toThrow('no whole answer within 100 ms');
  expect(asked).toBe(2);
});

test('an answer that breaks off is no answer', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('[{"id":');
    setTimeout(() => response.destroy(), 20);
  });
  await expect(patient(0).send(request(url))).rejects.toThrow(Unreachable);
});

test('of an answer of 50 MB no more is read than needed', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 0x20);
  const url = await serve((_, response) => {
    // The client hangs up in the middle: that is what is wanted here.
    pipeline(Readable.from(Array(50).fill(chunk)), response).catch(() => {});
  });
  const { cut, body } = await patient().send(request(url));
  expect(cut).toBe(true);
  expect(body.length).toBeLessThan(MAX_BODY + 2 * chunk.length);
});

test('what does not speak HTTP is no target', async () => {
  const { createServer: createTcpServer } = await import('node:net');
  const tcp = createTcpServer((socket) => socket.end('220 mail.example ESMTP\r\n')).listen(0, '127.0.0.1');
  await new Promise((resolve) => tcp.once('listening', resolve));
  const url = new URL(`http://127.0.0.1:${(tcp.address() as AddressInfo).port}/`);
  await expect(patient(0).send(request(url))).rejects.toThrow('does not speak HTTP');
  tcp.close();
});
