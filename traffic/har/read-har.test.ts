import { readFile } from 'node:fs/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HarError, type HarOptions, readHar } from './index.ts';
import { entryOf, harOf, inChunks, readAll, textOf } from './testing/entries.ts';

const read = (text: string | Uint8Array, options?: HarOptions, size = 100_000) =>
  readAll(readHar(inChunks(text, size), options));

/** What is wrong, where. */
const faults = async (text: string | Uint8Array, options?: HarOptions) => {
  const { exchanges, problems } = await read(text, options);
  return [
    exchanges.length,
    ...problems.map(({ problem, position, line }) => `${problem} ${position}:${line}`),
  ];
};

describe('entries', () => {
  test('are exchanges, whatever the chunks are in which the file comes', async () => {
    const body = '{"name":"Zoë \\"}]"}';
    const text = harOf(
      entryOf({ method: 'POST', postData: { mimeType: 'application/json', text: body } }, {}),
      entryOf(
        { url: 'https://api.test/pets?a=1#part' },
        { content: { size: 2, text: 'AP8=', encoding: 'base64' } },
      ),
    );
    for (const size of [1, 7, 100_000]) {
      const { exchanges, problems } = await read(text, {}, size);
      expect(problems).toEqual([]);
      expect(exchanges).toMatchObject([
        {
          position: 'entry 1',
          line: 1,
          startedAt: Date.UTC(2026, 2, 4, 5, 6, 7),
          ms: 12.5,
          request: { method: 'POST', bodyMissing: false },
          response: { status: 200, statusText: 'OK', bodyMissing: false },
          remarks: [],
        },
        { position: 'entry 2', request: { method: 'GET' }, remarks: [] },
      ]);
      expect(textOf(exchanges[0]?.request.body)).toBe(body);
      expect(exchanges[1]?.request.url.href).toBe('https://api.test/pets?a=1');
      expect([...(exchanges[1]?.response?.body ?? [])]).toEqual([0, 255]);
    }
  });

  test.each(['eyJhIjoxMjM0NX0=', 'eyJhIjox\nMjM0NX0='])(
    'are whole where the size is that of %j',
    async (text) => {
      const content = { size: text.length, text, encoding: 'base64', mimeType: 'application/json' };
      const { exchanges } = await read(harOf(entryOf({}, { headers: [], content })));
      // Programs that write this leave out headers, too.
      const headers = [['content-type', 'application/json']];
      expect(exchanges[0]?.response).toMatchObject({ bodyMissing: false, headers });
      expect(textOf(exchanges[0]?.response?.body)).toBe('{"a":12345}');
    },
  );

  test('are found wherever they stand, and by no other name', async () => {
    const entries = [entryOf({}, {})];
    const found = async (har: object) => (await read(JSON.stringify(har))).exchanges.length;
    expect(await found({ log: { pages: [{ entries: [1] }], 'a "b"': '{"log":{"entries":[', entries } })).toBe(
      1,
    );
    expect(await found({ comment: ['log', { entries }], log: { entries, more: { log: { entries } } } })).toBe(
      1,
    );
    expect(await found({ log: { entries: [] } })).toBe(0);
  });

  test('in any white space, with a byte order mark, and packed', async () => {
    const text = JSON.stringify(JSON.parse(harOf(entryOf({}, {}), entryOf({}, {}))), null, '\t').replaceAll(
      '\n',
      '\r\n',
    );
    const { exchanges } = await read(`\ufeff${text}`);
    const begins = text.split('\n').flatMap((line, index) => (line.includes('startedDateTime') ? index : []));
    expect(exchanges.map(({ line }) => line)).toEqual(begins);
    for (const pack of [gzipSync, deflateSync]) {
      expect((await read(pack(text), {}, 5)).exchanges).toHaveLength(2);
    }
  });
});

describe('faults', () => {
  const good = JSON.stringify(entryOf({}, {}));
  const har = (...entries: readonly string[]) => `{"log":{"entries":[\n${entries.join(',\n')}\n]}}`;

  test('a broken entry does not hide those behind it', async () => {
    const broken = good.replace('"status":200', '"status":2 00');
    expect(await faults(har(good, broken, good))).toEqual([2, 'broken-json entry 2:3']);
    const noEntries = har('null', '7', '"text"', '[]', '{}', '{"request":{"method":"GET"}}', good, ' ');
    expect(await faults(noEntries)).toEqual([
      1,
      ...[1, 2, 3, 4, 5, 6].map((n) => `broken-entry entry ${n}:${n + 1}`),
    ]);
  });

  test('what ends too early gives what was there', async () => {
    const text = har(good, good);
    expect(await faults(text.slice(0, -3))).toEqual([2, 'cut-off entry 2:4']);
    expect(await faults(text.slice(0, -4))).toEqual([2, 'cut-off entry 2:3']);
    expect(await faults(text.slice(0, -20))).toEqual([1, 'cut-off entry 2:3']);
    expect(await faults('{"log":{"entries":[')).toEqual([0, 'cut-off the beginning:1']);
    const packed = gzipSync(har(...Array.from({ length: 2000 }, () => good)));
    await expect(read(packed.subarray(0, -200))).rejects.toThrow(
      'standard input cannot be read: unexpected end of file',
    );
  });

  test('an entry above the limit is passed over', async () => {
    const large = JSON.stringify(entryOf({}, { content: { text: 'x'.repeat(2 ** 21) } }));
    expect(await faults(har(good, large, good), { maxEntry: 2 ** 20 })).toEqual([2, 'too-large entry 2:3']);
    expect(await faults(har(good, large, good))).toEqual([3]);
  });

  test('URLs that are no requests', async () => {
    const urls = ['data:text/css,a', 'blob:http://api.test/1', 'file:///etc/passwd', 'ws://api.test/'];
    const { problems } = await read(harOf(...urls.map((url) => entryOf({ url }, {}))));
    expect(problems.map(({ problem }) => problem)).toEqual([
      ...['other-scheme', 'other-scheme', 'other-scheme', 'web-socket'],
    ]);
  });

  test.for([
    ['nothing', '', /^traffic is no HAR: it is empty; export/],
    ['white space', '   ', /^traffic is no HAR: it has no list of entries at log.entries/],
    ['a list', '[]', /^traffic is no HAR, which is a JSON object: export one with "Save all as HAR"/],
    ['YAML', 'openapi: 3.1.0', /^traffic is no HAR, which is a JSON object/],
    ['an object of entries', '{"log":{"entries":{}}}', /^traffic is no HAR: it has no list of entries/],
    ['a collection of Postman', '{"info":{},"item":[]}', /^traffic is no HAR: it has no list of entries/],
    ['a zip archive', 'PK\x03\x04...', /^traffic is no HAR: it is a zip archive: unpack it/],
    ['HTML', '<!doctype html>', /^traffic is no HAR: it is HTML or XML/],
    ['flows', '1234:7:version;2:20#', /^traffic is no HAR: it is a flow file of mitmproxy: mitmdump/],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), /^traffic is no HAR: it is UTF-16/],
  ] as const)('%s is no HAR', async ([, text, message]) => {
    await expect(read(text, { name: 'traffic' })).rejects.toThrow(message);
    await expect(read(text)).rejects.toBeInstanceOf(HarError);
  });

  test('a file that is not there, and a stream that fails', async () => {
    await expect(readAll(readHar('nowhere.har'))).rejects.toThrow('nowhere.har cannot be read: ENOENT');
    async function* failing() {
      yield Buffer.from('{"log":{"entries":[');
      throw new Error('the line is dead');
    }
    await expect(readAll(readHar(failing()))).rejects.toThrow(
      'standard input cannot be read: the line is dead',
    );
  });
});

test('no bytes crash the reader: a HAR with any fault is exchanges and problems, or a HarError', async () => {
  const whole = await readFile(new URL('../../fixtures/har/shop.har', import.meta.url));
  const change = fc.record({
    at: fc.nat(whole.length),
    cut: fc.integer({ min: 0, max: 400 }),
    put: fc.oneof(
      fc.constantFrom(
        '"',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '\\',
        'null',
        '{}',
        '[]',
        '-1',
        '\n',
        '"_file":"../x",',
      ),
      fc.string(),
      fc.json(),
    ),
  });
  const mutant = fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
    return changes.reduce(
      (bytes, { at, cut, put }) =>
        Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(at + cut)]),
      whole,
    );
  });
  await fc.assert(
    fc.asyncProperty(mutant, fc.integer({ min: 1, max: 5000 }), async (bytes, size) => {
      const { exchanges, problems } = await readAll(readHar(inChunks(bytes, size))).catch((error) => {
        if (error instanceof HarError) return { exchanges: [], problems: [] };
        throw error;
      });
      for (const { request, response } of exchanges) {
        expect(request.url.protocol).toMatch(/^https?:$/);
        expect(response === undefined || (response.status >= 100 && response.status < 1000)).toBe(true);
      }
      for (const { position, line, message } of problems)
        expect(`${position}${line}${message}`).not.toContain('secret');
    }),
    { numRuns: 400 },
  );
});
