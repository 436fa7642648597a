import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createMock, type Mock, type MockOptions } from '../../index.ts';
import { ask, fixture, SHIPPED } from '../../testing/serve.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is changed here as its author would change the text.
type Text = any;

interface Watched {
  readonly mock: Mock;
  readonly file: string;
  /** Resolves with the first new or unread notice that matches. */
  notices(pattern: RegExp): Promise<string>;
  /** Saves the document like an editor: a new file replaces the old one. */
  save(text: string): Promise<void>;
  change(edit: (document: Text) => void): Promise<void>;
}

async function watched(options: Partial<MockOptions> = {}, source = SHIPPED): Promise<Watched> {
  const folder = await mkdtemp(join(tmpdir(), 'watch-'));
  const file = join(folder, 'openapi.yaml');
  await writeFile(file, await readFile(source));
  const notices: string[] = [];
  let wake = () => {};
  const notice = (text: string) => {
    notices.push(text);
    wake();
  };
  const mock = await createMock({ port: false, ...options, document: file, watch: true, notice });
  onTestFinished(async () => {
    await mock.close();
    await rm(folder, { recursive: true });
  });
  const save = async (text: string) => {
    await writeFile(join(folder, '.openapi.yaml.new'), text);
    await rename(join(folder, '.openapi.yaml.new'), file);
  };
  return {
    mock,
    file,
    save,
    async notices(pattern) {
      for (;;) {
        const at = notices.findIndex((text) => pattern.test(text));
        if (at >= 0) return notices.splice(0, at + 1).at(-1) as string;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async change(edit) {
      const document = parse(await readFile(file, 'utf8'));
      edit(document);
      await save(stringify(document));
    },
  };
}

const CHANGED = /is served from now on/;
const petSchema = (document: Text) => document.components.schemas.NewPet;

test('a changed document is served whole, and records that fit stay', async () => {
  const { mock, change, notices } = await watched();
  const made = await ask(mock, 'POST /pets', { name: 'Ernesto', categoryId: 2n ** 62n });
  await change((document) => {
    document.info.version = '1.1.0';
    document.paths['/pets'].get.parameters[0].schema.maximum = 60;
    petSchema(document).properties.nick = { type: 'string' };
  });
  expect(await notices(CHANGED)).toBe('the document changed: Pet Store 1.1.0 is served from now on');
  expect((await ask(mock, 'GET /pets?limit=61')).status).toBe(400);
  const { body } = await ask(mock, 'GET /pets?limit=60');
  expect(body).toHaveLength(51);
  expect(body.at(-1)).toEqual(made.body);
  // Seeded records follow the document, and keep all of their values.
  expect(body.some((record: object) => 'nick' in record)).toBe(true);
  expect((await ask(mock, 'POST /pets', { name: 'Next', categoryId: 1 })).body.id).toBe(52);
  expect(mock.contract.version).toBe('1.1.0');
  expect(await (await mock.fetch('http://localhost/openapi.yaml')).text()).toContain('1.1.0');
});

test('removed and changed records stay so, and unchanged collections are seeded again', async () => {
  const { mock, change, notices } = await watched({}, fixture('warehouse.yaml'));
  await ask(mock, 'DELETE /articles/3');
  const article = { label: 'Nut', unit: 'piece', price: 1, barcode: null, weight_g: null, stock: 2 };
  const changed = await ask(mock, 'PUT /articles/5', article);
  expect(changed.status).toBe(200);
  const before = (await ask(mock, 'GET /articles?page_size=50')).body.articles;
  await change((document) => {
    document.info.title = 'Another warehouse';
  });
  await notices(CHANGED);
  expect((await ask(mock, 'GET /articles?page_size=50')).body.articles).toEqual(before);
  expect((await ask(mock, 'GET /articles/3')).status).toBe(404);
  expect((await ask(mock, 'GET /articles/5')).body).toEqual(changed.body);
});

test('records that no longer fit are named with the reason, in every session', async () => {
  const { mock, change, notices } = await watched();
  const guest = mock.session('guest');
  await ask(mock, 'POST /pets', { name: 'Jo', categoryId: 1 });
  await ask(mock, 'POST /pets', { name: 'Josephine', categoryId: 1 });
  const headers = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };
  await guest.fetch('/pets', { method: 'POST', headers, body: '{"name":"Al","categoryId":1}' });
  await change((document) => {
    petSchema(document).properties.name.minLength = 3;
  });
  await notices(CHANGED);
  expect(await notices(/\/pets 51/)).toBe(
    '/pets 51 no longer fits and was removed: name must have at least 3 characters',
  );
  expect(await notices(/guest/)).toBe(
    'session "guest": /pets 51 no longer fits and was removed: name must have at least 3 characters',
  );
  expect((await ask(mock, 'GET /pets/51')).status).toBe(404);
  expect((await ask(mock, 'GET /pets/52')).body.name).toBe('Josephine');
});

test('a file that is empty for a moment, since it is written in place, is not refused', async () => {
  const { mock, file, notices } = await watched();
  const next = (await readFile(file, 'utf8')).replace('version: 1.0.0', 'version: 2.0.0');
  await notices(/watching/);
  await writeFile(file, '');
  // Longer than the time in which events of a file are collected.
  await sleep(120);
  await writeFile(file, next);
  expect(await notices(/./)).toBe('the document changed: Pet Store 2.0.0 is served from now on');
  expect(mock.contract.version).toBe('2.0.0');
});

test('a broken document is refused with its position, the old one goes on, and a mended one is taken', async () => {
  const { mock, file, save, change, notices } = await watched();
  const good = await readFile(file, 'utf8');
  await save(good.replace('  /pets:', '  /pets: ['));
  const refusal = await notices(/refused/);
  expect(refusal).toMatch(
    /^the document was refused:\n.*openapi\.yaml:\d+:\d+: [\s\S]*\nthe old document is still served$/,
  );
  expect((await ask(mock, 'GET /pets')).status).toBe(200);
  await save(good);
  await notices(/again what is served/);
  await change((document) => {
    document.info.version = '2.0.0';
  });
  expect(await notices(CHANGED)).toContain('2.0.0');
});

test('each file that the document refers to is watched, and files that a change brings in', async () => {
  const { mock, file, save, notices } = await watched();
  const folder = join(file, '..');
  const schemaFile = join(folder, 'name.yaml');
  await writeFile(schemaFile, 'type: string\n');
  const good = await readFile(file, 'utf8');
  await save(
    good.replace(
      /( +)name:\n +description: The animal's name\.\n +type: string\n/,
      '$1name:\n$1  $ref: name.yaml\n',
    ),
  );
  await notices(CHANGED);
  expect((await ask(mock, 'POST /pets', { name: 'Jo', categoryId: 1 })).status).toBe(201);
  await writeFile(schemaFile, 'type: string\nminLength: 3\n');
  await notices(CHANGED);
  expect((await ask(mock, 'POST /pets', { name: 'Jo', categoryId: 1 })).status).toBe(400);
});

test('another base path changes the URLs, and open connections get responses', async () => {
  const { mock, change, notices } = await watched({ port: 0 });
  const headers = { authorization: 'Bearer paddock-dev-key' };
  const before = mock.url;
  expect((await fetch(`${before}/pets`, { headers })).status).toBe(200);
  await change((document) => {
    document.servers = [{ url: '/v2' }];
  });
  await notices(CHANGED);
  expect(mock.url).toBe(before.replace('/v1', '/v2'));
  expect((await fetch(`${mock.url}/pets`, { headers })).status).toBe(200);
  expect((await fetch(`${before}/pets`, { headers })).status).toBe(404);
});

test('no request fails and no record is lost while documents change', async () => {
  const { mock, file, save, notices } = await watched({ port: 0 });
  const good = await readFile(file, 'utf8');
  const headers = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };
  const made: number[] = [];
  let isOver = false;
  const client = async (name: string) => {
    while (!isOver) {
      const body = JSON.stringify({ name, categoryId: 1 });
      const response = await fetch(`${mock.url}/pets`, { method: 'POST', headers, body });
      expect(response.status).toBe(201);
      made.push(((await response.json()) as { id: number }).id);
    }
  };
  const clients = ['a', 'b', 'c', 'd'].map(client);
  for (let version = 2; version < 8; version++) {
    await save(good.replace('version: 1.0.0', `version: ${version}.0.0`));
    expect(await notices(CHANGED)).toContain(`${version}.0.0`);
  }
  isOver = true;
  await Promise.all(clients);
  expect(new Set(made).size).toBe(made.length);
  for (const id of made) expect((await ask(mock, `GET /pets/${id}`)).status).toBe(200);
});

test('an overlay is followed as the document is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overlay-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const overlay = join(folder, 'pets.overlay.yaml');
  const write = (version: string) =>
    writeFile(
      overlay,
      `overlay: 1.0.0\nactions: [{target: $.info, update: {version: "${version}"}}]\nextends: openapi.yaml\n`,
    );
  await write('2.0.0');
  const { mock, change, notices } = await watched({ overlays: [overlay] });
  expect(mock.contract.version).toBe('2.0.0');
  await notices(/watching 2 files/);
  await write('3.0.0');
  await notices(/Pet Store 3\.0\.0 is served from now on/);
  await writeFile(overlay, 'actions: []\n');
  expect(await notices(/was refused/)).toMatch(/pets\.overlay\.yaml:1:1: this is no overlay/);
  await write('4.0.0');
  await notices(/Pet Store 4\.0\.0 is served from now on/);
  await change((document) => {
    document.info.title = 'Shop';
  });
  await notices(/Shop 4\.0\.0 is served from now on/);
});

test('a contract without its path cannot be watched', async () => {
  const { mock } = await watched();
  const document = mock.contract;
  await expect(createMock({ document, port: false, watch: true })).rejects.toThrow(
    /must be given by its path/,
  );
});

test('a document from a URL is read once, and the mock says so', async () => {
  const text = await readFile(SHIPPED, 'utf8');
  const server = createServer((_, response) => response.end(text)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const document = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.yaml`;
  const notices: string[] = [];
  const notice = (line: string) => notices.push(line);
  const mock = await createMock({ document, port: false, watch: true, notice });
  onTestFinished(() => mock.close());
  expect(notices).toEqual([`${document} is read once and not watched`]);
});

test('sessions are notified of what changed, what was refused and what they lost, and can ask again', async () => {
  const { mock, change, save, notices, file } = await watched();
  const valid = await readFile(file, 'utf8');
  const { id } = (await ask(mock, 'POST /pets', { name: 'Long enough', categoryId: 1 })).body;
  const tom = mock.session('tom');
  const events = await mock.fetch(`${mock.controlUrl}/events?session=tom`);
  const reader = (events.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  const hear = async (pattern: RegExp) => {
    while (!pattern.test(heard)) heard += (await reader.read()).value;
  };
  await change((document) => {
    petSchema(document).properties.name.maxLength = 3;
    delete document.paths['/pets/{petId}'].get;
    document.paths['/vets'] = {
      get: { operationId: 'listVets', responses: { 200: { description: 'All' } } },
    };
  });
  await notices(CHANGED);
  await hear(/event: document\ndata: .*"listVets"/);
  await save('openapi: 3.1.1\ninfo: [');
  await notices(/was refused/);
  await save(valid);
  await notices(CHANGED);
  const changes = async (query = '') => (await ask(mock, `GET ${mock.controlUrl}/changes${query}`)).body;
  const [changed, refused, back] = await changes();
  const { dropped, counts } = changed;
  expect(changed).toMatchObject({
    number: 1,
    kind: 'changed',
    title: 'Pet Store',
    added: [{ id: 'listVets', method: 'GET', path: '/vets', parts: [] }],
    removed: [{ id: 'getPet', at: expect.stringMatching(/openapi\.yaml:\d+$/) }],
  });
  expect(changed.changed).toMatchObject([
    { id: 'listPets', parts: ['responses 200'] },
    { id: 'createPet', parts: expect.arrayContaining(['requestBody', 'responses 201']) },
  ]);
  expect(dropped).toMatchObject([
    { path: '/pets', id, reason: expect.stringMatching(/^name must have at most 3/) },
  ]);
  expect(counts).toMatchObject({ added: 1, removed: 1, changed: 2, dropped: 1, problems: 0 });
  expect(refused).toMatchObject({
    kind: 'refused',
    problems: [{ line: 2, uri: expect.stringMatching(/yaml$/) }],
  });
  expect(back).toMatchObject({ kind: 'changed', added: [{ id: 'getPet' }], removed: [{ id: 'listVets' }] });
  expect((await changes('?session=tom'))[0]).toMatchObject({ dropped: [], counts: { dropped: 0 } });
  await reader.cancel();
  expect(tom.name).toBe('tom');
});
