import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forward } from '../testing/forward.ts';
import { type MockProcess, startMock } from '../testing/paddock.ts';
import { makeCertificates } from './certificates.ts';
import { runCheck } from './processes.ts';

/** `paddock check` of a target that asks the client for a certificate, and whose own nobody knows. */
let mock: MockProcess;
let server: Server;
let folder: string;
let target: string;
/** Whether the client of each request has shown its certificate. */
const shown: boolean[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  const own = makeCertificates(['localhost']);
  const [client, other] = [makeCertificates(['client']), makeCertificates(['other'])];
  const files = {
    'client.pem': client.certificate,
    'client.key': client.key,
    'both.pem': client.certificate + client.key,
    'other.pem': other.certificate,
    'other.key': other.key,
    'authority.pem': own.authority,
    'no.pem': 'no certificate',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  mock = await startMock(['--no-log']);
  const options = { key: own.key, cert: own.certificate, ca: client.authority };
  server = createServer(
    { ...options, requestCert: true, rejectUnauthorized: false },
    (incoming, outgoing) => {
      const { authorized } = incoming.socket as TLSSocket;
      shown.push(authorized);
      if (authorized) forward(mock.port, incoming, outgoing);
      else outgoing.writeHead(403, { 'content-type': 'text/plain' }).end('a certificate is needed');
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  target = `https://localhost:${(server.address() as AddressInfo).port}/v1`;
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await mock.stop();
  await rm(folder, { recursive: true });
});

const file = (name: string) => join(folder, name);
const check = (args: readonly string[], env: Record<string, string> = {}) => {
  shown.length = 0;
  return runCheck([target, '--settle', '200', '--retries', '0', ...args], env);
};
const HOLDS = { code: 0, output: expect.stringContaining('The contract holds.') };
const CLIENT = () => ['--client-cert', file('client.pem'), '--client-key', file('client.key')];

describe('a target that asks for a certificate of the client', () => {
  test('gets it, whoever has issued its own with --insecure', async () => {
    expect(await check(['--insecure', ...CLIENT()])).toMatchObject(HOLDS);
    expect(new Set(shown)).toEqual(new Set([true]));
  });

  test('gets it from one file that holds the key, too, and is verified', async () => {
    const env = { NODE_EXTRA_CA_CERTS: file('authority.pem'), PADDOCK_CLIENT_CERT: file('both.pem') };
    expect(await check([], env)).toMatchObject(HOLDS);
  });

  test('is not taken for the service without it', async () => {
    expect((await check(['--insecure'])).code).toBe(3);
    expect(new Set(shown)).toEqual(new Set([false]));
  });

  test('is not trusted without --insecure, and the message says so', async () => {
    const { code, output } = await check(CLIENT());
    expect(code).toBe(3);
    expect(output).toContain('name its authority in NODE_EXTRA_CA_CERTS, or say --insecure');
    expect(shown).toEqual([]);
  });

  test('is reached by the commands of the report, which name no file', async () => {
    const { output } = await check(['--insecure', ...CLIENT(), '--report', 'json=-'], {
      PADDOCK_API_KEY: 'wrong',
    });
    const words = JSON.stringify('curl -i -k --cert "$PADDOCK_CLIENT_CERT" --key "$PADDOCK_CLIENT_KEY"');
    expect(output).toContain(words.slice(1, -1));
    expect(output).not.toContain(folder);
  });
});

test.for([
  [['--client-cert', 'none.pem'], '--client-cert: ENOENT'],
  [['--client-cert', 'client.pem', '--client-key', 'none.key'], '--client-key: ENOENT'],
  [['--client-cert', 'no.pem'], 'no.pem holds no certificate (PEM)'],
  [
    ['--client-cert', 'client.pem'],
    'client.pem holds no private key (PEM) that is not encrypted; name the file',
  ],
  [['--client-cert', 'client.pem', '--client-key', 'no.pem'], 'no.pem holds no private key (PEM)'],
  [
    ['--client-cert', 'client.pem', '--client-key', 'other.key'],
    'other.key is not that of the certificate in',
  ],
] as const)('%j is a mistake of the caller', async ([given, message]) => {
  const args = given.map((word) => (word.startsWith('--') ? word : file(word)));
  const { code, output } = await check(args);
  expect(output).toContain(message);
  expect(output).not.toContain('-----BEGIN');
  expect(code).toBe(2);
  expect(shown).toEqual([]);
});
