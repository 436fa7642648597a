import { createReadStream } from 'node:fs';
import { createUnzip } from 'node:zlib';
import { HarError } from './har-error.ts';

const CHUNK_BYTES = 2 ** 18;

const EXPORT_IT =
  'export one with "Save all as HAR" of a browser, recordHar of Playwright, or hardump of mitmproxy';

/** What files are that are no JSON, by how they begin, and what to do. */
const OTHER_FILES: readonly (readonly [begin: RegExp, what: string])[] = [
  [/^PK/, 'it is a zip archive: unpack it, and give the .har in it, with the files beside it as they are'],
  [
    /^\d+:\d+:/,
    'it is a flow file of mitmproxy: mitmdump -nr FILE --set hardump=traffic.har makes a HAR of it',
  ],
  [/^(?:\xff\xfe|\xfe\xff)/, 'it is UTF-16: save it as UTF-8, which JSON is'],
  [/^\s*</, `it is HTML or XML, no JSON: ${EXPORT_IT}`],
];

/** The bytes of a HAR, unpacked if they are gzip'd or deflated (`.zhar` of mitmproxy), without a byte order mark. */
export async function* openSource(
  source: string | AsyncIterable<Uint8Array | string>,
  name: string,
): AsyncIterable<Buffer> {
  let isFirst = true;
  for await (const chunk of unpacked(chunksOf(source), name)) {
    if (!isFirst) {
      yield chunk;
      continue;
    }
    isFirst = false;
    const start = chunk.subarray(0, 64).toString('latin1');
    const isMarked = start.startsWith('\xef\xbb\xbf');
    const text = isMarked ? start.slice(3) : start;
    const other = OTHER_FILES.find(([begin]) => begin.test(text));
    if (other) throw new HarError(`${name} is no HAR: ${other[1]}`);
    if (/^\s*[^\s{]/.test(text))
      throw new HarError(`${name} is no HAR, which is a JSON object: ${EXPORT_IT}`);
    yield isMarked ? chunk.subarray(3) : chunk;
  }
  if (isFirst) throw new HarError(`${name} is no HAR: it is empty; ${EXPORT_IT}`);
}

/** What a JSON object without `log.entries` is told. */
export function noEntries(name: string): HarError {
  return new HarError(`${name} is no HAR: it has no list of entries at log.entries; ${EXPORT_IT}`);
}

function chunksOf(source: string | AsyncIterable<Uint8Array | string>): AsyncIterable<Uint8Array | string> {
  return typeof source === 'string' ? createReadStream(source, { highWaterMark: CHUNK_BYTES }) : source;
}

async function* unpacked(source: AsyncIterable<Uint8Array | string>, name: string): AsyncIterable<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    const first = await nextChunk(chunks);
    if (!first) return;
    if (!isPacked(first)) {
      yield first;
      for (let chunk = await nextChunk(chunks); chunk; chunk = await nextChunk(chunks)) yield chunk;
      return;
    }
    yield* unzip(first, chunks);
  } catch (error) {
    if (error instanceof HarError) throw error;
    throw new HarError(`${name} cannot be read: ${(error as Error).message}`);
  } finally {
    await chunks.return?.();
  }
}

/** gzip (RFC 1952) or zlib (RFC 1950); JSON begins with neither. */
function isPacked([first, second]: Buffer): boolean {
  return (first === 0x1f && second === 0x8b) || (first === 0x78 && (0x7800 + (second ?? 0)) % 31 === 0);
}

async function* unzip(first: Buffer, chunks: AsyncIterator<Uint8Array | string>): AsyncIterable<Buffer> {
  const unpacker = createUnzip({ chunkSize: CHUNK_BYTES });
  const feeding = (async () => {
    for (let chunk: Buffer | undefined = first; chunk; chunk = await nextChunk(chunks)) {
      if (!unpacker.write(chunk)) await new Promise((resolve) => unpacker.once('drain', resolve));
    }
    unpacker.end();
  })();
  feeding.catch((error) => unpacker.destroy(error));
  yield* unpacker;
  await feeding;
}

/** The next one that is not empty. */
async function nextChunk(chunks: AsyncIterator<Uint8Array | string>): Promise<Buffer | undefined> {
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) return undefined;
    if (value.length > 0) return typeof value === 'string' ? Buffer.from(value) : asBuffer(value);
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
