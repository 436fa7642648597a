import { expect, test } from 'vitest';
import type { Mock } from '../../index.ts';
import { ask, documentOf, SHIPPED, serve, serveText } from '../../testing/serve.ts';

const VIOLATION = 'x-paddock-violation';
/** A possibly broken body. */
async function raw(mock: Mock, path: string) {
  const response = await mock.fetch(path, { headers: { authorization: 'Bearer paddock-dev-key' } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const TOM = { id: 7, name: 'Tom', categoryId: 1 };

test('a body, headers and a status of its own, which keep to the document', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({
    operation: 'getPet',
    body: TOM,
    headers: { 'x-region': 'eu', 'content-type': 'application/json' },
  });
  const { status, headers, body } = await ask(mock, 'GET /pets/1');
  expect({ status, body, region: headers.get('x-region') }).toEqual({ status: 200, body: TOM, region: 'eu' });
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('access-control-expose-headers')).toContain('X-Region');
  expect(headers.get(VIOLATION)).toBeNull();
});

test('headers alone are added to the ordinary response, and to a refusal', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ operation: 'getPet', headers: { 'Cache-Control': 'max-age=60' } });
  for (const [line, want] of [
    ['GET /pets/1', 200],
    ['GET /pets/4711', 404],
  ] as const) {
    const { status, headers } = await ask(mock, line);
    expect([status, headers.get('cache-control')]).toEqual([want, 'max-age=60']);
  }
  expect(mock.requests()[1]?.code).toBe('not_found');
});

test.each<
  [name: string, rule: object, want: { status: number; type: string | null; text: string; violation: RegExp }]
>([
  [
    'a body without a required member',
    { body: { id: 7, name: 'Tom' } },
    {
      status: 200,
      type: 'application/json',
      text: '{"id":7,"name":"Tom"}',
      violation: /^body\.categoryId is required \(.*openapi\.yaml:\d+\)$/,
    },
  ],
  [
    'a text that is no JSON, as it is',
    { body: '{"id":' },
    { status: 200, type: 'application/json', text: '{"id":', violation: /^the body is no JSON$/ },
  ],
  [
    'a status that is not documented',
    { status: 299, body: { short: 'and stout' } },
    {
      status: 299,
      type: 'application/json',
      text: '{"short":"and stout"}',
      violation: /^getPet documents no status 299$/,
    },
  ],
  [
    'any status without a body',
    { status: 299 },
    { status: 299, type: null, text: '', violation: /^getPet documents no status 299$/ },
  ],
  [
    'a media type that is not documented',
    { status: 503, body: '<h1>Bad</h1>', headers: { 'Content-Type': 'text/html' } },
    {
      status: 503,
      type: 'text/html',
      text: '<h1>Bad</h1>',
      violation: /^getPet documents no text\/html for 503$/,
    },
  ],
  ['no body', { body: '' }, { status: 200, type: null, text: '', violation: /^$/ }],
])('%s is sent, and the header says what is wrong', async (_, rule, want) => {
  const mock = await serve(SHIPPED);
  mock.addRule({ operation: 'getPet', ...rule });
  for (let n = 0; n < 2; n++) {
    const { status, headers, text } = await raw(mock, '/pets/1');
    const violation = headers.get(VIOLATION) ?? '';
    expect({ status, type: headers.get('content-type'), text, violation }).toEqual({
      ...want,
      violation: expect.stringMatching(want.violation),
    });
  }
});

test('an error that no document describes has a small body', async () => {
  const mock = await serveText(documentOf({ '/a': { get: { responses: { 200: { description: 'OK' } } } } }));
  mock.addRule({ sequence: [503, 'pass'] });
  expect((await ask(mock, 'GET /a')).body).toEqual({ status: 503, message: 'Service Unavailable' });
  expect((await ask(mock, 'GET /a')).status).toBe(200);
});

test('the log says so once for each operation', async () => {
  const remarks: (string | undefined)[] = [];
  const mock = await serve(SHIPPED, { port: 0, log: ({ remark }) => remarks.push(remark) });
  mock.addRule({ status: 299, body: '' });
  const headers = { authorization: 'Bearer paddock-dev-key' };
  for (const path of ['/pets', '/pets', '/pets/1', '/pets/1'])
    expect((await fetch(mock.url + path, { headers })).headers.get(VIOLATION)).toMatch(
      /documents no status 299/,
    );
  expect(remarks.map((remark) => remark?.replace(/.*says: /, ''))).toEqual([
    'listPets documents no status 299',
    undefined,
    expect.stringMatching(/getPet documents no status 299$/),
    expect.not.stringMatching(/299/),
  ]);
});

test('where nothing is documented a text is a text, and anything else JSON', async () => {
  const mock = await serveText(documentOf({ '/a': { get: { responses: { 200: { description: 'OK' } } } } }));
  const remove = mock.addRule({ body: 'ready' });
  expect((await ask(mock, 'GET /a')).headers.get('content-type')).toBe('text/plain; charset=utf-8');
  remove();
  mock.addRule({ body: [2n ** 60n] });
  expect((await ask(mock, 'GET /a')).text).toBe('[1152921504606846976]');
});

test('what is not ASCII in a violation breaks no header', async () => {
  const mock = await serveText(
    documentOf({ '/a': { get: { operationId: 'läuft\r\n', responses: { 200: { description: 'OK' } } } } }),
  );
  mock.addRule({ status: 299, body: 'x' });
  expect((await ask(mock, 'GET /a')).headers.get(VIOLATION)).toBe('l?uft?? documents no status 299');
});
