import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock, type Mock } from '#mock';
import { startPaddock } from '../quality/testing/paddock.ts';
import { installTools } from '../quality/testing/temporary-tools.ts';

/**
 * Skipped if the npm registry, from which the OAuth server is installed, is unreachable. Its tokens live five seconds, and
 * guard a mock: a run of a minute needs a dozen of them.
 */
const tools = await installTools('oauth', ['oidc-provider@9.13.3']);

const SECRET = 'secret-of-the-client-4711';
const KEY = 'key-behind-the-gate';
const LIFE = 5;

let folder: string;
let document: string;
let mock: Mock;
let gate: Server;
let issuer: Server;
let issued = 0;
/** When requests with valid tokens arrived, in seconds. */
const admitted: number[] = [];
let mayIssue = true;

/** The part of oidc-provider that is used. */
interface Provider {
  callback(): RequestListener;
  readonly ClientCredentials: {
    find(token: string): Promise<{ readonly isExpired: boolean } | undefined>;
  };
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function listen(server: Server): Promise<Server> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

beforeAll(async () => {
  if (tools === undefined) return;
  const { Provider } = (await import(join(tools, 'oidc-provider/lib/index.js'))) as {
    Provider: new (issuer: string, configuration: object) => Provider;
  };
  let answer: RequestListener = () => undefined;
  issuer = await listen(createServer((request, response) => answer(request, response)));
  const provider = new Provider(urlOf(issuer), {
    clients: [
      {
        ...{ client_id: 'paddock', client_secret: SECRET, grant_types: ['client_credentials'] },
        ...{ redirect_uris: [], response_types: [] },
      },
    ],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    ttl: { ClientCredentials: LIFE },
  });
  const callback = provider.callback();
  answer = (request, response) => {
    if (!mayIssue) request.headers.authorization = `Basic ${btoa('paddock:former')}`;
    response.once('finish', () => {
      if (request.url === '/token' && response.statusCode === 200) issued++;
    });
    callback(request, response);
  };
  mock = await createMock({ document: 'spec/openapi.yaml', port: false, apiKeys: [KEY] });
  gate = await listen(
    createServer(async (request, response) => {
      const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
      const found = token === '' ? undefined : await provider.ClientCredentials.find(token);
      const headers = new Headers(
        Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
      );
      if (found && !found.isExpired) admitted.push(performance.now() / 1000);
      headers.set('authorization', found && !found.isExpired ? `Bearer ${KEY}` : 'Bearer none');
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const hasBody = chunks.length > 0 && !['GET', 'HEAD'].includes(request.method ?? '');
      const made = new Request(new URL(request.url ?? '/', mock.url), {
        method: request.method ?? 'GET',
        headers,
        ...(hasBody && { body: Buffer.concat(chunks) }),
      });
      const answered = await mock.fetch(made);
      response.writeHead(answered.status, Object.fromEntries(answered.headers));
      response.end(Buffer.from(await answered.arrayBuffer()));
    }),
  );
  folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  document = join(folder, 'openapi.yaml');
  const flows = `{ clientCredentials: { tokenUrl: "${urlOf(issuer)}/token", scopes: {} } }`;
  const text = readFileSync('spec/openapi.yaml', 'utf8').replace(
    'type: http\n      scheme: bearer',
    `type: oauth2\n      flows: ${flows}`,
  );
  await writeFile(document, text);
});

afterAll(async () => {
  if (tools === undefined) return;
  for (const server of [gate, issuer]) server.close();
  await mock.close();
  await rm(folder, { recursive: true });
});

async function check(...args: readonly string[]) {
  const source = 'bearer={grant: client_credentials, clientId: paddock, clientSecret: {env: CLIENT_SECRET}}';
  const file = join(folder, 'report.json');
  const began = performance.now();
  const { ended, output } = startPaddock(
    [
      ...['check', `${urlOf(gate)}/v1`, document, '--config', 'none', '--credential', source],
      ...['--report', `json=${file}`, ...args],
    ],
    { env: { NO_COLOR: '1', CLIENT_SECRET: SECRET } },
  );
  const code = await ended;
  const seconds = (performance.now() - began) / 1000;
  return { code, seconds, output: output().all, report: readFileSync(file, 'utf8') };
}

test.skipIf(tools === undefined)('a run of a minute outlives a dozen tokens', async () => {
  const { code, seconds, output, report } = await check('--rate', '7.5/s');
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining('The contract holds for 3 of 3 operations (8 of 8 responses). (exit 0)'),
  });
  expect(seconds).toBeGreaterThan(55);
  // A token is renewed by the first request after four fifths of its lifetime, not by a timer: what counts is how long the
  // service was called, and the longest pause, not how long the process ran. Between checking the token and arriving, a
  // request may wait as long as a pause.
  const pauses = admitted.slice(1).map((at, index) => at - (admitted[index] ?? at));
  const apart = 0.8 * LIFE + 2 * Math.max(...pauses);
  const asked = (admitted.at(-1) ?? 0) - (admitted[0] ?? 0);
  expect(issued).toBeGreaterThanOrEqual(Math.floor(asked / apart));
  expect(asked / apart).toBeGreaterThan(2);
  expect(issued).toBeLessThan(seconds / LIFE + 12);
  expect(report + output).not.toContain(SECRET);
  console.log(`${seconds.toFixed(0)} s, ${issued} tokens of ${LIFE} s`);
});

test.skipIf(tools === undefined)('a refresh that fails ends the run without a verdict', async () => {
  setTimeout(() => {
    mayIssue = false;
  }, 8000);
  const { code, output } = await check('--rate', '6.5/s');
  expect(code).toBe(3);
  expect(output).toMatch(
    /the credential of bearer cannot be obtained: http:\/\/127\.0\.0\.1:\d+\/token answers 401: invalid_client: client authentication failed/,
  );
  expect(output).toContain('(exit 3)');
});
