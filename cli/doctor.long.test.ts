import { once } from 'node:events';
import { mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { makeCertificates } from '../quality/testing/network.ts';
import { runPaddock, startMock } from '../quality/testing/paddock.ts';
import type { Remark, Subject } from './doctor/remark.ts';

/** `paddock doctor` as a user runs it, against servers that are written by hand. */
const KEY = 'a-key-of-a-test';

/** Without a configuration file, unless a test writes one. */
let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'paddock-')));
});

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

const serve = async (listener: RequestListener) => `http://127.0.0.1:${await listen(createServer(listener))}`;

/** A Pet Store below /v1 that accepts one key. */
const petStore: RequestListener = (request, response) => {
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (!request.url?.startsWith('/v1/pets')) send(404, { code: 404, message: 'no such path' });
  else if (request.headers.authorization !== `Bearer ${KEY}`) send(401, { code: 401, message: 'who is it?' });
  else send(200, request.url.startsWith('/v1/pets/') ? { id: 1, name: 'Rex' } : []);
};

interface Printed {
  readonly code: number | NodeJS.Signals;
  readonly remarks: readonly Remark[];
  /** The remarks of one subject that are of interest. */
  of(subject: Subject): Omit<Remark, 'subject'>[];
}

/** With any free port for the mock, unless the options name one. */
async function doctor(
  args: readonly string[],
  env: Record<string, string> = { PADDOCK_API_KEY: KEY },
): Promise<Printed> {
  const { code, output } = await runPaddock(['doctor', ...args, '--json'], {
    cwd: folder,
    env: { PADDOCK_PORT: '0', XDG_CACHE_HOME: join(folder, 'cache'), ...env },
  });
  expect(output).not.toContain(KEY);
  const { remarks, exitCode } = JSON.parse(output) as { remarks: Remark[]; exitCode: number };
  expect(exitCode).toBe(code);
  const of = (name: Subject) =>
    remarks.filter(({ subject }) => subject === name).map(({ subject: _, ...rest }) => rest);
  return { code, remarks, of };
}

const matching = (found: string | RegExp) => expect.stringMatching(found);

test('all is well', async () => {
  const { code, remarks, of } = await doctor([`${await serve(petStore)}/v1`]);
  expect(remarks.filter(({ grade }) => grade !== 'good').map(({ subject }) => subject)).toEqual([
    'configuration',
  ]);
  expect(remarks.map(({ subject }) => subject)).toEqual([
    'Node',
    'configuration',
    'environment',
    'document',
    'port',
    'target',
    'target',
    'base path',
    'key',
    'clock',
  ]);
  expect(of('key')).toEqual([{ grade: 'good', found: 'accepted: GET /pets returned 200' }]);
  expect(code).toBe(0);
});

test('without a base URL only this machine is examined', async () => {
  const { code, of } = await doctor([]);
  expect(of('target')).toEqual([{ grade: 'skipped', found: matching('paddock doctor BASE-URL or TARGET') }]);
  expect(code).toBe(0);
});

test('the wrong prefix: every documented path answers 404', async () => {
  const url = await serve(petStore);
  const { code, of } = await doctor([`${url}/api`]);
  expect(of('base path')).toEqual([
    {
      grade: 'wrong',
      found: matching(/lead elsewhere: GET \/pets returned 404/),
      remedy: matching(`try ${url}/v1`),
    },
  ]);
  expect(of('key')).toEqual([{ grade: 'skipped', found: matching('nothing shows') }]);
  expect(code).toBe(1);
});

test('a web site, and a redirect', async () => {
  const page: RequestListener = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>Hello');
  const site = await doctor([await serve(page)]);
  expect(site.of('base path')).toEqual([
    { grade: 'wrong', found: matching('GET /pets returned 200 with a page'), remedy: matching('try') },
  ]);
  const redirect: RequestListener = ({ url = '' }, response) =>
    response.writeHead(308, { location: `https://new.example${url}?token=secret` }).end();
  const moved = await doctor([`${await serve(redirect)}/v1`]);
  expect(moved.of('base path')).toEqual([
    {
      grade: 'wrong',
      found: 'GET /pets returned 308, to https://new.example/v1/pets',
      remedy: matching('use the URL'),
    },
  ]);
});

test('a wrong key, none, one of a scheme that the document does not have, and one that is not needed', async () => {
  const url = `${await serve(petStore)}/v1`;
  const wrong = await doctor([url], { PADDOCK_API_KEY: 'another' });
  expect(wrong.of('key')).toEqual([
    { grade: 'wrong', found: 'refused: GET /pets returned 401', remedy: matching('expired') },
  ]);
  expect(wrong.code).toBe(1);
  const none = await doctor([url], {});
  expect(none.of('key')).toEqual([
    { grade: 'wrong', found: matching('none is given, and 3 of 3'), remedy: 'set PADDOCK_API_KEY' },
  ]);
  const other = await doctor([url], { PADDOCK_CREDENTIAL_NOBODY: KEY });
  expect(other.of('key')[0]).toEqual({ grade: 'wrong', found: matching('no security scheme "NOBODY"') });
  const open: RequestListener = (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  const free = await doctor([`${await serve(open)}/v1`]);
  expect(free.of('key')).toEqual([{ grade: 'warning', found: matching('200 with it, and 200 without') }]);
  expect(free.code).toBe(0);
});

test('only GET requests are sent', async () => {
  const methods = new Set<string | undefined>();
  const url = await serve((request, response) => {
    methods.add(request.method);
    petStore(request, response);
  });
  await doctor([`${url}/v1`]);
  expect([...methods]).toEqual(['GET']);
});

test.for([
  [-600, 'behind', '10 minutes'],
  [600, 'ahead of', '10 minutes'],
  [-90_000, 'behind', '25 hours'],
] as const)('a clock that is off by %i s', async ([seconds, where, size]) => {
  const url = await serve((request, response) => {
    response.setHeader('date', new Date(Date.now() + seconds * 1000).toUTCString());
    petStore(request, response);
  });
  const { code, of } = await doctor([`${url}/v1`]);
  expect(of('clock')).toEqual([
    {
      grade: 'warning',
      found: `the clock of the target is ${size} ${where} that of this machine`,
      remedy: matching('NTP'),
    },
  ]);
  expect(code).toBe(0);
});

test('a cached answer is as old as its Age says, and a target may say no time', async () => {
  const old = await serve((request, response) => {
    response.setHeader('date', new Date(Date.now() - 600_000).toUTCString()).setHeader('age', '600');
    petStore(request, response);
  });
  expect((await doctor([`${old}/v1`])).of('clock')).toMatchObject([{ grade: 'good' }]);
  const timeless = await serve((request, response) => {
    response.sendDate = false;
    petStore(request, response);
  });
  expect((await doctor([`${timeless}/v1`])).of('clock')).toMatchObject([{ grade: 'skipped' }]);
});

/** The files that `NODE_EXTRA_CA_CERTS` names, and a server with the certificate. */
async function secure(days: number) {
  const { authority, certificate, key } = makeCertificates(['staging.example'], days);
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'authority.pem');
  await writeFile(file, authority);
  const port = await listen(createTlsServer({ cert: certificate, key }, petStore));
  return { port, env: { NODE_EXTRA_CA_CERTS: file, PADDOCK_API_KEY: KEY } };
}

const DAY_MS = 86_400_000;
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 4);

test.for([
  [200, 'good', /, \d+ more days/],
  [5.5, 'warning', /5 more days/],
] as const)('a certificate for %d days', async ([days, grade, found]) => {
  const { port, env } = await secure(days);
  const { code, of } = await doctor([`https://127.0.0.1:${port}/v1`], env);
  expect(of('certificate')).toMatchObject([{ grade, found: matching(found) }]);
  expect(of('certificate')[0]?.found).toContain(dayIn(days));
  expect(of('key')).toMatchObject([{ grade: 'good' }]);
  expect(code).toBe(0);
});

test('an expired certificate, one of an unknown authority, and one for another host', async () => {
  const expired = await secure(-2);
  const { code, of } = await doctor([`https://127.0.0.1:${expired.port}/v1`], expired.env);
  expect(of('certificate')).toEqual([
    { grade: 'wrong', found: matching(/it has expired on \d{4}-\d\d-\d\d/), remedy: 'renew it' },
  ]);
  expect(of('key')).toEqual([]);
  expect(code).toBe(1);
  const accepted = await doctor([`https://127.0.0.1:${expired.port}/v1`, '--insecure'], expired.env);
  expect(accepted.of('certificate')).toMatchObject([{ grade: 'warning' }]);
  expect(accepted.of('key')).toMatchObject([{ grade: 'good' }]);
  const other = await secure(9);
  const unknown = await doctor([`https://127.0.0.1:${other.port}/v1`]);
  expect(unknown.of('certificate')).toMatchObject([
    { grade: 'wrong', found: matching('NODE_EXTRA_CA_CERTS') },
  ]);
  const elsewhere = await doctor([`https://localhost:${other.port}/v1`], other.env);
  expect(elsewhere.of('certificate')).toMatchObject([
    { grade: 'wrong', found: matching('for another host') },
  ]);
});

test('nobody listens, an unknown host, and a port that speaks no TLS or no HTTP', async () => {
  const refused = await doctor(['http://127.0.0.1:9/v1']);
  expect(refused.of('target')).toMatchObject([{ grade: 'wrong', found: matching('nothing listens there') }]);
  expect(refused.code).toBe(1);
  const nowhere = await doctor(['http://nosuch.invalid/v1']);
  expect(nowhere.of('target')).toMatchObject([{ grade: 'wrong', found: matching(/nosuch\.invalid/) }]);
  const plain = await serve(petStore);
  const insecure = await doctor([plain.replace('http:', 'https:')]);
  expect(insecure.of('target')).toMatchObject([{ grade: 'wrong', found: matching('does not speak TLS') }]);
  const mute = createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9\r\n'));
  await once(mute.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void mute.close());
  const ssh = await doctor([`http://127.0.0.1:${(mute.address() as AddressInfo).port}/v1`]);
  expect(ssh.of('target').at(-1)).toMatchObject({ grade: 'wrong', found: matching('does not speak HTTP') });
});

test('a target that never answers', async () => {
  const url = await serve(() => undefined);
  const { code, of } = await doctor([`${url}/v1`, '--timeout', '300']);
  expect(of('target').at(-1)).toMatchObject({
    grade: 'wrong',
    found: matching('no whole answer within 300 ms'),
  });
  expect(code).toBe(1);
});

test('a port that is taken by another program, and by a mock', async () => {
  const url = new URL(await serve((_, response) => response.end('hello')));
  const taken = await doctor(['--port', url.port]);
  expect(taken.of('port')).toMatchObject([
    { grade: 'wrong', found: matching('by another program'), remedy: matching('--port 0') },
  ]);
  expect(taken.code).toBe(1);
  const mock = await startMock();
  try {
    const own = await doctor(['--port', String(mock.port)]);
    expect(own.of('port')).toMatchObject([
      { grade: 'warning', found: matching('by Paddock: Pet Store 1.0.0') },
    ]);
    expect(own.code).toBe(0);
  } finally {
    await mock.stop();
  }
});

test('a document that cannot be read, with file and line, and one with warnings', async () => {
  const [broken, odd] = [join(folder, 'broken.yaml'), join(folder, 'odd.yaml')];
  await writeFile(broken, 'openapi: 3.1.0\npaths:\n  /a: [\n');
  await writeFile(
    odd,
    'openapi: 3.1.0\ninfo: { title: Odd }\npaths:\n  /a: 7\n  /b: { get: { responses: {} } }\n',
  );
  const unread = await doctor(['--document', broken]);
  expect(unread.of('document')[0]).toMatchObject({ grade: 'wrong', found: matching(/broken\.yaml:\d+: /) });
  expect(unread.code).toBe(1);
  const warned = await doctor(['--document', odd]);
  expect(warned.of('document')).toEqual([
    { grade: 'good', found: matching(/^Odd, 1 operation \(/) },
    ...Array(warned.of('document').length - 1).fill({ grade: 'warning', found: matching(/odd\.yaml:\d+: /) }),
  ]);
  expect(warned.of('document').length).toBeGreaterThan(1);
  expect(warned.code).toBe(0);
  const beside = await doctor([`${await serve(petStore)}/v1`, broken]);
  expect(beside.of('target')).toMatchObject([{ grade: 'good' }, { grade: 'good' }]);
  expect(beside.of('base path')).toEqual([]);
});

test('the configuration file: its targets, its options, and the variable of a key', async () => {
  const url = `${await serve(petStore)}/v1`;
  const [file, other] = [join(folder, 'paddock.config.yaml'), `${url}/elsewhere`];
  const targets = `targets:\n  local:\n    url: ${url}\n    apiKeyEnv: SHOP_KEY\n`;
  await writeFile(file, targets);
  const only = await doctor([], { SHOP_KEY: KEY });
  expect(only.of('configuration')).toEqual([
    { grade: 'good', found: 'paddock.config.yaml, with the target local' },
  ]);
  expect(only.of('key')).toMatchObject([{ grade: 'good' }]);
  expect(only.code).toBe(0);
  const unset = await doctor([], {});
  expect(unset.of('key')[0]).toEqual({
    grade: 'wrong',
    found: matching(/apiKeyEnv: .*SHOP_KEY.* is not set$/),
  });
  expect(unset.code).toBe(1);
  await writeFile(file, `${targets}  other: { url: '${other}' }\ndocument: nosuch.yaml\n`);
  const named = await doctor(['other']);
  expect(named.of('target').at(-1)).toMatchObject({ found: matching('/v1/elsewhere') });
  expect(named.of('document')).toMatchObject([{ grade: 'wrong', found: matching('nosuch.yaml') }]);
  expect((await doctor([])).of('target')).toMatchObject([{ grade: 'skipped' }]);
  expect((await runPaddock(['doctor', 'locl'], { cwd: folder })).code).toBe(2);
  await writeFile(file, 'mock:\n  prot: 1\nchek: {}\n');
  const broken = await doctor([]);
  expect(broken.of('configuration')).toHaveLength(2);
  expect(broken.of('configuration')[0]).toEqual({
    grade: 'wrong',
    found: matching(/paddock\.config\.yaml:\d+:\d+: /),
  });
  expect(broken.of('port')).toHaveLength(1);
  expect((await doctor(['--no-config'])).of('configuration')).toMatchObject([{ grade: 'skipped' }]);
});

test('variables that no option knows are reported with the nearest name, and never with their values', async () => {
  const { code, of } = await doctor([], {
    PADDOCK_API_KY: KEY,
    PADDOCK_API_KEY: KEY,
    PADDOCK_CREDENTIAL_BEARERAUTH: KEY,
    PADDOCK_ZZZZZZZZ: KEY,
    PADDOCK_LOG: '',
  });
  expect(of('environment')).toEqual([
    { grade: 'good', found: 'PADDOCK_PORT, PADDOCK_API_KEY, PADDOCK_CREDENTIAL_BEARERAUTH' },
    { grade: 'warning', found: matching('PADDOCK_API_KY'), remedy: 'did you mean PADDOCK_API_KEY?' },
    { grade: 'warning', found: matching('PADDOCK_ZZZZZZZZ'), remedy: matching('paddock help environment') },
  ]);
  expect(code).toBe(0);
});

test('HTTP proxies: in force, not obeyed, and without the password', async () => {
  const HTTP_PROXY = `http://me:${KEY}@127.0.0.1:9`;
  const away = await doctor(['http://192.0.2.1/v1', '--timeout', '300'], { HTTP_PROXY });
  expect(away.of('environment').at(-1)).toEqual({
    grade: 'warning',
    found: matching(/^HTTP_PROXY \(127\.0\.0\.1:9\)/),
    remedy: matching('NODE_USE_ENV_PROXY=1'),
  });
  const obeyed = await doctor(['http://192.0.2.1/v1'], {
    HTTP_PROXY,
    NODE_USE_ENV_PROXY: '1',
    NO_PROXY: 'a.example',
  });
  expect(obeyed.of('environment').at(-1)).toMatchObject({
    grade: 'good',
    found: matching('except for a.example'),
  });
  expect(obeyed.of('target')).toMatchObject([
    { grade: 'good', found: matching('HTTP proxy 127.0.0.1:9') },
    { grade: 'wrong', found: matching('nothing listens there') },
  ]);
});

test('lines for people: a word for each sign, what was found, and the remedy; exit code 2 for usage', async () => {
  const { code, output } = await runPaddock(['doctor', '--port', '0'], {
    env: { PADDOCK_LOGG: '1' },
  });
  expect(output).toMatch(/^ok +Node +\d+\.\d+\.\d+; Paddock needs /);
  expect(output).toMatch(/^warning +environment +PADDOCK_LOGG .*\n +→ did you mean PADDOCK_LOG\?$/m);
  expect(output).toMatch(/^ok +port +127\.0\.0\.1 /m);
  expect(code).toBe(0);
  const coloured = await runPaddock(['doctor', '--port', '0'], {
    env: { FORCE_COLOR: '1', NO_COLOR: '' },
  });
  expect(coloured.output).toContain('✓');
  for (const args of [
    ['not-a-url'],
    ['--colour'],
    ['http://me:secret@127.0.0.1'],
    ['--api-key-file', 'no-such-file'],
  ])
    expect((await runPaddock(['doctor', ...args])).code).toBe(2);
});
