import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
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
    expect(JSON.parse(text)).toEqual(parse(await readFile(SHIPPED, 'utf8')));
    // The example beyond doubles keeps its last digit.
    expect(text).toContain('9007199254740993');
  },
);

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
