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
  await expect.poll(() => proxy.output().all, { timeout: 60_000 }).toMatch(banner);
  const [, json, text] = banner.exec(proxy.output().all) as RegExpExecArray;
  const url = (json ?? text) as string;
  const until = (pattern: RegExp) =>
    expect.poll(() => proxy.output().all, { timeout: 60_000 }).toMatch(pattern);
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
  [['http://127.0.0.1:1', '--report', 'har=x.har'], /--report: "har=x.har" must be one of/],
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
