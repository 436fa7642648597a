import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startPaddock } from '../testing/paddock.ts';
import { makeCertificates } from './certificates.ts';
import { type HttpProxy, startProxy } from './proxies.ts';

/** `paddock proxy` in a company network: HTTP proxies, private authorities, and certificates of clients. */
const HOST = 'staging.paddock.example';
const PETS = '[{"id":1,"name":"Rex","categoryId":3}]';
let server: Server;
let port: number;
let httpProxy: HttpProxy;
let folder: string;
/** Whether the client of each request has shown its certificate. */
const shown: boolean[] = [];

const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proxy-network-'));
  const own = makeCertificates([HOST, 'localhost']);
  const client = makeCertificates(['client']);
  await writeFile(file('authority.pem'), own.authority);
  await writeFile(file('client.pem'), client.certificate);
  await writeFile(file('client.key'), client.key);
  const options = { key: own.key, cert: own.certificate, ca: client.authority };
  server = createServer(
    { ...options, requestCert: true, rejectUnauthorized: false },
    (incoming, outgoing) => {
      shown.push((incoming.socket as TLSSocket).authorized);
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(PETS);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  httpProxy = await startProxy({ plain: 1, tls: port });
});

afterAll(async () => {
  httpProxy.close();
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true });
});

/** Reads the pets through `paddock proxy` in front of a target. */
async function read(target: string, args: readonly string[], env: Record<string, string> = {}) {
  shown.length = 0;
  const proxy = startPaddock(['proxy', target, '--port', '0', '--log', 'json', ...args], { env });
  onTestFinished(() => void proxy.stop('SIGKILL'));
  await expect.poll(() => proxy.output().all).toMatch(/"url":"[^"]+"/);
  const [, url] = /"url":"([^"]+)"/.exec(proxy.output().all) as RegExpExecArray;
  const response = await fetch(`${url}/pets`, { headers: { authorization: 'Bearer paddock-dev-key' } });
  const answer = { status: response.status, text: await response.text() };
  await proxy.stop();
  return answer;
}

const PASSES = { status: 200, text: PETS };
const local = () => `https://localhost:${port}/v1`;

test('a certificate that cannot be verified is told of with 502, and its remedy', async () => {
  const { status, text } = await read(local(), []);
  expect(status).toBe(502);
  expect(JSON.parse(text).detail).toContain('name its authority in NODE_EXTRA_CA_CERTS, or say --insecure');
  expect(shown).toEqual([]);
});

test('an authority of NODE_EXTRA_CA_CERTS is trusted', async () => {
  expect(await read(local(), [], { NODE_EXTRA_CA_CERTS: file('authority.pem') })).toEqual(PASSES);
  expect(shown).toEqual([false]);
});

test('the target gets the certificate of the client, and with --insecure none of its own is verified', async () => {
  const args = ['--insecure', '--client-cert', file('client.pem'), '--client-key', file('client.key')];
  expect(await read(local(), args)).toEqual(PASSES);
  expect(shown).toEqual([true]);
});

test('HTTPS_PROXY is asked for a tunnel with NODE_USE_ENV_PROXY, and not for loopback', async () => {
  const url = `http://127.0.0.1:${httpProxy.port}`;
  const through = {
    NODE_EXTRA_CA_CERTS: file('authority.pem'),
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    NO_PROXY: '',
  };
  expect(await read(local(), [], through)).toEqual(PASSES);
  expect(httpProxy.received).toEqual([]);
  expect(await read(`https://${HOST}/v1`, [], through)).toEqual(PASSES);
  expect(httpProxy.received).toEqual([`CONNECT ${HOST}:443`]);
  for (const env of [{ NO_PROXY: HOST }, { NODE_USE_ENV_PROXY: '' }])
    expect(await read(`https://${HOST}/v1`, [], { ...through, ...env })).toMatchObject({ status: 502 });
  expect(httpProxy.received).toHaveLength(1);
});
