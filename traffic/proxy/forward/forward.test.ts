import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ownCache } from '../../../certificates/testing/own-cache.ts';
import { freePort } from '../../../quality/testing/free-port.ts';
import { makeCertificates } from '../../../quality/testing/network.ts';
import { createProxy, type ProxyOptions } from '../index.ts';
import { ORDERS } from '../testing/attacked-proxy.ts';
import { headServer, rawClient, rawServer } from '../testing/wire.ts';

const OWN = makeCertificates(['localhost']);
const KEY = 'X-Key: k\r\n';

/** A service that lists an order without a number, which breaks the document. */
const broken: RequestListener = (request, response) => {
  const body = '[{"id":"one"}]';
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  response.writeHead(200, { ...headers, 'x-host': `${request.headers.host}` }).end(body);
};

const other: RequestListener = (_, response) => {
  response.setHeader('content-length', 5).end('other');
};

async function serve(answer: RequestListener, isSecure = false): Promise<number> {
  const server = isSecure
    ? createHttpsServer({ key: OWN.key, cert: OWN.certificate }, answer)
    : createServer(answer);
  server.on('upgrade', (_, socket: Socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

async function open(options: Partial<ProxyOptions> & Pick<ProxyOptions, 'target'>) {
  const notices: string[] = [];
  const bugs: unknown[] = [];
  await ownCache();
  const proxy = await createProxy({
    ...{ document: ORDERS, port: 0, forward: true, insecure: true },
    notice: (text) => notices.push(text),
    onBug: (error) => void bugs.push(error),
    ...options,
  });
  const port = Number(new URL(proxy.url).port);
  const client = rawClient(port);
  onTestFinished(async () => {
    client.socket.destroy();
    await proxy.close();
    expect(bugs).toEqual([]);
  });
  return { proxy, notices, port, client };
}

const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${KEY}${more}\r\n`;
const endsWith = (end: string) => (text: string) => text.endsWith(end);
const laws = ({ proxy }: Awaited<ReturnType<typeof open>>) => proxy.found().findings.map(({ law }) => law);

/** A tunnel, and a connection of TLS within. */
async function secured({ port }: { port: number }, place: string, ca: string): Promise<TLSSocket> {
  const outer = rawClient(port);
  onTestFinished(() => void outer.socket.destroy());
  outer.send(`CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n`);
  expect(await outer.until(endsWith('\r\n\r\n'))).toBe('HTTP/1.1 200 Connection established\r\n\r\n');
  outer.socket.removeAllListeners('data').removeAllListeners('end');
  const inner = connect({ socket: outer.socket, ca, host: place.replace(/:.*/, '') });
  await once(inner, 'secureConnect');
  return inner;
}

async function answerOf(socket: TLSSocket, text: string, end: string): Promise<string> {
  let received = '';
  socket.write(text);
  for await (const part of socket.iterator({ destroyOnReturn: false })) {
    received += part;
    if (received.endsWith(end)) break;
  }
  return received;
}

describe('requests with a whole URL', () => {
  test('reach target and other services of this machine, in turn on one connection; those of the target are judged', async () => {
    const [target, second] = [await serve(broken), await serve(other)];
    const own = await open({ target: `http://127.0.0.1:${target}` });
    const { client, proxy } = own;
    const credential = 'Proxy-Authorization: Basic eDp5\r\nProxy-Connection: keep-alive\r\n';
    client.send(get(`http://127.0.0.1:${target}/orders`, credential));
    expect(await client.until(endsWith(']'))).toMatch(new RegExp(`x-host: 127.0.0.1:${target}`));
    client.send(get(`http://localhost:${second}/any`).repeat(2));
    await client.until((text) => text.split('other').length === 3);
    client.send(get('/orders'));
    await client.until(endsWith(']'));
    client.send(get(`http://localhost:${target}/orders`));
    await client.until((text) => text.includes(`x-host: localhost:${target}`) && text.endsWith(']'));
    expect(laws(own)).toContain('schema');
    expect(proxy.found().counts).toMatchObject({ requests: 3, judged: 3, elsewhere: 2, refused: 0 });
  });

  test('to the proxy itself are those to its origin, the control API among them', async () => {
    const { client, port } = await open({ target: `http://127.0.0.1:${await serve(broken)}` });
    client.send(get(`http://localhost:${port}/orders`));
    await client.until(endsWith(']'));
    client.send(get(`http://127.0.0.1:${port}/__admin/health`));
    expect(await client.ended).toMatch(/"status": "ok"/);
  });

  test("reach the target's own /__admin", async () => {
    const target = await serve(({ url = '' }, response) => {
      response.setHeader('content-length', 4 + url.length).end(`its ${url}`);
    });
    const { client } = await open({ target: `http://127.0.0.1:${target}` });
    client.send(get(`http://127.0.0.1:${target}/__admin/x`));
    expect(await client.until(endsWith('/x'))).toMatch(/its \/__admin\/x$/);
  });

  test('lose what was for the proxy, and wait for 100 (Continue)', async () => {
    const heads: string[] = [];
    const target = await headServer((head) => {
      heads.push(head);
      return 'HTTP/1.1 100 Continue\r\n\r\n';
    });
    onTestFinished(() => target.close());
    const { client } = await open({ target: target.url });
    const more = 'Expect: 100-continue\r\nContent-Length: 2\r\nProxy-Authorization: Basic eDp5\r\n';
    client.send(`POST ${target.url}/orders HTTP/1.1\r\nHost: y\r\n${more}\r\n`);
    await client.until(endsWith('100 Continue\r\n\r\n'));
    const wanted = `POST /orders HTTP/1.1\r\nHost: ${new URL(target.url).host}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n`;
    expect(heads).toEqual([`${wanted}Connection: close\r\n\r\n`]);
  });

  test.each(['http://a@127.0.0.1:1/', 'http://127.0.0.1:1\\@b/', 'http://[/', 'nothing'])(
    'that readers of URLs take for several are refused: %s',
    async (url) => {
      const { client } = await open({ target: `http://127.0.0.1:${await serve(broken)}` });
      client.send(get(url));
      expect(await client.ended).toMatch(/^HTTP\/1.1 400 /);
    },
  );
});

describe('tunnels', () => {
  test('to the target are decrypted and judged, with a certificate of an authority that clients trust', async () => {
    const port = await serve(broken, true);
    const own = await open({ target: `https://localhost:${port}` });
    const ca = await readFile(own.proxy.forwardAuthority as string, 'utf8');
    const socket = await secured(own, `localhost:${port}`, ca);
    expect(await answerOf(socket, get('/orders').repeat(2), '[{"id":"one"}]')).toMatch(/x-host: localhost/);
    const byAddress = await secured(own, `127.0.0.1:${port}`, ca);
    await answerOf(byAddress, get('/orders'), ']');
    expect(byAddress.getPeerX509Certificate()?.subjectAltName).toBe('IP Address:127.0.0.1');
    expect(laws(own)).toContain('schema');
    await expect.poll(() => own.proxy.found().counts.judged).toBe(3);
    // Nothing within a tunnel is for the proxy, nor leads elsewhere.
    const admin = await answerOf(socket, get('http://elsewhere.example/__admin/x'), ']');
    expect(admin).toMatch(/x-host: localhost/);
    expect(await answerOf(socket, get('/__admin/health'), ']')).toMatch(/x-host: localhost/);
  });

  test('to a target without TLS are judged, and become WebSockets', async () => {
    const port = await serve(broken);
    const own = await open({ target: `http://127.0.0.1:${port}` });
    const { client, proxy } = own;
    client.send(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n${get('/orders')}`);
    await client.until(endsWith(']'));
    expect(laws(own)).toContain('schema');
    client.send(get('/socket', 'Connection: Upgrade\r\nUpgrade: echo\r\n'));
    await client.until(endsWith('Upgrade: echo\r\n\r\n'));
    client.send('hello');
    await client.until(endsWith('hello'));
    expect(proxy.found().counts).toMatchObject({ judged: 1, upgraded: 1 });
  });

  test('to another service of this machine pass unread', async () => {
    const target = `https://localhost:${await serve(broken, true)}`;
    const second = await serve(other, true);
    const own = await open({ target });
    const socket = await secured(own, `localhost:${second}`, OWN.authority);
    expect(await answerOf(socket, get('/'), 'other')).toMatch(/^HTTP\/1.1 200/);
    expect(own.proxy.found().counts).toMatchObject({ requests: 0, elsewhere: 1 });
    socket.destroy();
  });

  test('end at both sides, whoever ends them first', async () => {
    const sockets: Socket[] = [];
    const second = await rawServer((socket) => {
      sockets.push(socket);
      socket.write('hello');
      socket.on('end', () => socket.end('bye'));
    });
    onTestFinished(() => second.close());
    const own = await open({ target: `http://127.0.0.1:${await serve(broken)}` });
    own.client.send(`CONNECT 127.0.0.1:${second.port} HTTP/1.1\r\n\r\n`);
    // A server may speak first.
    await own.client.until(endsWith('hello'));
    own.client.socket.end();
    expect(await own.client.ended).toMatch(/hellobye$/);
    const again = rawClient(own.port);
    again.send(`CONNECT 127.0.0.1:${second.port} HTTP/1.1\r\n\r\n`);
    await again.until(endsWith('hello'));
    sockets[1]?.destroy();
    await again.ended;
    await expect.poll(() => second.connections()).toBe(0);
  });

  test('to where nothing listens are answered with 502, and 502 within where that is the target', async () => {
    const [target, other] = [await freePort(), await freePort()];
    const own = await open({ target: `https://localhost:${target}` });
    own.client.send(`CONNECT 127.0.0.1:${other} HTTP/1.1\r\n\r\n`);
    expect(await own.client.ended).toMatch(/^HTTP\/1.1 502 Bad Gateway \(No tunnel to 127.0.0.1:\d+ can be/);
    const ca = await readFile(own.proxy.forwardAuthority as string, 'utf8');
    const socket = await secured(own, `localhost:${target}`, ca);
    expect(await answerOf(socket, get('/orders'), '}\n')).toMatch(/^HTTP\/1.1 502 Bad Gateway\r\n/);
    const plain = rawClient(own.port);
    plain.send(get(`http://127.0.0.1:${other}/`));
    expect(await plain.ended).toMatch(/^HTTP\/1.1 502 /);
  });

  test('are told of where the client does not trust the authority', async () => {
    const port = await serve(broken, true);
    const own = await open({ target: `https://localhost:${port}` });
    const args = `s_client -proxy 127.0.0.1:${own.port} -connect localhost:${port} -verify_return_error`;
    await expect(promisify(execFile)('openssl', args.split(' '))).rejects.toThrow(/verify error/);
    await expect.poll(() => own.notices.join()).toMatch(/does not trust the certificate for localhost: /);
    expect(own.notices.join()).toContain(own.proxy.forwardAuthority);
  });

  test('that lead back to the proxy end', async () => {
    const own = await open({ target: `http://127.0.0.1:${await serve(broken)}` });
    const place = `127.0.0.1:${own.port}`;
    own.client.send(`CONNECT ${place} HTTP/1.1\r\n\r\n${get('/orders')}`);
    await own.client.until(endsWith(']'));
    const looped = rawClient(own.port);
    // TLS to a port without: unread, and so sent to the proxy itself.
    looped.send(Buffer.from(`CONNECT ${place} HTTP/1.1\r\n\r\n\x16\x03\x01\x00\x00\r\n\r\n`, 'latin1'));
    await looped.ended;
    expect(own.proxy.found().counts.refused).toBe(1);
  });

  test.each(['a', '/a', 'http://a/', 'a:b', '@a:1', 'a:1/'])(
    'to %s, which is no place, are refused',
    async (place) => {
      const { client } = await open({ target: `http://127.0.0.1:${await serve(broken)}` });
      client.send(`CONNECT ${place} HTTP/1.1\r\n\r\n`);
      expect(await client.ended).toMatch(/^HTTP\/1.1 400 /);
    },
  );
});

test('other hosts are refused in words, once told of, and reached where they are allowed', async () => {
  const target = `http://127.0.0.1:${await serve(broken)}`;
  const { port, proxy, notices } = await open({ target });
  const detail =
    'This proxy does not lead to staging.example(?::443)?: --allow-host staging.example permits it';
  for (const [sent, wanted] of [
    ['CONNECT staging.example:443 HTTP/1.1\r\n\r\n', `^HTTP/1.1 403 Forbidden \\(${detail}\\)`],
    [get('http://staging.example/'), `^HTTP/1.1 403 Forbidden[^]*"detail": "${detail}"`],
  ] as const) {
    const client = rawClient(port);
    client.send(sent);
    expect(await client.ended).toMatch(new RegExp(wanted));
  }
  expect(notices).toEqual([expect.stringMatching(/^CONNECT staging.example:443: this proxy does not lead/)]);
  expect(proxy.found().counts.refused).toBe(2);
  const open2 = await open({ target, allowHosts: ['*.invalid'] });
  open2.client.send('CONNECT a.invalid:443 HTTP/1.1\r\n\r\n');
  expect(await open2.client.ended).toMatch(/^HTTP\/1.1 502 /);
});

test('servers of the document are judged where they are', async () => {
  const [target, server] = [await serve(broken), await serve(broken)];
  const folder = await mkdtemp(join(tmpdir(), 'forward-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const document = join(folder, 'orders.yaml');
  const servers = `servers: [{ url: "http://localhost:${server}/v2" }, { url: /v3 }]\n`;
  await writeFile(document, (await readFile(ORDERS, 'utf8')) + servers);
  const own = await open({ target: `http://127.0.0.1:${target}/v1`, document });
  own.client.send(get(`http://localhost:${server}/v2/orders`));
  expect(await own.client.until(endsWith(']'))).toContain(`x-host: localhost:${server}`);
  own.client.send(get(`http://localhost:${server}/v1/orders`));
  await own.client.until((text) => text.split(']').length === 3);
  expect(laws(own)).toContain('schema');
  expect(own.proxy.found().counts).toMatchObject({ requests: 2, judged: 1, unknown: 1 });
});

test.each([
  [{ allowHosts: ['*'], host: '0.0.0.0', adminToken: 'x' }, /option allowHosts: "\*" would let every/],
  [{ allowHosts: ['https://a/'] }, /option allowHosts: "https:\/\/a\/" is no host: write HOST/],
  [{ allowHosts: ['a'], forward: false }, /option allowHosts says where forward leads/],
])('cannot be used: %j', async (options, message) => {
  const target = `http://127.0.0.1:${await freePort()}`;
  await expect(open({ target, ...options })).rejects.toThrow(message);
});
