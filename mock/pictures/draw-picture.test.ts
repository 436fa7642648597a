import { crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pictureAddress, pictureAt, type WantedPicture } from './address.ts';
import { drawPicture } from './draw-picture.ts';

function drawn(picture: WantedPicture) {
  const found = pictureAt(new URL(pictureAddress(picture)).pathname);
  if (!found) throw new Error('its own address has no picture');
  return drawPicture(found).body;
}

/** The chunks of a PNG by name, each checked. */
function chunksOf(file: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const body = file.subarray(at + 4, at + 8 + length);
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4));
    at += 12 + length;
  }
  return chunks;
}

test.each([
  ['image', 40, 30],
  ['image', 1, 1],
  ['image', 300, 7],
  ['avatar', 64, 64],
] as const)('a PNG of an %s is whole: %d by %d', (kind, width, height) => {
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    const chunks = chunksOf(Buffer.from(drawn({ kind, key, width, height, type: 'png' }) as Uint8Array));
    expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
    expect(chunks.get('IHDR')?.readUInt32BE(0)).toBe(width);
    expect(chunks.get('IHDR')?.readUInt32BE(4)).toBe(height);
    expect(inflateSync(chunks.get('IDAT') as Buffer)).toHaveLength((width * 4 + 1) * height);
  }
});

test('a picture follows from its key alone, and is short', () => {
  const keys = Array.from({ length: 50 }, (_, id) => `things/${id}`);
  const made = () => keys.map((key) => drawn({ kind: 'image', key }));
  expect(made()).toEqual(made());
  expect(new Set(made()).size).toBe(50);
  for (const text of made()) expect(text.length).toBeLessThan(1500);
});

test('a label is text, whatever it holds', () => {
  const label = '<script>"&\u0007\ud800';
  expect(drawn({ kind: 'image', key: 'a', label })).toContain('>&#60;script&#62;&#34;&#38;\ufffd</text>');
  expect(drawn({ kind: 'avatar', key: 'a', label: 'ada king lovelace' })).toContain('>AL</text>');
  expect(drawn({ kind: 'avatar', key: 'a' })).not.toContain('<text');
});
