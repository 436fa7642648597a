import { describe, expect, test } from 'vitest';
import { ask, documentOf, fixture, misfits, SHIPPED, serve, serveText } from '../testing/serve.ts';

const KEY = 'paddock-dev-key';
const OPERATIONS = [
  ['listPets', 'GET /pets'],
  ['createPet', 'POST /pets'],
  ['getPet', 'GET /pets/1'],
  // 401 precedes everything: an unknown or impossible id, a bad parameter, a bad body, a bad media type.
  ['getPet', 'GET /pets/999999'],
  ['getPet', 'GET /pets/none'],
  ['listPets', 'GET /pets?limit=0&status=gone'],
  ['createPet', 'POST /pets', '{}'],
  ['createPet', 'POST /pets', '{"name":'],
  ['createPet', 'POST /pets', 'x'.repeat(2 ** 20 + 1)],
] as const;

const REFUSED: readonly (readonly [name: string, authorization: string | undefined])[] = [
  ['no credential', undefined],
  ['an empty header', ''],
  ['the scheme alone', 'Bearer'],
  ['the scheme and a blank', 'Bearer '],
  ['the key alone', KEY],
  ['an unknown key', 'Bearer someone-else'],
  ['the key cut', `Bearer ${KEY.slice(0, -1)}`],
  ['the key without its first character', `Bearer ${KEY.slice(1)}`],
  ['the key extended', `Bearer ${KEY}x`],
  ['the key in another case', `Bearer ${KEY.toUpperCase()}`],
  ['the key twice', `Bearer ${KEY},${KEY}`],
  ['two words', `Bearer ${KEY} ${KEY}`],
  ['another scheme', `Basic ${KEY}`],
  ['basic with the key', `Basic ${btoa(`user:${KEY}`)}`],
  ['a longer scheme', `BearerX ${KEY}`],
  ['no blank', `Bearer${KEY}`],
  ['a tab', `Bearer\t${KEY}`],
  ['a key of 10,000 characters', `Bearer ${'k'.repeat(10_000)}`],
  ['a key padded with zero bytes in Latin-1', `Bearer ${KEY}\u00a0`],
];

describe('a missing or invalid credential gets 401 before everything else', () => {
  test.each(REFUSED)('%s', async (_, authorization) => {
    const mock = await serve(SHIPPED);
    for (const [operation, line, body] of OPERATIONS) {
      const [method, path] = line.split(' ') as [string, string];
      const headers = new Headers({ 'content-type': 'text/plain' });
      if (authorization !== undefined) headers.set('authorization', authorization);
      const response = await mock.fetch(path, { method, headers, ...(body && { body }) });
      const text = await response.text();
      expect({ line, status: response.status }).toEqual({ line, status: 401 });
      expect(
        misfits(mock, operation, { ...response, status: 401, headers: response.headers, text, body: 0 }),
      ).toEqual([]);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(text).not.toContain(KEY);
    }
  });
});

test.each([
  ['the scheme in lower case', `bearer ${KEY}`],
  ['the scheme in upper case', `BEARER ${KEY}`],
  ['several blanks', `Bearer   ${KEY}`],
])('RFC 9110: %s is accepted', async (_, authorization) => {
  const mock = await serve(SHIPPED);
  expect((await ask(mock, 'GET /pets', undefined, { authorization })).status).toBe(200);
});

test('RFC 6750: a token that was sent and is not good is called so in the challenge', async () => {
  const mock = await serve(SHIPPED);
  const challengeFor = async (authorization: string) =>
    (await ask(mock, 'GET /pets', undefined, { authorization })).headers.get('www-authenticate');
  expect(await challengeFor('')).toBe('Bearer realm="mock"');
  expect(await challengeFor('Basic bWU6b3RoZXI=')).toBe('Bearer realm="mock"');
  expect(await challengeFor('Bearer other')).toBe('Bearer realm="mock", error="invalid_token"');
});

test("keys of one's own take the place of the built-in one", async () => {
  const mock = await serve(SHIPPED, { apiKeys: ['first', 'second', 'dritter-Schlüssel'] });
  const statusFor = async (key: string) =>
    (await ask(mock, 'GET /pets', undefined, { authorization: `Bearer ${key}` })).status;
  // Header values are bytes: clients with UTF-8 send these for the third key.
  const bytes = Buffer.from('dritter-Schlüssel').toString('latin1');
  expect(await Promise.all(['first', 'second', bytes, KEY, 'firstsecond'].map(statusFor))).toEqual([
    200, 200, 200, 401, 401,
  ]);
});

test('any key means any that is not empty', async () => {
  const mock = await serve(SHIPPED, { apiKeys: 'any' });
  expect((await ask(mock, 'GET /pets', undefined, { authorization: 'Bearer x' })).status).toBe(200);
  expect((await ask(mock, 'GET /pets', undefined, { authorization: 'Bearer ' })).status).toBe(401);
});

test('a key that no header could carry is a mistake of the caller', async () => {
  await expect(serve(SHIPPED, { apiKeys: [''] })).rejects.toThrow('1 to 256 bytes');
  await expect(serve(SHIPPED, { apiKeys: ['k'.repeat(257)] })).rejects.toThrow('1 to 256 bytes');
});

test('a key in a header for some operations, in the query for others', async () => {
  const mock = await serve(fixture('tide-gauges.yaml'));
  const without = { authorization: '' };
  const statusOf = async (line: string, headers = {}) =>
    (await ask(mock, line, undefined, { ...without, ...headers })).status;
  expect(await statusOf('GET /gauges', { 'X-Gauge-Key': KEY })).toBe(200);
  expect(await statusOf('GET /gauges', { 'X-Gauge-Key': 'other' })).toBe(401);
  expect(await statusOf(`GET /gauges?token=${KEY}`)).toBe(401);
  expect(await statusOf(`GET /levels?token=${KEY}`)).toBe(200);
  expect(await statusOf('GET /levels?token=other')).toBe(401);
  expect(await statusOf('GET /levels', { 'X-Gauge-Key': KEY })).toBe(401);
});

describe('security requirements', () => {
  const document = (security: unknown) =>
    documentOf(
      {
        '/notes': {
          get: { responses: { 200: { description: 'Notes' } }, ...(security ? { security } : {}) },
        },
      },
      {
        components: {
          securitySchemes: {
            basic: { type: 'http', scheme: 'basic' },
            cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
            header: { type: 'apiKey', in: 'header', name: 'X-Key' },
            oauth: { type: 'oauth2', flows: {} },
            openId: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example/.well-known' },
          },
        },
      },
    );
  const basic = (pair: string) => ({ authorization: `Basic ${btoa(pair)}` });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  test.each([
    ['none is documented', { security: undefined, headers: {}, want: 200 }],
    ['an empty list lifts them', { security: [], headers: {}, want: 200 }],
    ['an empty alternative makes them optional', { security: [{ basic: [] }, {}], headers: {}, want: 200 }],
    ['basic: the key is the password', { security: [{ basic: [] }], headers: basic(`me:${KEY}`), want: 200 }],
    ['basic: the key is the user', { security: [{ basic: [] }], headers: basic(`${KEY}:`), want: 200 }],
    ['basic: another pair', { security: [{ basic: [] }], headers: basic('me:other'), want: 401 }],
    ['basic: no pair', { security: [{ basic: [] }], headers: basic(KEY), want: 401 }],
    ['a cookie', { security: [{ cookie: [] }], headers: { cookie: `a=b; sid=${KEY}` }, want: 200 }],
    ['another cookie', { security: [{ cookie: [] }], headers: { cookie: `side=${KEY}` }, want: 401 }],
    [
      'one of two that are needed together',
      { security: [{ header: [], cookie: [] }], headers: { 'x-key': KEY }, want: 401 },
    ],
    [
      'both that are needed together',
      { security: [{ header: [], cookie: [] }], headers: { 'x-key': KEY, cookie: `sid=${KEY}` }, want: 200 },
    ],
    [
      'the second alternative',
      { security: [{ header: [] }, { cookie: [] }], headers: { cookie: `sid=${KEY}` }, want: 200 },
    ],
    [
      'one of each alternative',
      {
        security: [
          { header: [], cookie: [] },
          { header: [], basic: [] },
        ],
        headers: { 'x-key': KEY },
        want: 401,
      },
    ],
    [
      'a wrong one beside the right one',
      { security: [{ header: [], cookie: [] }], headers: { 'x-key': KEY, cookie: 'sid=other' }, want: 401 },
    ],
    [
      'a wrong one of another alternative',
      {
        security: [{ header: [] }, { cookie: [] }],
        headers: { 'x-key': KEY, cookie: 'sid=other' },
        want: 200,
      },
    ],
    ['OAuth 2.0 as bearer', { security: [{ oauth: ['read'] }], headers: bearer(KEY), want: 200 }],
    ['OpenID Connect as bearer', { security: [{ openId: [] }], headers: bearer(KEY), want: 200 }],
    ['OpenID Connect, not as basic', { security: [{ openId: [] }], headers: basic(`me:${KEY}`), want: 401 }],
    [
      'one token for two schemes',
      { security: [{ oauth: ['read'], openId: [] }], headers: bearer(KEY), want: 200 },
    ],
    ['bearer or basic', { security: [{ oauth: [] }, { basic: [] }], headers: basic(`me:${KEY}`), want: 200 }],
  ])('%s', async (_, { security, headers, want }) => {
    const mock = await serveText(document(security));
    const { status, headers: answered } = await ask(mock, 'GET /notes', undefined, {
      authorization: '',
      ...headers,
    });
    expect(status).toBe(want);
    expect(answered.has('www-authenticate')).toBe(want === 401);
  });

  const challenged = async (security: unknown, headers: Readonly<Record<string, string>>) => {
    const mock = await serveText(document(security));
    const answered = await ask(mock, 'GET /notes', undefined, { authorization: '', ...headers });
    return { challenge: answered.headers.get('www-authenticate'), body: answered.body };
  };

  test('RFC 9110: a 401 has a challenge for each scheme', async () => {
    const security = [{ oauth: [] }, { basic: [], cookie: [] }, { openId: [] }];
    const [bearing, others] = [
      'Bearer realm="mock"',
      'Basic realm="mock", charset="UTF-8", ApiKey realm="mock", in="cookie", name="sid"',
    ];
    expect(await challenged(security, {})).toMatchObject({ challenge: `${bearing}, ${others}` });
    expect(await challenged(security, basic('me:other'))).toMatchObject({
      challenge: `${bearing}, ${others}`,
    });
    expect(await challenged(security, bearer('other'))).toMatchObject({
      challenge: `${bearing}, error="invalid_token", ${others}`,
    });
  });

  test('a missing credential and a wrong one have different messages', async () => {
    const security = [{ header: [], cookie: [] }, { oauth: [] }];
    const ways =
      'Send an API key as the header x-key together with the cookie sid, or a bearer credential (Authorization: Bearer <API_KEY>).';
    const notices = async (headers: Readonly<Record<string, string>>) =>
      JSON.stringify((await challenged(security, headers)).body);
    expect(await notices({})).toContain(`The credential is missing. ${ways}`);
    expect(await notices({ 'x-key': KEY })).toContain(
      `A credential is missing beside the one that was sent. ${ways}`,
    );
    expect(await notices({ 'x-key': KEY, cookie: 'sid=x' })).toContain('The credential is not valid.');
    expect(await notices({ 'x-key': 'x' })).toContain('The credential is not valid.');
  });
});

/** An unsigned JSON Web Token with these claims (RFC 7519 §6). */
const tokenWith = (claims: object) =>
  [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
  '.';

describe('credentials of security schemes', () => {
  const notes = documentOf(
    {
      '/notes': {
        get: { security: [{ staff: [] }], responses: { 200: { description: 'Notes' } } },
        put: { security: [{ partner: [] }], responses: { 200: { description: 'Notes' } } },
        post: {
          security: [{ accounts: ['notes:read', 'notes:write'] }],
          responses: { 200: { description: 'Note' } },
        },
        delete: {
          security: [{ accounts: ['notes:delete'] }, { staff: [] }],
          responses: { 204: { description: 'Gone' } },
        },
      },
    },
    {
      components: {
        securitySchemes: {
          staff: { type: 'http', scheme: 'bearer' },
          partner: { type: 'http', scheme: 'bearer' },
          accounts: { type: 'oauth2', flows: {} },
        },
      },
    },
  );

  test('a scheme with a credential of its own accepts that one alone', async () => {
    const credentials = { staff: 'staff-1', partner: 'partner-2' };
    const mock = await serveText(notes, { credentials });
    const statusOf = async (line: string, key: string) =>
      (await ask(mock, line, undefined, { authorization: `Bearer ${key}` })).status;
    expect(await statusOf('GET /notes', 'staff-1')).toBe(200);
    expect(await statusOf('GET /notes', 'partner-2')).toBe(401);
    expect(await statusOf('GET /notes', KEY)).toBe(401);
    expect(await statusOf('PUT /notes', 'partner-2')).toBe(200);
    expect(await statusOf('PUT /notes', 'staff-1')).toBe(401);
    // The scheme without its own credentials accepts the shared keys.
    expect(await statusOf('POST /notes', KEY)).toBe(200);
    expect(await statusOf('POST /notes', 'staff-1')).toBe(401);
  });

  test('a scheme that the document lacks is a mistake of the caller', async () => {
    await expect(serveText(notes, { credentials: { guests: 'guest-3' } })).rejects.toThrow(
      'no security scheme "guests"; it has staff, partner, accounts',
    );
  });

  test.for<[string, object, number, number]>([
    ['all scopes as a text', { scope: 'notes:write other notes:read' }, 200, 403],
    ['all scopes as a list', { scp: ['notes:read', 'notes:write'] }, 200, 403],
    ['another one', { scope: 'notes:delete' }, 403, 204],
    ['a part of them', { scope: 'notes:read' }, 403, 403],
    ['none at all', { scope: '' }, 403, 403],
    ['no claim of that name', { sub: 'ann' }, 200, 204],
  ])('RFC 6750: a token that names %s', async ([, claims, posted, deleted]) => {
    const token = tokenWith(claims);
    const mock = await serveText(notes, { apiKeys: [token], credentials: { staff: 'staff-1' } });
    const authorization = `Bearer ${token}`;
    const { status, headers } = await ask(mock, 'POST /notes', undefined, { authorization });
    expect(status).toBe(posted);
    if (posted === 403)
      expect(headers.get('www-authenticate')).toBe(
        'Bearer realm="mock", error="insufficient_scope", scope="notes:read notes:write"',
      );
    expect((await ask(mock, 'DELETE /notes', undefined, { authorization })).status).toBe(deleted);
    // The other alternative requires no scope.
    const staff = { authorization: 'Bearer staff-1' };
    expect((await ask(mock, 'DELETE /notes', undefined, staff)).status).toBe(204);
  });
});

test('a key in Authorization may have a scheme before it, as descriptions ask for', async () => {
  const done = { responses: { 200: { description: 'Done' } } };
  const securitySchemes = { token: { type: 'apiKey', in: 'header', name: 'Authorization' } };
  const paths = { '/things': { get: { security: [{ token: [] }], ...done } } };
  const mock = await serveText(documentOf(paths, { components: { securitySchemes } }));
  const statusFor = async (authorization: string) =>
    (await ask(mock, 'GET /things', undefined, { authorization })).status;
  expect(await statusFor(KEY)).toBe(200);
  expect(await statusFor(`Token ${KEY}`)).toBe(200);
  expect(await statusFor(`Token ${KEY}x`)).toBe(401);
});
