import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { freePort } from '../../quality/testing/free-port.ts';
import { openTransport } from './testing/open-transport.ts';
import { play, scripts } from './testing/play.ts';
import { rawClient } from './testing/raw-client.ts';
import { headServer, rawServer } from './testing/raw-server.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
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

test('fuzzed exchanges pass with the same bytes', async () => {
  expect(await play(scripts(300), {})).toEqual({ failures: [], count: 300 });
});

describe('requests', () => {
  test('name the target in Host, or keep what the client sent', async () => {
    const heads: string[] = [];
    const answer = (head: string) => {
      heads.push(head);
      return OK;
    };
    for (const keepHost of [false, true]) {
      const { client, target } = await behind(answer, { keepHost });
      client.send(GET);
      await client.until((text) => text.endsWith('ok'));
      const host = keepHost ? 'x' : `127.0.0.1:${target.port}`;
      expect(heads.at(-1)).toBe(`GET /a HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    }
  });

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

  test('with a whole URL are sent with its path', async () => {
    const { client } = await behind(
      (head) => `HTTP/1.1 200 ${head.split(' ')[1]}\r\nContent-Length: 0\r\n\r\n`,
    );
    client.send('GET http://elsewhere.example?q=1 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n');
    expect(await client.until((text) => text.includes('\r\n\r\n'))).toMatch(/^HTTP\/1.1 200 \/\?q=1\r\n/);
  });

  test('with HTTP/1.0 pass as such, and end the connection', async () => {
    const { client } = await behind((head, socket) => {
      socket.end(`HTTP/1.0 200 ${head.includes('HTTP/1.0')}\r\n\r\nrest`);
      return undefined;
    });
    client.send('GET / HTTP/1.0\r\n\r\n');
    expect(await client.ended).toBe('HTTP/1.0 200 true\r\n\r\nrest');
  });

  test('wait for 100 (Continue) of the target', async () => {
    let whole = '';
    const target = kept(
      await rawServer((socket) => {
        socket.on('data', (bytes) => {
          whole += bytes;
          if (whole.endsWith('\r\n\r\n')) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
          if (whole.endsWith('body')) socket.write(OK);
        });
      }),
    );
    const proxy = kept(await openTransport(target.url));
    const client = openClient(proxy.port);
    client.send('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n');
    await client.until((text) => text === 'HTTP/1.1 100 Continue\r\n\r\n');
    expect(whole).toMatch(/\r\n\r\n$/);
    client.send('body');
    await client.until((text) => text.endsWith(OK));
  });

  test.each([
    ['CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 501, /opens no tunnels/],
    ['GET / HTTP/2.0\r\n\r\n', 505, /only HTTP\/1/],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, /only HTTP\/1/],
    ['GET /\r\n\r\n', 400, /first line/],
    ['GET / HTTP/1.1\r\nA : b\r\n\r\n', 400, /no valid name/],
    ['GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n', 400, /no valid name/],
    ['GET / HTTP/1.1\r\nA: b\nc: d\r\n\r\n', 400, /CR, LF or NUL/],
    ['POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na', 400, /more than once/],
    ['POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\na', 400, /not a number/],
    ['POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400, /both/],
    ['POST / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n', 400, /must be chunked/],
    ['POST / HTTP/1.1\r\nTransfer-Encoding: \r\n\r\n', 400, /must be chunked/],
    ['POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400, /HTTP\/1.0/],
    ['POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n', 400, /no valid size/],
    ['POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\nab\r\n0\r\n\r\n', 400, /CR LF/],
    ['POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n', 400, /longer/],
    [`GET / HTTP/1.1\r\nA: ${'b'.repeat(300_000)}\r\n\r\n`, 431, /256 KiB/],
  ])('that two readers may understand in two ways are refused: %j', async (sent, status, detail) => {
    const { client, proxy } = await behind(() => undefined);
    client.send(sent);
    const text = await client.ended;
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(bodyOf(text)).toMatchObject({ title: expect.stringContaining('paddock proxy'), status });
    expect(bodyOf(text).detail).toMatch(detail);
    expect(proxy.counts.refused).toBe(1);
  });

  test('are refused after the responses to those before them', async () => {
    const { client } = await behind(() => OK);
    client.send(`${GET}nonsense\r\n\r\n`);
    expect(await client.ended).toMatch(/^HTTP\/1.1 200 OK[\s\S]*okHTTP\/1.1 400 /);
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

  test('that breaks off in a body breaks off for the client, too', async () => {
    const part = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart';
    const { client, proxy } = await behind((_, socket) => void socket.end(part));
    client.send(GET);
    expect(await client.ended).toBe(part);
    expect(proxy.counts.failed).toBe(1);
  });

  test('that closes an idle connection when the next request comes is asked again', async () => {
    let count = 0;
    const target = kept(
      await rawServer((socket, at) => {
        socket.on('data', () => {
          count += 1;
          // The second request on the first connection meets the end of that.
          if (at === 0 && count === 2) socket.destroy();
          else socket.write(OK);
        });
      }),
    );
    const proxy = kept(await openTransport(target.url));
    const client = openClient(proxy.port);
    client.send(GET);
    await client.until((text) => text === OK);
    client.send(GET);
    await client.until((text) => text === OK + OK);
    expect(count).toBe(3);
    expect(proxy.counts.failed).toBe(0);
  });

  test('that responds before it has the whole request is heard at once', async () => {
    const { client } = await behind((head) => (head.startsWith('POST') ? OK : undefined));
    client.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc');
    await client.until((text) => text === OK);
    client.send('defghiPOST / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until((text) => text.startsWith(OK));
  });

  test('that ends an idle connection ends that of the client', async () => {
    const { client } = await behind((_, socket) => {
      setImmediate(() => socket.end());
      return OK;
    });
    client.send(GET);
    expect(await client.ended).toBe(OK);
  });

  test('that is the proxy itself is answered with 508', async () => {
    const port = await freePort();
    const { listen } = await import('./listen.ts');
    const { Pair } = await import('./pair/pair.ts');
    const { context, ...other } = await openTransport(`http://127.0.0.1:${port}`);
    kept(other);
    kept(
      await listen({
        port,
        host: '127.0.0.1',
        certificate: undefined,
        serve: (socket) => new Pair(socket, context),
        refusePlain() {},
      }),
    );
    const client = openClient(port);
    client.send(GET);
    expect(await client.ended).toMatch(/^HTTP\/1.1 508 Loop Detected/);
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
    expect(await client.ended).toBe(OK);
    await closed;
  });
});

test('a connection that becomes another protocol passes in both directions, and is counted', async () => {
  const target = kept(
    await rawServer((socket) => {
      socket.once('data', (head) => {
        const isAsked = /\r\nConnection: keep-alive, Upgrade\r\nUpgrade: echo\r\n/.test(String(head));
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

test('a request for another protocol that is not granted is an exchange as any other', async () => {
  const { client } = await behind(() => OK);
  const asked = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';
  client.send(asked + asked);
  await client.until((text) => text === OK + OK);
});

test('no connection is left behind', async () => {
  const { client, proxy, target } = await behind(() => OK);
  client.send(GET);
  await client.until((text) => text === OK);
  client.socket.end();
  await client.ended;
  await expect.poll(() => target.connections()).toBe(0);
  const asked = request(proxy.url, { agent: false }).end();
  const [response] = await once(asked, 'response');
  response.resume();
  await once(asked, 'close');
  await expect.poll(() => target.connections()).toBe(0);
});
