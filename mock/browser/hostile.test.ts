import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMock } from './create-mock.ts';

/** Code in every form that might escape from a text in generated code. */
const CODE = [
  '"];globalThis.attacked=1;//',
  "'+(globalThis.attacked=1)+'",
  ['`$', '{globalThis.attacked=1}`'].join(''),
  '\\";globalThis.attacked=1//\u2028globalThis.attacked=1',
  '*/globalThis.attacked=1/*',
  '__proto__',
  'constructor',
];

const asked: unknown[] = [];
const attacked = () => (globalThis as { attacked?: unknown }).attacked;

beforeEach(() => {
  asked.length = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...given) => {
    asked.push(given[0]);
    throw new Error('the mock asks nobody');
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function documentOf(schema: object, more: object = {}): object {
  const content = { 'application/json': { schema } };
  const responses = { 200: { description: 'ok', content } };
  return {
    openapi: '3.1.0',
    info: { title: 'Hostile', version: '1' },
    paths: {
      '/things': {
        get: { operationId: 'list', responses },
        post: {
          operationId: 'add',
          requestBody: { content },
          responses: { 201: { description: 'ok', content } },
        },
      },
    },
    ...more,
  };
}

test.each(CODE)(
  'a text of the document is no code, wherever generated code may hold it: %j',
  async (code) => {
    const text = { type: 'string', description: code, title: code };
    const document = documentOf({
      type: 'object',
      title: code,
      required: [code],
      properties: {
        [code]: text,
        chosen: { enum: [code, { [code]: code }] },
        fixed: { const: { [code]: code } },
        map: {
          type: 'object',
          propertyNames: { enum: [code] },
          patternProperties: { '^a$': { const: code } },
        },
        dependent: {
          type: 'object',
          dependentRequired: { [code]: [code] },
          dependentSchemas: { [code]: { required: [code] } },
        },
        formatted: { type: 'string', format: code },
        typed: { type: 'string', default: code, examples: [code] },
      },
      [`x-${code}`]: code,
    });
    const mock = await createMock({ document });
    for (const value of [{}, { [code]: code }, { [code]: 1, map: { [code]: 1 }, dependent: { [code]: 1 } }])
      await mock.fetch('/things', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(value),
      });
    await mock.close();
    expect(attacked()).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(asked).toEqual([]);
  },
);

test.each([
  'https://evil.example/schema.json',
  '//evil.example/schema.json',
  'other.yaml',
  'file:///etc/passwd',
  'data:application/json,{}',
])('a reference out of the document asks nobody: %s', async ($ref) => {
  await expect(createMock({ document: documentOf({ $ref }) })).rejects.toThrow();
  expect(asked).toEqual([]);
});

test('a request to another origin is responded to by the mock, and goes nowhere', async () => {
  const listeners = vi.fn();
  vi.stubGlobal('addEventListener', listeners);
  const mock = await createMock({ document: documentOf({ type: 'array', items: { type: 'string' } }) });
  for (const url of [
    'https://evil.example/things',
    '//evil.example/things',
    'data:,x',
    'http://127.0.0.1:1/',
  ])
    await mock.fetch(url).then(
      ({ status }) => expect([200, 400, 404]).toContain(status),
      (error) => expect(error).toBeInstanceOf(TypeError),
    );
  await mock.close();
  expect(asked).toEqual([]);
  // It listens to neither messages nor fetch events: intercepting requests is up to the user's own service worker.
  expect(listeners).not.toHaveBeenCalled();
});

test('no state pollutes a prototype', async () => {
  const things = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } };
  const text =
    '{"records":{"__proto__":[{"polluted":1}],"/things":[{"id":1,"__proto__":{"polluted":1}}]},"__proto__":{"polluted":1}}';
  await createMock({ document: documentOf(things), fixtures: [text] }).catch(() => {});
  const mock = await createMock({ document: documentOf(things) });
  await mock.restore(JSON.parse(text)).catch(() => {});
  await mock.close();
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
