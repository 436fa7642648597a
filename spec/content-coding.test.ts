import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeContent } from './content-coding.ts';

const text = Buffer.from('[1,2,3]');
// RFC 8878 §3.1.2: a frame that decoders must skip.
const SKIPPED = Buffer.of(0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 7);

test('zstd has any number of frames', () => {
  const frames = Buffer.concat([SKIPPED, zstdCompressSync(text), zstdCompressSync(text)]);
  expect(decodeContent(frames, 'zstd', 100)).toEqual({ bytes: new Uint8Array(Buffer.concat([text, text])) });
  expect(decodeContent(frames, 'zstd', 10)).toMatchObject({ tooLarge: 'zstd' });
});

test.each([
  [undefined, { bytes: text }],
  ['', { bytes: text }],
  ['identity', { bytes: text }],
  ['constructor', { unknown: 'constructor' }],
  ['gzip, compress', { unknown: 'compress' }],
  ['gzip', { broken: 'gzip' }],
  ['br,br,br,br,br', { tooMany: 5 }],
])('of a plain body with the coding %s', (coding, want) => {
  expect(decodeContent(text, coding, 100)).toMatchObject(want);
});

test('codings are undone from the last to the first', () => {
  const bytes = zstdCompressSync(gzipSync(text));
  expect(decodeContent(bytes, 'gzip , ZSTD', 1000)).toMatchObject({ bytes: text });
});
