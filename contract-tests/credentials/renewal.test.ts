import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createMock } from '#mock';
import { runCheck, runCheckOf, SHIPPED_DOCUMENT } from '../testing/run-check.ts';
import type { CredentialSource } from './source.ts';

const KEY = 'key-of-the-mock-behind';
const SECRET = 'secret-of-the-client';

interface Gate {
  /** How long a token is good, in milliseconds. */
  readonly lasts?: number;
  /** For how many requests it is good. */
  readonly uses?: number;
  /** What the answer says of that, in seconds. */
  readonly says?: number;
  /** So many tokens are issued, and no more. */
  readonly most?: number;
}

/** A mock behind a gate that issues tokens and takes none but them; `asked` are the requests for tokens. */
async function gated({ lasts = 60_000, says, most = Number.POSITIVE_INFINITY, ...gate }: Gate = {}) {
  const { uses = Number.POSITIVE_INFINITY } = gate;
  const used = new Map<string, number>();
  const mock = await createMock({ document: SHIPPED_DOCUMENT, port: false, apiKeys: [KEY] });
  const good = new Map<string, number>();
  const asked: { authorization: string | null; body: string }[] = [];
  const json = (status: number, body: unknown, headers = {}) =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });
  return {
    asked,
    target: mock.url,
    async fetch(url: URL, init: RequestInit): Promise<Response> {
      const headers = new Headers(init.headers);
      if (/\/(?:token|login)$/.test(url.pathname)) {
        asked.push({
          authorization: headers.get('authorization'),
          body: await new Response(init.body ?? '').text(),
        });
        if (asked.length > most) return json(400, { error: 'invalid_grant', error_description: 'no more' });
        const token = `token-${asked.length}-${'x'.repeat(20)}`;
        good.set(token, performance.now() + lasts);
        const body = { access_token: token, token_type: 'Bearer', ...(says && { expires_in: says }) };
        return json(200, body, {
          'set-cookie': `session=${token}; Path=/; HttpOnly`,
          'x-token': `Bearer ${token}`,
        });
      }
      const [, token = ''] = /^Bearer (.*)$/.exec(headers.get('authorization') ?? '') ?? [];
      used.set(token, (used.get(token) ?? 0) + 1);
      const isGood = (good.get(token) ?? 0) > performance.now() && (used.get(token) ?? 0) <= uses;
      headers.set('authorization', isGood ? `Bearer ${KEY}` : 'Bearer none');
      return mock.fetch(new Request(url, { ...init, headers }));
    },
    async check(source: CredentialSource, more = {}) {
      const report = await runCheck({
        ...{
          target: mock.url,
          fetch: this.fetch,
          credentials: { bearer: source },
          settle: 0,
          examples: 2,
          only: '^listPets/',
        },
        ...more,
      });
      await mock.close();
      return report;
    },
  };
}

const GRANT = {
  grant: 'client_credentials',
  tokenUrl: 'token',
  clientId: 'paddock',
  clientSecret: SECRET,
} as const;

test.for([
  ['client credentials, Basic', GRANT, 'grant_type=client_credentials'],
  [
    'client credentials in the body',
    { ...GRANT, clientAuth: 'body', scope: 'pets', parameters: { audience: 'api' } },
    `grant_type=client_credentials&audience=api&scope=pets&client_id=paddock&client_secret=${SECRET}`,
  ],
  [
    'a password',
    { ...GRANT, grant: 'password', username: 'ann', password: 'pass word' },
    'grant_type=password&username=ann&password=pass+word',
  ],
  [
    'a refresh token',
    { ...GRANT, grant: 'refresh_token', refreshToken: 'r-1' },
    'grant_type=refresh_token&refresh_token=r-1',
  ],
] as const)('OAuth 2: %s', async ([, source, body]) => {
  const service = await gated();
  const report = await service.check(source);
  expect(report).toMatchObject({ verdict: 'holds' });
  const basic = 'clientAuth' in source ? null : `Basic ${btoa(`paddock:${SECRET}`)}`;
  expect(service.asked).toEqual([{ authorization: basic, body }]);
});

test.for([
  ['a member of the body', { body: '/access_token' }],
  ['a header', { header: 'X-Token' }],
  ['a cookie', { cookie: 'session' }],
] as const)('a login whose credential is %s', async ([, take]) => {
  const service = await gated();
  const source = { login: 'POST /login', body: { user: 'ann', password: { env: 'HOME' } }, take };
  expect(await service.check(source)).toMatchObject({ verdict: 'holds' });
  expect(service.asked).toHaveLength(1);
  expect(JSON.parse(service.asked[0]?.body ?? '')).toEqual({ user: 'ann', password: process.env.HOME });
});

test('a function is asked again with what is refused, and the requests that wait share its answer', async () => {
  const service = await gated({ uses: 20 });
  const former: (string | undefined)[] = [];
  const report = await service.check(async (request) => {
    former.push(request.former);
    const response = await service.fetch(new URL(`${service.target}/token`), { method: 'POST' });
    return ((await response.json()) as { access_token: string }).access_token;
  });
  expect(report).toMatchObject({ verdict: 'holds', reason: undefined });
  expect(former.length).toBeGreaterThan(1);
  expect(former.length).toBeLessThan(report.totals.requests / 4);
  expect(former[0]).toBeUndefined();
  expect(new Set(former).size).toBe(former.length);
  expect(JSON.stringify(report)).not.toMatch(/token-\d+-xxx/);
});

test('a token is renewed before its end, so that no request is refused for it', async () => {
  const service = await gated({ lasts: 1000, says: 1 });
  const report = await service.check(GRANT, { rate: 60, recordExchanges: true });
  expect(report).toMatchObject({ verdict: 'holds' });
  expect(service.asked.length).toBeGreaterThan(1);
  expect(JSON.stringify(report)).not.toMatch(new RegExp(`token-\\d+-xxx|${SECRET}`));
});

test.for([1, 0])('without a further token there is no verdict: %s tokens', async (most) => {
  const service = await gated({ uses: 20, most });
  const report = await service.check(GRANT);
  expect(report).toMatchObject({ verdict: 'no verdict', exitCode: 3 });
  expect(report.reason).toMatch(
    /^the credential of bearer cannot be obtained: http.*\/token answers 400: invalid_grant: no more$/,
  );
});

test('a command gives its first line, and one that fails says why', async () => {
  const report = await runCheck({
    target: 'http://127.0.0.1:1/v1',
    fetch: async () => new Response('no'),
    credentials: { bearer: { command: 'echo nobody is logged in >&2; exit 4' } },
  });
  expect(report).toMatchObject({ verdict: 'no verdict', exitCode: 3 });
  expect(report.reason).toContain('failed (exit code 4): nobody is logged in');
  const mock = await createMock({ document: SHIPPED_DOCUMENT, port: false, apiKeys: [KEY] });
  const { target, fetch } = {
    target: mock.url,
    fetch: (url: URL, init: RequestInit) => mock.fetch(new Request(url, init)),
  };
  const credentials = { bearer: { command: `printf '%s\\nmore' ${KEY}` } };
  expect(await runCheck({ target, fetch, credentials, settle: 0, examples: 0 })).toMatchObject({
    verdict: 'holds',
  });
  await mock.close();
});

test.for([
  [{ grant: 'code' }, 'bearer: its grant is not of the right form'],
  [{ grant: 'password', username: 'a' }, 'bearer: it needs password'],
  [{ login: 'POST /login' }, 'bearer: it needs take'],
  [{ comand: 'x' }, 'bearer: it must be a text, a function, or have one of env, command, grant, login'],
  [{ command: 'x', tokenUrl: 'y' }, 'bearer: "tokenUrl" is none of command, expiresIn'],
  [
    { env: 'PADDOCK_NO_SUCH' },
    'bearer: the environment variable PADDOCK_NO_SUCH, which it names, is not set',
  ],
] as const)('a source that cannot be used is refused: %j', async ([source, message]) => {
  const options = { target: 'http://127.0.0.1:1/v1', credentials: { bearer: source as never } };
  await expect(runCheck(options)).rejects.toThrow(message);
});

test('a secret goes nowhere in the clear', async () => {
  const report = await runCheck({
    target: 'http://127.0.0.1:1/v1',
    fetch: async () => new Response('no'),
    credentials: { bearer: { ...GRANT, tokenUrl: 'http://id.example/token' } },
  });
  expect(report.reason).toContain('http://id.example/token is not https: a secret is not sent there');
});

test('a secret goes to another origin than the target after a notice, or where the source names the URL', async () => {
  const happened: string[] = [];
  const issuer = createServer((_, response) => {
    happened.push('requested');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ access_token: 'token-of-the-issuer', token_type: 'Bearer' }));
  });
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
  const tokenUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/token`;
  const document = {
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    security: [{ oauth: [] }],
    paths: { '/things': { get: { responses: { 200: { description: 'OK' } } } } },
    components: {
      securitySchemes: { oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: {} } } } },
    },
  };
  const of = (source: object) =>
    runCheckOf(document, {
      fetch: async () => new Response(null, { status: 200 }),
      notice: (text) => happened.push(text),
      credentials: { oauth: { grant: 'client_credentials', clientId: 'a', ...source } as CredentialSource },
    });
  await of({});
  expect(happened).toEqual([expect.stringContaining(tokenUrl), 'requested']);
  await of({ tokenUrl });
  expect(happened.slice(2)).toEqual(['requested']);
  await new Promise((resolve) => issuer.close(resolve));
});
