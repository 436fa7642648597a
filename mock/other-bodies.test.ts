import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseJson } from '#spec';
import { BUILT_IN_KEY } from './index.ts';
import { ask, documentOf, fixture, serve, serveText } from './testing/serve.ts';

const KEY = { authorization: `Bearer ${BUILT_IN_KEY}` };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

async function dispatches() {
  const mock = await serve(fixture('dispatches.yaml'), { port: 0 });
  const send = async (
    method: string,
    path: string,
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(mock.url + path, { method, body, headers: { ...KEY, ...headers } });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: what a body holds is what each test is about.
    return { status: response.status, body: (text === '' ? undefined : parseJson(text)) as any };
  };
  return { mock, send };
}

/** With a user's arguments; the status follows the body. */
async function curl(...args: string[]) {
  const { stdout } = await promisify(execFile)('curl', [
    ...['-s', '-w', '\n%{http_code}', '-H', `authorization: ${KEY.authorization}`],
    ...args,
  ]);
  const [status, ...lines] = stdout.split('\n').reverse();
  return { status: Number(status), body: JSON.parse(lines.reverse().join('\n')) };
}

async function file(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'scan.pdf'), content);
  return join(folder, 'scan.pdf');
}

describe('forms make records', () => {
  test('URLSearchParams: created, listed, changed, replaced', async () => {
    const { mock, send } = await dispatches();
    const created = await send('POST', '/orders', new URLSearchParams({ customer: 'Ada & Co', boxes: '3' }));
    expect(created).toMatchObject({ status: 201, body: { customer: 'Ada & Co', boxes: 3 } });
    const path = `/orders/${created.body.id}`;
    const patched = await send('PATCH', path, new URLSearchParams({ boxes: '4' }));
    expect(patched).toMatchObject({ status: 200, body: { customer: 'Ada & Co', boxes: 4 } });
    const form = new URLSearchParams([
      ['customer', 'Bo'],
      ['boxes', '1'],
      ['goods', 'a'],
      ['goods', 'b'],
      ['days', '1,7'],
    ]);
    await send('PUT', path, form);
    expect((await ask(mock, `GET ${path}`)).body).toEqual({
      id: created.body.id,
      customer: 'Bo',
      boxes: 1,
      goods: ['a', 'b'],
      days: [1, 7],
    });
  });

  test('brackets, as PHP, Rails and the clients of payment services write them', async () => {
    const { send } = await dispatches();
    const form =
      'customer=c&boxes=1&goods[0]=a&goods[1]=b&address[city]=Ulm&address[zip]=89073&address[lines][]=x';
    const { status, body } = await send('POST', '/orders', form, FORM);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      goods: ['a', 'b'],
      address: { city: 'Ulm', zip: 89073, lines: ['x'] },
    });
  });

  test.each([
    ['boxes=1', 'body.customer is required'],
    ['customer=c&boxes=21', 'body.boxes must be at most 20, not 21'],
    ['customer=c&boxes=x', 'body.boxes must be an integer, not "x"'],
    ['customer=c&boxes=1&address[zip]=x&address[city]=U', 'body.address.zip must be an integer, not "x"'],
    ['customer=%FF&boxes=1', 'body must be a form in UTF-8'],
  ])('what breaks the schema gets the documented 400: %s', async (form, message) => {
    const { send } = await dispatches();
    expect(await send('POST', '/orders', form, FORM)).toEqual({ status: 400, body: { message } });
  });

  test('another media type gets the documented 415', async () => {
    const { send } = await dispatches();
    const { status } = await send('POST', '/orders', '{}', { 'content-type': 'application/json' });
    expect(status).toBe(415);
  });
});

describe('parts make records', () => {
  test('FormData: the file is no member, everything else is', async () => {
    const { send } = await dispatches();
    const form = new FormData();
    form.append('title', '42');
    form.append('pages', '42');
    form.append('sender', '{"name":"Ada","zip":1}');
    form.append('keywords', 'a');
    form.append('scan', new Blob(['%PDF'], { type: 'application/pdf' }), 'scan.pdf');
    const { status, body } = await send('POST', '/papers', form);
    expect(status).toBe(201);
    expect(body).toMatchObject({ title: '42', pages: 42, sender: { name: 'Ada', zip: 1 }, keywords: ['a'] });
    expect(body.scan ?? 'https://none').toMatch(/^https?:/);
    expect((await send('POST', '/papers', cut(form))).status).toBe(400);
  });

  /** Without the required file. */
  function cut(form: FormData): FormData {
    const rest = new FormData();
    for (const [name, value] of form) if (name !== 'scan') rest.append(name, value);
    return rest;
  }

  test('curl -F, --data-urlencode and --data-binary', async () => {
    const { mock } = await dispatches();
    const scan = await file('%PDF');
    const fields = ['-F', 'title=A "title"', '-F', 'pages=2', '-F', `scan=@${scan};type=application/pdf`];
    const paper = await curl(
      ...fields,
      '-F',
      'sender={"name":"Ada"};type=application/json',
      `${mock.url}/papers`,
    );
    expect(paper).toMatchObject({
      status: 201,
      body: { title: 'A "title"', pages: 2, sender: { name: 'Ada' } },
    });
    const order = await curl('--data-urlencode', 'customer=Zoë & Co', '-d', 'boxes=2', `${mock.url}/orders`);
    expect(order).toMatchObject({ status: 201, body: { customer: 'Zoë & Co', boxes: 2 } });
    const memo = await curl('-H', 'content-type: text/plain', '--data-binary', 'Hello', `${mock.url}/memos`);
    expect(memo.status).toBe(201);
    const read = await ask(mock, `GET /memos/${memo.body.id}`);
    expect(read.body).toEqual(memo.body);
    const short = await curl('-H', 'content-type: text/plain', '--data-binary', 'Hi', `${mock.url}/memos`);
    expect(short).toEqual({
      status: 400,
      body: { message: 'body must have at least 3 characters, not "Hi"' },
    });
  });

  test('parts without an end are refused, and bytes of any kind are taken', async () => {
    const { send } = await dispatches();
    const type = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await send('POST', '/papers', '--b\r\n', type)).status).toBe(400);
    const png = await send('PUT', '/stamp', Uint8Array.of(0x89, 0x50, 0xff, 0), {
      'content-type': 'image/png',
    });
    expect(png.status).toBe(204);
  });
});

test('a record that may be a removed one, with members of another type than are sent', async () => {
  const thing = {
    type: 'object',
    required: ['id', 'created', 'object'],
    properties: {
      id: { type: 'string' },
      created: { type: 'integer' },
      object: { enum: ['thing'] },
      name: { type: 'string' },
      items: { type: 'object', required: ['data'], properties: { data: { type: 'array' } } },
    },
  };
  const removed = {
    type: 'object',
    required: ['id', 'deleted'],
    properties: { id: { type: 'string' }, deleted: { enum: [true] } },
  };
  const answer = (schema: object) => ({
    200: { description: 'It', content: { 'application/json': { schema } } },
  });
  const properties = { name: { type: 'string' }, items: { type: 'array', items: { type: 'object' } } };
  const encoding = { items: { style: 'deepObject', explode: true } };
  const form = { [FORM['content-type']]: { schema: { type: 'object', properties }, encoding } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const mock = await serveText(
    documentOf({
      '/things': { post: { requestBody: { content: form }, responses: answer(thing) } },
      '/things/{id}': { get: { parameters: [id], responses: answer({ anyOf: [removed, thing] }) } },
    }),
  );
  const created = await ask(mock, 'POST /things', 'name=Ada&items[0][price]=p1', FORM);
  expect(created).toMatchObject({ status: 200, body: { name: 'Ada', object: 'thing' } });
  expect(created.body.items).not.toBeInstanceOf(Array);
  expect((await ask(mock, `GET /things/${created.body.id}`)).body).toEqual(created.body);
});

test('nothing is answered 2xx that was not understood', async () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' } } };
  const types = ['application/xml', 'text/csv', 'multipart/mixed', 'application/yaml', 'application/cbor'];
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  const responses = {
    201: { description: 'Made' },
    400: { description: 'No' },
    415: { description: 'Not read' },
  };
  const post = { requestBody: { content: { ...content, 'application/json': { schema } } }, responses };
  const mock = await serveText(documentOf({ '/things': { post } }));
  for (const type of types) {
    const { status } = await ask(mock, 'POST /things', 'a: 1', { 'content-type': type });
    // XML is supported, but this is invalid.
    expect(status).toBe(type === 'application/xml' ? 400 : 415);
  }
  expect((await ask(mock, 'POST /things', '{"a":1}')).status).toBe(201);
});
