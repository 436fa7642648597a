import { expect, test } from 'vitest';
import { schemaInUse } from '../testing/contract-of.ts';

test('no format is slow for any text', async () => {
  const names =
    'uri uri-reference uri-template email hostname ipv6 date-time time duration uuid json-pointer';
  const formats = [...names.split(' '), 'relative-json-pointer', 'byte', 'regex'];
  const pieces = [
    'a',
    '1',
    ' ',
    'a.',
    '0:',
    'a@',
    '%',
    '%20',
    '/',
    '/~0',
    'a-',
    '{',
    '{a',
    ':',
    "a'",
    'P1Y',
    '-',
  ];
  const starts = ['', 'http://', 'http://a:', 'http://[', 'http://a/', '2020-01-01T00:00:00.', 'a@', 'P'];
  const texts = starts.flatMap((start) =>
    pieces.flatMap((piece) => ['', '!', '^'].map((end) => start + piece.repeat(30_000) + end)),
  );
  const started = performance.now();
  for (const format of formats) {
    const { validate } = await schemaInUse({ format });
    for (const text of texts) validate(text);
  }
  expect(performance.now() - started).toBeLessThan(20_000);
});
