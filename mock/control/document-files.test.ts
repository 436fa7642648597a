import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { ask, documentOf, fixture, SHIPPED, serve, serveText } from '../testing/serve.ts';

const origin = 'http://localhost';
const nobody = { authorization: '' };

test.each([`${origin}/openapi.yaml`, '/openapi.yaml'])(
  'GET %s serves the document as it is written',
  async (path) => {
    const { status, headers, text } = await ask(await serve(SHIPPED), `GET ${path}`, undefined, nobody);
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'application/yaml' });
    expect(text).toBe(await readFile(SHIPPED, 'utf8'));
  },
);

test.each([`${origin}/openapi.json`, '/openapi.json'])(
  'GET %s serves the same document as JSON',
  async (path) => {
    const { status, headers, text } = await ask(await serve(SHIPPED), `GET ${path}`, undefined, nobody);
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'application/json' });
    const { servers, ...others } = parse(await readFile(SHIPPED, 'utf8'));
    const own = { url: 'http://localhost/v1' };
    expect(JSON.parse(text)).toEqual({ ...others, servers: [own, ...servers] });
    // The example beyond double precision keeps its last digit.
    expect(text).toContain('9007199254740993');
  },
);

test('with overlays the document is served as they leave it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overlay-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const overlay = join(folder, 'overlay.json');
  const update = '{"x-numbers": [9007199254740993, 1]}';
  await writeFile(overlay, `{"overlay": "1.0.0", "actions": [{"target": "$.paths.*", "update": ${update}}]}`);
  const mock = await serve(SHIPPED, { overlays: [overlay] });
  const [yaml, json] = await Promise.all(
    ['yaml', 'json'].map((name) => ask(mock, `GET /openapi.${name}`, undefined, nobody)),
  );
  expect(json?.body.paths['/pets']['x-numbers']).toEqual([9007199254740993n, 1]);
  const options = { intAsBigInt: true, maxAliasCount: 0 };
  const written = parse(yaml?.text ?? '', options);
  written.servers.unshift({ url: 'http://localhost/v1' });
  expect(written).toEqual(parse(json?.text ?? '', options));
});

test.each([
  ['GET http://localhost/openapi.json', {}, 'http://localhost', ['http://localhost/']],
  [
    'GET http://m.test:1/~a/v1/openapi.json',
    { servers: [{ url: '/v1' }] },
    'http://m.test:1/~a',
    ['http://m.test:1/~a/v1', '/v1'],
  ],
])(
  '%s has the mock before the servers of document, path and operation',
  async (line, more, mock, servers) => {
    const ok = { responses: { 200: { description: 'ok' } } };
    const paths = {
      '/a': { get: ok },
      '/b': { $ref: '#/components/pathItems/b' },
      '/c': { get: { ...ok, servers: [{ url: '/c1/' }, { url: '/c2' }] }, post: ok },
    };
    const components = { pathItems: { b: { servers: [{ url: 'https://files.example/b' }], get: ok } } };
    const { body } = await ask(await serveText(documentOf(paths, { components, ...more })), line);
    const urlsOf = (holder: { servers?: { url: string }[] }) => holder.servers?.map(({ url }) => url);
    const { get, post } = body.paths['/c'];
    expect([body, body.components.pathItems.b, body.paths['/c'], get, post].map(urlsOf)).toEqual([
      servers,
      [`${mock}/b`, 'https://files.example/b'],
      undefined,
      [`${mock}/c1`, '/c1/', '/c2'],
      undefined,
    ]);
  },
);

test('a contract that is read already takes no overlays', async () => {
  const { contract } = await serve(SHIPPED);
  await expect(serve(contract, { overlays: ['o.yaml'] })).rejects.toThrow(/must be given by its path/);
});

test('a documented path goes before ours', async () => {
  const get = {
    responses: { 200: { description: 'Own', content: { 'application/json': { example: 'own' } } } },
  };
  const mock = await serveText(documentOf({ '/openapi.json': { get } }));
  expect((await ask(mock, 'GET /openapi.json')).body).toBe('own');
  expect((await ask(mock, 'GET /openapi.yaml')).text).toContain('"openapi"');
});

test('health needs no key, and says what is served', async () => {
  const mock = await serve(fixture('warehouse.yaml'));
  const { status, body } = await ask(mock, `GET ${mock.controlUrl}/health`, undefined, nobody);
  expect({ status, body }).toEqual({
    status: 200,
    body: { status: 'ok', document: { title: 'Warehouse', version: '2.4.0' } },
  });
});

test('our pages can only be read', async () => {
  const mock = await serve(SHIPPED);
  const { status, headers, body } = await ask(mock, `DELETE ${mock.controlUrl}/health`, undefined, nobody);
  expect({ status, allow: headers.get('allow'), code: body.code }).toEqual({
    status: 405,
    allow: 'GET, HEAD, OPTIONS',
    code: 'method_not_allowed',
  });
  expect(await ask(mock, 'HEAD /openapi.json')).toMatchObject({ status: 200, text: '' });
});
