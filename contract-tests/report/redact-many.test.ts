import { expect, test } from 'vitest';
import { createRedactor } from './redact.ts';

const TOKENS = Array.from(
  { length: 300 },
  (_, index) => `eyJhbGciOiJub25lIn0.${index}/${'aB+9'.repeat(50)}.sig${index}`,
);
const redact = createRedactor({ apiKey: undefined, headers: [], renewed: new Set(TOKENS) });

test.for([
  ['as it is', (token: string) => token],
  ['in capitals', (token: string) => token.toUpperCase()],
  ['in a URL', encodeURIComponent],
  ['in base64', (token: string) => btoa(token)],
  ['in JSON', (token: string) => token.replaceAll('/', '\\/')],
] as const)('hundreds of credentials are removed, %s', ([, spell]) => {
  for (const token of [TOKENS[0], TOKENS[150], TOKENS[299]] as string[]) {
    const shown = redact(`one ${spell(token)} and ${spell(token)}.`);
    expect(shown).toMatch(/^one \[redacted\].{0,4} and \[redacted\].{0,4}\.$/);
  }
});

test('one that a text was shortened in, too, and nothing else', () => {
  const [token = ''] = TOKENS;
  expect(redact(`a ${token.slice(0, 40)}… (900 characters)`)).toBe('a [redacted]… (900 characters)');
  expect(redact('eyJhbGciOiJub25lIn0 is no credential, nor is eyJh')).toBe(
    'eyJhbGciOiJub25lIn0 is no credential, nor is eyJh',
  );
  expect(redact('')).toBe('');
});
