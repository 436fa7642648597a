import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createMock, type Mock } from '#mock';
import { runPaddock } from '../quality/testing/paddock.ts';

/** A document with a security scheme of each type, as alternatives and together. */
const DOCUMENT = new URL('../fixtures/specs/deposits.yaml', import.meta.url).pathname;
/** By scheme; the mock accepts no others. */
const CREDENTIALS = {
  keeper: 'ida:harbour,17',
  staff: 'staff-token-4711',
  partner: 'partner-token-0815',
  badge: 'badge-2Qz1',
  desk: 'desk-9xw1',
  branch: 'branch-Lm5',
};

let mock: Mock;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  mock = await createMock({ document: DOCUMENT, apiKeys: Object.values(CREDENTIALS) });
});
afterAll(() => mock.close());

const run = (args: readonly string[], env: Record<string, string> = {}, target = mock.url) =>
  runPaddock(['check', target, DOCUMENT, '--settle', '200', ...args], { env: { NO_COLOR: '1', ...env } });

const flags = (credentials: object) =>
  Object.entries(credentials).flatMap(([scheme, value]) => ['--credential', `${scheme}=${value}`]);

test('a credential for each security scheme, by option', async () => {
  const { code, output } = await run(flags(CREDENTIALS));
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining('The contract holds for '),
  });
});

test('a credential for each security scheme, from the environment', async () => {
  const variables = Object.entries(CREDENTIALS).map(([scheme, value]) => [
    `PADDOCK_CREDENTIAL_${scheme.toUpperCase()}`,
    value,
  ]);
  variables.push(['PADDOCK_EXAMPLES', '0']);
  expect((await run([], Object.fromEntries(variables))).code).toBe(0);
});

const NOTES = `
openapi: 3.1.0
info: { title: Notes, version: "1" }
security: [{ basic: [] }]
paths:
  /notes:
    get:
      responses:
        "200": { description: Notes, content: { application/json: { schema: { type: array, items: { type: string } } } } }
        "401": { description: No }
components: { securitySchemes: { basic: { type: http, scheme: basic } } }
`;

test.for([
  ['user and password', 'ida:harbour:17', 'ida:harbour:17'],
  ['a user without a password', 'ida', 'ida:'],
  ['a user with an empty password', 'ida:', 'ida:'],
] as const)('Basic (RFC 7617) with --api-key, %s', async ([, key, pair]) => {
  const document = join(folder, 'notes.yaml');
  await writeFile(document, NOTES);
  const good = `Basic ${Buffer.from(pair).toString('base64')}`;
  const server = createServer(({ headers }, response) => {
    const isGood = headers.authorization === good;
    response.writeHead(isGood ? 200 : 401, {
      'www-authenticate': 'Basic realm="notes"',
      ...(isGood && { 'content-type': 'application/json' }),
    });
    response.end(isGood ? '[]' : undefined);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const check = (apiKey: string) =>
    runPaddock(['check', target, document, '--settle', '200'], { env: { PADDOCK_API_KEY: apiKey } });
  const right = await check(key);
  expect(right.code, right.output).toBe(0);
  expect((await check(`${key}x`)).code).toBe(3);
});

/** A service without credentials, and the requests that it received. */
async function startOpen() {
  const document = join(folder, 'open.yaml');
  await writeFile(document, NOTES.replace('security: [{ basic: [] }]', '').replace(/ +"401".*\n/, ''));
  const received: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    received.push(`${url} ${headers.authorization ?? ''}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const check = (args: readonly string[], env: Record<string, string> = {}, cwd = folder) =>
    runPaddock(['check', target, document, ...args], { cwd, env });
  return { check, asked: () => received.filter((one) => one.startsWith('/notes')), received };
}

test('a key that nothing takes is a notice, which names --header', async () => {
  const file = join(folder, 'key.txt');
  await writeFile(file, 'key-0987\n');
  const { check, received } = await startOpen();
  const own = await mkdtemp(join(folder, 'configured-'));
  await writeFile(join(own, 'paddock.config.yaml'), 'check: { apiKeyFile: ../key.txt }\n');
  const found = [
    await check(['--api-key', 'key-0987']),
    await check([], { PADDOCK_API_KEY: 'key-0987' }),
    await check([], {}, own),
  ];
  for (const { code, output } of found) {
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('notice: no operation') });
    expect(output.split('notice:')).toHaveLength(2);
    expect(output).toContain("--header 'Name: value'");
    expect(output).not.toContain('key-0987');
  }
  expect(received.filter((one) => one.includes('key-0987'))).toEqual([]);
});

test('an operation whose credential is missing is not called, and the reason names it', async () => {
  const { desk: _, ...others } = CREDENTIALS;
  const { code, output } = await run(flags(others));
  expect(output).toContain(
    '200 of showBox was not reached: showBox needs a credential for desk: say --credential desk=VALUE',
  );
  expect(code).toBe(4);
});

test('no output shows a credential, and commands name their variables', async () => {
  const wrong = await createMock({ document: DOCUMENT, apiKeys: ['another-key'] });
  const report = join(folder, 'report.har');
  const { output } = await run(
    [...flags(CREDENTIALS), '--report', 'json=-', '--report', `har=${report}`],
    { PADDOCK_EXAMPLES: '0' },
    wrong.url,
  );
  await wrong.close();
  expect(output).toContain('$PADDOCK_CREDENTIAL_BADGE');
  expect(output).toContain('desk=$PADDOCK_CREDENTIAL_DESK');
  expect(output).toContain('branch=$PADDOCK_CREDENTIAL_BRANCH');
  const all = output + (await readFile(report, 'utf8'));
  const [, password = ''] = CREDENTIALS.keeper.split(':');
  for (const secret of [...Object.values(CREDENTIALS), password]) {
    expect(all).not.toContain(secret);
    expect(all).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1));
  }
});

test.for<[string, string[], Record<string, string>, string]>([
  [
    'a credential for no scheme',
    ['--credential', 'keepr=ida:x'],
    {},
    'deposits.yaml:97 has no security scheme "keepr"; it has keeper, staff, partner, badge, desk, branch',
  ],
  [
    'a variable for no scheme',
    [],
    { PADDOCK_CREDENTIAL_KEEPR: 'ida:x' },
    '--credential (or PADDOCK_CREDENTIAL_NAME): ',
  ],
  [
    'a name without a value',
    ['--credential', 'keeper'],
    {},
    '--credential: one is not of the form NAME=VALUE',
  ],
  ['an empty value', ['--credential', 'keeper='], {}, 'NAME=VALUE, such as keeper=VALUE'],
  ['a value without a name', ['--credential', '=secret-1'], {}, 'NAME=VALUE, such as NAME=VALUE'],
  ['a line end', ['--credential', 'keeper=ida:a\nb'], {}, 'without control characters'],
  [
    'a line end in the key',
    ['--api-key', 'ida:a\nb'],
    {},
    '--api-key must be text without control characters',
  ],
  [
    'a certificate for http',
    ['--client-cert', 'none.pem'],
    {},
    'is no https target, and takes no certificate',
  ],
])('%s is a mistake of the caller', async ([, args, env, message]) => {
  const { code, output } = await run(args, env);
  expect(output).toContain(message);
  expect(output).not.toMatch(/ida:|secret-1/);
  expect(code).toBe(2);
});

test.for([
  ['a certificate that cannot be read', ['--client-cert', 'none.pem'], '--client-cert: ENOENT'],
  ['a file that holds no certificate', ['--client-cert', 'text.pem'], 'text.pem holds no certificate (PEM)'],
] as const)('%s is a mistake of the caller', async ([, [option, file], message]) => {
  await writeFile(join(folder, 'text.pem'), 'no certificate');
  const { code, output } = await run([option, join(folder, file), '--read-only'], {}, 'https://127.0.0.1:1');
  expect(output).toContain(message);
  expect(code).toBe(2);
});
