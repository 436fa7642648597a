import { expect, test } from 'vitest';
import { contractOf, documentOf } from './testing/contract-of.ts';

const SCHEMES = {
  basic: { type: 'http', scheme: 'basic' },
  bearer: { type: 'http', scheme: 'bearer' },
  oauth: { type: 'oauth2', flows: {} },
  openId: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example/.well-known' },
  session: { type: 'apiKey', in: 'cookie', name: 'sid' },
  key: { type: 'apiKey', in: 'header', name: 'Authorization' },
  certificate: { type: 'mutualTLS' },
};

async function read(...security: readonly object[]) {
  const contract = await contractOf({
    'a.json': documentOf(
      { '/a': { get: { security, responses: { 200: { description: 'Done' } } } } },
      { components: { securitySchemes: SCHEMES } },
    ),
  });
  const [operation] = contract.operations;
  return {
    contract,
    schemes: operation?.security.map((requirement) => requirement.map(({ scheme }) => scheme)),
    kinds: operation?.security.flat().map(({ kind, in: place, name }) => `${kind} ${place} ${name}`),
    warnings: contract.warnings.map(({ message }) => message),
  };
}

test('alternatives of credentials that are needed together, in the order of the document', async () => {
  const { contract, schemes, kinds, warnings } = await read({ oauth: ['read'], session: [] }, { openId: [] });
  expect(schemes).toEqual([['oauth', 'session'], ['openId']]);
  expect(kinds).toEqual(['bearer header authorization', 'apiKey cookie sid', 'bearer header authorization']);
  expect(warnings).toEqual([]);
  expect(contract.securitySchemes).toEqual(Object.keys(SCHEMES));
});

test('what a request could only carry in two Authorization headers is read as alternatives', async () => {
  const { schemes, warnings } = await read({ basic: [], session: [], bearer: [] });
  expect(schemes).toEqual([
    ['basic', 'session'],
    ['session', 'bearer'],
  ]);
  expect(warnings).toEqual([
    '"basic" and "bearer" are both sent in authorization, which a request has once; either is read as enough',
  ]);
  const rivals = await read({ basic: [], bearer: [], key: [], oauth: [] });
  expect(rivals.schemes).toEqual([['basic'], ['bearer', 'oauth'], ['key']]);
});

test('one token serves two schemes that are both sent as bearer', async () => {
  const { schemes, warnings } = await read({ oauth: ['read'], openId: [] });
  expect(schemes).toEqual([['oauth', 'openId']]);
  expect(warnings).toEqual([]);
});

test('a certificate belongs to the connection', async () => {
  expect(await read({ certificate: [] })).toMatchObject({
    schemes: [[]],
    warnings: [
      '"certificate" is a certificate of the connection, which no request carries; it is not checked',
    ],
  });
});
