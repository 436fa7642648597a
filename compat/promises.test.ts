import { describe, expect, test } from 'vitest';
import { compared, written } from './testing/compared.ts';
import { answered, type DocumentPair, documentOf, json, OK, posted } from './testing/documents.ts';

/** Pairs as they are found in published documents, where a false verdict would be easy. */
const text = { type: 'string' };
const thing = (members: object = {}) => ({
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer', readOnly: true }, name: text, ...members },
});
const collection = (
  schema: object,
  created: object = {},
  items: object = { type: 'array', items: schema },
) => ({
  get: { responses: { 200: { description: 'Things.', ...json(items) } } },
  post: {
    requestBody: { required: true, ...json(schema) },
    responses: { 201: { description: 'Stored.', ...json(schema) }, ...created },
  },
});
const served = (url: string, prefix: string) => ({
  ...documentOf({
    [`${prefix}/things`]: collection(thing()),
    [`${prefix}/others`]: { get: { responses: OK } },
  }),
  servers: [{ url }],
});
const typed = (...types: string[]) =>
  documentOf({
    '/things': {
      get: {
        responses: {
          200: {
            description: 'Things.',
            content: Object.fromEntries(types.map((type) => [type, { schema: thing() }])),
          },
        },
      },
    },
  });
const scheme = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
const keyed = (parameters: object[]) =>
  documentOf(
    { '/things': { get: { parameters, responses: OK } } },
    { components: { securitySchemes: scheme }, security: [{ key: [] }] },
  );
const flows = { clientCredentials: { tokenUrl: 'https://auth.example/t', scopes: { read: '', write: '' } } };
const scoped = (...alternatives: object[]) =>
  documentOf(
    { '/things': { get: { responses: OK } } },
    {
      components: {
        securitySchemes: { one: { type: 'oauth2', flows }, two: { type: 'oauth2', flows } },
      },
      security: alternatives,
    },
  );
/** With 201 in place of 200. */
const moved = (document: object) => JSON.parse(JSON.stringify(document).replace('"200":', '"201":'));
/** A reference with a text and another keyword beside it, as OpenAPI 3.1 allows. */
const referring = (members: object) =>
  documentOf(
    {
      '/things': {
        get: {
          responses: {
            200: {
              description: 'A thing.',
              ...json({ $ref: '#/components/schemas/Thing', description: 'One.', minProperties: 1 }),
            },
          },
        },
      },
    },
    { components: { schemas: { Thing: thing(members) } } },
  );
const chain = (depth: number, last: object): object =>
  depth === 0 ? last : { type: 'object', properties: { next: chain(depth - 1, last), kept: text } };

describe('compatible', () => {
  test.for<readonly [string, DocumentPair]>([
    [
      'a part of the path moves from the server to the paths',
      [served('https://api.example/v1', ''), served('https://api.example/', '/v1')],
    ],
    [
      'and from the paths to the server',
      [served('https://api.example', '/v1'), served('https://api.example/v1/', '')],
    ],
    ['another media type of the range that OLD names', [typed('*/*'), typed('application/json')]],
    [
      'the same of a narrower range',
      [typed('text/*', 'application/*'), typed('text/plain', 'application/json')],
    ],
    [
      'a type is written down that the properties suggest',
      [posted({ properties: { a: text } }), posted({ type: 'object', properties: { a: text } })],
    ],
    [
      'a type is left to be suggested by the properties',
      [answered({ type: 'object', properties: { a: text } }), answered({ properties: { a: text } })],
    ],
    [
      'a 409 is documented that OLD does not forbid',
      [
        documentOf({ '/things': collection(thing()) }),
        documentOf({
          '/things': collection(thing(), { 409: { description: 'A thing with this name already exists.' } }),
        }),
      ],
    ],
    [
      'a credential is described as a parameter, too',
      [keyed([]), keyed([{ name: 'X-Key', in: 'header', schema: { ...text, pattern: '^[0-9]{4}$' } }])],
    ],
    [
      'an alternative credential, with other scopes',
      [scoped({ one: ['read'] }), scoped({ one: ['read'] }, { two: ['write'] })],
    ],
    ['a text beside a reference', [referring({}), referring({})]],
  ])('%s', async ([, pair]) => {
    const { reported, warnings, exitCode, reason } = await compared(pair);
    expect({ reported, warnings, exitCode, reason }).toEqual({
      reported: [],
      warnings: [],
      exitCode: 0,
      reason: undefined,
    });
  });
});

describe('breaking', () => {
  test.for<readonly [string, string[], DocumentPair]>([
    [
      'the target of a reference that has other keywords beside it',
      ['GET /things schema'],
      [referring({ size: { type: 'integer' } }), referring({ size: text })],
    ],
    [
      'a member that lies deep',
      ['GET /things schema'],
      [answered(chain(10, { type: 'integer' })), answered(chain(10, text))],
    ],
    [
      'a member that lies deep, in a request',
      ['POST /things status'],
      [posted(chain(10, { type: 'integer' })), posted(chain(10, { type: 'integer', maximum: 7 }))],
    ],
    [
      'a media type outside of the range that OLD names',
      ['GET /things content-type'],
      [typed('text/*'), typed('application/json')],
    ],
    [
      'another status of success, where there is no other operation',
      ['POST /things status'],
      [posted(thing()), moved(posted(thing()))],
    ],
    [
      'another path, also as a whole',
      ['GET /v1/things status', 'POST /v1/things status', 'GET /v1/others status'],
      [served('https://api.example/', '/v1'), served('https://api.example/', '/v2')],
    ],
  ])('%s', async ([, reported, pair]) => {
    const found = await compared(pair);
    expect([...new Set(found.reported)]).toEqual(reported);
    expect(found.exitCode).toBe(1);
  });
});

test('a request of a moved path is shown where it is sent', async () => {
  const [old, next] = [
    served('https://api.example/v1', ''),
    {
      ...documentOf({
        '/v1/things': collection({ ...thing(), required: ['name', 'id2'] }),
        '/v1/others': {},
      }),
      servers: [{ url: 'https://api.example/' }],
    },
  ];
  const { findings } = await compared([old, next]);
  const commands = findings.filter(({ law }) => law === 'status').map(({ curl }) => curl);
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) expect(command).toContain('http://127.0.0.1:4020/v1/');
});

test('where NEW says no more what is stored, single responses are judged, and a warning says so', async () => {
  const removed = { parameters: [{ name: 'verbose', in: 'query', schema: text }] };
  const old = documentOf({ '/things': { ...collection(thing()), ...removed } });
  const next = documentOf({ '/things': collection(thing(), {}, { type: 'object' }) });
  const { reported, warnings } = await compared([old, next], { examples: 3 });
  expect([...new Set(reported)]).toEqual(['GET /things schema']);
  expect(warnings).toContainEqual(
    expect.stringMatching(/^what is stored is not compared, since NEW does not say it any more \(GET/),
  );
});

test('a variant less in a response, of several that a value fits, breaks nobody', async () => {
  const named = { type: 'object', properties: { name: text } };
  const titled = { ...named, properties: { title: text } };
  const { exitCode } = await compared([
    answered({ oneOf: [named, titled, {}] }),
    answered({ oneOf: [named, titled] }),
  ]);
  expect(exitCode).toBe(0);
});

test('what NEW says and cannot be read is no evidence', async () => {
  const items = (schema: object) => answered({ type: 'array', items: schema });
  const { reported, exitCode } = await compared([items(text), items({ $dynamicRef: '#item' })]);
  expect({ reported, exitCode }).toEqual({ reported: [], exitCode: 0 });
});

test('members of any name that have another type are one cause, shown by a value', async () => {
  const extras = (values: object) => answered({ type: 'object', additionalProperties: values });
  const { causes } = await compared([extras({ type: 'object' }), extras({})]);
  expect(causes).toMatchObject([{ title: expect.stringContaining('additional properties widened') }]);
  expect(causes[0]?.received).toContain('NEW allows {');
});

test('another status of success is one cause, whichever request shows it', async () => {
  const stored = (status: string) => {
    const responses = { [status]: { description: 'Stored.', ...json(thing()) }, 400: { description: 'No.' } };
    const body = { type: 'object', required: ['name', 'note'], properties: { name: text, note: text } };
    const post = { requestBody: { required: true, ...json(body) }, responses };
    const get = {
      responses: { 200: { description: 'Things.', ...json({ type: 'array', items: thing() }) } },
    };
    return documentOf({ '/things': { get, post } });
  };
  const { causes } = await compared([stored('200'), stored('201')]);
  expect(causes.map(({ law }) => law)).toEqual(['status']);
});

test('a scope that no alternative spares is reported', async () => {
  const { findings, exitCode } = await compared([
    scoped({ one: ['read'] }),
    scoped({ one: ['read', 'write'] }, { two: ['write'] }),
  ]);
  expect(exitCode).toBe(1);
  expect(findings.map(({ received }) => received.replace(/ \(.*/, ''))).toEqual(['scope added: one:write']);
});

test('of operations that are the same nothing is sent, but of those that share records with a changed one', async () => {
  const paths = (limit: number) => ({
    '/things': collection(thing()),
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', default: limit } }],
        responses: { 200: { description: 'A thing.', ...json(thing()) } },
      },
    },
    '/others': { get: { responses: OK } },
  });
  const [old, next] = [documentOf(paths(1)), documentOf(paths(2))];
  const same = await compared([old, old]);
  expect(same.totals).toMatchObject({ cases: 0, requests: 0 });
  const { cases, cells } = await compared([old, next]);
  const tried = new Set(cases.map(({ operationId }) => operationId));
  expect([...tried].sort()).toEqual(['GET /things', 'GET /things/{id}', 'POST /things']);
  expect(cells.filter(({ operationId }) => operationId === 'GET /others')).toMatchObject([
    { verdict: 'skipped', reason: 'it is the same in both documents' },
  ]);
});

describe('operations that are not stable', () => {
  const beta = (limit: number) =>
    documentOf({
      '/things': {
        get: {
          'x-stability': 'beta',
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: limit } }],
          responses: OK,
        },
      },
    });

  test.for([
    [[], 0],
    [['stability'], 1],
  ] as const)('strict %j: %i', async ([strict, exitCode]) => {
    const found = await compared([beta(9), beta(5)], { strict });
    expect(found).toMatchObject({ exitCode, reported: ['GET /things status'] });
    expect(found.findings.map(({ gates }) => gates)).toEqual([exitCode === 1]);
    expect(found.cells.map(({ gates }) => gates)).toEqual([exitCode === 1]);
  });
});

test('an overlay changes the document that it is given for', async () => {
  const limited = (maximum: number) =>
    documentOf({
      '/things': {
        get: {
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum } }],
          responses: OK,
        },
      },
    });
  const update = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 5 } };
  const overlay = await written(
    JSON.stringify({
      overlay: '1.0.0',
      info: { title: 'A smaller limit', version: '1' },
      actions: [{ target: "$.paths['/things'].get.parameters[0]", update }],
    }),
  );
  const codes = [];
  for (const options of [
    {},
    { newOverlays: [overlay] },
    { oldOverlays: [overlay] },
    { oldOverlays: [overlay], newOverlays: [overlay] },
  ])
    codes.push((await compared([limited(9), limited(9)], options)).exitCode);
  expect(codes).toEqual([0, 1, 0, 0]);
});

test('each credential that is no longer enough is shown by a request with it', async () => {
  const key = (name: string) => ({ type: 'apiKey', in: 'header', name });
  const secured = (security: object[]) =>
    documentOf(
      { '/things': { get: { responses: OK } } },
      { security, components: { securitySchemes: { a: key('x-a'), b: key('x-b') } } },
    );
  const { findings, changes = [] } = await compared([
    secured([{ a: [] }, { b: [] }]),
    secured([{ a: [], b: [] }]),
  ]);
  expect(findings.map(({ documented, curl }) => [documented, /x-[ab]/.exec(curl)?.[0]])).toEqual([
    ['the credential a is enough', 'x-a'],
    ['the credential b is enough', 'x-b'],
  ]);
  expect(changes.map(({ rule, proof }) => [rule, proof])).toEqual([
    ['credential-changed', 'tried'],
    ['credential-changed', 'tried'],
  ]);
});
