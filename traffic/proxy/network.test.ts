import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { HOST, type Network, startNetwork } from '../../quality/testing/network.ts';
import { listening, startPaddock } from '../../quality/testing/paddock.ts';

/** `paddock proxy` in a company network: HTTP proxies, private authorities, and certificates of clients. */
const PETS = '[{"id":1,"name":"Rex","categoryId":3}]';
let network: Network;

beforeAll(async () => {
  network = await startNetwork((_isKnown, _incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(PETS);
  }, 1);
});

afterAll(() => network.close());

/** Reads the pets through `paddock proxy` in front of a target. */
async function read(target: string, args: readonly string[], env: Record<string, string> = {}) {
  network.shown.length = 0;
  const proxy = startPaddock(['proxy', target, '--port', '0', ...args], { env });
  onTestFinished(() => void proxy.stop('SIGKILL'));
  const { url } = await listening(proxy);
  const response = await fetch(`${url}/pets`, { headers: { authorization: 'Bearer paddock-dev-key' } });
  const answer = { status: response.status, text: await response.text() };
  await proxy.stop();
  return answer;
}

const PASSES = { status: 200, text: PETS };
const local = () => `https://localhost:${network.port}/v1`;
const trusting = () => ({ NODE_EXTRA_CA_CERTS: network.file('authority.pem') });

test('a certificate that cannot be verified is answered with 502, and its remedy', async () => {
  const { status, text } = await read(local(), []);
  expect(status).toBe(502);
  expect(JSON.parse(text).detail).toContain('name its authority in NODE_EXTRA_CA_CERTS, or say --insecure');
  expect(network.shown).toEqual([]);
});

test('an authority of NODE_EXTRA_CA_CERTS is trusted', async () => {
  expect(await read(local(), [], trusting())).toEqual(PASSES);
  expect(network.shown).toEqual([false]);
});

test('the target gets the certificate of the client, and with --insecure none of its own is verified', async () => {
  const [certificate, key] = ['client.pem', 'client.key'].map(network.file) as [string, string];
  const args = ['--insecure', '--client-cert', certificate, '--client-cert', key];
  expect(await read(local(), args)).toEqual(PASSES);
  expect(network.shown).toEqual([true]);
});

test('HTTPS_PROXY is asked for a tunnel with NODE_USE_ENV_PROXY, and not for loopback', async () => {
  const { proxyUrl, received } = network;
  const proxies = { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl, NO_PROXY: '' };
  const through = { ...trusting(), ...proxies, NODE_USE_ENV_PROXY: '1' };
  expect(await read(local(), [], through)).toEqual(PASSES);
  expect(received).toEqual([]);
  expect(await read(`https://${HOST}/v1`, [], through)).toEqual(PASSES);
  expect(received).toEqual([`CONNECT ${HOST}:443`]);
  for (const env of [{ NO_PROXY: HOST }, { NODE_USE_ENV_PROXY: '' }])
    expect(await read(`https://${HOST}/v1`, [], { ...through, ...env })).toMatchObject({ status: 502 });
  expect(received).toHaveLength(1);
});
