import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCheck } from '../../quality/testing/attack.ts';
import { forward } from '../../quality/testing/forward.ts';
import { HOST, type Network, startNetwork } from '../../quality/testing/network.ts';
import { type MockProcess, runPaddock, startMock } from '../../quality/testing/paddock.ts';

/** `paddock check` in a company network: proxies, certificates of a private authority, and those of clients. */
let mock: MockProcess;
/** The target of the second asks for a certificate of the client. */
let network: Network;
let asking: Network;

beforeAll(async () => {
  mock = await startMock(['--log=quiet']);
  network = await startNetwork((_, ...exchange) => forward(mock.port, ...exchange), mock.port);
  asking = await startNetwork((isKnown, incoming, outgoing) => {
    if (isKnown) forward(mock.port, incoming, outgoing);
    else outgoing.writeHead(403, { 'content-type': 'text/plain' }).end('a certificate is needed');
  }, mock.port);
});

afterAll(() => Promise.all([network.close(), asking.close(), mock.stop()]));

const check = (url: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  runCheck([url, '--settle', '200', ...args], { PADDOCK_RETRIES: '0', PADDOCK_EXAMPLES: '0', ...env });
const WRITES = ['--allow-writes'];
const HOLDS = {
  code: 0,
  output: expect.stringMatching(
    /8 of 8 responses covered[\s\S]*The contract holds for 3 of 3 operations \(8 of 8 responses\)\. \(exit 0\)/,
  ),
};
const trusting = () => ({ NODE_EXTRA_CA_CERTS: network.file('authority.pem') });

describe('a certificate of a private authority', () => {
  const local = (host = 'localhost') => `https://${host}:${network.port}/v1`;

  test('is accepted when NODE_EXTRA_CA_CERTS names the authority', async () => {
    expect(await check(local(), WRITES, trusting())).toMatchObject(HOLDS);
  });

  test('is refused without it, and the message names the variable', async () => {
    const { code, output } = await check(local(), WRITES);
    expect(code).toBe(3);
    expect(output).toContain('its certificate cannot be verified: name its authority in NODE_EXTRA_CA_CERTS');
  });

  test('is refused for another host', async () => {
    const { code, output } = await check(local('other.localhost'), WRITES, trusting());
    expect(code).toBe(3);
    expect(output).toMatch(/its certificate is for another host|the host name/);
  });
});

describe('a proxy', () => {
  const through = (more: Record<string, string> = {}) => ({
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: network.proxyUrl,
    HTTPS_PROXY: network.proxyUrl,
    NO_PROXY: '',
    ...more,
  });

  test('is used for http with NODE_USE_ENV_PROXY', async () => {
    expect(await check(`http://${HOST}/v1`, WRITES, through())).toMatchObject(HOLDS);
    expect(network.received).toContainEqual(expect.stringMatching(`^GET http://${HOST}/v1/pets`));
  });

  test('is used for a document that is read from a URL', async () => {
    expect(await check(mock.url, [`http://${HOST}/openapi.yaml`], through())).toMatchObject(HOLDS);
    // Node's `fetch` opens a tunnel for http, too.
    expect(network.received).toContain(`CONNECT ${HOST}:80`);
  });

  test('tunnels https, and certificates are verified through the tunnel', async () => {
    const verified = await check(`https://${HOST}/v1`, WRITES, through(trusting()));
    expect(verified).toMatchObject(HOLDS);
    expect(network.received).toContain(`CONNECT ${HOST}:443`);
    const { output } = await check(`https://${HOST}/v1`, WRITES, through());
    expect(output).toContain('its certificate cannot be verified');
  });

  test('is not used where NO_PROXY names the host, without NODE_USE_ENV_PROXY, or for loopback', async () => {
    const before = network.received.length;
    for (const env of [through({ NO_PROXY: HOST }), through({ NODE_USE_ENV_PROXY: '' })]) {
      const { code } = await check(`http://${HOST}/v1`, WRITES, { ...env, PADDOCK_TIMEOUT: '3000' });
      expect(code).toBe(3);
    }
    // The 127.0.0.1 of the proxy is another machine.
    expect(await check(mock.url, [], through())).toMatchObject(HOLDS);
    expect(network.received).toHaveLength(before);
  });
});

/** A check of the target that asks for a certificate, and which of its requests have shown one. */
async function checkAsking(args: readonly string[], env: Record<string, string> = {}) {
  asking.shown.length = 0;
  const ended = await check(`https://localhost:${asking.port}/v1`, args, env);
  return { ...ended, shown: [...new Set(asking.shown)] };
}

const client = () => ['--client-cert', asking.file('client.pem'), '--client-cert', asking.file('client.key')];

describe('a target that asks for a certificate of the client', () => {
  test('gets it, whoever has issued its own with --insecure', async () => {
    expect(await checkAsking(['--insecure', ...client()])).toMatchObject({ ...HOLDS, shown: [true] });
  });

  test('gets it from one file that holds the key, too, and is verified', async () => {
    const env = {
      NODE_EXTRA_CA_CERTS: asking.file('authority.pem'),
      PADDOCK_CLIENT_CERT: asking.file('both.pem'),
    };
    expect(await checkAsking([], env)).toMatchObject({ ...HOLDS, shown: [true] });
  });

  test('is not taken for the service without it', async () => {
    expect(await checkAsking(['--insecure'])).toMatchObject({ code: 3, shown: [false] });
  });

  test('is not trusted without --insecure, and the message says so', async () => {
    const { code, output, shown } = await checkAsking(client());
    expect(code).toBe(3);
    expect(output).toContain('name its authority in NODE_EXTRA_CA_CERTS, or say --insecure');
    expect(shown).toEqual([]);
  });

  test('is reached by the commands of the report, which name no file', async () => {
    const args = ['--insecure', ...client(), '--report', 'json=-'];
    const { output } = await checkAsking(args, { PADDOCK_API_KEY: 'wrong' });
    const words = JSON.stringify(
      `curl -i -k --cert "\${PADDOCK_CLIENT_CERT%,*}" --key "\${PADDOCK_CLIENT_CERT#*,}"`,
    );
    expect(output).toContain(words.slice(1, -1));
    expect(output).not.toContain(asking.file(''));
  });
});

test.for([
  ['--client-cert none.pem', '--client-cert: ENOENT'],
  ['--client-cert client.pem --client-cert none.key', '--client-cert: ENOENT'],
  ['--client-cert no.pem', 'no.pem holds no certificate (PEM)'],
  ['--client-cert client.pem', 'client.pem holds no private key (PEM) that is not encrypted; name the file'],
  ['--client-cert client.pem --client-cert no.pem', 'no.pem holds no private key (PEM)'],
  ['--client-cert client.pem --client-cert other.key', 'other.key is not that of the certificate'],
] as const)('%s is a mistake of the caller', async ([given, message]) => {
  const args = given.split(' ').map((word) => (word.startsWith('--') ? word : asking.file(word)));
  const { code, output } = await runPaddock(['check', `https://localhost:${asking.port}/v1`, ...args]);
  expect(output).toContain(message);
  expect(output).not.toContain('-----BEGIN');
  expect(code).toBe(2);
});
