import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { openService } from '#forwarder';
import { makeCertificates } from '../../quality/testing/network.ts';
import { openTransport } from './testing/open-transport.ts';
import { rawClient, rawServer } from './testing/wire.ts';

/** Targets that speak TLS, and the HTTP proxies of an environment, as the transport reaches them. */
const OWN = makeCertificates(['localhost', 'staging.example']);
const CLIENT = makeCertificates(['client']);
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const GET = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n';

/** A server that knows TLS and no HTTP. */
async function tlsServer(serve: (socket: TLSSocket) => void, options: TlsOptions = {}) {
  const sockets = new Set<Socket>();
  const own = { key: OWN.key, cert: OWN.certificate, allowHalfOpen: true };
  const server = createServer({ ...own, ...options }, serve);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('secureConnection', (socket) => socket.on('error', () => {}));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

interface Reach {
  readonly url: string;
  readonly tls?: object;
  readonly proxyEnv?: NodeJS.ProcessEnv;
}

async function open({ url, tls = { ca: OWN.authority }, proxyEnv }: Reach) {
  const service = openService({ base: new URL(url), tls, proxyEnv });
  const transport = await openTransport(url, { service });
  const client = rawClient(transport.port);
  onTestFinished(async () => {
    client.socket.destroy();
    await transport.close();
  });
  return { ...transport, client };
}

const answering = (bytes: string, seen: string[] = [], options: TlsOptions = {}) =>
  tlsServer((socket) => {
    socket.on('data', (head) => {
      seen.push(String(head));
      socket.write(bytes);
    });
  }, options);

/** An HTTP proxy that answers the head of a request for a tunnel, and leads to a port of this machine if that is 200. */
async function tunnels(port: number, answer = 'HTTP/1.1 200 Connected\r\n\r\n') {
  const heads: string[] = [];
  const proxy = await rawServer((socket) => {
    socket.once('data', (head) => {
      heads.push(String(head));
      socket.write(answer);
      if (!answer.includes(' 200 ')) return;
      const onward = connect(port, '127.0.0.1');
      onward.on('error', () => socket.destroy());
      socket.on('close', () => onward.destroy());
      socket.pipe(onward).pipe(socket);
    });
  });
  onTestFinished(proxy.close);
  return { heads, proxyEnv: { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url } };
}

test('an https target gets the bytes', async () => {
  const seen: string[] = [];
  const port = await answering(OK, seen);
  const { client, ...transport } = await open({ url: `https://localhost:${port}` });
  for (const one of [client, rawClient(transport.port), rawClient(transport.port)]) {
    one.send(GET);
    await one.until((text) => text.endsWith('ok'));
    one.send(GET);
    await one.until((text) => text.split('ok').length === 3);
    one.socket.destroy();
  }
  expect(seen).toEqual(
    Array(6).fill(`GET /a HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: keep-alive\r\n\r\n`),
  );
});

test.each([
  ['of an authority that nobody knows', ['localhost'], /cannot be verified.*--insecure/],
  ['for another host', ['elsewhere.example'], /its certificate is for another host/],
])('a certificate %s is answered with 502, and the target gets no request', async (_, hosts, detail) => {
  const seen: string[] = [];
  const { key, certificate: cert, authority } = makeCertificates(hosts);
  const url = `https://localhost:${await answering(OK, seen, { key, cert })}`;
  const tls = hosts.includes('localhost') ? {} : { ca: authority };
  const { client, counts, notices } = await open({ url, tls });
  client.send(GET);
  const text = await client.ended;
  expect(text).toMatch(/^HTTP\/1.1 502 /);
  expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).detail).toMatch(detail);
  expect(notices).toEqual([expect.stringMatching(detail)]);
  expect(counts.failed).toBe(1);
  expect(seen).toEqual([]);
});

test('any certificate is taken where none is verified', async () => {
  const { client } = await open({
    url: `https://localhost:${await answering(OK)}`,
    tls: { rejectUnauthorized: false },
  });
  client.send(GET);
  await client.until((text) => text.endsWith('ok'));
});

test('a target that asks for a certificate of the client gets it, or is answered with 502', async () => {
  const asks = { ca: CLIENT.authority, requestCert: true };
  const port = await tlsServer((socket) => socket.on('data', () => socket.write(OK)), asks);
  const url = `https://localhost:${port}`;
  const shown = await open({ url, tls: { ca: OWN.authority, cert: CLIENT.certificate, key: CLIENT.key } });
  shown.client.send(GET);
  await shown.client.until((text) => text.endsWith('ok'));
  const { client, notices } = await open({ url });
  client.send(GET);
  expect(await client.ended).toMatch(/^HTTP\/1.1 502 /);
  expect(notices).toEqual([expect.stringContaining('it requires a client certificate')]);
});

test('an https target that speaks no TLS is answered with 502', async () => {
  const target = await rawServer((socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n')));
  onTestFinished(target.close);
  const { client, notices } = await open({ url: `https://localhost:${target.port}` });
  client.send(GET);
  expect(await client.ended).toMatch(/^HTTP\/1.1 502 /);
  expect(notices).toEqual([expect.stringContaining('does not speak TLS')]);
});

/** What becomes another protocol, and says goodbye when the client has. */
const echoes = () =>
  tlsServer((socket) => {
    socket.once('data', () => {
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst',
      );
      socket.on('data', (bytes) => socket.write(bytes)).on('end', () => socket.end('last'));
    });
  });

test.each([
  ['itself', 'localhost', false],
  ['behind the HTTP proxy of the environment', 'staging.example', true],
])('a WebSocket passes in both directions to an https target %s', async (_, host, isProxied) => {
  const port = await echoes();
  const { proxyEnv, heads } = await tunnels(port);
  const { client, counts } = await open({
    url: `https://${host}:${port}`,
    ...(isProxied && { proxyEnv }),
  });
  client.send('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await client.until((text) => text.endsWith('first'));
  client.send(Buffer.from([0, 255, 13, 10, 13, 10]));
  await client.until((text) => text.endsWith('first\0\xff\r\n\r\n'));
  const many = 'x'.repeat(2 ** 20);
  client.send(many);
  await client.until((text) => text.endsWith(many));
  client.socket.end();
  expect(await client.ended).toMatch(/last$/);
  expect(counts.upgraded).toBe(1);
  const authority = `${host}:${port}`;
  expect(heads.map((head) => head.split('\r\n')[0])).toEqual(
    isProxied ? [`CONNECT ${authority} HTTP/1.1`] : [],
  );
});

test('through a tunnel the certificate must be that of the target, and not that of the HTTP proxy', async () => {
  const seen: string[] = [];
  const { proxyEnv } = await tunnels(await answering(OK, seen));
  // The certificate is good for 127.0.0.1, where the HTTP proxy is.
  const { client, notices } = await open({ url: 'https://192.0.2.1', proxyEnv });
  client.send(GET);
  expect(await client.ended).toMatch(/^HTTP\/1.1 502 /);
  expect(notices).toEqual([expect.stringContaining('its certificate is for another host')]);
  expect(seen).toEqual([]);
});

test.each([
  ['refuses, and lets the connection open', 'HTTP/1.1 407 Who\r\nContent-Length: 4\r\n\r\nbody', /407/],
  ['speaks no HTTP', 'SSH-2.0\r\n\r\n', /SSH|tunnel|HTTP/],
])('an HTTP proxy that %s is answered with 502', async (_, answer, detail) => {
  const { proxyEnv } = await tunnels(0, answer);
  const { client, notices } = await open({ url: 'https://staging.example', proxyEnv });
  client.send(GET);
  expect(await client.ended).toMatch(/^HTTP\/1.1 502 /);
  expect(notices).toEqual([expect.stringMatching(detail)]);
});

test('an HTTP proxy that closes, or breaks a tunnel off, is answered with 502', async () => {
  const closing = await rawServer((socket) => socket.on('data', () => socket.end()));
  const breaking = await rawServer((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 Connected\r\n\r\n'));
    socket.on('data', () => socket.resetAndDestroy());
  });
  for (const { url, close } of [closing, breaking]) {
    onTestFinished(close);
    const { client, counts } = await open({ url: 'https://staging.example', proxyEnv: { HTTPS_PROXY: url } });
    client.send(GET);
    expect(await client.ended).toMatch(/^HTTP\/1.1 502 /);
    expect(counts.failed).toBe(1);
  }
});

test('an HTTP proxy gets the whole URL of an http target, and the credential that its own URL names', async () => {
  const heads: string[] = [];
  const proxy = await rawServer((socket) => {
    socket.on('data', (head) => {
      heads.push(String(head));
      socket.write(OK);
    });
  });
  onTestFinished(proxy.close);
  const HTTP_PROXY = proxy.url.replace('//', '//me:secret@');
  const { client } = await open({ url: 'http://staging.example', proxyEnv: { HTTP_PROXY } });
  client.send(GET);
  await client.until((text) => text.endsWith('ok'));
  expect(heads).toEqual([
    expect.stringMatching(
      /^GET http:\/\/staging\.example\/a HTTP\/1\.1\r\n[\s\S]*\r\nHost: staging\.example\r\n/,
    ),
  ]);
  expect(heads[0]).toMatch(new RegExp(`proxy-authorization: Basic ${btoa('me:secret')}\r\n`, 'i'));
});
