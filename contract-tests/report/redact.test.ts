import { expect, test } from 'vitest';
import { createIssuedRedactor, createRedactor } from './redact.ts';

const apiKey = 'k3y/with+odd"chars=';
const redact = createRedactor({
  apiKey,
  callbackUrl: new URL('https://ann:h4rbour-77@host/calls?token=t0ken-of-calls'),
  headers: [
    ['X-Tenant', 'acme'],
    ['X-Gateway-Token', 'gw-5ecret'],
    ['Cookie', 'Bearer s3ssion-id'],
  ],
});
const each = (spell: (character: string) => string) => [...apiKey].map(spell).join('');

test.for([
  ['plain', apiKey],
  ['in the other case', apiKey.toUpperCase()],
  ['percent-encoded', encodeURIComponent(apiKey)],
  ['percent-encoded throughout', each((sign) => `%${sign.charCodeAt(0).toString(16)}`)],
  ['percent-encoded here and there', 'k%33y/wit%68+odd%22chars='],
  ['in JSON', JSON.stringify(apiKey).slice(1, -1)],
  ['in JSON, escaped throughout', each((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)],
  ['in HTML', apiKey.replace('"', '&quot;')],
  ['in HTML, escaped throughout', each((sign) => `&#${sign.charCodeAt(0)};`)],
  ['hex', Buffer.from(apiKey).toString('hex')],
  ['a token header', 'gw-5ecret'],
  ['the credential of a header, without its scheme', 's3ssion-id'],
  ['a near miss', apiKey.slice(0, -1)],
  ['the password of the address for callbacks', 'h4rbour-77'],
  ['a token in the address for callbacks', 't0ken-of-calls'],
] as const)('a credential is taken out: %s', ([, text]) => {
  expect(redact(`before ${text} after`)).toMatch(/^before \[redacted\]=? after$/);
});

test.for([
  ['', ''],
  ['', ' and more'],
  ['u:', ''],
  ['u:', ' and more'],
  ['Bearer ', ' and more'],
] as const)('base64 of a longer text, "%s" before and "%s" behind', ([before, behind]) => {
  for (const encoding of ['base64', 'base64url'] as const) {
    const text = Buffer.from(before + apiKey + behind).toString(encoding);
    const left = redact(text).split('[redacted]');
    expect(left).toHaveLength(2);
    // A character at each end of the core holds bits of the neighbours, too.
    const known = Buffer.from(left.join('····'), encoding).toString('latin1');
    expect(known).not.toContain(apiKey.slice(0, 4));
    expect(known).not.toContain(apiKey.slice(-4));
  }
});

test('the beginning of a credential before a cut is redacted', () => {
  for (let length = 4; length < apiKey.length; length++) {
    expect(redact(`says ${apiKey.slice(0, length)}… (300 characters)`)).toBe(
      'says [redacted]… (300 characters)',
    );
  }
  const encoded = Buffer.from(apiKey).toString('base64');
  expect(redact(`${encoded.slice(0, 9)}…`)).toBe('[redacted]…');
});

test('the password of `user:password` is redacted by itself', () => {
  const basic = createRedactor({ apiKey: 'admin:hunter22', headers: [] });
  expect(basic('admin said hunter22')).toBe('admin said [redacted]');
});

test('the user is redacted by itself where there is no password', () => {
  const basic = createRedactor({ apiKey: 'sk-live-4242:', headers: [] });
  expect(basic('sk-live-4242 has called')).toBe('[redacted] has called');
  expect(basic(`Basic ${Buffer.from('sk-live-4242:').toString('base64')}`)).not.toContain('c2stbGl2ZS00');
});

test('the credential of each security scheme is redacted, and near misses of it', () => {
  const credentials = { keeper: 'ida:harbour-17', branch: 'branch-Lm5' };
  const redactEach = createRedactor({ apiKey: undefined, credentials, headers: [] });
  expect(redactEach('ida came with harbour-17, or harbour-1 and Harbour-17x, to branch-Lm5')).toBe(
    'ida came with [redacted], or [redacted] and [redacted], to [redacted]',
  );
  expect(redactEach(`sid=${encodeURIComponent('ida:harbour-17')}`)).toBe('sid=[redacted]');
});

test('a credential of any length is redacted, in any spelling', () => {
  const cookie = Array.from({ length: 5000 }, (_, at) => `<${at}`).join('');
  const long = createRedactor({ apiKey: undefined, headers: [['cookie', cookie]] });
  const spelled = JSON.stringify(cookie).replaceAll('<', '\\u003c');
  for (const text of [cookie, spelled, encodeURIComponent(cookie)])
    expect(long(`before ${text} after`)).toMatch(/^before "?(?:\[redacted\])+"? after$/);
});

test('ordinary text stays', () => {
  expect(redact('tenant acme says k3y')).toBe('tenant acme says k3y');
  expect(createRedactor({ apiKey: 'x', headers: [] })('the text of box x')).toBe(
    'the text of box [redacted]',
  );
  expect(createRedactor({ apiKey: undefined, headers: [] })('nothing…')).toBe('nothing…');
});

test('what stands in any JSON is no credential, whatever header of the target has it', () => {
  const shown = createIssuedRedactor([['X-Auth-Token', 'true']]);
  expect(shown('{"required": true}')).toBe('{"required": true}');
});
