import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { observe } from '#observe';
import type { RecordedExchange } from '../har/recorded-exchange.ts';
import { type LearnedOverlay, learnOverlay } from './learn-overlay.ts';
import { exchangeOf } from './testing/record.ts';

const RECORD = { id: 1, name: 'Tom', status: 'sold', weight: 2.5, owner: null };

/** A document of pets that holds for this traffic, with one schema in place of that of a pet. */
function documentOf(pet: object, version = '3.1.0'): object {
  const ok = (schema: object) => ({ description: 'OK', content: { 'application/json': { schema } } });
  return {
    openapi: version,
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://api.test' }],
    paths: {
      '/pets': {
        get: {
          operationId: 'listPets',
          responses: { 200: ok({ type: 'array', items: { $ref: '#/components/schemas/Pet' } }) },
        },
      },
      '/pets/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { operationId: 'getPet', responses: { 200: ok({ $ref: '#/components/schemas/Pet' }) } },
      },
    },
    components: { schemas: { Pet: pet } },
  };
}

const TRAFFIC = [
  exchangeOf(['GET', '/pets'], [200, [RECORD]]),
  exchangeOf(['GET', '/pets/1'], [200, RECORD]),
];
const PET = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    status: { type: 'string' },
    weight: { type: 'number' },
    owner: { type: ['string', 'null'] },
  },
};

let count = 0;

async function close(
  document: object,
  exchanges: readonly RecordedExchange[],
  minimum = 1,
  without: readonly string[] = [],
): Promise<LearnedOverlay> {
  const file = join(tmpdir(), `learn-${count++}.json`);
  await writeFile(file, JSON.stringify(document));
  async function* read() {
    yield* exchanges;
  }
  return learnOverlay({ document: file, load: {}, minimum, read, without });
}

function stillBroken({ contract }: LearnedOverlay, exchanges: readonly RecordedExchange[]): unknown[] {
  const observer = observe(contract);
  for (const { request, response, startedAt } of exchanges)
    observer.begin({ ...request, startedAt }).end(response && { ...response, ms: 1, cut: false });
  const { unknownPaths, unknownMethods } = observer.traffic;
  expect({ unknownPaths, unknownMethods }).toEqual({ unknownPaths: 0, unknownMethods: 0 });
  return observer.findings.map(({ caseId, received }) => `${caseId}: ${received}`);
}

const texts = ({ changes }: LearnedOverlay) =>
  changes.filter(({ target }) => target !== '$').map(({ text }) => text);

test('what is required and missing is counted by the exchanges that lack it', async () => {
  const document = documentOf(PET) as { paths: Record<string, { get: object }> };
  const page = { name: 'page', in: 'query', required: true, schema: { type: 'integer' } };
  Object.assign(document.paths['/pets']?.get ?? {}, { parameters: [page] });
  const ask = (query: string) => exchangeOf(['GET', `/pets${query}`], [200, [RECORD]]);
  const traffic = [ask('?page=1'), ask(''), ask('?page=2'), ask('')];
  const { changes } = await close(document, traffic, 2);
  expect(changes).toMatchObject([{ text: 'GET /pets: query page: no longer required', seen: 2 }]);
  expect((await close(document, traffic, 3)).changes).toEqual([]);
});

test('a document that says all gets no change', async () => {
  expect((await close(documentOf(PET), TRAFFIC)).changes).toEqual([]);
});

describe('what a schema says more strictly than the traffic is loosened', () => {
  const withMember = (name: string, schema: object, more: object = {}) => ({
    ...PET,
    ...more,
    properties: { ...PET.properties, [name]: schema },
  });

  test.for([
    [
      'a required member',
      { ...PET, required: ['id', 'chip'] },
      '"chip" is not always there: no longer required',
    ],
    ['an enum', withMember('status', { type: 'string', enum: ['new'] }), 'enum has "sold", too'],
    ['a const', withMember('status', { const: 'new' }), 'without const new'],
    ['a type', withMember('name', { type: 'integer' }), 'type string, too'],
    ['a list of types', withMember('owner', { type: ['string', 'integer'] }), 'type null, too'],
    ['an integer', withMember('weight', { type: 'integer' }), 'type number, too'],
    ['a maximum', withMember('weight', { type: 'number', maximum: 2 }), 'maximum 2 becomes 2.5'],
    ['a length', withMember('name', { type: 'string', minLength: 5 }), 'minLength 5 becomes 3'],
    ['a pattern', withMember('name', { type: 'string', pattern: '^x' }), 'without pattern ^x'],
    ['a format', withMember('name', { type: 'string', format: 'uuid' }), 'without format uuid'],
    [
      'a closed object',
      { ...PET, properties: { id: { type: 'integer' } }, additionalProperties: false },
      'member "name"',
    ],
    [
      'branches of which none fits',
      withMember('name', { oneOf: [{ type: 'integer' }, { type: 'boolean' }] }),
      undefined,
    ],
    [
      'branches of which several fit',
      withMember('name', { oneOf: [{ type: 'string' }, { minLength: 1 }] }),
      undefined,
    ],
    ['a schema that refuses all', withMember('name', false as never), undefined],
  ] as const)('%s', async ([, pet, want]) => {
    const learned = await close(documentOf(pet), TRAFFIC);
    expect(stillBroken(learned, TRAFFIC)).toEqual([]);
    if (want !== undefined) expect(texts(learned).join('\n')).toContain(want);
    expect(learned.contract.warnings).toEqual([]);
  });

  test.for([
    ['null', withMember('owner', { type: 'string' }), 'null, too'],
    [
      'another type',
      withMember('name', { type: 'integer' }),
      'without the type integer: string was seen, too',
    ],
    ['a fraction', withMember('weight', { type: 'integer' }), 'number in place of integer'],
  ] as const)('%s in OpenAPI 3.0', async ([, pet, want]) => {
    const schema = JSON.parse(
      JSON.stringify(pet).replace('{"type":["string","null"]}', '{"type":"string","nullable":true}'),
    );
    const learned = await close(documentOf(schema, '3.0.3'), TRAFFIC);
    expect(stillBroken(learned, TRAFFIC)).toEqual([]);
    expect(texts(learned).join('\n')).toContain(want);
    expect(learned.contract.warnings).toEqual([]);
  });
});

describe('what a document lacks is added', () => {
  test.for(['3.1.0', '3.0.3'])(
    'paths, methods, statuses, media types, members and parameters (%s)',
    async (version) => {
      const more = [
        ...TRAFFIC,
        exchangeOf(['GET', '/pets?limit=3'], [200, [{ ...RECORD, owner: 'Ann', chip: null }]]),
        exchangeOf(['GET', '/pets/7'], [404, { message: 'no such pet' }]),
        exchangeOf(['DELETE', '/pets/7'], [204]),
        exchangeOf(['POST', '/pets', { name: 'Ann' }], [201, { id: 2, name: 'Ann' }]),
        exchangeOf(['GET', '/owners/5'], [200, { id: 5, note: null, size: 1 }]),
        exchangeOf(['GET', '/owners/6'], [200, { id: 6, note: 'x', size: 'big' }]),
        exchangeOf(['GET', '/pets'], [200, 'id,name', { 'content-type': 'text/csv' }]),
      ];
      const pet =
        version === '3.0.3'
          ? JSON.parse(JSON.stringify(PET).replace('["string","null"]', '"string","nullable":true'))
          : PET;
      const learned = await close(documentOf(pet, version), more);
      expect(stillBroken(learned, more)).toEqual([]);
      expect(learned.contract.warnings).toEqual([]);
      expect(texts(learned).sort()).toEqual([
        'DELETE /pets/{id}',
        'GET /owners/{ownerId}',
        'GET /pets/{id}: status 404 Not Found',
        'GET /pets: query parameter limit',
        'GET /pets: response 200: member "chip"',
        'GET /pets: text/csv of status 200',
        'POST /pets',
      ]);
    },
  );

  test('what fewer exchanges show than --minimum, and what is not wanted, is left out', async () => {
    const more = [...TRAFFIC, exchangeOf(['GET', '/owners/5'], [200, { id: 5, name: 'Ann' }])];
    expect(texts(await close(documentOf(PET), more, 2))).toEqual([]);
    const { changes } = await close(documentOf(PET), more);
    const all = changes.map(({ text }) => text);
    expect(texts(await close(documentOf(PET), more, 1, all))).toEqual([]);
  });

  test('another origin is not the service', async () => {
    const foreign = exchangeOf(['GET', '/collect'], [200, { ok: true }], 'https://metrics.test');
    expect((await close(documentOf(PET), [...TRAFFIC, foreign])).changes).toEqual([]);
  });
});
