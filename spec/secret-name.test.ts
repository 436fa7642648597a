import { expect, test } from 'vitest';
import { isSecretHeader, isSecretName, secretsIn } from './secret-name.ts';

test.for([
  'Authorization',
  'authorization',
  'Proxy-Authorization',
  'X-Forwarded-Authorization',
  'Cookie',
  'Set-Cookie',
  'X-Api-Key',
  'Api-Key',
  'apikey',
  'X-Auth-Token',
  'X-Amz-Security-Token',
  'X-Hub-Signature-256',
  'X-Session-Id',
  'X-Functions-Key',
  'Ocp-Apim-Subscription-Key',
  'X-RapidAPI-Key',
  'X-Client-Secret',
  'X-User-Password',
  'X-CSRFToken',
  'X-Credential',
  'DPoP',
])('the header %s is secret', (name) => {
  expect(isSecretHeader(name)).toBe(true);
  expect(isSecretHeader(name.toLowerCase())).toBe(true);
});

test.for([
  'Accept',
  'Content-Type',
  'Author',
  'X-Authority',
  ':authority',
  'WWW-Authenticate',
  'Proxy-Authenticate',
  'Idempotency-Key',
  'Sec-WebSocket-Key',
  'Surrogate-Key',
  'X-Next-Page-Token',
  'X-WebSocketish',
  'Paddock-Session',
  'X-Keyboard',
  'X-Tenant',
  'ETag',
  'X-Request-Id',
])('the header %s is no secret', (name) => {
  expect(isSecretHeader(name)).toBe(false);
});

test.for([
  'access_token',
  'accessToken',
  'api_key',
  'apiKey',
  'subscription-key',
  'client_secret',
  'userPassword',
  'PHPSESSID',
  'JSESSIONID',
  'X-Amz-Signature',
  'sig',
  'cardNumber',
  'customerSsn',
  'otp',
  'authorization',
])('the member or parameter %s is secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.for([
  'author',
  'authorName',
  'key',
  'sortKey',
  'pageToken',
  'next_token',
  'max_tokens',
  'businessName',
  'className',
  'shipping',
  'design',
  'assignee',
  'compass',
  'limit',
])('the member or parameter %s is no secret', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test.for([
  ['Authorization', 'Bearer abc', ['Bearer abc', 'abc']],
  ['Authorization', `Basic ${btoa('ann:harbour')}`, ['Basic YW5uOmhhcmJvdXI=', 'ann:harbour', 'harbour']],
  ['Cookie', 'what=what; sid=two; b=12345678', ['two', '12345678']],
  ['Set-Cookie', 'token=one; Path=/', ['one']],
  ['X-Api-Key', 'k1', ['k1']],
  ['X-Secret-Question', 'what is your name', ['what is your name']],
] as const)('%s: %s may be repeated as %j', ([name, value, secrets]) => {
  expect(secretsIn(name, value)).toEqual(expect.arrayContaining([...secrets]));
  for (const secret of secretsIn(name, value))
    expect(secret).not.toMatch(/^(?:Bearer|Basic|what|is|Path.*)$/);
});
