import { describe, expect, onTestFinished, test } from 'vitest';
import { BUILT_IN_KEY, createMock } from '#mock';
import { parseJson, readContract } from '#spec';
import { createFactories, FactoryError } from './index.ts';

type Data = Record<string, unknown>;

const PET_STORE = 'spec/openapi.yaml';
const headers = { authorization: `Bearer ${BUILT_IN_KEY}` };

const NESTED = {
  openapi: '3.1.0',
  info: { title: 'Crates', version: '1' },
  paths: {},
  components: {
    schemas: {
      Crate: {
        type: 'object',
        properties: {
          maker: { type: 'object', properties: { name: { type: 'string' }, since: { type: 'integer' } } },
          lids: {
            type: 'array',
            items: { type: 'object', properties: { size: { type: 'integer' }, colour: { type: 'string' } } },
          },
          note: { type: 'string' },
        },
      },
    },
  },
};

async function servedBy(document: string, path: string, seed = 1): Promise<unknown> {
  const mock = await createMock({ document, port: false, seed });
  onTestFinished(() => mock.close());
  return parseJson(await (await mock.fetch(path, { headers })).text());
}

describe('make', () => {
  test('gives the records that the server would serve', async () => {
    const { make } = await createFactories(PET_STORE, { seed: 7 });
    expect(make('Pet', {}, { count: 20 })).toEqual(await servedBy(PET_STORE, '/pets?limit=20', 7));
    expect(make('Pet', {}, { seed: 3, count: 20 })).toEqual(await servedBy(PET_STORE, '/pets?limit=20', 3));
    expect(make('Pet')).toEqual(make('Pet'));
  });

  test('gives the required members alone, or all of them', async () => {
    const { make } = await createFactories(PET_STORE);
    for (const one of make('Pet', {}, { count: 20, shape: 'minimal' }))
      expect(Object.keys(one).sort()).toEqual(['categoryId', 'id', 'name']);
    const usual = make('Pet', {}, { count: 20 });
    for (const [index, one] of make('Pet', {}, { count: 20, shape: 'full' }).entries()) {
      expect(one).toMatchObject(usual[index] as Data);
      expect(one).toHaveProperty('status');
    }
  });

  test('merges overrides deeply, and undefined removes a member', async () => {
    const { make } = await createFactories(await readContract(NESTED, 'nested.json'));
    const made = make(
      'Crate',
      { maker: { name: 'Anna' }, lids: [{ size: 3 }], note: undefined },
      { shape: 'full' },
    );
    expect(made).toEqual({
      maker: { name: 'Anna', since: expect.any(Number) },
      lids: [{ size: 3, colour: expect.any(String) }],
    });
  });

  test('what is sent for a record agrees with it, and names records that are there', async () => {
    const { make } = await createFactories(PET_STORE);
    const [sent, pet] = [make('NewPet', {}, { shape: 'full' }), make('Pet', {}, { shape: 'full' })];
    expect(pet).toMatchObject(sent);
    expect(sent).not.toHaveProperty('id');
  });

  test.each<[call: string, name: string, overrides: Data, message: RegExp]>([
    ['an unknown schema', 'Pte', {}, /no schema "Pte"; did you mean "Pet"\?/],
    [
      'a value against its schema',
      'Pet',
      { status: 'gone' },
      /status must be one of .* \(spec\/openapi\.yaml:\d+\); change the override/,
    ],
    [
      'a member that is none',
      'Pet',
      { nmae: 'Rex' },
      /nmae is no member of the schema \(spec\/openapi\.yaml:\d+\); did you mean name\?/,
    ],
    ['a member that is required', 'Pet', { name: undefined }, /name is required \(spec/],
  ])('refuses %s', async (_, name, overrides, message) => {
    const { make } = await createFactories(PET_STORE);
    expect(() => make(name, overrides)).toThrow(FactoryError);
    expect(() => make(name, overrides)).toThrow(message);
  });

  test('refuses an option that there is not', async () => {
    const { make, respond } = await createFactories(PET_STORE);
    expect(() => make('Pet', {}, { cuont: 3 } as never)).toThrow(
      'there is no option "cuont"; did you mean count?',
    );
    await expect(respond('listPets', 200, undefined, { shape: 'full' } as never)).rejects.toThrow(
      'there is no option "shape"; there are seed',
    );
  });
});

describe('respond', () => {
  test('gives what the server would respond with', async () => {
    const { respond } = await createFactories(PET_STORE);
    const { status, headers: own, body } = await respond('listPets', 200);
    expect(status).toBe(200);
    expect(own['content-type']).toBe('application/json');
    expect(body).toEqual(await servedBy(PET_STORE, '/pets'));
  });

  test('merges overrides: a list sets the length', async () => {
    const { respond } = await createFactories(PET_STORE);
    const [first] = (await respond('listPets', 200)).body as Data[];
    expect((await respond('listPets', 200, [{ name: 'Rex' }])).body).toEqual([{ ...first, name: 'Rex' }]);
  });

  test('each begins with the same records, and is the same each time', async () => {
    const { respond } = await createFactories(PET_STORE);
    const first = await respond('createPet', 201);
    expect(first.body).toMatchObject({ id: 51 });
    expect(await respond('createPet', 201)).toEqual(first);
    expect((await respond('getPet', 404)).body).toMatchObject({ status: 404 });
  });

  test.each<[call: string, name: string, status: number, overrides: unknown, message: RegExp]>([
    ['an unknown operation', 'listPts', 200, undefined, /no operation "listPts"; did you mean "listPets"\?/],
    [
      'an undocumented status',
      'listPets',
      299,
      undefined,
      /listPets documents no status 299; there are 200, 401/,
    ],
    ['a value against its schema', 'listPets', 200, [{ id: 'x' }], /0\.id must be .*, not "x" \(spec/],
  ])('refuses %s', async (_, name, status, overrides, message) => {
    const { respond } = await createFactories(PET_STORE);
    await expect(respond(name, status, overrides as never)).rejects.toThrow(message);
  });
});

const DOCUMENTS = [
  'fixtures/specs/shelter.yaml',
  'fixtures/documents/shop-window.yaml',
  'node_modules/@readme/oas-examples/3.1/json/train-travel.json',
  'node_modules/@readme/oas-examples/3.0/json/petstore.json',
];

test.each(DOCUMENTS)('every schema and response of %s has values that fit', async (document) => {
  const mock = await createMock({ document, port: false });
  onTestFinished(() => mock.close());
  const { make, respond } = await createFactories(document);
  const { operations, document: read } = mock.contract;
  const { components } = read.root.value as { components: { schemas: Data } };
  for (const name of Object.keys(components.schemas))
    for (const shape of ['minimal', undefined, 'full'] as const) make(name, undefined, { shape, count: 2 });
  for (const { id, responses } of operations)
    for (const { key } of responses.filter(({ key }) => /^\d/.test(key) && !key.includes('X')))
      expect((await respond(id, Number(key))).status).toBe(Number(key));
});
