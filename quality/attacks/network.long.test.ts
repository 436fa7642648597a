import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MockProcess, startMock } from '../testing/paddock.ts';
import { makeCertificates } from './certificates.ts';
import { runCheck } from './processes.ts';
import { type HttpProxy, startProxy, startTls } from './proxies.ts';

/** `paddock check` in a company network: proxies, and certificates of a private authority. */
const HOST = 'staging.paddock.example';
let mock: MockProcess;
let tls: Awaited<ReturnType<typeof startTls>>;
let proxy: HttpProxy;
let folder: string;
let authority: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'network-'));
  authority = join(folder, 'authority.pem');
  const certificates = makeCertificates([HOST, 'localhost']);
  await writeFile(authority, certificates.authority);
  mock = await startMock(['--no-log']);
  tls = await startTls(mock.port, certificates);
  proxy = await startProxy({ plain: mock.port, tls: tls.port });
});

afterAll(async () => {
  proxy.close();
  tls.close();
  await mock.stop();
  await rm(folder, { recursive: true });
});

const WRITES = ['--allow-writes', '--settle', '200', '--retries', '0'];
const HOLDS = {
  code: 0,
  output: expect.stringMatching(/8 of 8 cells covered[\s\S]*The contract holds\. \(exit 0\)/),
};

describe('a certificate of a private authority', () => {
  test('is accepted when NODE_EXTRA_CA_CERTS names the authority', async () => {
    const url = `https://localhost:${tls.port}/v1`;
    expect(await runCheck([url, ...WRITES], { NODE_EXTRA_CA_CERTS: authority })).toMatchObject(HOLDS);
  });

  test('is refused without it, and the message names the variable', async () => {
    const { code, output } = await runCheck([`https://localhost:${tls.port}/v1`, ...WRITES]);
    expect(code).toBe(3);
    expect(output).toContain('its certificate cannot be verified: name its authority in NODE_EXTRA_CA_CERTS');
  });

  test('is refused for another host', async () => {
    const env = { NODE_EXTRA_CA_CERTS: authority };
    const { code, output } = await runCheck([`https://other.localhost:${tls.port}/v1`, ...WRITES], env);
    expect(code).toBe(3);
    expect(output).toMatch(/its certificate is for another host|the host name/);
  });
});

describe('a proxy', () => {
  const through = (more: Record<string, string> = {}) => ({
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: `http://127.0.0.1:${proxy.port}`,
    HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
    NO_PROXY: '',
    ...more,
  });

  test('is used for http with NODE_USE_ENV_PROXY', async () => {
    expect(await runCheck([`http://${HOST}/v1`, ...WRITES], through())).toMatchObject(HOLDS);
    expect(proxy.received).toContainEqual(expect.stringMatching(`^GET http://${HOST}/v1/pets`));
  });

  test('is used for a document that is read from a URL', async () => {
    const document = `http://${HOST}/openapi.yaml`;
    expect(await runCheck([mock.url, document, '--settle', '200'], through())).toMatchObject(HOLDS);
    // Node's `fetch` opens a tunnel for http, too.
    expect(proxy.received).toContain(`CONNECT ${HOST}:80`);
  });

  test('tunnels https, and certificates are verified through the tunnel', async () => {
    const env = through({ NODE_EXTRA_CA_CERTS: authority });
    expect(await runCheck([`https://${HOST}/v1`, ...WRITES], env)).toMatchObject(HOLDS);
    expect(proxy.received).toContain(`CONNECT ${HOST}:443`);
    const { output } = await runCheck([`https://${HOST}/v1`, ...WRITES], through());
    expect(output).toContain('its certificate cannot be verified');
  });

  test('is not used where NO_PROXY names the host, nor without NODE_USE_ENV_PROXY', async () => {
    const before = proxy.received.length;
    for (const env of [through({ NO_PROXY: HOST }), through({ NODE_USE_ENV_PROXY: '' })]) {
      const { code } = await runCheck([`http://${HOST}/v1`, ...WRITES, '--timeout', '3000'], env);
      expect(code).toBe(3);
    }
    expect(proxy.received).toHaveLength(before);
  });

  test('is never used for loopback: the 127.0.0.1 of the proxy is another machine', async () => {
    const before = proxy.received.length;
    expect(await runCheck([mock.url, '--settle', '200'], through())).toMatchObject(HOLDS);
    expect(proxy.received).toHaveLength(before);
  });
});
