import { describe, expect, test } from 'vitest';
import type { Mock, MockOptions } from '../index.ts';
import { ask, documentOf, misfits, serveText } from '../testing/serve.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const list = (items: object) => ({ type: 'array', items });
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  ...{ type: 'object', properties, required },
});
const map = (additionalProperties: object) => ({ type: 'object', additionalProperties });

const Pet = object(
  {
    name: { ...text, minLength: 2 },
    age: { ...integer, minimum: 0 },
    kind: { enum: ['cat', 'dog'], type: 'string' },
    address: object({ street: text }, ['street']),
    tags: list(text),
  },
  ['name'],
);

/** Pets whose errors have this schema, with the status for invalid input. */
async function serveErrors(
  schema: object,
  type = 'application/json',
  status = 422,
  options: Partial<MockOptions> = {},
): Promise<Mock> {
  const error = (named: number) => ({ [named]: { description: 'No', content: { [type]: { schema } } } });
  const body = {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
  };
  const made = { 201: { description: 'Made', content: { 'application/json': { schema: Pet } } } };
  const shown = { 200: { description: 'Shown', content: { 'application/json': { schema: Pet } } } };
  const limit = { name: 'limit', in: 'query', schema: { ...integer, minimum: 1 } };
  const id = { name: 'id', in: 'path', required: true, schema: integer };
  const all = { 200: { description: 'All', content: { 'application/json': { schema: list(Pet) } } } };
  const errors = { ...error(status), ...error(401), ...error(404) };
  const security = [{ key: [] }];
  const document = documentOf(
    {
      '/pets': {
        post: { operationId: 'make', requestBody: body, responses: { ...made, ...errors }, security },
        get: { operationId: 'list', parameters: [limit], responses: { ...all, ...errors }, security },
      },
      '/pets/{id}': { get: { operationId: 'show', parameters: [id], responses: { ...shown, ...errors } } },
    },
    { components: { schemas: { Pet }, securitySchemes: { key: { type: 'http', scheme: 'bearer' } } } },
  );
  return serveText(document, options);
}

const BAD = { age: 'x', kind: 'cow', address: {}, tags: ['a', 7] };

/** Bodies for a bad request body, a bad parameter, an unknown id and a missing credential. */
interface Bodies {
  readonly body?: unknown;
  readonly query?: unknown;
  readonly unknown?: unknown;
  readonly credential?: unknown;
}

interface Form {
  readonly schema: object;
  readonly type?: string;
  readonly status?: number;
  readonly want: Bodies;
}

const any = expect.any(String);
const uuid = expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
const now = expect.stringMatching(/^20\d\d-\d\d-\d\dT/);
const missing = expect.stringMatching(/^The credential is missing/);
const notThere = expect.stringMatching(/4711/);
const MUST = {
  name: 'is required',
  age: 'must be an integer, not "x"',
  kind: 'must be one of "cat", "dog", not "cow"',
  street: 'is required',
  tag: 'must be a string, not 7',
};
const all = expect.stringMatching(/^body\.name is required; .*body\.address\.street is required/);

const problem = object({ type: text, title: text, status: integer, detail: text, instance: text }, []);
const jsonApiError = object(
  {
    ...{ id: text, status: text, code: text, title: text, detail: text },
    source: object({ pointer: text, parameter: text }, []),
  },
  ['status', 'title'],
);

const FORMS: readonly [name: string, form: Form][] = [
  [
    'FastAPI',
    {
      schema: object(
        {
          detail: list(
            object(
              {
                loc: list({ anyOf: [text, integer] }),
                msg: text,
                type: text,
                input: {},
                ctx: { type: 'object' },
              },
              ['loc', 'msg', 'type'],
            ),
          ),
        },
        [],
      ),
      want: {
        body: {
          detail: [
            { loc: ['body', 'name'], msg: 'is required', type: 'required' },
            { loc: ['body', 'age'], msg: MUST.age, type: 'invalid_type', input: 'x' },
            { loc: ['body', 'kind'], msg: MUST.kind, type: 'not_allowed', input: 'cow' },
            { loc: ['body', 'address', 'street'], msg: 'is required', type: 'required' },
            { loc: ['body', 'tags', 1], msg: MUST.tag, type: 'invalid_type', input: 7 },
          ],
        },
        query: {
          detail: [
            { loc: ['query', 'limit'], msg: 'must be at least 1, not 0', type: 'too_small', input: 0 },
          ],
        },
        unknown: { detail: [{ loc: [], msg: notThere, type: 'not_found' }] },
      },
    },
  ],
  [
    'problem details with errors by member',
    {
      schema: { ...problem, properties: { ...problem.properties, errors: map(list(text)) } },
      type: 'application/problem+json',
      status: 400,
      want: {
        body: {
          ...{ type: 'about:blank', title: 'Bad Request', status: 400, detail: all, instance: '/pets' },
          errors: {
            ...{ name: [MUST.name], age: [MUST.age], kind: [MUST.kind] },
            ...{ 'address.street': [MUST.street], 'tags.1': [MUST.tag] },
          },
        },
        unknown: {
          ...{
            type: 'about:blank',
            title: 'Not Found',
            status: 404,
            detail: notThere,
            instance: '/pets/4711',
          },
        },
        credential: {
          ...{
            type: 'about:blank',
            title: 'Unauthorized',
            status: 401,
            detail: missing,
            instance: '/pets?limit=1',
          },
        },
      },
    },
  ],
  [
    'problem details with invalid parameters',
    {
      schema: {
        ...problem,
        properties: { ...problem.properties, 'invalid-params': list(object({ name: text, reason: text })) },
      },
      type: 'application/problem+json',
      want: {
        body: expect.objectContaining({
          'invalid-params': expect.arrayContaining([{ name: 'address.street', reason: 'is required' }]),
        }),
        query: expect.objectContaining({
          'invalid-params': [{ name: 'limit', reason: 'must be at least 1, not 0' }],
        }),
      },
    },
  ],
  [
    'Spring Boot',
    {
      schema: object(
        {
          ...{
            timestamp: { ...text, format: 'date-time' },
            status: integer,
            error: text,
            message: text,
            path: text,
          },
          errors: list(
            object(
              { objectName: text, field: text, defaultMessage: text, code: text, rejectedValue: {} },
              [],
            ),
          ),
        },
        ['timestamp', 'status', 'error', 'message', 'path'],
      ),
      status: 400,
      want: {
        body: {
          ...{ timestamp: now, status: 400, error: 'Bad Request', message: all, path: '/pets' },
          errors: [
            { objectName: 'pet', field: 'name', defaultMessage: MUST.name, code: 'required' },
            {
              ...{ objectName: 'pet', field: 'age', defaultMessage: MUST.age, code: 'invalid_type' },
              rejectedValue: 'x',
            },
            {
              ...{ objectName: 'pet', field: 'kind', defaultMessage: MUST.kind, code: 'not_allowed' },
              rejectedValue: 'cow',
            },
            { objectName: 'pet', field: 'address.street', defaultMessage: MUST.street, code: 'required' },
            {
              ...{ objectName: 'pet', field: 'tags[1]', defaultMessage: MUST.tag, code: 'invalid_type' },
              rejectedValue: 7,
            },
          ],
        },
        unknown: { timestamp: now, status: 404, error: 'Not Found', message: notThere, path: '/pets/4711' },
        credential: { timestamp: now, status: 401, error: 'Unauthorized', message: missing, path: '/pets' },
      },
    },
  ],
  [
    'Spring: an epoch, violations',
    {
      schema: object({
        ...{ timestamp: { ...integer, format: 'int64' }, status: integer, title: text },
        violations: list(object({ field: text, message: text })),
      }),
      want: {
        body: expect.objectContaining({
          timestamp: expect.any(Number),
          title: 'Unprocessable Content',
          violations: expect.arrayContaining([{ field: 'name', message: 'is required' }]),
        }),
      },
    },
  ],
  [
    'Laravel',
    {
      schema: object({ message: text, errors: map(list(text)) }, ['message']),
      want: {
        body: {
          message: all,
          errors: {
            ...{ name: [MUST.name], age: [MUST.age], kind: [MUST.kind] },
            ...{ 'address.street': [MUST.street], 'tags.1': [MUST.tag] },
          },
        },
        unknown: { message: notThere },
      },
    },
  ],
  [
    'Rails, a map alone',
    {
      schema: object({ errors: { type: 'object' } }),
      want: {
        body: { errors: expect.objectContaining({ name: [MUST.name], 'address.street': [MUST.street] }) },
        unknown: { errors: { base: [notThere] } },
      },
    },
  ],
  [
    'Rails, members that the document names',
    {
      schema: object({ errors: object({ name: list(text), age: list(text), base: list(text) }, []) }),
      want: {
        body: {
          errors: {
            ...{ name: [MUST.name], age: [MUST.age] },
            base: [`kind ${MUST.kind}`, 'address.street is required', `tags.1 ${MUST.tag}`],
          },
        },
        unknown: { errors: { base: [notThere] } },
      },
    },
  ],
  [
    'Rails, full texts',
    {
      schema: object({ errors: list(text) }),
      want: {
        body: { errors: expect.arrayContaining(['name is required', 'address.street is required']) },
        unknown: { errors: [notThere] },
      },
    },
  ],
  [
    'Rails, one text',
    { schema: object({ error: text }), want: { body: { error: all }, unknown: { error: notThere } } },
  ],
  [
    'JSON:API',
    {
      schema: object({ errors: list(jsonApiError) }),
      type: 'application/vnd.api+json',
      want: {
        body: {
          errors: expect.arrayContaining([
            {
              ...{
                status: '422',
                code: 'required',
                title: 'Unprocessable Content',
                detail: 'name is required',
              },
              source: { pointer: '/name' },
            },
          ]),
        },
        query: {
          errors: [
            {
              ...{ status: '422', code: 'too_small', title: 'Unprocessable Content' },
              ...{ detail: 'limit must be at least 1, not 0', source: { parameter: 'limit' } },
            },
          ],
        },
        unknown: { errors: [{ status: '404', code: 'not_found', title: 'Not Found', detail: notThere }] },
      },
    },
  ],
  [
    'GraphQL',
    {
      schema: object({
        errors: list(
          object({ message: text, path: list(text), extensions: object({ code: text }) }, ['message']),
        ),
      }),
      want: {
        body: {
          errors: expect.arrayContaining([
            { message: 'is required', path: ['address', 'street'], extensions: { code: 'required' } },
          ]),
        },
        unknown: { errors: [{ message: notThere, extensions: { code: 'not_found' } }] },
      },
    },
  ],
  [
    'NestJS',
    {
      schema: object({ statusCode: integer, message: list(text), error: text }),
      status: 400,
      want: {
        body: {
          ...{ statusCode: 400, error: 'Bad Request' },
          message: expect.arrayContaining(['name is required', 'tags.1 must be a string, not 7']),
        },
        unknown: { statusCode: 404, message: [notThere], error: 'Not Found' },
      },
    },
  ],
  [
    'Google',
    {
      schema: object({ error: object({ code: integer, message: text, status: text }) }),
      status: 400,
      want: {
        body: { error: { code: 400, message: all, status: 'INVALID_ARGUMENT' } },
        unknown: { error: { code: 404, message: notThere, status: 'NOT_FOUND' } },
      },
    },
  ],
  [
    'Stripe',
    {
      schema: object({
        error: object(
          {
            type: { enum: ['api_error', 'card_error', 'invalid_request_error'], type: 'string' },
            ...{ code: text, message: text, param: text, doc_url: text },
          },
          ['type', 'message'],
        ),
      }),
      status: 400,
      want: {
        body: {
          error: { type: 'invalid_request_error', code: 'invalid_request', message: all, param: 'name' },
        },
        unknown: { error: { type: 'invalid_request_error', code: 'not_found', message: notThere } },
      },
    },
  ],
  [
    'codes of its own, an id of the request, what may be left out',
    {
      schema: object(
        {
          ...{
            code: { ...text, example: 'USER_NOT_FOUND' },
            message: text,
            requestId: { ...text, format: 'uuid' },
          },
          ...{
            success: { type: 'boolean' },
            severity: text,
            docs: { ...text, format: 'uri' },
            hint: text,
            note: text,
          },
        },
        ['code', 'message', 'requestId', 'success', 'severity', 'docs', 'note'],
      ),
      want: {
        body: {
          ...{ code: 'INVALID_REQUEST', message: all, requestId: uuid, success: false, severity: 'error' },
          ...{ docs: 'https://example.com/docs/errors/invalid_request', note: 'Unprocessable Content' },
        },
        unknown: expect.objectContaining({ code: 'NOT_FOUND', requestId: uuid, note: 'Not Found' }),
      },
    },
  ],
  [
    'what was sent, where it may be missing',
    {
      schema: object({
        ...{ detail: text, errorCode: text },
        invalidFields: list(object({ name: text, value: text, message: text })),
      }),
      want: {
        body: expect.objectContaining({
          invalidFields: expect.arrayContaining([
            { name: 'name', value: '', message: 'is required' },
            { name: 'tags[1]', value: '7', message: 'must be a string, not 7' },
          ]),
        }),
        unknown: { detail: notThere, errorCode: 'not_found', invalidFields: [] },
      },
    },
  ],
  [
    'a name that says nothing',
    {
      schema: object({ complaint: text, slug: text }),
      want: {
        body: { complaint: all, slug: 'invalid_request' },
        unknown: { complaint: notThere, slug: 'not_found' },
      },
    },
  ],
  [
    'a name that says nothing, and that may be missing',
    {
      schema: object({ complaint: text, code: text }, []),
      want: {
        body: { complaint: all, code: 'invalid_request' },
        unknown: { complaint: notThere, code: 'not_found' },
      },
    },
  ],
  [
    'an error within an envelope',
    {
      schema: object(
        {
          success: { type: 'boolean' },
          data: { type: 'object', nullable: true },
          error: object(
            {
              code: text,
              message: { type: ['string', 'null'] },
              details: list(object({ field: text, issue: text })),
            },
            ['code', 'message'],
          ),
          meta: object({ requestId: text, timestamp: { ...text, format: 'date-time' } }),
        },
        ['success', 'error', 'meta'],
      ),
      want: {
        unknown: {
          ...{ success: false, error: { code: 'not_found', message: notThere } },
          meta: { requestId: uuid, timestamp: now },
        },
        query: expect.objectContaining({
          error: {
            ...{ code: 'invalid_request', message: 'query.limit must be at least 1, not 0' },
            details: [{ field: 'limit', issue: 'must be at least 1, not 0' }],
          },
        }),
      },
    },
  ],
  [
    'drf-standardized-errors',
    {
      schema: object({
        type: { enum: ['validation_error', 'client_error', 'server_error'], type: 'string' },
        errors: list(object({ code: text, detail: text, attr: { type: ['string', 'null'] } })),
      }),
      want: {
        query: {
          type: 'validation_error',
          errors: [{ code: 'too_small', detail: 'must be at least 1, not 0', attr: 'limit' }],
        },
        unknown: expect.objectContaining({ errors: [{ code: 'not_found', detail: notThere, attr: null }] }),
      },
    },
  ],
  [
    'GitHub',
    {
      schema: object({
        message: text,
        errors: list(
          object({
            ...{ resource: text, field: text },
            code: { enum: ['missing', 'missing_field', 'invalid', 'already_exists'], type: 'string' },
          }),
        ),
      }),
      want: {
        body: expect.objectContaining({
          errors: expect.arrayContaining([
            { resource: 'pet', field: 'name', code: 'missing' },
            { resource: 'pet', field: 'age', code: 'invalid' },
          ]),
        }),
        unknown: { message: notThere, errors: [] },
      },
    },
  ],
  [
    'Django: a map alone',
    {
      schema: map(list(text)),
      want: { query: { limit: ['must be at least 1, not 0'] }, unknown: { base: [notThere] } },
    },
  ],
  [
    'an error of several forms',
    {
      schema: {
        oneOf: [
          object({ message: text }),
          object({ message: text, errors: list(object({ field: text, message: text })) }),
        ],
      },
      want: { unknown: { message: notThere } },
    },
  ],
  ['a text alone', { schema: text, want: { body: all, unknown: notThere } }],
  [
    'express-validator',
    {
      schema: object({
        errors: list(object({ type: text, msg: text, path: text, location: text, value: {} }, [])),
      }),
      want: {
        body: {
          errors: expect.arrayContaining([
            { type: 'invalid_type', msg: MUST.age, path: 'age', location: 'body', value: 'x' },
          ]),
        },
        query: { errors: [{ type: 'too_small', msg: any, path: 'limit', location: 'query', value: 0 }] },
      },
    },
  ],
];

describe('the forms of errors that frameworks have', () => {
  test.each(FORMS)('%s', async (_, { schema, type, status = 422, want }) => {
    const mock = await serveErrors(schema, type, status);
    const asked = [
      ['body', 'make', await ask(mock, 'POST /pets', BAD), status],
      ['query', 'list', await ask(mock, 'GET /pets?limit=0'), status],
      ['unknown', 'show', await ask(mock, 'GET /pets/4711'), 404],
      ['credential', 'list', await ask(mock, 'GET /pets?limit=1', undefined, { authorization: '' }), 401],
      ['syntax', 'make', await ask(mock, 'POST /pets', '{"name":'), status],
    ] as const;
    for (const [name, operation, answer, expected] of asked) {
      const form = want as unknown as Record<string, unknown>;
      expect(answer.status).toBe(expected);
      expect(misfits(mock, operation, answer)).toEqual([]);
      if (name in form) expect(answer.body).toEqual(form[name]);
      expect(answer.text).not.toMatch(/"(?:(?:ba|de|fi|go|ku|la|mi|no|pe|ra|si|to|vu|we|za){2,})"/);
    }
  });

  test('FastAPI has a text where the document describes no error', async () => {
    const item = object({ loc: list(text), msg: text, type: text });
    const content = { 'application/json': { schema: object({ detail: list(item) }, []) } };
    const get = { responses: { 200: { description: 'Yes' }, 422: { description: 'No', content } } };
    const mock = await serveText(documentOf({ '/notes': { get } }));
    expect((await ask(mock, 'GET /other')).body).toEqual({ detail: expect.stringMatching(/other/) });
  });

  test('a map within a map, and a list where it ends', async () => {
    const leaf = object({ _errors: list(object({ code: integer, message: text })) });
    const errors = { anyOf: [map({ anyOf: [{ $ref: '#/components/schemas/Errors' }, leaf] }), leaf] };
    const schema = object({ code: integer, message: text, errors }, ['code', 'message']);
    const content = { 'application/json': { schema } };
    const requestBody = { required: true, content: { 'application/json': { schema: Pet } } };
    const responses = { 201: { description: 'Made' }, '4XX': { description: 'No', content } };
    const paths = { '/pets': { post: { operationId: 'make', requestBody, responses } } };
    const mock = await serveText(documentOf(paths, { components: { schemas: { Errors: errors } } }));
    const answer = await ask(mock, 'POST /pets', {});
    expect(misfits(mock, 'make', answer)).toEqual([]);
    expect(answer.body).toEqual({
      ...{ code: 400, message: 'body.name is required' },
      errors: { name: { _errors: [{ code: 400, message: 'is required' }] } },
    });
  });

  test('422 for what JSON says, and 400 for what is no JSON, where both are documented', async () => {
    const content = { 'application/json': { schema: object({ message: text }) } };
    const requestBody = { required: true, content: { 'application/json': { schema: Pet } } };
    const no = { description: 'No', content };
    const responses = { 201: { description: 'Made' }, 400: no, 422: no };
    const mock = await serveText(documentOf({ '/pets': { post: { requestBody, responses } } }));
    expect((await ask(mock, 'POST /pets', {})).status).toBe(422);
    expect((await ask(mock, 'POST /pets', '{"name":')).status).toBe(400);
  });

  test('codes, moments and pointers as an example of the media type has them', async () => {
    const example = {
      ...{ timestamp: '2020-01-31 12:00:00', status: 'fail', code: 'userMissing', note: 'See the docs' },
      errors: [{ pointer: '#/name', message: 'is empty', code: 'IS_EMPTY' }],
    };
    const item = object({ pointer: text, message: text, code: text });
    const members = { timestamp: text, status: text, code: text, note: text, errors: list(item) };
    const content = { 'application/json': { schema: object({ message: text, ...members }), example } };
    const requestBody = { required: true, content: { 'application/json': { schema: Pet } } };
    const responses = { 201: { description: 'Made' }, 400: { description: 'No', content } };
    const mock = await serveText(documentOf({ '/pets': { post: { requestBody, responses } } }));
    expect((await ask(mock, 'POST /pets', {})).body).toEqual({
      ...{ message: 'body.name is required', status: 'fail', code: 'invalidRequest', note: 'See the docs' },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      errors: [{ pointer: '#/name', message: 'is required', code: 'REQUIRED' }],
    });
  });

  test('the moment of an error is that of the clock of the mock', async () => {
    const mock = await serveErrors(
      object({ timestamp: { ...text, format: 'date-time' }, message: text }),
      undefined,
      422,
      {
        now: '2031-05-06T07:08:09Z',
      },
    );
    expect((await ask(mock, 'GET /pets/4711')).body.timestamp).toMatch(/^2031-05-06T07:08/);
  });

  test('problem details have what is wrong one by one where the document says nothing', async () => {
    const requestBody = { required: true, content: { 'application/json': { schema: Pet } } };
    const parameters = [{ name: 'limit', in: 'query', schema: integer }];
    const responses = { 201: { description: 'Made' } };
    const mock = await serveText(documentOf({ '/pets': { post: { parameters, requestBody, responses } } }));
    expect((await ask(mock, 'POST /pets?limit=a', { name: 'Tom', tags: [1] })).body).toMatchObject({
      status: 400,
      errors: [
        { detail: 'must be an integer, not "a"', parameter: 'limit' },
        { detail: 'must be a string, not 1', pointer: '#/tags/0' },
      ],
    });
  });

  test('the id that a request brings is that of its error', async () => {
    const mock = await serveErrors(object({ message: text, traceId: text }));
    const answer = await ask(mock, 'GET /pets/4711', undefined, { 'x-request-id': 'mine' });
    expect(answer.body).toEqual({ message: notThere, traceId: 'mine' });
  });
});
