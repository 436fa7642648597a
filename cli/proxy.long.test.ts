import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../quality/testing/free-port.ts';
import { runPaddock, startPaddock } from '../quality/testing/paddock.ts';

const PAGE = await readFile('docs/proxy.md', 'utf8');
const [, BANNER = ''] = /^```console\n\$[^\n]*\n(.*?)^```/ms.exec(PAGE) ?? [];
const [LINE = ''] = [...PAGE.matchAll(/^```text\n(.*?)^```/gms)].map(([, text = '']) => text.trim());
const INVALID = PAGE.split('\n').filter((line) => /^(?:invalid|unknown path) /.test(line));
const KEY = { authorization: 'Bearer paddock-dev-key' };

const noPets: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":1,"categoryId":3,"name":7}]');
};

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function start(target: string, options: readonly string[] = []) {
  const proxy = startPaddock(['proxy', target, '--port', '0', ...options]);
  onTestFinished(() => void proxy.stop('SIGKILL'));
  const banner = /"url":"([^"]+)"|base URL +(\S+)[\s\S]*\n\n/;
  await expect.poll(() => proxy.output().all).toMatch(banner);
  const [, json, text] = banner.exec(proxy.output().all) as RegExpExecArray;
  const url = (json ?? text) as string;
  const until = (pattern: RegExp) => expect.poll(() => proxy.output().all).toMatch(pattern);
  return { ...proxy, url, until, get: (path: string) => fetch(url + path, { headers: KEY }) };
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'proxy-'));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

test('prints what docs/proxy.md shows, and writes reports on SIGUSR2 and at its end', async () => {
  const target = await serve(noPets);
  const report = join(await folder(), 'report.json');
  const proxy = await start(target, ['--report', `json=${report}`]);
  const moved = BANNER.trim()
    .replaceAll('http://127.0.0.1:4020/v1', target)
    .replaceAll('http://127.0.0.1:4030', new URL(proxy.url).origin);
  expect(proxy.output().out).toContain(moved);
  expect(await (await proxy.get('/pets')).text()).toBe('[{"id":1,"categoryId":3,"name":7}]');
  await proxy.until(/^broken/m);
  expect(proxy.output().out).toContain(LINE);
  proxy.child.kill('SIGUSR2');
  await proxy.until(/the reports have been written/);
  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ verdict: 'broken', exitCode: 1 });
  await proxy.get('/pets');
  expect(await proxy.stop('SIGINT')).toBe(1);
  expect(proxy.output().out).toMatch(/The contract is broken. \(exit 1\)/);
  expect(JSON.parse(await readFile(report, 'utf8')).totals.requests).toBe(2);
});

test('--log json prints an object for each finding', async () => {
  const proxy = await start(await serve(noPets), ['--log', 'json']);
  await proxy.get('/pets');
  await proxy.until(/"type":"finding"/);
  expect(await proxy.stop()).toBe(1);
  const lines = proxy
    .output()
    .out.trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ type: 'started', title: 'Pet Store' });
  expect(lines.find(({ law }) => law === 'schema')).toMatchObject({
    type: 'finding',
    operationId: 'listPets',
    place: expect.stringMatching(/openapi.yaml:\d+$/),
  });
});

test('invalid requests and unknown paths are printed as they come, and not with --log quiet', async () => {
  const target = await serve(noPets);
  const plain = await start(target);
  const post = {
    method: 'POST',
    headers: { ...KEY, 'content-type': 'application/json' },
    body: '{"name":7}',
  };
  await fetch(`${plain.url}/pets`, post);
  await plain.get('/petz');
  for (let count = 0; count < 10; count++) await plain.get('/pets?limit=x');
  await plain.until(/10 times/);
  expect(INVALID).toHaveLength(3);
  for (const line of INVALID)
    expect(plain.output().out.replaceAll('spec/openapi.yaml', 'openapi.yaml')).toContain(line);
  await plain.stop();
  const proxy = await start(target, ['--mask', 'limit']);
  await proxy.get('/pets?limit=x');
  await proxy.get('/petz?api_key=secret');
  await proxy.until(/unknown path/);
  expect(proxy.output().out).toMatch(
    /^invalid GET \/v1\/pets\?limit=\*\*\*: query.limit must be an integer \(.*openapi.yaml:\d+\)$/m,
  );
  expect(proxy.output().out).toMatch(
    /^unknown path GET \/v1\/petz\?api_key=\*\*\*: the document has no such path; nearest: GET \/v1\/pets, .*\)$/m,
  );
  expect(proxy.output().out).not.toContain('\x1b');
  await proxy.stop();
  const json = await start(target, ['--log', 'json', '--enforce', 'requests']);
  expect((await json.get('/pets?limit=x')).status).toBe(400);
  await json.until(/invalid-request/);
  const line = json
    .output()
    .out.split('\n')
    .find((one) => one.includes('invalid-request'));
  expect(JSON.parse(line ?? '')).toMatchObject({
    ...{
      type: 'invalid-request',
      kind: 'invalid',
      method: 'GET',
      operation: 'listPets',
      times: 1,
      refused: 400,
    },
    place: expect.stringMatching(/openapi.yaml:\d+$/),
  });
  await json.stop();
  const quiet = startPaddock(['proxy', target, '--port', String(await freePort()), '--log', 'quiet']);
  onTestFinished(() => void quiet.stop('SIGKILL'));
  const url = `http://127.0.0.1:${quiet.child.spawnargs[quiet.child.spawnargs.indexOf('--port') + 1]}/v1`;
  await expect
    .poll(
      () =>
        fetch(`${url}/petz`).then(
          () => true,
          () => false,
        ),
      { timeout: 60_000 },
    )
    .toBe(true);
  await quiet.stop();
  expect(quiet.output().all).toBe('');
});

test('one HAR is recorded, judged, learned of and served, and has no secret', async () => {
  const mock = startPaddock(['mock', '--port', '0', '--log=quiet']);
  onTestFinished(() => void mock.stop('SIGKILL'));
  const base = /base URL +(\S+)/i;
  await expect.poll(() => mock.output().all).toMatch(base);
  const har = join(await folder(), 'traffic.har');
  const proxy = await start(base.exec(mock.output().all)?.[1] ?? '', [
    '--report',
    `har=${har}`,
    '--mask',
    '/status',
  ]);
  const made = await fetch(`${proxy.url}/pets`, {
    method: 'POST',
    headers: { ...KEY, 'content-type': 'application/json' },
    body: '{"name":"Recorded","categoryId":1,"status":"sold"}',
  });
  const { id } = (await made.json()) as { id: number };
  await proxy.get(`/pets/${id}`);
  await proxy.get('/pets?limit=3');
  proxy.child.kill('SIGUSR2');
  await proxy.until(/the reports have been written/);
  expect(JSON.parse(await readFile(har, 'utf8')).log.entries).toHaveLength(3);
  expect(await proxy.stop()).toBe(0);
  await mock.stop();
  const text = await readFile(har, 'utf8');
  expect(text).not.toMatch(/paddock-dev-key|sold/);
  const judged = await runPaddock(['judge', har, '--strict', 'cells', '--only', '/20[01]']);
  expect(judged.output).toMatch(/3 exchanges, 3 judged/);
  expect(judged.output).not.toMatch(/broken|Broken/);
  const learned = await runPaddock(['learn', har]);
  expect(learned.output).toMatch(/judge: the same traffic keeps it/);
  expect(learned.output).toMatch(/\/pets\/\{/);
  const again = startPaddock(['mock', '--port', '0', '--log=quiet', '--from-har', har]);
  onTestFinished(() => void again.stop('SIGKILL'));
  await expect.poll(() => again.output().all).toMatch(base);
  const url = base.exec(again.output().all)?.[1];
  const served = await fetch(`${url}/pets/${id}`, { headers: KEY });
  expect(await served.json()).toMatchObject({ id, name: 'Recorded' });
});

test('--enforce alone takes no argument from what follows it', async () => {
  const target = await serve(noPets);
  const proxy = startPaddock(['proxy', '--enforce', target, 'spec/openapi.yaml', '--port', '0']);
  onTestFinished(() => void proxy.stop('SIGKILL'));
  const base = /base URL +(\S+)/;
  await expect.poll(() => proxy.output().all).toMatch(base);
  const url = base.exec(proxy.output().all)?.[1];
  expect((await fetch(`${url}/pets`, { headers: KEY })).status).toBe(502);
  expect((await fetch(`${url}/pets?limit=x`, { headers: KEY })).status).toBe(502);
});

test('a sample is judged, and the verdict says so', async () => {
  const target = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  const proxy = await start(target, ['--sample', '50%']);
  for (let count = 0; count < 30; count++) await (await proxy.get('/pets')).text();
  expect(await proxy.stop()).toBe(0);
  expect(proxy.output().out).toMatch(/Of 30 exchanges, \d+ were judged and \d+ left out by sampling/);
});

test('--enforce and --annotate name the finding in the response', async () => {
  const target = await serve(noPets);
  const annotated = await (await start(target, ['--annotate'])).get('/pets');
  const pattern = /^schema; operation="listPets"; at="[^"]*openapi.yaml:\d+"/;
  expect(annotated.headers.get('paddock-finding')).toMatch(pattern);
  expect(await annotated.text()).toBe('[{"id":1,"categoryId":3,"name":7}]');
  const enforced = await (await start(target, ['--enforce'])).get('/pets');
  expect(enforced.status).toBe(502);
  expect(enforced.headers.get('content-type')).toBe('application/problem+json');
  expect(await enforced.json()).toMatchObject({
    title: 'paddock proxy: Bad Gateway',
    findings: [{ law: 'schema', operationId: 'listPets' }],
  });
});

test('a target that dies is reported, and the proxy lives on', async () => {
  const proxy = await start(`http://127.0.0.1:${await freePort()}/v1`);
  const response = await proxy.get('/pets');
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ detail: expect.stringContaining('connection refused') });
  await proxy.until(/GET \/v1\/pets: the target gave no whole response/);
  const view = await (await fetch(`${new URL(proxy.url).origin}/__admin/findings`)).json();
  expect(view).toMatchObject({ counts: { requests: 1, failed: 1 } });
  expect(await proxy.stop()).toBe(3);
});

test('traffic that the document has no operation for is said to be such at the end', async () => {
  const proxy = await start(await serve((_, response) => void response.end('hello')));
  expect(await (await proxy.get('/elsewhere')).text()).toBe('hello');
  expect(await proxy.stop()).toBe(3);
  expect(proxy.output().out).toMatch(/no verdict[\s\S]*\(exit 3\)/i);
});

test.each([
  [['ftp://x'], /"ftp:\/\/x" is no base URL/],
  [['http://127.0.0.1:1', 'no-such-file.yaml'], /no-such-file.yaml/],
  [['http://127.0.0.1:1', '--client-cert', 'none.pem'], /--client-cert/],
  [['http://127.0.0.1:1', '--report', 'hare=x.har'], /--report: "hare=x.har" must be one of .*har=FILE/],
  [
    ['http://127.0.0.1:1', '--report', 'har=a.har', '--report', 'har=b.har'],
    /--report: name one file for har/,
  ],
  [['http://127.0.0.1:1', '--report', 'har=/dev/null/a.har'], /--report: .*(?:EEXIST|ENOTDIR)/],
  [['http://127.0.0.1:1', '--report', 'har=-', '--report', 'json=-'], /only one report can be written/],
  [['http://127.0.0.1:1', '--enforce=answers'], /--enforce.*Allowed choices are requests, responses, both/s],
  [['http://127.0.0.1:1', '--sample', '10'], /--sample.*It must be more than 0 and at most 100%/s],
  [
    ['http://127.0.0.1:1', '--sample', '10%', '--enforce'],
    /--sample leaves out what enforce and annotate judge/,
  ],
  [
    ['http://127.0.0.1:1', '--mask', '/a~2'],
    /--mask: "\/a~2" is neither the name of a member nor a JSON Pointer/,
  ],
  [['http://127.0.0.1:1', '--admin-token', 'a b'], /--admin-token must have/],
  [[], /name the base URL of the service to judge/],
])('%j is refused', async (args, message) => {
  const { code, output } = await runPaddock(['proxy', ...args, '--port', '0']);
  expect(output).toMatch(message);
  expect(code).toBe(2);
});

test('a port that is taken, and a target that is the proxy itself, are refused', async () => {
  const { port } = new URL(await serve(noPets));
  const taken = await runPaddock(['proxy', 'http://127.0.0.1:1', '--port', port]);
  expect(taken).toMatchObject({ code: 2, output: expect.stringContaining('the port is taken') });
  const own = String(await freePort());
  const looped = await runPaddock(['proxy', `http://localhost:${own}`, '--port', own]);
  expect(looped).toMatchObject({ code: 2, output: expect.stringContaining('is the proxy itself') });
});
