import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readHar } from './index.ts';
import { entryOf, harOf, readAll, textOf } from './testing/entries.ts';

/** What each tool writes that others do not. */
describe('Chromium', () => {
  test('a decoded body keeps the headers of the compressed one: they are left out', async () => {
    const headers = [
      { name: 'content-encoding', value: 'br' },
      { name: 'content-length', value: '9' },
      { name: 'content-type', value: 'application/json' },
    ];
    const { exchange } = await one(entryOf({}, { headers, content: { size: 12, text: '[{"id": 12}]' } }));
    expect(exchange.response?.headers).toEqual([['content-type', 'application/json']]);
    expect(textOf(exchange.response?.body)).toBe('[{"id": 12}]');
    expect(exchange.remarks).toEqual(['decoded-body']);
    expect(exchange.response?.bodyMissing).toBe(false);
  });

  test('HTTP/2 pseudo headers are no headers, and one with line feeds is several', async () => {
    const { exchange } = await one(
      entryOf(
        {
          headers: [
            { name: ':authority', value: 'api.test' },
            { name: 'accept', value: '*/*' },
          ],
        },
        {
          headers: [
            { name: ':status', value: '200' },
            { name: 'set-cookie', value: 'a=1\nb=2' },
          ],
        },
      ),
    );
    expect(exchange.request.headers).toEqual([['accept', '*/*']]);
    expect(exchange.response?.headers).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
    expect(exchange.remarks).toEqual(['pseudo-headers']);
  });

  test('from the cache, or through a service worker', async () => {
    const cached = await one(entryOf({}, {}, { _fromCache: 'disk' }));
    expect(cached.exchange.remarks).toEqual(['from-cache']);
    const worker = await one(entryOf({}, {}, { _fetchedViaServiceWorker: true }));
    expect(worker.exchange.remarks).toEqual(['service-worker']);
  });

  test('a failed request has no response', async () => {
    const { exchange } = await one(entryOf({}, { status: 0, content: {}, _error: 'net::ERR_FAILED' }));
    expect(exchange.response).toBeUndefined();
    expect(exchange.remarks).toEqual(['no-response']);
  });

  test('a body that was evicted from memory is missing', async () => {
    const { exchange } = await one(entryOf({}, { content: { size: 5000, mimeType: 'application/json' } }));
    expect(exchange.response).toMatchObject({ status: 200, bodyMissing: true });
    expect(exchange.response?.body).toHaveLength(0);
    expect(exchange.remarks).toEqual(['response-body-missing']);
  });

  test('without credentials, as "sanitized" files are', async () => {
    const { exchange } = await one(
      entryOf(
        {
          cookies: [
            { name: 'a', value: '1' },
            { name: 'b', value: '2' },
          ],
        },
        {},
      ),
    );
    expect(exchange.request.headers).toEqual([['cookie', 'a=1; b=2']]);
    expect(exchange.remarks).toEqual(['cookies-only']);
  });
});

describe('Firefox', () => {
  test('a body longer than devtools.netmonitor.responseBodyLimit is cut', async () => {
    const { exchange } = await one(
      entryOf({}, { content: { size: 100, text: '[{"id":1},', comment: 'cut' } }),
    );
    expect(exchange.response?.bodyMissing).toBe(true);
    expect(textOf(exchange.response?.body)).toBe('[{"id":1},');
  });

  test('a form has its parameters, and the text beside them counts', async () => {
    const params = [{ name: 'x', value: 'other' }];
    const form = 'application/x-www-form-urlencoded';
    const { exchange } = await one(
      entryOf({ method: 'POST', bodySize: 7, postData: { mimeType: form, params, text: 'a=1&b=2' } }, {}),
    );
    expect(textOf(exchange.request.body)).toBe('a=1&b=2');
    expect(exchange.remarks).toEqual([]);
  });
});

describe('parameters without text', () => {
  const params = [
    { name: 'name', value: 'Zoë & Co' },
    { name: 'size', value: '2' },
  ];

  test('a form is made of them', async () => {
    const mimeType = 'application/x-www-form-urlencoded';
    const { exchange } = await one(entryOf({ method: 'POST', postData: { mimeType, params } }, {}));
    expect(textOf(exchange.request.body)).toBe('name=Zo%C3%AB+%26+Co&size=2');
    expect(exchange.remarks).toEqual(['form-from-parameters']);
  });

  test('in parts, with the boundary of the header; a file in it is missing', async () => {
    const mimeType = 'multipart/form-data; boundary=XX';
    const file = { name: 'photo', fileName: 'a.png', contentType: 'image/png' };
    const postData = { mimeType, params: [...params, file] };
    const { exchange } = await one(entryOf({ method: 'POST', postData }, {}));
    expect(textOf(exchange.request.body)).toContain(
      '--XX\r\nContent-Disposition: form-data; name="size"\r\n\r\n2\r\n',
    );
    expect(exchange.request.bodyMissing).toBe(true);
  });
});

describe('Playwright', () => {
  test('attached bodies are read from beside the HAR, and from nowhere else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'har-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [read, sent, linked] = ['a1b2', 'c3d4', 'e5f6'].map((text) => `${text.repeat(10)}.json`) as [
      string,
      string,
      string,
    ];
    await writeFile(join(folder, read), '[1]');
    await writeFile(join(folder, sent), '{"name":"a"}');
    await writeFile(join(folder, 'private.json'), '{"name":"private"}');
    await symlink(join(folder, 'private.json'), join(folder, linked));
    const attached = (_file: string) => ({ content: { size: -1, mimeType: 'application/json', _file } });
    const file = join(folder, 'traffic.har');
    const posted = { method: 'POST', postData: { mimeType: 'application/json', _file: sent } };
    const nowhere = `${'0'.repeat(40)}.json`;
    const outside = [
      `../${read}`,
      `./${read}`,
      '/etc/passwd',
      nowhere,
      '..',
      '',
      'private.json',
      linked,
      `${read}/.`,
    ];
    await writeFile(
      file,
      harOf(entryOf(posted, attached(read)), ...outside.map((name) => entryOf({}, attached(name)))),
    );
    const { exchanges } = await readAll(readHar(file));
    expect(textOf(exchanges[0]?.request.body)).toBe('{"name":"a"}');
    expect(textOf(exchanges[0]?.response?.body)).toBe('[1]');
    expect(exchanges[0]?.remarks).toEqual(['attached-body']);
    expect(exchanges.slice(1).map(({ response }) => response?.bodyMissing)).toEqual(outside.map(() => true));
  });

  test('omitted content and the minimal mode: sizes are -1', async () => {
    const minimal = { bodySize: -1, headersSize: -1, cookies: [], queryString: [] };
    const { exchange } = await one(
      entryOf(
        { ...minimal, method: 'POST', headers: [{ name: 'content-length', value: '12' }] },
        {
          content: { size: -1, mimeType: 'application/json' },
          bodySize: -1,
        },
      ),
    );
    expect(exchange.request).toMatchObject({ body: undefined, bodyMissing: true });
    expect(exchange.response?.bodyMissing).toBe(true);
    const empty = await one(
      entryOf({}, { status: 204, content: { size: -1, mimeType: 'x-unknown' }, bodySize: -1 }),
    );
    expect(empty.exchange.response).toMatchObject({ status: 204, bodyMissing: false });
  });

  test('WebSockets are no exchanges', async () => {
    const { problems } = await readAll(
      readHar(
        bytes(
          harOf(
            entryOf({ url: 'wss://api.test/live' }, { status: 101 }),
            entryOf({}, { status: 101 }, { _webSocketMessages: [] }),
            entryOf({}, { status: 101 }, { _resourceType: 'websocket' }),
          ),
        ),
      ),
    );
    expect(problems.map(({ problem }) => problem)).toEqual(['web-socket', 'web-socket', 'web-socket']);
  });
});

describe('mitmproxy', () => {
  test('null for no text, and the size of the compressed body', async () => {
    const headers = [{ name: 'Content-Encoding', value: 'gzip' }];
    const text = '[1]';
    const { exchange } = await one(
      entryOf(
        { method: 'POST', postData: { mimeType: '', text: '', params: [] }, bodySize: 0 },
        {
          headers,
          content: { size: 23, compression: -20, mimeType: 'application/json', text },
          bodySize: 23,
        },
      ),
    );
    expect(exchange.request).toMatchObject({ body: undefined, bodyMissing: false });
    expect(exchange.response).toMatchObject({
      bodyMissing: false,
      headers: [['content-type', 'application/json']],
    });
    const none = await one(entryOf({}, { status: 201, content: { size: 0, text: null }, bodySize: 0 }));
    expect(none.exchange.response).toMatchObject({ bodyMissing: false });
    expect(none.exchange.response?.body).toHaveLength(0);
  });
});

test.for([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)('a body that is still packed with %s is unpacked', async ([name, pack]) => {
  const text = pack(Buffer.from('[{"id":1}]')).toString('base64');
  const headers = [{ name: 'Content-Encoding', value: name }];
  const { exchange } = await one(entryOf({}, { headers, content: { size: 10, text, encoding: 'base64' } }));
  expect(textOf(exchange.response?.body)).toBe('[{"id":1}]');
  expect(exchange.response?.headers).toEqual([]);
  expect(exchange.remarks).toEqual(['compressed-body']);
});

async function* bytes(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

async function one(entry: object) {
  const { exchanges, problems } = await readAll(readHar(bytes(harOf(entry))));
  const [exchange] = exchanges;
  if (!exchange || exchanges.length + problems.length !== 1) throw new Error('it is not one exchange');
  return { exchange };
}
