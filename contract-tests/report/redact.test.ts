import { expect, test } from 'vitest';
import { createRedactor } from './redact.ts';

const apiKey = 'k3y/with+odd"chars=';
const redact = createRedactor({
  apiKey,
  headers: [
    ['X-Tenant', 'acme'],
    ['X-Gateway-Token', 'gw-5ecret'],
  ],
});

test.for([
  ['plain', apiKey],
  ['percent-encoded', encodeURIComponent(apiKey)],
  ['in JSON', JSON.stringify({ apiKey })],
  ['base64', Buffer.from(apiKey).toString('base64')],
  ['base64url', Buffer.from(apiKey).toString('base64url')],
  ['hex', Buffer.from(apiKey).toString('hex')],
  ['in the base64 of a longer text', Buffer.from(`user:${apiKey}`).toString('base64')],
  ['a token header', 'gw-5ecret'],
] as const)('a credential is taken out: %s', ([, text]) => {
  const redacted = redact(`before ${text} after`);
  expect(redacted).toContain('[redacted]');
  expect(redacted).not.toContain(text);
});

test('what is no secret stays', () => {
  expect(redact('tenant acme says k3y')).toBe('tenant acme says k3y');
});
