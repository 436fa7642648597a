import { expect, onTestFinished, test } from 'vitest';
import './vitest.ts';
import { BUILT_IN_KEY, createMock } from '#mock';
import { assertReceived, type ExpectedRequest } from './index.ts';

async function petStore() {
  const mock = await createMock({ document: 'spec/openapi.yaml', port: false });
  onTestFinished(() => mock.close());
  const headers = {
    authorization: `Bearer ${BUILT_IN_KEY}`,
    'content-type': 'application/json',
    'X-Tenant': 'a',
  };
  const add = (name: string, categoryId = 7) =>
    mock.fetch('/pets', {
      method: 'POST',
      headers,
      body: JSON.stringify({ name, categoryId, status: 'sold' }),
    });
  await mock.fetch('/pets?limit=10&status=sold', { headers });
  await add('Rex');
  await add('Tom', 8);
  return { mock, add };
}

test.each<[name: string, operation: string, expected: ExpectedRequest | undefined]>([
  ['a name alone', 'listPets', undefined],
  ['some members of the body', 'createPet', { body: { name: 'Tom' } }],
  ['asymmetric matchers and patterns', 'createPet', { body: { name: /^R/, categoryId: expect.any(Number) } }],
  ['a query, its numbers as they are written', 'listPets', { query: { limit: 10 } }],
  ['headers, whatever the case', 'listPets', { headers: { 'x-TENANT': 'a', authorization: '***' } }],
  ['the end of the path', 'createPet', { path: '/pets' }],
  ['how often', 'createPet', { times: 2 }],
  ['how often one of them', 'createPet', { body: { categoryId: 8 }, times: 1 }],
])('received: %s', async (_, operation, expected) => {
  const { mock } = await petStore();
  expect(mock).toHaveReceived(operation, expected);
  assertReceived(mock, operation, expected);
});

test('the nearest request is in the message, by member', async () => {
  const { mock } = await petStore();
  const expected = { body: { name: 'Rex', categoryId: 9, tag: 'a' }, headers: { 'x-tenant': 'b' } };
  expect(() => expect(mock).toHaveReceived('createPet', expected)).toThrow(
    [
      'expected to receive createPet; the nearest of 2 is #2 POST /v1/pets (201), where',
      'headers.x-tenant is "a", not "b"',
      'body.categoryId is 7, not 9',
      'body.tag is absent, not "a"',
    ].join('\n  '),
  );
});

test.each<[operation: string, expected: ExpectedRequest, message: string]>([
  ['getPet', {}, 'expected to receive getPet, and received only listPets (1), createPet (2)'],
  [
    'createPet',
    { times: 1 },
    'expected to receive createPet once, and received it 2 times:\n  #2 POST /v1/pets (201)',
  ],
  ['createPet', { boby: {} } as never, 'no request is expected by "boby"; did you mean body?'],
  ['createPt', {}, 'the document has no operation "createPt"; did you mean createPet?'],
])('%s %j', async (operation, expected, message) => {
  const { mock } = await petStore();
  expect(() => assertReceived(mock, operation, expected)).toThrow(message);
});

test('what is not expected', async () => {
  const { mock } = await petStore();
  expect(mock).not.toHaveReceived('getPet');
  expect(() => expect(mock).not.toHaveReceived('listPets')).toThrow(
    'expected not to receive listPets, and received #1 GET /v1/pets?limit=10&status=sold (200)',
  );
});

test('of a session its own requests', async () => {
  const { mock } = await petStore();
  const session = mock.session('other');
  expect(session).not.toHaveReceived('listPets');
  expect(() => expect(session).not.toHaveReceived('listPts')).toThrow('did you mean listPets?');
});
