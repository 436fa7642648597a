import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { freePort } from '../../quality/testing/free-port.ts';
import { openTransport } from './testing/open-transport.ts';
import { headServer, rawClient, rawServer } from './testing/wire.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
/** Of the connection to the client. */
const KEPT = 'Connection: keep-alive\r\nKeep-Alive: timeout=75\r\n';
const OK_KEPT = OK.replace('\r\n\r\n', `\r\n${KEPT}\r\n`);
const GET = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n';

const toClose: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of toClose.splice(0).reverse()) await one.close();
});

function kept<One extends { close(): Promise<unknown> }>(one: One): One {
  toClose.push(one);
  return one;
}

async function behind(answer: Parameters<typeof headServer>[0], options = {}) {
  const target = kept(await headServer(answer));
  const proxy = kept(await openTransport(target.url, options));
  return { target, proxy, client: openClient(proxy.port) };
}

function openClient(port: number) {
  const client = rawClient(port);
  kept({ close: async () => client.socket.destroy() });
  return client;
}

const bodyOf = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n')));

describe('requests', () => {
  test('that come together are responded to in order', async () => {
    const { client, proxy } = await behind((head) => {
      const path = head.split(' ')[1] as string;
      return `HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`;
    });
    const paths = Array.from({ length: 200 }, (_, at) => `/${at};`);
    client.send(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    const text = await client.until((all) => all.endsWith('/199;'));
    expect([...text.matchAll(/\/\d+;/g)].map(String)).toEqual(paths);
    expect(proxy.counts.requests).toBe(200);
  });

  test.each([
    ['CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 501, /opens no tunnels/],
    ['GET / HTTP/2.0\r\n\r\n', 505, /only HTTP\/1/],
    ['BREW / HTTP/1.1\r\n\r\n', 501, /its method is unknown/],
    ['POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', 501, /transfer coding/],
    ['GET / HTTP/1.1\r\nA : b\r\n\r\n', 400, /This is no request: /],
    [`GET / HTTP/1.1\r\nA: ${'b'.repeat(300_000)}\r\n\r\n`, 431, /256 KiB/],
  ])('that cannot be sent on are refused in words: %j', async (sent, status, detail) => {
    const { client, proxy } = await behind(() => undefined);
    client.send(sent);
    const text = await client.ended;
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(bodyOf(text)).toMatchObject({ title: expect.stringContaining('paddock proxy'), status });
    expect(bodyOf(text).detail).toMatch(detail);
    expect(proxy.counts.refused).toBe(1);
  });

  test.each(['', 'Content-Length: 0\r\n'])(
    'that announce trailers without chunks are sent on: %j',
    async (length) => {
      const heads: string[] = [];
      const { client } = await behind((head) => {
        heads.push(head);
        return OK;
      });
      client.send(`POST /a HTTP/1.1\r\nHost: x\r\nTrailer: X\r\n${length}\r\n`);
      expect(await client.until((text) => text.endsWith('ok'))).toBe(OK_KEPT);
      expect(heads.join()).toMatch(/^POST \/a [\s\S]*\r\nContent-Length: 0\r\n(?![\s\S]*trailer)/i);
    },
  );

  test('are refused after the responses to those before them', async () => {
    const { client } = await behind(() => OK);
    client.send(`${GET}nonsense\r\n\r\n`);
    expect(await client.ended).toMatch(/^HTTP\/1.1 200 OK[\s\S]*okHTTP\/1.1 501 /);
  });

  test('that the client gives up are given up at the target', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const { client, proxy } = await behind((_, socket) => {
      closed = once(socket, 'close');
      client.socket.resetAndDestroy();
      return undefined;
    });
    client.send(GET);
    await once(client.socket, 'close');
    await closed;
    await expect.poll(() => proxy.counts.abandoned).toBe(1);
  });
});

describe('a target', () => {
  test('that refuses connections is answered with 502', async () => {
    const proxy = kept(await openTransport(`http://127.0.0.1:${await freePort()}`));
    const client = openClient(proxy.port);
    client.send(GET);
    const text = await client.ended;
    expect(text).toMatch(/^HTTP\/1.1 502 Bad Gateway\r\n/);
    expect(bodyOf(text)).toEqual({
      title: 'paddock proxy: Bad Gateway',
      status: 502,
      detail: 'The target gave no whole response: nothing listens there (connection refused)',
    });
    expect(proxy.counts.failed).toBe(1);
    expect(proxy.notices).toEqual([expect.stringContaining('GET /a: the target gave no whole response')]);
  });

  test.each([
    ['closes without a response', ''],
    ['breaks off in a head', 'HTTP/1.1 200 OK\r\nConte'],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['gives two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'switches protocols unasked',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    ],
  ])('that %s is answered with 502', async (_, bytes) => {
    const { client, proxy } = await behind((_head, socket) => void socket.end(bytes));
    client.send(GET);
    expect(await client.ended).toMatch(/^HTTP\/1.1 502 /);
    expect(proxy.counts.failed).toBe(1);
  });

  test.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n', '200 OK'],
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTrailer: X\r\n\r\n', '200 OK\r\nContent-Length: 5'],
    ['GET', 'HTTP/1.1 304 Same\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n', '304 Same'],
    ['GET', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n', '502 Bad Gateway'],
  ])('that says in a head what Node reads and does not write: %s %j', async (method, answer, begin) => {
    const { client } = await behind(() => answer);
    client.send(`${method} /a HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(await client.until((text) => text.includes('\r\n\r\n'))).toMatch(`HTTP/1.1 ${begin}\r\n`);
  });

  test('that breaks off in a body breaks off for the client, too', async () => {
    const part = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart';
    const { client, proxy } = await behind((_, socket) => void socket.end(part));
    client.send(GET);
    expect(await client.ended).toMatch(/\r\n\r\npart$/);
    expect(proxy.counts.failed).toBe(1);
  });

  test('that sends more than its response has sent that whole', async () => {
    const { client, proxy } = await behind(() => `${OK}surplus`);
    for (const times of [1, 2]) {
      client.send(GET);
      await client.until((text) => text === OK_KEPT.repeat(times));
    }
    expect(proxy.counts.failed).toBe(0);
  });

  test('its informational responses are for no client of HTTP/1.0', async () => {
    const { client } = await behind(() => `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}`);
    client.send(GET.replace('1.1', '1.0'));
    expect(await client.until((text) => text.endsWith('ok'))).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  test('that closes an idle connection when the next request comes is asked again, or anew', async () => {
    const POST = GET.replace('GET', 'POST').replace('\r\n\r\n', '\r\nContent-Length: 0\r\n\r\n');
    let count = 0;
    const target = kept(
      await rawServer((socket) => {
        let requests = 0;
        socket.on('data', () => {
          count += 1;
          // The second request on a connection meets the end of that.
          requests += 1;
          if (requests === 2) socket.destroy();
          else socket.write(OK);
        });
      }),
    );
    const proxy = kept(await openTransport(target.url));
    const client = openClient(proxy.port);
    client.send(GET);
    await client.until((text) => text === OK_KEPT);
    client.send(GET);
    await client.until((text) => text === OK_KEPT + OK_KEPT);
    expect(count).toBe(3);
    client.send(POST + POST);
    await client.until((text) => text === OK_KEPT.repeat(4));
    // What changes something comes once, on a connection of its own.
    expect(count).toBe(5);
    expect(proxy.counts.failed).toBe(0);
  });

  test('that responds before it has the whole request is heard at once', async () => {
    const { client } = await behind((head) => (head.startsWith('POST') ? OK : undefined));
    client.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc');
    await client.until((text) => text === OK_KEPT);
    client.send('defghiPOST / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until((text) => text.startsWith(OK_KEPT));
  });

  test('that is the proxy itself is answered with 508', async () => {
    const port = await freePort();
    kept(await openTransport(`http://127.0.0.1:${port}`, { port }));
    const client = openClient(port);
    client.send(GET);
    await client.until((text) => text.startsWith('HTTP/1.1 508 Loop Detected'));
  });

  test('gets no more than it reads, and a client neither', async () => {
    const many = 64 * 1024 * 1024;
    const target = kept(await rawServer((socket) => socket.pause()));
    const proxy = kept(await openTransport(target.url));
    const socket = connect(proxy.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${many}\r\n\r\n`);
    let written = 0;
    const part = Buffer.alloc(2 ** 20);
    // Until the buffers of the system are full, and then nothing more is taken.
    for (let isFull = false; !isFull && written < many; written += part.length) {
      const taken = new Promise((resolve) => socket.write(part, resolve));
      isFull = await Promise.race([
        taken.then(() => false),
        new Promise<true>((resolve) => setTimeout(resolve, 1500, true)),
      ]);
    }
    expect(written).toBeLessThan(many / 2);
    socket.destroy();
  });

  test('gets the whole of a request that is under way when the proxy closes', async () => {
    const size = 16 * 2 ** 20;
    let resume = () => {};
    const target = kept(
      await rawServer((socket) => {
        let left = size;
        socket.pause();
        socket.once('data', (head) => {
          left += head.indexOf('\r\n\r\n') + 4;
          left -= head.length;
          socket.on('data', (bytes) => {
            left -= bytes.length;
            if (left === 0) socket.write(OK);
          });
        });
        resume = () => socket.resume();
      }),
    );
    const proxy = await openTransport(target.url);
    const client = openClient(proxy.port);
    client.send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`);
    client.send(Buffer.alloc(size));
    await expect.poll(target.connections).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const closed = proxy.close();
    resume();
    expect(await client.ended).toBe(OK_KEPT);
    await closed;
  });
});

test('a connection that becomes another protocol passes in both directions, and is counted', async () => {
  const target = kept(
    await rawServer((socket) => {
      socket.once('data', (head) => {
        const isAsked = /\r\nConnection: Upgrade\r\nUpgrade: echo\r\n/.test(String(head));
        socket.write(`HTTP/1.1 101 ${isAsked}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nfirst`);
        socket.on('data', (bytes) => socket.write(bytes)).on('end', () => socket.end('last'));
      });
    }),
  );
  const proxy = kept(await openTransport(target.url));
  const client = openClient(proxy.port);
  client.send('GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: echo\r\n\r\n');
  await client.until((text) => text.endsWith('first'));
  client.send(Buffer.from([0, 255, 13, 10, 13, 10]));
  await client.until((text) => text.endsWith('first\0\xff\r\n\r\n'));
  client.socket.end();
  expect(await client.ended).toMatch(/^HTTP\/1.1 101 true[\s\S]*last$/);
  expect(proxy.counts.upgraded).toBe(1);
});

test('a request for another protocol that is not granted is an exchange as any other, and the last', async () => {
  const { client } = await behind(() => OK);
  client.send('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  expect(await client.ended).toBe(OK.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
});

test('no connection is left behind', async () => {
  const { client, proxy, target } = await behind(() => OK);
  client.send(GET);
  await client.until((text) => text === OK_KEPT);
  client.socket.end();
  await client.ended;
  await expect.poll(() => target.connections()).toBe(0);
  const asked = request(proxy.url, { agent: false }).end();
  const [response] = await once(asked, 'response');
  response.resume();
  await once(asked, 'close');
  await expect.poll(() => target.connections()).toBe(0);
});
