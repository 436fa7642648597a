import { describe, expect, test } from 'vitest';
import { misfits } from '../testing/documented.ts';
import { ask, documentOf, fixture, SHIPPED, serve, serveText } from '../testing/serve.ts';

interface Case {
  readonly line: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly operation?: string;
  readonly want: { status: number; code: string; message: RegExp };
}

const json = { 'content-type': 'application/json' };
const invalid = (message: RegExp) => ({ status: 400, code: 'invalid_request', message });

const REFUSED: readonly (readonly [name: string, Case])[] = [
  [
    'an unknown id',
    {
      line: 'GET /pets/4711',
      operation: 'getPet',
      want: { status: 404, code: 'not_found', message: /4711/ },
    },
  ],
  [
    'an id that cannot be one',
    {
      line: 'GET /pets/abc',
      operation: 'getPet',
      want: { status: 404, code: 'not_found', message: /path\.petId must be an integer, not "abc"/ },
    },
  ],
  [
    'an empty body',
    {
      line: 'POST /pets',
      body: '',
      headers: json,
      operation: 'createPet',
      want: invalid(/^body is required$/),
    },
  ],
  [
    'a missing member',
    {
      line: 'POST /pets',
      body: { name: 'A' },
      operation: 'createPet',
      want: invalid(/^body\.categoryId is required$/),
    },
  ],
  [
    'null for a member',
    {
      line: 'POST /pets',
      body: { name: null, categoryId: 1 },
      operation: 'createPet',
      want: invalid(/^body\.name must be a string, not null$/),
    },
  ],
  [
    'a wrong type',
    {
      line: 'POST /pets',
      body: { name: 'A', categoryId: '1' },
      operation: 'createPet',
      want: invalid(/^body\.categoryId must be an integer, not "1"$/),
    },
  ],
  [
    'a value outside the enumeration',
    {
      line: 'POST /pets',
      body: { name: 'A', categoryId: 1, status: 'gone' },
      operation: 'createPet',
      want: invalid(/^body\.status must be one of "available", "pending", "sold", not "gone"$/),
    },
  ],
  [
    'a body that is no object',
    {
      line: 'POST /pets',
      body: [],
      operation: 'createPet',
      want: invalid(/^body must be an object, not \[\]$/),
    },
  ],
  [
    'everything at once',
    {
      line: 'POST /pets',
      body: { categoryId: 1.5, status: 7 },
      operation: 'createPet',
      want: invalid(/body\.name is required; .*body\.categoryId must.*body\.status must/),
    },
  ],
  [
    'broken JSON',
    { line: 'POST /pets', body: '{"name":', operation: 'createPet', want: invalid(/^body must be JSON/) },
  ],
  [
    'a limit and a filter out of bounds',
    {
      line: 'GET /pets?limit=0&status=gone',
      operation: 'listPets',
      want: invalid(/^query\.limit must be at least 1, not 0; query\.status must be one of .*, not "gone"$/),
    },
  ],
  [
    'a long value is cut',
    {
      line: 'POST /pets',
      body: { name: 'A', categoryId: 'x'.repeat(500) },
      operation: 'createPet',
      want: invalid(/^.{60,140}\.\.\.$/),
    },
  ],
  [
    'another media type',
    {
      line: 'POST /pets',
      body: 'a=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      operation: 'createPet',
      want: {
        status: 415,
        code: 'unsupported_media_type',
        message: /must be application\/json, not "application\/x-www-form-urlencoded"/,
      },
    },
  ],
  [
    'no media type',
    {
      line: 'POST /pets',
      body: '{}',
      headers: { 'content-type': '' },
      operation: 'createPet',
      want: { status: 415, code: 'unsupported_media_type', message: /must be application\/json/ },
    },
  ],
  [
    'a coded body',
    {
      line: 'POST /pets',
      body: '{}',
      headers: { ...json, 'content-encoding': 'gzip' },
      operation: 'createPet',
      want: { status: 415, code: 'unsupported_media_type', message: /Content-Encoding.*gzip/ },
    },
  ],
  [
    'a body that is too large',
    {
      line: 'POST /pets',
      body: 'x'.repeat(1001),
      operation: 'createPet',
      want: { status: 413, code: 'too_large', message: /1000 bytes/ },
    },
  ],
  [
    'a path that is not documented',
    {
      line: 'GET /nothing',
      want: {
        status: 404,
        code: 'no_such_path',
        message: /\/v1\/nothing.*begin with http:\/\/localhost\/v1/,
      },
    },
  ],
  [
    'a slash at the end',
    { line: 'GET /pets/', want: { status: 404, code: 'no_such_path', message: /\/v1\/pets\// } },
  ],
  [
    'another method',
    {
      line: 'DELETE /pets',
      want: { status: 405, code: 'method_not_allowed', message: /DELETE.*GET, POST, HEAD, OPTIONS/ },
    },
  ],
  [
    'another method on an item',
    {
      line: 'PUT /pets/1',
      body: {},
      want: { status: 405, code: 'method_not_allowed', message: /PUT.*GET, HEAD, OPTIONS/ },
    },
  ],
];

describe('each refusal fills the documented error body', () => {
  test.each(REFUSED)('%s', async (_, { line, body, headers, operation, want }) => {
    const mock = await serve(SHIPPED, { maxBody: 1000 });
    const answer = await ask(mock, line, body, headers);
    expect(answer.body).toEqual({
      code: want.code,
      message: expect.stringMatching(want.message),
      status: want.status,
    });
    expect(answer.status).toBe(want.status);
    expect(answer.headers.get('content-type')).toBe('application/json');
    if (operation) expect(misfits(mock, operation, answer)).toEqual([]);
  });

  test('405 says in Allow what is possible', async () => {
    const mock = await serve(SHIPPED);
    expect((await ask(mock, 'DELETE /pets')).headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
    expect((await ask(mock, 'POST /pets/1', {})).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test('a refused body leaves the records as they were', async () => {
    const mock = await serve(SHIPPED);
    const before = (await ask(mock, 'GET /pets?limit=100')).text;
    for (const body of ['', '{}', '[]', '{"name":"A","categoryId":"1"}']) await ask(mock, 'POST /pets', body);
    expect((await ask(mock, 'GET /pets?limit=100')).text).toBe(before);
  });
});

test('a failure of the mock is a 500 in the documented body that shows nothing of its inside', async () => {
  const seen: unknown[] = [];
  const { openMemoryStore } = await import('../store/memory.ts');
  const mock = await serve(SHIPPED, {
    onBug: (error) => seen.push(error),
    parts: {
      store: (collections) => ({
        ...openMemoryStore(collections),
        read: () => {
          throw new Error('the secret inside');
        },
      }),
    },
  });
  const answer = await ask(mock, 'GET /pets/1');
  expect(answer).toMatchObject({ status: 500, body: { status: 500, code: 'internal_error' } });
  expect(misfits(mock, 'getPet', answer)).toEqual([]);
  expect(answer.text).not.toContain('secret');
  expect(seen).toEqual([new Error('the secret inside')]);
});

describe('error bodies of other documents', () => {
  test('problem details (RFC 9457), and 422 where that is documented', async () => {
    const mock = await serve(fixture('libraries.yaml'));
    const answer = await ask(mock, 'POST /libraries', { name: 'A', seats: -1 });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'body.name must have at least 2 characters, not "A"; body.seats must be at least 0, not -1',
    });
    expect(misfits(mock, 'openLibrary', answer)).toEqual([]);
  });

  test('names of its own', async () => {
    const mock = await serve(fixture('warehouse.yaml'));
    const answer = await ask(mock, 'GET /articles/4711');
    expect(answer.body).toEqual({ error_code: 'not_found', detail: expect.stringMatching(/4711/) });
  });

  const errors = (schema: unknown, content = 'application/json') =>
    documentOf({
      '/notes': {
        post: {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { type: 'object', required: ['a', 'b'] } } },
          },
          responses: {
            201: { description: 'Kept' },
            400: { description: 'Refused', content: { [content]: { schema } } },
          },
        },
      },
    });
  const text = { type: 'string' };

  test.each<[string, { schema: unknown; want: unknown }]>([
    [
      'an inner object',
      {
        schema: {
          type: 'object',
          required: ['error'],
          properties: {
            error: {
              type: 'object',
              required: ['code', 'message'],
              properties: { code: text, message: text },
            },
          },
        },
        want: { error: { code: 'invalid_request', message: 'body.a is required; body.b is required' } },
      },
    ],
    [
      'a list with each violation',
      {
        schema: {
          type: 'object',
          properties: {
            message: text,
            errors: { type: 'array', items: { type: 'object', properties: { message: text } } },
          },
        },
        want: {
          message: 'body.a is required; body.b is required',
          errors: [{ message: 'body.a is required' }, { message: 'body.b is required' }],
        },
      },
    ],
    [
      'codes of its own',
      {
        schema: {
          type: 'object',
          required: ['code'],
          properties: { code: { enum: ['E1'], type: 'string' }, message: text },
        },
        want: { code: 'E1', message: 'body.a is required; body.b is required' },
      },
    ],
    [
      'members that say nothing of the error',
      {
        schema: {
          type: 'object',
          required: ['message', 'retry'],
          properties: { message: text, retry: { const: false }, hint: text },
        },
        want: { message: 'body.a is required; body.b is required', retry: false },
      },
    ],
  ])('%s', async (_, { schema, want }) => {
    const answer = await ask(await serveText(errors(schema)), 'POST /notes', {});
    expect(answer).toMatchObject({ status: 400, body: want });
    expect(answer.body).toEqual(want);
  });

  test('plain text', async () => {
    const answer = await ask(await serveText(errors({ type: 'string' }, 'text/plain')), 'POST /notes', {});
    expect(answer.headers.get('content-type')).toBe('text/plain');
    expect(answer.text).toBe('body.a is required; body.b is required');
  });

  test('problem details where the document has no error body at all', async () => {
    const mock = await serveText(
      documentOf({ '/notes': { get: { responses: { 200: { description: 'Notes' } } } } }),
    );
    const answer = await ask(mock, 'GET /other');
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: expect.stringMatching(/\/other/),
    });
  });

  test('a quote or a line break in a message stays inside it', async () => {
    const mock = await serve(SHIPPED);
    const status = '"\n\\\u2028\u0000"';
    const answer = await ask(mock, 'POST /pets', { name: 'A', categoryId: 1, status });
    expect(answer.body.message).toContain('must be one of');
    expect(misfits(mock, 'createPet', answer)).toEqual([]);
  });
});
