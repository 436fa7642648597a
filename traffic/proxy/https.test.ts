import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect as tcpConnect } from 'node:net';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { ownCache } from '../../certificates/testing/own-cache.ts';
import { SHIPPED } from '../../mock/testing/serve.ts';
import { createProxy } from './create-proxy.ts';

/** A proxy that speaks https, in front of a service that does not. */
async function secured(respond: (url: string) => string) {
  await ownCache();
  const service = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(respond(request.url ?? ''));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  onTestFinished(() => void service.close().closeAllConnections());
  const target = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
  const notices: string[] = [];
  const proxy = await createProxy({
    ...{ target, document: SHIPPED, port: 0, https: true },
    notice: (text) => notices.push(text),
  });
  onTestFinished(() => proxy.close());
  const ca = readFileSync(proxy.authority as string, 'utf8');
  return { proxy, notices, ca, port: Number(new URL(proxy.url).port) };
}

const requestOf = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

async function ask(port: number, ca: string, path: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', ca, servername: 'localhost' });
  await once(socket, 'secureConnect');
  socket.write(requestOf(path));
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  return text;
}

test('clients speak https, the target need not; what passes is judged, and the control API is there', async () => {
  const { proxy, ca, port } = await secured(() => '[{"id":1}]');
  expect(proxy.url).toBe(`https://127.0.0.1:${port}/v1`);
  expect(await ask(port, ca, '/v1/pets')).toMatch(/^HTTP\/1.1 200 OK[\s\S]*\[{"id":1}\]/);
  expect(await ask(port, ca, '/__admin/health')).toMatch(/^HTTP\/1.1 200 OK[\s\S]*"status": "ok"/);
  expect(proxy.found().findings.map(({ law }) => law)).toEqual(expect.arrayContaining(['schema']));
});

test('plain http is refused in words, and told of', async () => {
  const { proxy, notices, port } = await secured(() => '[]');
  const socket = tcpConnect(port, '127.0.0.1');
  socket.write(requestOf('/v1/pets'));
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  expect(text).toMatch(
    /^HTTP\/1.1 400 Bad Request[\s\S]*This port speaks https, and the request came as plain http/,
  );
  expect(notices).toEqual([expect.stringMatching(/^plain http at a port of https is refused/)]);
  expect(proxy.found().counts.refused).toBe(1);
});

test('it stops, whatever has connected and said nothing', async () => {
  const { proxy, port } = await secured(() => '[]');
  const silent = tcpConnect(port, '127.0.0.1');
  silent.on('error', () => {});
  await once(silent, 'connect');
  const closed = once(silent, 'close');
  await proxy.close();
  await closed;
});
