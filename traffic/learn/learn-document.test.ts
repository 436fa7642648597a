import { describe, expect, test } from 'vitest';
import { observe } from '#observe';
import { compileMask, readContract, writeYaml } from '#spec';
import type { RecordedExchange } from '../har/recorded-exchange.ts';
import { createLearner, learnDocument, maskExchange } from './index.ts';
import type { WriteOptions } from './learn-document.ts';
import type { LearnOptions } from './learn-traffic.ts';
import { exchangeOf, recordMock } from './testing/record.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read member by member
type Json = Record<string, any>;

function learn(exchanges: readonly RecordedExchange[], options: LearnOptions & WriteOptions = {}): Json {
  const learner = createLearner(options);
  for (const exchange of exchanges) learner.add(exchange);
  return learnDocument(learner.result(), options) as Json;
}

const pathsOf = (document: Json) => Object.keys(document.paths);
const get = (path: string, body: unknown = {}, status = 200) => exchangeOf(['GET', path], [status, body]);
const schemaOf = (document: Json, path: string, status = '200'): Json =>
  document.paths[path].get.responses[status].content['application/json'].schema;

test('what is masked is in nothing that is learned', () => {
  const sent = exchangeOf(
    ['POST', '/pets?filter[email]=ann@x.example', { email: 'ann@x.example', owner: { age: 77 } }],
    [201, { id: 1 }],
  );
  const document = learn([maskExchange(sent, compileMask(['email', '/owner/age']))]);
  expect(JSON.stringify(document)).not.toMatch(/ann@x|77/);
  expect(JSON.stringify(document)).toContain('"email"');
});

describe('paths', () => {
  test.for([
    ['integers', ['/pets/1', '/pets/2'], ['/pets/{petId}'], { type: 'integer' }],
    [
      'UUIDs',
      ['/pets/0b8a9f4e-52a1-4c59-9a3c-8d7e3f1b2a60'],
      ['/pets/{petId}'],
      { type: 'string', format: 'uuid' },
    ],
    ['ULIDs', ['/pets/01ARZ3NDEKTSV4RRFFQ69G5FAV'], ['/pets/{petId}'], { type: 'string' }],
    ['hexadecimal ids', ['/pets/507f1f77bcf86cd799439011'], ['/pets/{petId}'], { type: 'string' }],
    ['ids with a prefix', ['/pets/cus_NffrFeUfNV2Hib'], ['/pets/{petId}'], { type: 'string' }],
    [
      'integers of 64 bits',
      ['/pets/9223372036854775807', '/pets/1'],
      ['/pets/{petId}'],
      { type: 'integer', format: 'int64' },
    ],
    [
      'integers beyond them',
      ['/pets/9223372036854775808', '/pets/7'],
      ['/pets/{petId}'],
      expect.toSatisfy((schema) => schema.type === 'integer' && !('format' in schema)),
    ],
    ['integers with leading zeros', ['/pets/007'], ['/pets/{petId}'], { type: 'string' }],
  ] as const)('%s are ids', ([, paths, want, schema]) => {
    const document = learn([get('/pets', []), ...paths.map((path) => get(path, { name: 'Tom' }))]);
    expect(pathsOf(document)).toEqual(['/pets', ...want]);
    expect(document.paths['/pets/{petId}'].get.parameters[0]).toMatchObject({
      name: 'petId',
      in: 'path',
      required: true,
      schema,
    });
  });

  test('a word beside ids stays a path of its own, and one that was only refused is an id that is none', () => {
    const document = learn([
      get('/pets', [{ id: 1 }]),
      get('/pets/1', { id: 1 }),
      get('/pets/search', []),
      get('/pets/nothing', {}, 404),
    ]);
    expect(pathsOf(document)).toEqual(['/pets', '/pets/search', '/pets/{petId}']);
    expect(document.paths['/pets/{petId}'].get.responses).toHaveProperty('404');
    expect(document.paths['/pets/{petId}'].get.parameters[0].schema).toEqual({ type: 'integer' });
  });

  test('words that a list or the record itself shows are ids; words of many paths that do the same are, too', () => {
    const shown = learn([
      get('/repos', [{ slug: 'paddock' }]),
      get('/repos/paddock', { stars: 1 }),
      get('/repos/paddock/issues', []),
    ]);
    expect(pathsOf(shown)).toEqual(['/repos', '/repos/{repoId}', '/repos/{repoId}/issues']);
    const many = learn([
      get('/tags', []),
      ...['red', 'green', 'blue'].map((name) => get(`/tags/${name}`, { count: 1 })),
    ]);
    expect(pathsOf(many)).toEqual(['/tags', '/tags/{tagId}']);
    const other = learn([
      get('/stats', []),
      get('/stats/daily', { days: 1 }),
      get('/stats/weekly', { weeks: 1 }),
    ]);
    expect(pathsOf(other)).toEqual(['/stats', '/stats/daily', '/stats/weekly']);
  });

  test.for([
    ['an extension', ['/reports/12.pdf', '/reports/13.pdf'], ['/reports/{reportId}.pdf']],
    ['a verb behind a colon', ['/reports/12:archive'], ['/reports/{reportId}:archive']],
    ['releases', ['/packages/1.2.3', '/packages/2.0.0-rc.1'], ['/packages/{packageId}']],
    ['dates', ['/days/2026-03-04', '/days/2026-03-05'], ['/days/{dayId}']],
    ['names of algorithms are words', ['/digests/sha256', '/digests/sha512'], undefined],
    ['versions are words', ['/api/v1/pets/1', '/api/v2/pets/1'], ['/v1/pets/{petId}', '/v2/pets/{petId}']],
    ['a slash at the end', ['/api/pets/', '/api/pets/7/'], ['/pets/', '/pets/{petId}/']],
  ] as const)('%s', ([, paths, want]) => {
    expect(pathsOf(learn(paths.map((path) => get(path, { size: 1 }))))).toEqual(want ?? paths);
  });

  test('what is percent-encoded is the id that responses show, and its example is the id itself', () => {
    const document = learn([
      get('/people', [{ name: 'Ann' }, { name: 'Jürgen K' }]),
      get('/people/J%C3%BCrgen%20K', { name: 'Jürgen K' }),
    ]);
    expect(pathsOf(document)).toEqual(['/people', '/people/{personId}']);
    expect(document.paths['/people/{personId}'].get.parameters[0].example).toBe('Jürgen K');
  });

  test('a text that is no plain word is an id, whatever the record calls it', () => {
    const own = get('/portraits/madie.wisoky-1', { portrait: { nickname: 'madie.wisoky-1' } });
    expect(pathsOf(learn([own, get('/me'), get('/portraits/madie.wisoky-1/friends', [])]))).toEqual([
      '/me',
      '/portraits/{portraitId}',
      '/portraits/{portraitId}/friends',
    ]);
  });

  test('words are ids where what is below many of them does the same', () => {
    const all = Array.from('abcdefgh').map((one) => get(`/v1/orgs/org-${one}/repos`, [{ stars: 1 }]));
    expect(pathsOf(learn([...all, get('/v1/status')]))).toEqual(['/orgs/{orgId}/repos', '/status']);
  });

  test('nested ids are named after what they are ids of, and what all paths begin with is the server', () => {
    const document = learn([
      get('/api/v2/owners/1/pets/2', { id: 2 }),
      get('/api/v2/categories/3', { id: 3 }),
    ]);
    expect(document.servers).toEqual([{ url: 'https://api.test/api/v2' }]);
    expect(pathsOf(document)).toEqual(['/categories/{categoryId}', '/owners/{ownerId}/pets/{petId}']);
  });

  test('operations are called by what they do', () => {
    const record = { id: 1, name: 'Tom' };
    const document = learn([
      exchangeOf(['GET', '/pets'], [200, [record]]),
      exchangeOf(['POST', '/pets', { name: 'Tom' }], [201, record]),
      exchangeOf(['GET', '/pets/1'], [200, record]),
      exchangeOf(['PUT', '/pets/1', record], [200, record]),
      exchangeOf(['DELETE', '/pets/1'], [204]),
      exchangeOf(['POST', '/pets/1/feed', { grams: 5 }], [200, record]),
      exchangeOf(['GET', '/pets/search'], [200, [record]]),
      exchangeOf(['POST', '/login', { user: 'a' }], [200, { token: 'abc' }]),
    ]);
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item as Json).map((one: Json) => one.operationId),
    );
    expect(ids.sort()).toEqual([
      'createPet',
      'deletePet',
      'feedPet',
      'getPet',
      'listPets',
      'login',
      'searchPets',
      'updatePet',
    ]);
  });
});

describe('bodies', () => {
  test('of GraphQL only the envelope is learned, since each query asks for something else', () => {
    const ask = (query: string, variables: object, data: object) =>
      exchangeOf(['POST', '/graphql', { query, variables }], [200, { data }]);
    const document = learn([
      ask('query A { pets { id } }', { n: 1 }, { pets: [{ id: 1 }] }),
      ask('mutation B { rename { ok } }', { id: 'x' }, { rename: { ok: true } }),
    ]);
    const { post } = document.paths['/graphql'];
    expect(post.responses['200'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/Graphql',
    });
    expect(document.components.schemas).toEqual({
      GraphqlInput: {
        type: 'object',
        required: ['query', 'variables'],
        properties: { query: { type: 'string' }, variables: { type: 'object' } },
      },
      Graphql: { type: 'object', required: ['data'], properties: { data: { type: 'object' } } },
    });
  });

  test('where only refusals were recorded, it says that no success was', () => {
    const { post } = learn([
      get('/me'),
      exchangeOf(['POST', '/login', { user: 'a', pass: 'b' }], [401, { message: 'no' }]),
    ]).paths['/login'];
    expect(Object.keys(post.responses)).toEqual(['401', '2XX']);
  });

  test('types are unified, and what is not always there is optional', () => {
    const document = learn([
      get('/pets/1', { id: 1, weight: 3, owner: null, tags: ['a'], born: '2020-02-03' }),
      get('/pets/2', { id: 2, weight: 3.5, owner: 'Ann', born: '2020-02-04', chip: 4294967296 }),
    ]);
    const { Pet } = document.components.schemas;
    expect(Pet.required).toEqual(['id', 'weight', 'owner', 'born']);
    expect(Pet.properties).toEqual({
      id: { type: 'integer' },
      weight: { type: 'number' },
      owner: { type: ['string', 'null'] },
      tags: { type: 'array', items: { type: 'string' } },
      born: { type: 'string', format: 'date' },
      chip: { type: 'integer', format: 'int64' },
    });
  });

  test.each([
    ['2147483647', { type: 'integer' }],
    ['-9223372036854775808', { type: 'integer', format: 'int64' }],
    ['9223372036854775808', { type: 'integer' }],
    ['-12345678901234567890.0', { type: 'integer' }],
    ['9007199254740993.5', { type: 'number' }],
    ['123456789012345678901234567890.25', { type: 'number' }],
  ])('a number is learned as what it is: %s', (number, type) => {
    const document = learn([get('/totals', `[${number}]`)]);
    expect(schemaOf(document, '/totals').items).toEqual(type);
  });

  test('few names in many records are an enum; names that people chose, and records that come again, are none', () => {
    const records = Array.from({ length: 24 }, (_, id) => ({
      id,
      status: ['new', 'sold'][id % 2],
      name: ['Tom', 'Ann'][id % 2],
    }));
    const { Pet } = learn([get('/pets', records)]).components.schemas;
    expect(Pet.properties.status).toEqual({ type: 'string', enum: ['new', 'sold'] });
    expect(Pet.properties.name).toEqual({ type: 'string' });
    const again = learn(
      Array.from({ length: 24 }, () =>
        get('/pets', [
          { id: 1, status: 'new' },
          { id: 2, status: 'sold' },
        ]),
      ),
    );
    expect(again.components.schemas.Pet.properties.status).toEqual({ type: 'string' });
  });

  test('an object whose names are data is a map', () => {
    const document = learn([get('/stock', { totals: { '17': { count: 1 }, '18': { count: 2 } } })]);
    const { totals } = document.components.schemas.Stock.properties;
    expect(totals).toEqual({
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['count'],
        properties: { count: { type: 'integer' } },
      },
    });
  });

  test('a record is one component wherever it is shown, in lists and below itself', () => {
    const leaf = (id: number) => ({ id, title: 't', children: [] as unknown[] });
    const document = learn([
      get('/pages', { data: [{ ...leaf(1), children: [{ ...leaf(2), children: [leaf(3)] }] }], total: 1 }),
      get('/pages/2', leaf(2)),
    ]);
    expect(Object.keys(document.components.schemas)).toEqual(['Page']);
    const ref = { $ref: '#/components/schemas/Page' };
    expect(schemaOf(document, '/pages').properties.data.items).toEqual(ref);
    expect(document.components.schemas.Page.properties.children.items).toEqual(ref);
    expect(schemaOf(document, '/pages/{pageId}')).toEqual(ref);
  });

  test('requests are learned from those that were accepted; what the service sets itself is read only', () => {
    const document = learn([
      exchangeOf(['POST', '/pets', { id: 99, name: 'Tom', secret: 'x' }], [201, { id: 1, name: 'Tom' }]),
      exchangeOf(['POST', '/pets', { name: 5 }], [400, { message: 'no' }]),
    ]);
    const { PetInput, Pet } = document.components.schemas;
    expect(PetInput.properties).toEqual({
      name: { type: 'string' },
      secret: { type: 'string', writeOnly: true },
    });
    expect(Pet.properties.id).toEqual({ type: 'integer', readOnly: true });
  });

  test('forms and texts have their media types', () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const document = learn(
      [
        exchangeOf(
          ['POST', '/pets', 'name=Tom&age=5&tag=a&tag=b', form],
          [201, 'made', { 'content-type': 'text/plain; charset=utf-8' }],
        ),
      ].map((one) => ({
        ...one,
        request: { ...one.request, headers: [['content-type', form['content-type']] as const] },
      })),
    );
    const { requestBody, responses } = document.paths['/pets'].post;
    expect(requestBody.content[form['content-type']].schema).toEqual({
      type: 'object',
      required: ['name', 'age', 'tag'],
      properties: {
        name: { type: 'string' },
        age: { type: 'integer' },
        tag: { type: 'array', items: { type: 'string' } },
      },
    });
    expect(responses['201'].content).toEqual({ 'text/plain': { schema: { type: 'string' } } });
  });
});

describe('parameters and credentials', () => {
  test('a parameter has the type of its texts; required is what was always there', () => {
    const document = learn([get('/pets?limit=5&tag=a&tag=b&q=x', []), get('/pets?limit=7', [])]);
    expect(document.paths['/pets'].get.parameters).toMatchObject([
      { name: 'limit', in: 'query', required: true, schema: { type: 'integer' } },
      { name: 'tag', schema: { type: 'array', items: { type: 'string' } } },
      { name: 'q', schema: { type: 'string' } },
    ]);
  });

  test('headers of clients and connections are no parameters', () => {
    const headers = {
      'user-agent': 'x',
      'sec-ch-ua': 'x',
      accept: '*/*',
      'x-tenant': 'a',
      origin: 'https://shop.test',
    };
    const document = learn([exchangeOf(['GET', '/pets', undefined, headers], [200, []])]);
    expect(document.paths['/pets'].get.parameters.map(({ name }: Json) => name)).toEqual(['x-tenant']);
  });

  test('credentials become security schemes, and never stand in the document', () => {
    const secret = 's3cr3t-value';
    const document = learn([
      exchangeOf(['GET', '/pets', undefined, { authorization: `Bearer ${secret}` }], [200, []]),
      exchangeOf(['GET', `/reports?api_key=${secret}`], [200, []]),
      exchangeOf(
        ['GET', '/me', undefined, { cookie: `theme=dark; session=${secret}` }],
        [200, { token: secret, link: `https://a.test/?token=${secret}` }],
      ),
      exchangeOf(['GET', '/health'], [200, { ok: true }]),
    ]);
    expect(document.components.securitySchemes).toEqual({
      bearerAuth: { type: 'http', scheme: 'bearer' },
      cookieSession: { type: 'apiKey', in: 'cookie', name: 'session' },
      queryApiKey: { type: 'apiKey', in: 'query', name: 'api_key' },
    });
    expect(document.paths['/health'].get.security).toEqual([]);
    expect(writeYaml(document)).not.toContain(secret);
  });
});

test('--minimum leaves out what fewer exchanges show', () => {
  const document = learn([get('/pets?q=1', []), get('/pets', []), get('/rare', {})], { minimum: 2 });
  expect(pathsOf(document)).toEqual(['/pets']);
  expect(document.paths['/pets'].get.parameters).toBeUndefined();
});

test('the service is the origin with most exchanges of JSON, or the base URL that was named', () => {
  const other = exchangeOf(['GET', '/collect'], [200, {}], 'https://metrics.test');
  const page = exchangeOf(['GET', '/'], [200, '<html>', { 'content-type': 'text/html' }]);
  const all = [page, other, get('/pets', []), get('/owners', [])];
  expect(pathsOf(learn(all))).toEqual(['/owners', '/pets']);
  expect(pathsOf(learn(all, { baseUrls: ['https://metrics.test'] }))).toEqual(['/collect']);
});

describe('of the mock of a document', () => {
  const ASKS = {
    'spec/openapi.yaml': [
      ['GET', '/pets'],
      ['GET', '/pets?limit=2&status=sold'],
      ['POST', '/pets', { name: 'Tom', categoryId: 7 }],
      ['POST', '/pets', { name: 5 }],
      ['GET', '/pets/1001'],
      ['GET', '/pets/5'],
    ],
    'fixtures/specs/warehouse.yaml': [
      ['GET', '/articles'],
      ['GET', '/articles/142'],
      ['GET', '/articles/1'],
    ],
    'fixtures/specs/libraries.yaml': [
      ['GET', '/libraries'],
      ['POST', '/libraries', { name: 'North', seats: 5 }],
    ],
  } as const;

  test.for(Object.entries(ASKS))(
    '%s: the learned one is read without a warning, and the same traffic keeps it',
    async ([file, asks]) => {
      const exchanges = await recordMock(file, asks as never);
      const text = writeYaml(learn(exchanges));
      const contract = await readContract(text, 'learned.yaml');
      expect(contract.warnings).toEqual([]);
      const observer = observe(contract);
      for (const { request, response, startedAt } of exchanges)
        observer.begin({ ...request, startedAt }).end(response && { ...response, ms: 1, cut: false });
      expect(observer.findings).toEqual([]);
      expect(observer.report().exitCode).toBe(0);
      expect(observer.traffic).toMatchObject({ judged: exchanges.length, unknownPaths: 0, elsewhere: 0 });
    },
  );
});
