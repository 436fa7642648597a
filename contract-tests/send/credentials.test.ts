import { describe, expect, test } from 'vitest';
import type { Operation } from '#spec';
import { contractOf, documentOf } from '../../spec/testing/contract-of.ts';
import { needingOneOf } from '../testing/needing.ts';
import {
  type Keys,
  missingSchemes,
  NO_CREDENTIAL,
  otherAlternatives,
  type Presented,
  presentKey,
} from './credentials.ts';
import { planRequest } from './plan-request.ts';

/** A security scheme of each type. */
const SCHEMES = {
  basic: { kind: 'basic', in: 'header', name: 'authorization' },
  token: { kind: 'bearer', in: 'header', name: 'authorization' },
  other: { kind: 'bearer', in: 'header', name: 'authorization' },
  header: { kind: 'apiKey', in: 'header', name: 'x-key' },
  query: { kind: 'apiKey', in: 'query', name: 'key' },
  cookie: { kind: 'apiKey', in: 'cookie', name: 'sid' },
  'second-cookie': { kind: 'apiKey', in: 'cookie', name: 'tenant' },
} as const;

const needing = needingOneOf(SCHEMES);

const keys = (apiKey: string | undefined, credentials: Keys['credentials'] = {}): Keys => ({
  apiKey,
  credentials,
});

const textsOf = ({ headers, query }: Presented) =>
  [...headers, ...query].map(([name, { text }]) => `${name}: ${text}`);
const shellOf = ({ headers, query }: Presented) =>
  [...headers, ...query].map(([name, { shell }]) => `${name}: ${shell}`);
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.for([
  ['user and password', 'ann:secret', 'ann:secret'],
  ['a colon in the password', 'ann:se:cret', 'ann:se:cret'],
  ['a user without a password', 'ann', 'ann:'],
  ['a user with an empty password', 'ann:', 'ann:'],
  ['a password without a user', ':secret', ':secret'],
  ['more than ASCII, as UTF-8', 'ännchen:grün', 'ännchen:grün'],
] as const)('Basic (RFC 7617): %s', ([, key, pair]) => {
  expect(textsOf(presentKey(needing(['basic']), keys(key)))).toEqual([
    `Authorization: Basic ${base64(pair)}`,
  ]);
});

test.for(['X-Key', 'Authorization', 'Authorization: Bearer'])(
  'what the user gives as a header is no part of a request without the credential in %s',
  async (name) => {
    const components = { securitySchemes: { own: { type: 'apiKey', in: 'header', name } } };
    const get = { security: [{ own: [] }], responses: { 200: { description: '' } } };
    const { operations } = await contractOf({
      'document.json': documentOf({ '/boxes': { get } }, { components }),
    });
    const [sent = ''] = name.split(':');
    const headers = [[sent, 'secret'] as const, ['Tenant', '7'] as const];
    const target = { base: new URL('http://service.test/'), basePaths: [], ...keys(undefined), headers };
    const namesIn = (input: object) =>
      planRequest(target, operations[0] as Operation, input).headers.map(([one]) => one);
    expect(namesIn({})).toEqual(expect.arrayContaining([sent, 'Tenant']));
    expect(namesIn({ refused: NO_CREDENTIAL })).not.toContain(sent);
    expect(namesIn({ refused: NO_CREDENTIAL })).toContain('Tenant');
  },
);

test('schemes that are needed together are sent together, each with its own credential', () => {
  const operation = needing(['basic', 'header', 'query', 'cookie', 'second-cookie']);
  const presented = presentKey(
    operation,
    keys('one', { basic: 'ann:secret', query: 'q', 'second-cookie': 't' }),
  );
  expect(textsOf(presented)).toEqual([
    `Authorization: Basic ${base64('ann:secret')}`,
    'x-key: one',
    // RFC 6265 §5.4: one Cookie header.
    'Cookie: sid=one; tenant=t',
    'key: q',
  ]);
  expect(shellOf(presented)).toEqual([
    `Authorization: Basic $(printf %s "$PADDOCK_CREDENTIAL_BASIC" | base64 | tr -d '\\n')`,
    'x-key: $PADDOCK_API_KEY',
    'Cookie: sid=$PADDOCK_API_KEY; tenant=$PADDOCK_CREDENTIAL_SECOND_COOKIE',
    'key: $PADDOCK_CREDENTIAL_QUERY',
  ]);
});

test('two schemes that are both sent as bearer have one header', () => {
  expect(textsOf(presentKey(needing(['token', 'other']), keys('k', { token: 't' })))).toEqual([
    'Authorization: Bearer t',
  ]);
});

describe('of alternatives', () => {
  test.for<[string, Keys, string[]]>([
    ['the first that the API key completes', keys('k'), ['x-key: k']],
    ['the first with credentials of its own', keys('k', { query: 'q' }), ['key: q']],
    ['one that is complete', keys(undefined, { token: 't' }), ['Authorization: Bearer t']],
    ['nothing, without any', keys(undefined), []],
  ])('%s', ([, given, want]) => {
    expect(
      textsOf(presentKey(needing(['header', 'cookie'], ['query'], ['token']), given)).slice(0, 1),
    ).toEqual(want);
  });

  test('an empty one needs no credential', () => {
    expect(textsOf(presentKey(needing([], ['header']), keys('k')))).toEqual([]);
    expect(textsOf(presentKey(needing(['header'], []), keys(undefined, { query: 'q' })))).toEqual([]);
  });

  test('the further ones are those with credentials of their own', () => {
    const operation = needing(['header'], ['query'], ['token', 'cookie'], ['basic']);
    const others = otherAlternatives(operation, keys('k', { query: 'q', token: 't', basic: 'a:b' }));
    expect(others.map((requirement) => requirement.map(({ scheme }) => scheme))).toEqual([['basic']]);
    expect(otherAlternatives(operation, keys('k'))).toEqual([]);
  });
});

test.for<[string, Keys, string[]]>([
  ['without any credential nobody can tell', keys(undefined), []],
  ['the API key is that of every scheme', keys('k'), []],
  ['one of two is missing', keys(undefined, { header: 'h' }), ['cookie']],
  ['none is missing', keys(undefined, { header: 'h', cookie: 'c' }), []],
  ['both are missing', keys(undefined, { token: 't' }), ['header', 'cookie']],
])('%s', ([, given, want]) => {
  expect(missingSchemes(needing(['header', 'cookie']), given)).toEqual(want);
});

test.for<[string, object, object, string[]]>([
  ['that is given, where nothing says whether one is needed', {}, {}, ['x-key: h']],
  ['not where the operation says that none is', { security: [] }, {}, []],
  ['not where the document says that none is', {}, { security: [] }, []],
])('a credential is sent %s', async ([, said, saidOfAll, want]) => {
  const get = { responses: { 200: { description: 'Done' } }, ...said };
  const securitySchemes = {
    token: { type: 'http', scheme: 'bearer' },
    header: { type: 'apiKey', in: 'header', name: 'x-key' },
  };
  const document = documentOf({ '/a': { get } }, { ...saidOfAll, components: { securitySchemes } });
  const { operations } = await contractOf({ 'a.json': document });
  const [operation] = operations as [Operation];
  expect(textsOf(presentKey(operation, keys(undefined, { header: 'h' })))).toEqual(want);
  // Nobody has said that it is needed.
  expect(missingSchemes(operation, keys(undefined, { other: 'o' }))).toEqual([]);
});
