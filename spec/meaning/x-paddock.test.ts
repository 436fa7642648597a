import { expect, test } from 'vitest';
import { readContract } from '../contract.ts';
import { meaningOf } from '../explain/meaning-of.ts';
import { accountOperation } from '../resources/accounts.ts';
import { familiesOf } from '../resources/families.ts';

const text = { type: 'string' };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ok = (schema: object) => ({ responses: { 200: { description: 'Fine.', ...json(schema) } } });

/** Names of which nothing can be guessed. */
const thing = (said: object) => ({
  ...said,
  type: 'object',
  properties: { alpha: text, beta: text, gamma: { type: 'integer' }, delta: text },
});

function documentOf(saidOf: { list?: object; create?: object; enter?: object; record?: object }): object {
  const record = thing({ 'x-paddock': saidOf.record ?? {} });
  const wrapped = {
    type: 'object',
    properties: {
      here: {
        type: 'object',
        properties: { all: { type: 'array', items: record }, odd: { type: 'array', items: record } },
      },
    },
  };
  const parameters = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => ({
    name,
    in: 'query',
    schema: text,
  }));
  const secret = { type: 'object', properties: { who: text, riddle: text } };
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': {
        get: { ...ok(wrapped), parameters, 'x-paddock': saidOf.list ?? {} },
        post: { ...ok(record), requestBody: json(record), 'x-paddock': saidOf.create ?? {} },
      },
      '/things/{name}': { get: ok(record), delete: { responses: { 204: { description: 'Gone.' } } } },
      '/others': { get: ok({ type: 'array', items: { type: 'object', properties: { id: text } } }) },
      '/others/{id}': { get: ok({ type: 'object', properties: { id: text } }) },
      '/enter': {
        post: {
          ...ok({ type: 'object', properties: { pass: text } }),
          requestBody: json(secret),
          'x-paddock': saidOf.enter ?? {},
        },
      },
    },
  };
}

test('what is said of a list is done, and promised', async () => {
  const query = {
    one: 'beta',
    two: '>= gamma',
    three: { search: ['delta'] },
    four: { order: ['beta'] },
    five: '$cursor',
    six: 'none',
  };
  const contract = await readContract(
    documentOf({ list: { list: '/things', in: { records: 'here.all' }, query }, record: { id: 'alpha' } }),
    'things.json',
  );
  const [things] = contract.resources;
  expect(things).toMatchObject({
    path: '/things',
    id: { property: 'alpha', sign: 'said' },
    list: {
      ...{ member: 'all', within: 'here' },
      filters: [{ property: 'beta', certainty: 'promised', signs: ['said'] }],
      bounds: [{ property: 'gamma', side: 'least', inclusive: true }],
      search: { members: ['delta'] },
      order: { certainty: 'promised' },
      cursor: { name: 'five' },
    },
  });
  const { meaning, bases } = meaningOf(contract);
  expect(meaning.operations['GET /things']?.query).toEqual(query);
  expect(bases.get('/operations/GET ~1things/query/one')).toMatchObject({
    certainty: 'promised',
    signs: ['said'],
  });
});

test('what is said of records and accounts is done', async () => {
  const account = { identity: ['who'], proof: 'riddle', token: 'pass' };
  const members = { beta: { names: '/others' } };
  const given = documentOf({
    list: { list: '/things', in: { records: 'here.all' } },
    enter: { login: true, account },
    record: { id: 'alpha', unique: ['delta', ['beta', 'gamma']], members },
  });
  const contract = await readContract(given, 'things.json');
  const things = contract.resources.find(({ path }) => path === '/things');
  expect(things && familiesOf(contract.resources).get(things)?.kin).toMatchObject([
    { property: 'beta', parent: { path: '/others' } },
  ]);
  const enter = contract.operations.find(({ path }) => path === '/enter');
  expect(enter && accountOperation(enter)).toMatchObject({
    role: 'login',
    identities: ['who'],
    password: 'riddle',
    tokens: [['pass']],
    certainty: 'promised',
  });
  expect(meaningOf(contract).meaning.collections['/things']).toMatchObject({
    unique: [{ members: ['delta'] }, { members: ['beta', 'gamma'] }],
    members,
  });
});

test.each([
  [
    'a parameter',
    { list: { query: { on: 'beta' } } },
    'x-paddock: "on" is no query parameter of it; did you mean "one"?',
  ],
  [
    'a member',
    { list: { list: '/things', in: { records: 'here.all' }, query: { one: 'bets' } } },
    'x-paddock: the record has no member "bets"; did you mean "beta"?',
  ],
  [
    'a collection',
    {
      record: { id: 'alpha', members: { beta: { names: '/other' } } },
      list: { list: '/things', in: { records: 'here.all' } },
    },
    'x-paddock: "/other" is no collection of the document; did you mean "/others"?',
  ],
])('%s that the document does not have is a warning with its place', async (_, said, want) => {
  const { warnings } = await readContract(documentOf(said), 'things.json');
  expect(warnings.map(({ message }) => message)).toContain(want);
});

test('a mark of before is refused, with the key that says it', async () => {
  const marked = { alpha: { type: 'string', 'x-unique': true } };
  const given = documentOf({ list: { list: '/things', in: { records: 'here.all' } } });
  const text = JSON.stringify(given).replaceAll(
    '"alpha":{"type":"string"}',
    JSON.stringify(marked).slice(1, -1),
  );
  await expect(readContract(text, 'things.json')).rejects.toThrow('"x-paddock": { unique: [alpha] }');
});

test('of several schemas that one is the record of which something is said', async () => {
  const item = { 'x-paddock': { id: 'no' }, type: 'object', properties: { no: text, title: text } };
  const paths = {
    '/notes': { get: ok({ type: 'array', items: item }) },
    '/notes/{no}': { get: ok({ type: 'object', properties: { no: text, other: text } }) },
  };
  const { resources } = await readContract(
    { openapi: '3.1.0', info: { title: 'Notes', version: '1' }, paths },
    'notes.json',
  );
  expect(resources.map(({ shape }) => [...shape.properties.keys()])).toEqual([['no', 'title']]);
});
