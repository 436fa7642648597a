import { expect, test } from 'vitest';
import { createMock as createInBrowser } from '../browser/create-mock.ts';
import { ask, documentOf, serveText } from '../testing/serve.ts';
import { drawPicture, pictureAddress, pictureAt, type WantedPicture } from './picture.ts';

const PHOTO = {
  type: 'object',
  required: ['id', 'url'],
  properties: { id: { type: 'integer' }, url: { type: 'string', format: 'uri' } },
};
const body = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const answers = (schema: unknown) => ({ 200: { description: 'ok', ...body(schema) } });
const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
const PATHS = {
  '/photos': {
    get: { responses: answers({ type: 'array', items: PHOTO }) },
    post: { requestBody: body(PHOTO), responses: { 201: { description: 'ok', ...body(PHOTO) } } },
  },
  '/photos/{id}': {
    parameters,
    get: { responses: answers(PHOTO) },
    put: { requestBody: body(PHOTO), responses: answers(PHOTO) },
  },
};
const DOCUMENT = documentOf(PATHS, { servers: [{ url: '/v1' }], security: [{ key: [] }] });
const SECURED = {
  ...DOCUMENT,
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
};
const PICTURE = pictureAddress({ kind: 'image', key: 'a', label: 'Tea (green)' });
const STATE = { records: { '/photos': [{ id: 1, url: PICTURE }] } };

async function photos() {
  const mock = await serveText(SECURED, { port: 0 });
  await mock.restore(STATE);
  return mock;
}

test('a record has the address at which its client reaches the mock, and there is a picture', async () => {
  const mock = await photos();
  const { origin } = new URL(mock.url);
  const read = await ask(mock, `GET ${origin}/v1/photos/1`);
  const { url } = read.body;
  expect(url).toBe(PICTURE.replace('http://paddock.invalid', origin));
  const picture = await fetch(url, { headers: { origin: 'https://app.example' } });
  expect(picture.status).toBe(200);
  expect(picture.headers.get('content-type')).toBe('image/svg+xml');
  expect(picture.headers.get('access-control-allow-origin')).toBe('https://app.example');
  expect(picture.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
  const text = await picture.text();
  expect(text).toContain('>Tea (green)</text>');
  const head = await fetch(url, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  expect(mock.requests()).toHaveLength(1);
});

test('each client has its own address, of the same record', async () => {
  const mock = await photos();
  const { port } = new URL(mock.url);
  const asked = ['127.0.0.1', 'localhost'].map(async (host) => {
    const headers = { authorization: 'Bearer paddock-dev-key' };
    const response = await fetch(`http://${host}:${port}/~one/v1/photos`, { headers });
    const list = await response.text();
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(list)));
    return { list, tag: response.headers.get('etag') };
  });
  const [one, other] = await Promise.all(asked);
  expect(other?.tag).toBe(one?.tag);
  expect(one?.list.includes('paddock.invalid')).toBe(false);
  expect(other?.list).toBe(one?.list.replaceAll('127.0.0.1', 'localhost'));
});

test('an address that a client sends back stays what it is, and a saved state is good for any mock', async () => {
  const mock = await photos();
  const { url } = (await ask(mock, 'GET /photos/1', undefined, { host: 'mock.example' })).body;
  expect(JSON.stringify(await mock.state())).toContain(PICTURE);
  const put = await ask(mock, 'PUT /photos/1', { id: 1, url });
  expect(put.body.url).toBe(url);
  const { origin } = new URL(mock.url);
  const elsewhere = await fetch(`${origin}/__admin/state`);
  expect(await elsewhere.text()).toContain(url);
});

test('what is no picture is not there, and nothing but reading is offered', async () => {
  const mock = await photos();
  const { origin } = new URL(mock.url);
  const missing = await ask(mock, `GET ${origin}/__paddock/pictures/image/a.gif`);
  expect(missing.status).toBe(404);
  expect(missing.text).toContain('/__paddock/pictures/KIND/KEY.svg');
  expect((await ask(mock, `DELETE ${origin}/__paddock/pictures/image/a.svg`)).status).toBe(405);
  expect(mock.requests()).toHaveLength(0);
});

test('a path of the document stays its own', async () => {
  const one = documentOf({
    '/__paddock/pictures/{kind}/{name}': {
      parameters: ['kind', 'name'].map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      get: { responses: { 200: { description: 'ok', ...body({ const: 'own' }) } } },
    },
  });
  const mock = await serveText(one);
  expect((await ask(mock, 'GET /__paddock/pictures/image/a.svg')).body).toBe('own');
});

test('in a page, where nothing would respond to an address, a record has the picture itself', async () => {
  const mock = await createInBrowser({ document: SECURED, fixtures: [JSON.stringify(STATE)] });
  const { url } = (await ask(mock as never, 'GET /photos/1')).body;
  expect(url).toMatch(/^data:image\/svg\+xml,%3Csvg/);
  expect(decodeURIComponent(url)).toContain('Tea (green)');
});

const pathOf = (picture: WantedPicture) => new URL(pictureAddress(picture)).pathname;

test('an address is short, and says what is not usual', () => {
  expect(pathOf({ kind: 'avatar', key: 'a' })).toMatch(/^\/__paddock\/pictures\/avatar\/[\da-z]{1,6}\.svg$/);
  expect(pathOf({ kind: 'avatar', key: 'a', label: 'ada King Lovelace' })).toMatch(/\/AL\.svg$/);
  expect(pathOf({ kind: 'image', key: 'a', width: 800, label: 'Blue Mug/2' })).toMatch(
    /\/image-800x600\/[\da-z]+\/Blue%20Mug%2F2\.svg$/,
  );
});

test('what an address says is read from its path', () => {
  const given = { kind: 'image', key: 'x', width: 300, height: 9999, label: 'Tea & 茶' } as const;
  expect(pictureAt(pathOf(given))).toEqual({ ...given, key: expect.any(String), height: 2048 });
  const usual = { width: 128, height: 128, label: '' };
  expect(pictureAt(pathOf({ kind: 'avatar', key: 'x' }))).toMatchObject(usual);
});

test.each(['', 'face/a.svg', 'image/a.png', 'image-0x10/a.svg', 'image-10x9999/a.svg', 'image/a/%zz.svg'])(
  'there is no picture at %j',
  (path) => expect(pictureAt(`/__paddock/pictures/${path}`)).toBeUndefined(),
);

test('a picture follows from its key alone, and a label is text, whatever it holds', () => {
  const drawn = (key: string, label = '') =>
    drawPicture({ kind: 'image', key, label, width: 64, height: 48 });
  expect(drawn('a')).toBe(drawn('a'));
  expect(new Set(['a', 'b', 'c', 'd'].map((key) => drawn(key))).size).toBe(4);
  expect(drawn('a', '<script>"&\u0007\ud800')).toContain('>&#60;script&#62;&#34;&#38;\ufffd</text>');
});

test('who edits a record sees the address, and the record keeps the one that is good for any mock', async () => {
  const mock = await photos();
  const { origin } = new URL(mock.url);
  const at = `${origin}/__admin/records?collection=/photos`;
  const page = (await (await fetch(at)).json()) as { records: { record: { url: string } }[] };
  const record = page.records[0]?.record;
  expect(record?.url).toBe(PICTURE.replace('http://paddock.invalid', origin));
  await fetch(`${at}&id=1`, { method: 'PUT', body: JSON.stringify({ ...record, id: 1 }) });
  expect(JSON.stringify(await mock.state())).toContain(PICTURE);
});
