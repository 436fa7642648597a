import { expect, test } from 'vitest';
import { type CredentialSource, plainSecrets, resolveSource } from './source.ts';

const TAKE = { body: '/token' };
const login = (more: object) => ({ login: 'POST /sessions', take: TAKE, ...more });

test.each<[source: unknown, want: string[]]>([
  ['abc', ['its value']],
  [{ env: 'KEY' }, []],
  [{ grant: 'password', clientId: 'a', username: 'ann', password: 'x' }, ['password']],
  [
    { grant: 'client_credentials', clientId: 'a', parameters: { client_secret: 'x', audience: 'b' } },
    ['parameters.client_secret'],
  ],
  [
    { grant: 'client_credentials', clientId: 'a', tokenUrl: 'https://ann:x@login.example/token' },
    ['a part of tokenUrl'],
  ],
  [login({ body: { user: 'ann', password: { env: 'PASSWORD' } } }), []],
  [login({ body: { user: 'ann', password: 'x' } }), ['body.password']],
  [login({ body: { logins: [{ user: 'ann', pin: 1234 }], rememberMe: true } }), ['body.logins.pin']],
  [login({ body: { tokenType: 'opaque', sessionTimeout: 60, password: '' } }), []],
  [login({ form: { user: 'ann', passwd: 'x' } }), ['form.passwd']],
  [login({ headers: { Authorization: 'Basic x', Accept: '*/*' } }), ['headers.Authorization']],
  [login({ login: 'POST /sessions?password=x' }), ['a part of login']],
])('%j holds plain secrets: %j', (source, want) => {
  expect(plainSecrets(source)).toEqual(want);
});

test('what code or a variable gives in the place of a secret is one for reports to leave out', () => {
  const source = login({
    body: { user: 'ann', password: 'of-code', otp: { env: 'OTP' } },
    headers: { 'X-API-Key': 'of-a-header' },
  }) as CredentialSource;
  const { secrets } = resolveSource(source, { OTP: 'of-a-variable' });
  expect(new Set(secrets)).toEqual(new Set(['of-code', 'of-a-variable', 'of-a-header']));
});
