import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Behaviour } from '../quality/mutants/by-hand/behaviour.ts';
import { startShop } from '../quality/mutants/by-hand/shop.ts';
import { runPaddock } from '../quality/testing/paddock.ts';

/** `paddock check` as a user runs it, against services written by hand. */
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const paddock = (args: readonly string[], env: Record<string, string> = {}) =>
  runPaddock(args, { env: { PADDOCK_EXAMPLES: '1', ...env } });

async function shop(behaviour: Partial<Behaviour> = {}): Promise<{ url: string; apiKey: string }> {
  const running = await startShop(behaviour);
  closing.push(() => running.close());
  return running;
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  closing.push(() => server.close().closeAllConnections());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test('0: the contract holds; the key may come from the environment or the command line', async () => {
  const { url, apiKey } = await shop();
  const fromEnvironment = await paddock(['check', url], { PADDOCK_API_KEY: apiKey });
  expect(fromEnvironment.code).toBe(0);
  // A busy machine takes long enough for lines on progress.
  expect(fromEnvironment.err.replaceAll(/^\d+ of \d+ cases.*\n/gm, '')).toBe('');
  expect(fromEnvironment.out).toContain('8 of 8 responses covered');
  // Without the key no case would be reached, and the exit code would be 3.
  const few = ['--only', '/ordinary$'];
  expect((await paddock(['check', url, '--api-key', apiKey, ...few])).code).toBe(0);
  expect((await paddock(['check', ...few], { PADDOCK_BASE_URL: url, PADDOCK_API_KEY: apiKey })).code).toBe(0);
});

test('0: a credential that is given as a header is left out where a request is to have none', async () => {
  const { url, apiKey } = await shop();
  const header = ['--header', `Authorization: Bearer ${apiKey}`];
  const { code, out } = await paddock(['check', url, ...header, '--only', '/401/|/ordinary$']);
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/listPets +401 +covered/) });
});

test('1: a broken promise is shown with the line of the document and a curl command, without the key', async () => {
  const { url, apiKey } = await shop({ page: (pets) => pets });
  const options = ['--only', 'listPets/200/limit-', '--settle', '50'];
  const { code, out } = await paddock(['check', url, ...options], { PADDOCK_API_KEY: apiKey });
  const document = await readFile(new URL('../spec/openapi.yaml', import.meta.url), 'utf8');
  const line = document.split('\n').findIndex((text) => text.includes('name: limit')) + 1;
  expect(code).toBe(1);
  expect(out).toMatch(new RegExp(`at +spec/openapi.yaml:${line}\\b`));
  expect(out).toMatch(/reproduce +curl .*limit=1.*Bearer \$PADDOCK_API_KEY/);
  expect(out).not.toContain(apiKey);
});

test.for([
  ['an unknown option', ['check', 'http://127.0.0.1:1/v1', '--colour'], /unknown option '--colour'/],
  ['no base URL', ['check'], /name the base URL/],
  ['a base URL without http', ['check', '127.0.0.1:4020/v1'], /must begin with http/],
  [
    'options that exclude each other',
    ['check', 'http://127.0.0.1:1', '--read-only', '--allow-writes'],
    /cannot be used with/,
  ],
  ['a bad number', ['check', 'http://127.0.0.1:1', '--max-time', 'soon'], /whole number from 1/],
  ['a bad expression', ['check', 'http://127.0.0.1:1', '--only', '('], /--only: /],
  ['an unknown report', ['check', 'http://127.0.0.1:1', '--report', 'pdf=a.pdf'], /must be one of json=FILE/],
  [
    'a missing key file',
    ['check', 'http://127.0.0.1:1'],
    /apiKeyFile: ENOENT/,
    { PADDOCK_API_KEY_FILE: 'no-such-file' },
  ],
  ['a missing document', ['check', 'http://127.0.0.1:1', 'no-such.yaml'], /no-such\.yaml/],
  ['a target elsewhere, and not a word on writes', ['check', 'https://staging.example/v1'], /--read-only/],
] as const)('2: usage: %s', async ([, args, message, env = {}]) => {
  const { code, err } = await paddock(args, env);
  expect(err).toMatch(message);
  expect(err).not.toMatch(/\n\s+at /);
  expect(code).toBe(2);
});

test('2: a broken document is shown with file, line and column', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'broken.yaml');
  await writeFile(
    file,
    'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths:\n  /a:\n    get:\n      responses: {"20": {}}\n',
  );
  const { code, err } = await paddock(['check', 'http://127.0.0.1:1/v1', file, '--strict-document']);
  expect(err).toMatch(/broken\.yaml:6:\d+: .*20/);
  expect(code).toBe(2);
});

test.for([
  ['with a wrong key', 'refuses the API key everywhere', 'wrong'],
  ['without a key', 'No API key was given', ''],
] as const)('3: no verdict %s', async ([, reason, key]) => {
  const { url } = await shop();
  const { code, out } = await paddock(['check', url, '--settle', '50'], {
    PADDOCK_API_KEY: key,
  });
  expect(out).toContain(reason);
  expect(code).toBe(3);
});

test('3: no verdict where nothing listens', async () => {
  const { code, out } = await paddock(['check', 'http://127.0.0.1:9/v1', '--api-key', 'x']);
  expect(out).toContain('nothing listens there');
  expect(code).toBe(3);
});

test.for<[string, RequestListener]>([
  [
    'pages of a web site',
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>'),
  ],
  [
    'half an answer',
    (_, response) =>
      response
        .writeHead(200, { 'content-length': '99', 'content-type': 'application/json' })
        .end('[', () => response.destroy()),
  ],
  ['a gateway whose service is down', (_, response) => response.writeHead(503).end()],
])('3: no verdict of %s', async ([, listener]) => {
  const { code, out } = await paddock(['check', await serve(listener), '--api-key', 'x'], {
    PADDOCK_RETRIES: '0',
  });
  expect(out).toContain('No verdict');
  expect(code).toBe(3);
});

test('4: incomplete where records are needed and none may be made', async () => {
  const { url, apiKey } = await shop({ stock: () => [] });
  const { code, out } = await paddock(['check', url, '--max-creates', '0'], {
    PADDOCK_API_KEY: apiKey,
  });
  expect(out).toContain('--max-creates 0 leaves no room for it');
  expect(code).toBe(4);
});

test('4: incomplete where nothing is executed', async () => {
  const { url, apiKey } = await shop();
  expect((await paddock(['check', url, '--only', 'no-such-case'], { PADDOCK_API_KEY: apiKey })).code).toBe(4);
});

test('reading only, the cells of unsafe operations are skipped, and the rest holds', async () => {
  const { url, apiKey } = await shop();
  const { code, out } = await paddock(['check', url, '--read-only'], {
    PADDOCK_API_KEY: apiKey,
  });
  expect(out).toMatch(/createPet +201 +skipped +--read-only/);
  expect(code).toBe(0);
});

test('the reports are written, and hold no key', async () => {
  const { url, apiKey } = await shop({ page: (pets) => pets });
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  const [json, junit] = [join(folder, 'report.json'), join(folder, 'report.xml')];
  const reports = ['--report', `json=${json}`, '--report', `junit=${junit}`];
  await paddock(['check', url, '--settle', '50', ...reports], { PADDOCK_API_KEY: apiKey });
  const report = JSON.parse(await readFile(json, 'utf8'));
  expect(report).toMatchObject({ verdict: 'broken', exitCode: 1, target: url, seed: 1 });
  expect(report.totals.cases).toBe(
    report.totals.passed + report.totals.failed + report.totals.skipped + report.totals.notReached,
  );
  expect(await readFile(junit, 'utf8')).toContain(`failures="${report.totals.failed}"`);
  for (const file of [json, junit]) expect(await readFile(file, 'utf8')).not.toContain(apiKey);
});

test.for([
  ['without the base path', '', 'try ORIGIN/v1'],
  ['with the base path twice', '/v1/v1', 'try ORIGIN/v1'],
  ['with another base path', '/v2', 'try ORIGIN/v1 or ORIGIN/v2/v1'],
  ['behind a login page', '/login', 'try ORIGIN/v1 or ORIGIN/login/v1'],
] as const)('3: a base URL %s is no verdict with a hint, and no finding', async ([, path, hint]) => {
  const service = await serve((request, response) => {
    if (request.url?.startsWith('/login'))
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Log in</title>');
    else
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"code":"x","message":"no Route matched with those values","status":404}');
  });
  const { origin } = new URL(service);
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'report.json');
  const options = ['--api-key', 'x', '--settle', '50', '--report', `json=${file}`];
  const { code, out } = await paddock(['check', origin + path, ...options]);
  expect(out).toContain(`the document's server path is /v1: ${hint.replaceAll('ORIGIN', origin)}`);
  expect(JSON.parse(await readFile(file, 'utf8')).findings).toEqual([]);
  expect(code).toBe(3);
});

test('1: a service whose by-id reads are all 404 is judged, and no base URL is blamed', async () => {
  const { url, apiKey } = await shop({
    read: () => ({ status: 404, body: { code: 'x', message: 'none', status: 404 } }),
  } as Partial<Behaviour>);
  const { code, out } = await paddock(['check', url, '--settle', '50'], {
    PADDOCK_API_KEY: apiKey,
  });
  expect(out).not.toContain('server path');
  expect(code).toBe(1);
});
