import { describe, expect, test } from 'vitest';
import { ask, misfits, SHIPPED, serve } from '../testing/serve.ts';

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
    {
      line: 'POST /pets',
      body: '{"name":',
      operation: 'createPet',
      want: invalid(/^body must be JSON: invalid at column 9$/),
    },
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
    'a body with an unknown content coding',
    {
      line: 'POST /pets',
      body: '{}',
      headers: { ...json, 'content-encoding': 'gzip, rot13' },
      operation: 'createPet',
      want: { status: 415, code: 'unsupported_media_type', message: /Content-Encoding.*gzip.*rot13/ },
    },
  ],
  [
    'a body that is not what its content coding says',
    {
      line: 'POST /pets',
      body: '{}',
      headers: { ...json, 'content-encoding': 'gzip' },
      operation: 'createPet',
      want: { status: 400, code: 'invalid_request', message: /not gzip, as Content-Encoding says/ },
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
      line: 'GET /pet',
      want: {
        status: 404,
        code: 'no_such_path',
        message:
          /^No such path: \/v1\/pet\. Base URL: http:\/\/localhost\/v1; nearest: GET \/v1\/pets, POST \/v1\/pets$/,
      },
    },
  ],
  [
    'two slashes at the end',
    { line: 'GET /pets//', want: { status: 404, code: 'no_such_path', message: /\/v1\/pets\/\// } },
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

test('a quote or a line break in a message stays inside it', async () => {
  const mock = await serve(SHIPPED);
  const status = '"\n\\\u2028\u0000"';
  const answer = await ask(mock, 'POST /pets', { name: 'A', categoryId: 1, status });
  expect(answer.body.message).toContain('must be one of');
  expect(misfits(mock, 'createPet', answer)).toEqual([]);
});
