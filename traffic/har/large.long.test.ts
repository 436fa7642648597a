import { expect, test } from 'vitest';
import { readHar } from './index.ts';
import { entryOf } from './testing/entries.ts';

/** In bytes; a file of 2 GB takes no more memory, as docs/record-and-play.md says. */
const SIZE = 200 * 2 ** 20;
const BODY = JSON.stringify(
  Array.from({ length: 100 }, (_, id) => ({ id, name: `Pet "${id}"`, note: 'ü'.repeat(40) })),
);
const ENTRY = JSON.stringify(
  entryOf({}, { content: { size: -1, mimeType: 'application/json', text: BODY } }),
  null,
  2,
);

async function* generated(count: number): AsyncIterable<Uint8Array> {
  yield Buffer.from('{"log":{"entries":[');
  const entry = Buffer.from(`${ENTRY},\n`);
  for (let n = 1; n < count; n++) yield entry;
  yield Buffer.from(`${ENTRY}]}}`);
}

test('a file of 200 MB is read in the memory of a few entries', async () => {
  const count = Math.ceil(SIZE / Buffer.byteLength(ENTRY));
  const held = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
  const before = held();
  let most = 0;
  let read = 0;
  let bytes = 0;
  for await (const item of readHar(generated(count))) {
    if ('problem' in item) throw new Error(item.message);
    bytes += item.response?.body.length ?? 0;
    if (++read % 1000 === 0) {
      globalThis.gc?.();
      most = Math.max(most, held() - before);
    }
  }
  expect(read).toBe(count);
  expect(bytes).toBe(count * Buffer.byteLength(BODY));
  // A collapse would hold the file; garbage that waits for its collection is less.
  expect(most).toBeLessThan(SIZE);
});
