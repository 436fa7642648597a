import { expect, test } from 'vitest';
import type { Operation } from '#spec';
import { needingOneOf } from '../testing/needing.ts';
import { type Keys, type Presented, presentAll } from './credentials.ts';
import { refusedCredentials } from './refused-credentials.ts';

const SCHEMES = {
  basic: { kind: 'basic', in: 'header', name: 'authorization' },
  token: { kind: 'bearer', in: 'header', name: 'authorization' },
  raw: { kind: 'apiKey', in: 'header', name: 'authorization' },
  header: { kind: 'apiKey', in: 'header', name: 'x-api-key' },
  query: { kind: 'apiKey', in: 'query', name: 'key' },
  cookie: { kind: 'apiKey', in: 'cookie', name: 'session' },
} as const;

const needing = needingOneOf(SCHEMES);

const namesOf = (operation: Operation, keys: Keys, near = false) =>
  refusedCredentials(operation, keys, near).map(({ name }) => name);

/** What a service compares: user and password decoded, names in lower case, one cookie or parameter each. */
function seenIn({ headers, query }: Presented): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const [name, { text }] of headers) {
    if (name !== 'Cookie') seen[name.toLowerCase()] = decoded(text);
    else for (const pair of text.split('; ')) seen[`cookie ${pair.split('=')[0]}`] = pair;
  }
  for (const [name, { text }] of query) seen[`query ${name}`] = text;
  return seen;
}

function decoded(text: string): string {
  const [, encoded] = /^Basic (.+)$/.exec(text) ?? [];
  return encoded === undefined ? text : `Basic ${Buffer.from(encoded, 'base64')}`;
}

const CREDENTIALS = {
  basic: 'ann:Secret-17',
  token: 'Token-0815',
  raw: 'Raw-4711',
  header: 'Head-22',
  query: 'Query-33',
  cookie: 'Cookie-44',
};

test.for<[string, (keyof typeof SCHEMES)[][]]>([
  ['one scheme', [['basic']]],
  ['alternatives in one header', [['token'], ['basic']]],
  ['a key in Authorization beside a token', [['token'], ['raw']]],
  ['alternatives and combinations', [['token', 'header'], ['basic', 'cookie'], ['query']]],
  ['places where other services take a key', [['token'], ['header'], ['query'], ['cookie']]],
  ['a combination that holds another alternative', [['header'], ['header', 'cookie']]],
])('what is refused satisfies no alternative: %s', ([, security]) => {
  const operation = needing(...security);
  for (const [apiKey, credentials] of [
    [undefined, CREDENTIALS],
    ['one-Key-99', {}],
    ['ann:Secret-17', {}],
    ['ann:', {}],
    ['ann', {}],
  ] as const) {
    const keys = { apiKey, credentials };
    const good = operation.security.map((requirement) =>
      Object.entries(seenIn(presentAll(requirement, keys))),
    );
    const refused = refusedCredentials(operation, keys, true);
    expect(refused.length).toBeGreaterThan(8);
    for (const { name, presented } of refused) {
      const seen = seenIn(presented);
      const satisfied = good.filter((parts) => parts.every(([place, text]) => seen[place] === text));
      expect({ apiKey, name, satisfied }).toEqual({ apiKey, name, satisfied: [] });
    }
    const names = refused.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  }
});

test('of schemes needed together each is sent alone, and wrong beside a good one', () => {
  const keys = { apiKey: undefined, credentials: CREDENTIALS };
  const refused = refusedCredentials(needing(['basic', 'cookie']), keys, false);
  const seen = Object.fromEntries(refused.map(({ name, presented }) => [name, seenIn(presented)]));
  const user = 'Basic ann:Secret-17';
  const cookie = 'session=Cookie-44';
  expect(seen['no-credential']).toEqual({});
  expect(seen['only-cookie']).toEqual({ 'cookie session': cookie });
  expect(seen['only-basic']).toEqual({ authorization: user });
  expect(seen['wrong-key']).toEqual({
    authorization: expect.stringMatching(/^Basic [a-z]{3}:[A-Z][a-z]{5}-?.?\d\d$/),
    'cookie session': cookie,
  });
  expect(seen['wrong-key-cookie']).toMatchObject({ authorization: user });
  expect(seen['empty-key-cookie']).toEqual({ authorization: user, 'cookie session': 'session=' });
});

test('each alternative has its turn', () => {
  const names = namesOf(needing(['token'], ['header']), { apiKey: 'k', credentials: {} });
  expect(names).toEqual(expect.arrayContaining(['no-credential', 'wrong-key', 'wrong-key-header']));
});

test('a part that is an alternative by itself is not refused', () => {
  const names = namesOf(needing(['header'], ['header', 'cookie']), { apiKey: 'k', credentials: {} });
  expect(names).not.toContain('only-header');
  expect(names).toContain('only-cookie');
});

test('near misses of Basic keep the user where there is a password', () => {
  const keys = { apiKey: 'ann:Secret-17', credentials: {} };
  const near = refusedCredentials(needing(['basic']), keys, true).filter(({ name }) =>
    /^key-[^nu]/.test(name),
  );
  const pairs = near.map(({ presented }) => seenIn(presented).authorization);
  expect(pairs).toContain('Basic ann:sECRET-17');
  expect(pairs).toContain('Basic ann:Secret-1');
  expect(pairs.filter((pair) => !pair?.startsWith('Basic ann:'))).toEqual([]);
});
