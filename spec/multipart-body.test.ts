import { describe, expect, test } from 'vitest';
import { asReceived, encodeBody } from './body-codec.ts';
import { beginningOf, bodyMedia, type MediaType } from './media-type.ts';
import { compileRequestReader } from './request-reader.ts';
import { contractOf, documentOf } from './testing/contract-of.ts';

const SCHEMA = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', maxLength: 20 },
    pages: { type: 'integer' },
    sender: { type: 'object', properties: { name: { type: 'string' }, zip: { type: 'integer' } } },
    tags: { type: 'array', items: { type: 'string' } },
    notes: { type: 'array', items: { type: 'object', properties: { line: { type: 'integer' } } } },
    scan: { type: 'string', format: 'binary' },
    photos: { type: 'array', items: { type: 'string', contentMediaType: 'image/png' } },
    any: {},
  },
};
const ENCODING = { scan: { contentType: 'image/*, application/pdf' } };

async function partsOf({ openapi = '3.1.1' } = {}) {
  const content = { 'multipart/form-data': { schema: SCHEMA, encoding: ENCODING } };
  const post = { requestBody: { required: true, content }, responses: { 200: { description: 'Done' } } };
  const contract = await contractOf({ 'a.json': documentOf({ '/a': { post } }, { openapi }) });
  const [operation] = contract.operations;
  if (!operation) throw new Error('no operation');
  const reader = compileRequestReader(operation, contract.validators);
  const readBytes = (body: string | Uint8Array, type: string) => {
    const read = reader({ path: {}, query: '', headers: { 'content-type': type }, body: Buffer.from(body) });
    const violations = read.violations.map(
      ({ kind, pointer, expected }) => `${kind} ${pointer}: ${expected}`,
    );
    return { body: read.body, violations };
  };
  /** Encodes the form as browsers and undici do. */
  const read = async (form: FormData) => {
    const response = new Response(form);
    const type = response.headers.get('content-type') ?? '';
    return readBytes(new Uint8Array(await response.arrayBuffer()), type);
  };
  return { read, readBytes, media: bodyMedia(operation.body) as MediaType };
}

function formOf(...fields: [name: string, value: string | Blob, filename?: string][]): FormData {
  const form = new FormData();
  for (const [name, value, filename] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, filename);
  }
  return form;
}

const blob = (content: string | Uint8Array<ArrayBuffer>, type = 'application/octet-stream') =>
  new Blob([content], { type });

describe('parts as fetch sends them', () => {
  test.each<[string, FormData, object]>([
    ['texts and numbers', formOf(['title', '42'], ['pages', '42']), { title: '42', pages: 42 }],
    ['signs', formOf(['title', '100% a+b&c=ë %41']), { title: '100% a+b&c=ë %41' }],
    [
      'repeated names',
      formOf(['title', 't'], ['tags', 'a,b'], ['tags', 'c']),
      { title: 't', tags: ['a,b', 'c'] },
    ],
    [
      'brackets',
      formOf(['title', 't'], ['tags[]', 'a'], ['sender[zip]', '8']),
      { title: 't', tags: ['a'], sender: { zip: 8 } },
    ],
    [
      'an object as JSON',
      formOf(['title', 't'], ['sender', '{"name":"n","zip":1}']),
      { title: 't', sender: { name: 'n', zip: 1 } },
    ],
    [
      'an object as a JSON file',
      formOf(['title', 't'], ['sender', blob('{"zip":1}', 'application/json'), 'blob']),
      { title: 't', sender: { zip: 1 } },
    ],
    [
      'objects',
      formOf(['title', 't'], ['notes', '{"line":1}'], ['notes', '{"line":2}']),
      { title: 't', notes: [{ line: 1 }, { line: 2 }] },
    ],
    [
      'a file',
      formOf(['title', 't'], ['scan', blob('a\r\n%41', 'image/png'), 'a.png']),
      { title: 't', scan: 'a\r\n%41' },
    ],
    [
      'bytes',
      formOf(['title', 't'], ['any', blob(Uint8Array.of(0, 255, 13, 10)), 'a']),
      { title: 't', any: '\0\xff\r\n' },
    ],
    [
      'several files',
      formOf(
        ['title', 't'],
        ['photos', blob('1', 'image/png'), 'a'],
        ['photos', blob('2', 'image/png'), 'b'],
      ),
      { title: 't', photos: ['1', '2'] },
    ],
    [
      'one file of several',
      formOf(['title', 't'], ['photos', blob('1', 'image/png'), 'a']),
      { title: 't', photos: ['1'] },
    ],
    ['an unknown name', formOf(['title', 't'], ['other', 'x']), { title: 't', other: 'x' }],
  ])('%s', async (_, form, body) => {
    expect(await (await partsOf()).read(form)).toEqual({ body, violations: [] });
  });
});

describe('parts that break the schema', () => {
  test.each<[string, FormData, string[]]>([
    [
      'a text too long',
      formOf(['title', 'x'.repeat(21)]),
      ['schema /title: must have at most 20 characters'],
    ],
    ['no number', formOf(['title', 't'], ['pages', 'x']), ['schema /pages: must be an integer']],
    [
      'a member of an object',
      formOf(['title', 't'], ['sender', '{"zip":"x"}']),
      ['schema /sender/zip: must be an integer'],
    ],
    ['no JSON', formOf(['title', 't'], ['sender', '{']), ['schema /sender: must be an object']],
    ['a member missing', formOf(['pages', '1']), ['schema /title: is required']],
    [
      'a file of another type',
      formOf(['title', 't'], ['scan', blob('a', 'text/html'), 'a']),
      ['schema /scan: must be of type image/* or application/pdf'],
    ],
  ])('%s', async (_, form, violations) => {
    expect((await (await partsOf()).read(form)).violations).toEqual(violations);
  });
});

const part = (lines: string) => `--b\r\n${lines}\r\n--b--\r\n`;
const TITLE = 'Content-Disposition: form-data; name="title"\r\n\r\nt';
const TYPE = 'multipart/form-data; boundary=b';

describe('malformed parts are refused', () => {
  test.each([
    ['no boundary', part(TITLE), 'multipart/form-data'],
    ['another boundary', part(TITLE), 'multipart/form-data; boundary=c'],
    ['a boundary that is too long', part(TITLE), `multipart/form-data; boundary=${'b'.repeat(71)}`],
    ['no end', part(TITLE).slice(0, -6), TYPE],
    ['no name', part('Content-Disposition: form-data\r\n\r\nt'), TYPE],
    ['no head', part('t'), TYPE],
    ['a text that is not UTF-8', Buffer.from(part(`${TITLE}\xe9`), 'latin1'), TYPE],
    ['nothing', '', TYPE],
    ['a head without end', `--b\r\nX: ${'x'.repeat(100_000)}`, TYPE],
    ['too many parts', `${`--b\r\n${TITLE}\r\n`.repeat(1001)}--b--`, TYPE],
    ['JSON', '{"title":"t"}', TYPE],
  ])('%s', async (_, body, type) => {
    const { violations } = (await partsOf()).readBytes(body, type);
    expect(violations).toHaveLength(1);
    expect(violations[0]).toMatch(
      body === '' ? /^schema : is required$/ : /^syntax : must be multipart\/form-data: /,
    );
  });
});

test.each([
  ['a quoted boundary', part(TITLE), 'multipart/form-data; charset=utf-8; boundary="b"'],
  ['a line end before the first boundary', `\r\n${part(TITLE)}`, TYPE],
  ['something behind the last boundary', `${part(TITLE)}epilogue`, TYPE],
])('accepted: %s', async (_, body, type) => {
  expect((await partsOf()).readBytes(body, type)).toEqual({ body: { title: 't' }, violations: [] });
});

describe('a value as parts', () => {
  const value = {
    title: 'a"b\në%41',
    pages: 9007199254740993n,
    sender: { name: 'n' },
    tags: ['a', 'b'],
    scan: 'bytes',
    photos: ['1', '--form-data-boundary'],
  };

  test('comes back as it was', async () => {
    const { media } = await partsOf();
    expect(asReceived(media, value)).toEqual(value);
  });

  test('is what others read, too', async () => {
    const { media } = await partsOf();
    const { bytes, type } = encodeBody(media, value);
    const form = await new Response(Buffer.from(bytes), { headers: { 'content-type': type } }).formData();
    const read = await Promise.all(
      [...form].map(async ([name, given]) =>
        typeof given === 'string' ? [name, given] : [name, given.type, await given.text()],
      ),
    );
    expect(read).toEqual([
      ['title', value.title],
      ['pages', '9007199254740993'],
      ['sender', '{"name":"n"}'],
      ['tags', 'a'],
      ['tags', 'b'],
      ['scan', 'image/png', 'bytes'],
      ['photos', 'image/png', '1'],
      ['photos', 'image/png', '--form-data-boundary'],
    ]);
  });

  test('begins as a file of its type does, byte by byte', async () => {
    const { media, readBytes } = await partsOf();
    const body = { title: 't', scan: `${beginningOf('image/png')}1` };
    const { bytes, type } = encodeBody(media, body);
    expect(Buffer.from(bytes).toString('latin1')).toContain(`\r\n\r\n${body.scan}\r\n`);
    expect(readBytes(bytes, type)).toEqual({ body, violations: [] });
  });

  test('is the same bytes each time', async () => {
    const { media } = await partsOf();
    expect(encodeBody(media, value)).toEqual(encodeBody(media, value));
  });
});

test('what is no file in OpenAPI 3.0', async () => {
  const { media } = await partsOf({ openapi: '3.0.3' });
  const text = Buffer.from(encodeBody(media, { title: 't', any: 'x' }).bytes).toString();
  expect(text).not.toContain('filename');
});
