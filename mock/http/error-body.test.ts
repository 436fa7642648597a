import { describe, expect, test } from 'vitest';
import { ask, documentOf, fixture, misfits, serve, serveText } from '../testing/serve.ts';

describe('error bodies of other documents', () => {
  test('problem details (RFC 9457), and 422 where that is documented', async () => {
    const mock = await serve(fixture('libraries.yaml'));
    const answer = await ask(mock, 'POST /libraries', { name: 'A', seats: -1 });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: 'Unprocessable Content',
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
      'a list of texts, where no member has the message',
      {
        schema: {
          type: 'object',
          properties: {
            errors: {
              type: 'object',
              required: ['body'],
              properties: { body: { type: 'array', items: text } },
            },
          },
          required: ['errors'],
        },
        want: { errors: { body: ['a is required', 'b is required'] } },
      },
    ],
    [
      'members of a problem in another media type',
      {
        schema: { type: 'object', required: ['title', 'detail'], properties: { title: text, detail: text } },
        want: { title: 'Bad Request', detail: 'body.a is required; body.b is required' },
      },
    ],
    [
      'texts of a greatest length, alone and in a list',
      {
        schema: {
          type: 'object',
          required: ['message', 'errors'],
          properties: {
            message: { ...text, maxLength: 18 },
            errors: {
              type: 'array',
              items: {
                type: 'object',
                required: ['message'],
                properties: { message: { ...text, maxLength: 10 } },
              },
            },
          },
        },
        want: {
          message: 'body.a is required',
          errors: [{ message: 'a is requi' }, { message: 'b is requi' }],
        },
      },
    ],
    [
      'a text of a greatest length beside the whole one',
      {
        schema: {
          type: 'object',
          required: ['message', 'extra'],
          properties: { message: { ...text, maxLength: 18 } },
        },
        want: { message: 'body.a is required', extra: 'body.a is required; body.b is required' },
      },
    ],
    [
      'a map of members by name',
      {
        schema: {
          type: 'object',
          required: ['message', 'errors'],
          properties: {
            message: text,
            errors: {
              type: 'object',
              properties: { a: { type: 'array', items: text }, b: { type: 'array', items: text } },
            },
          },
        },
        want: {
          message: 'body.a is required; body.b is required',
          errors: { a: ['is required'], b: ['is required'] },
        },
      },
    ],
    [
      'different texts in a list, and a map of one member',
      {
        schema: {
          type: 'object',
          required: ['message', 'errors', 'fields'],
          properties: {
            message: text,
            errors: { type: 'array', items: text, uniqueItems: true },
            fields: { type: 'object', maxProperties: 1, additionalProperties: text },
          },
        },
        want: {
          message: 'body.a is required; body.b is required',
          errors: ['is required'],
          fields: { a: 'is required' },
        },
      },
    ],
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
          errors: [{ message: 'a is required' }, { message: 'b is required' }],
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

  test('a list of objects has the message where nothing else can hold it', async () => {
    const item = { type: 'object', required: ['msg'], properties: { msg: text } };
    const detail = { type: 'array', items: item };
    const schema = { type: 'object', properties: { detail } };
    const content = { 'application/json': { schema } };
    const get = { responses: { 200: { description: 'Yes' }, 422: { description: 'No', content } } };
    const mock = await serveText(documentOf({ '/notes': { get } }));
    const { body } = await ask(mock, 'GET /other');
    expect(body).toEqual({ detail: [{ msg: expect.stringMatching(/other/) }] });
  });

  test('that of another operation only where it holds the message', async () => {
    const item = { type: 'object', properties: { name: text } };
    const answer = (schema: object) => ({ description: 'No', content: { 'application/json': { schema } } });
    const path = (schema: object) => ({
      get: { responses: { 200: { description: 'Yes' }, 404: answer(schema) } },
    });
    const said = { type: 'object', required: ['message'], properties: { message: text } };
    const mock = await serveText(
      documentOf({ '/odd': path({ type: 'array', minItems: 2, items: item }), '/even': path(said) }),
    );
    expect((await ask(mock, 'GET /other')).body).toEqual({ message: expect.stringMatching(/other/) });
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
});
