import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clientChanges } from '#client-changes';
import { type Comparing, runMock } from '#mock-server';
import { loadContract } from '#spec';
import type { MockOptions } from '../../options.ts';
import { documentOf, SHIPPED } from '../../testing/serve.ts';

const BOTH = {
  users: documentOf({
    '/users': { get: { operationId: 'listUsers', responses: { 200: { description: 'All' } } } },
  }),
  orders: documentOf({
    '/orders': { get: { operationId: 'listOrders', responses: { 200: { description: 'All' } } } },
  }),
};

/** A mock that watches files and compares what it reads. */
async function compared(
  texts: Readonly<Record<string, string>>,
  options: Partial<MockOptions> = {},
  { compare = clientChanges, old }: Partial<Comparing> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'baseline-'));
  const save = async (name: string, text: string) => {
    await writeFile(join(folder, `.${name}.new`), text);
    await rename(join(folder, `.${name}.new`), join(folder, name));
  };
  for (const [name, text] of Object.entries(texts)) await save(name, text);
  const files = Object.keys(texts).map((name) => join(folder, name));
  const served = files.length > 1 ? { documents: files } : { document: files[0] as string };
  const notices: string[] = [];
  let wake = () => {};
  const notice = (text: string) => {
    notices.push(text);
    wake();
  };
  const given: MockOptions = { port: 0, watch: true, notice, ...served, ...options };
  const mock = await runMock(given, undefined, { compare, old });
  onTestFinished(async () => {
    await mock.close();
    await rm(folder, { recursive: true });
  });
  const headers = options.adminToken ? { authorization: `Bearer ${options.adminToken}` } : {};
  return {
    save,
    /** All notices up to the first one that matches, which it waits for. */
    async noticesUntil(pattern: RegExp): Promise<string[]> {
      for (;;) {
        const at = notices.findIndex((text) => pattern.test(text));
        if (at >= 0) return notices.splice(0, at + 1);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async control(line: string) {
      const [method = '', path] = line.split(' ');
      const response = await fetch(`${mock.controlUrl}/${path}`, { method, headers });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    },
  };
}

const SINCE = / for clients since /;
const NAME = "description: The animal's name.";
const shorter = (text: string) => text.replace(NAME, `${NAME}\n          maxLength: 5`);

test('a saved document is compared with that of the start and with the one before', async () => {
  const text = await readFile(SHIPPED, 'utf8');
  const { save, noticesUntil, control } = await compared({ 'api.yaml': text });
  expect((await control('GET baseline')).body).toMatchObject({
    changes: [],
    counts: { breaking: 0 },
    commands: [],
  });
  await save('api.yaml', shorter(text));
  const lines = await noticesUntil(SINCE);
  expect(lines).toContainEqual(
    expect.stringMatching(
      /api\.yaml:235: breaking: `name` in the request of createPet: max length none -> 5; NEW allows fewer values/,
    ),
  );
  expect(lines.at(-1)).toMatch(/^1 breaking change, 0 warnings, 1 other change for clients since \d{4}-/);
  const [breaking, safe] = (await control('GET baseline')).body.changes;
  expect(breaking).toMatchObject({ class: 'breaking', operations: ['createPet'], document: '' });
  expect(safe).toMatchObject({ class: 'safe', operations: ['listPets', 'createPet', 'getPet'] });

  await save('api.yaml', shorter(text).replace('operationId: createPet', 'operationId: addPet'));
  await noticesUntil(SINCE);
  const { counts } = (await control('GET baseline')).body;
  expect(counts).toEqual({ breaking: 1, warning: 1, safe: 1, note: 0 });
  const changes = (await control('GET changes')).body;
  expect(changes.map((one: { forClients: object[] }) => one.forClients)).toMatchObject([
    [{ class: 'breaking' }, { class: 'safe' }],
    [{ class: 'warning', text: 'operation id changed: createPet -> addPet', operations: ['addPet'] }],
  ]);
});

test('an accepted document is the next baseline, and is what the command compares with', async () => {
  const text = await readFile(SHIPPED, 'utf8');
  const { save, noticesUntil, control } = await compared({ "it's.yaml": text }, { allowRefs: ['../shared'] });
  await save("it's.yaml", shorter(text));
  await noticesUntil(SINCE);
  const { commands } = (await control('GET baseline')).body;
  expect(commands).toEqual([
    expect.stringMatching(
      /^paddock compat http:\/\/127\.0\.0\.1:\d+\/__admin\/baseline-document '.*it'\\''s\.yaml' --allow-refs \.\.\/shared$/,
    ),
  ]);
  const nameOf = async () =>
    (await control('GET baseline-document')).body.components.schemas.NewPet.properties.name;
  expect(await nameOf()).not.toHaveProperty('maxLength');
  expect((await control('POST baseline')).status).toBe(204);
  expect(await nameOf()).toMatchObject({ maxLength: 5 });
  expect((await control('GET baseline')).body).toMatchObject({ changes: [], commands: [] });
  await save("it's.yaml", text);
  expect((await noticesUntil(SINCE)).at(-1)).toMatch(/^1 breaking change, /);
});

test('a document that is saved as it was has no changes, and a broken one changes nothing', async () => {
  const text = await readFile(SHIPPED, 'utf8');
  const { save, noticesUntil, control } = await compared({ 'api.yaml': text });
  await save('api.yaml', shorter(text));
  await noticesUntil(SINCE);
  await save('api.yaml', 'openapi: 3.1.1\npaths: [\n');
  await noticesUntil(/was refused/);
  // What is served has not changed.
  expect((await noticesUntil(SINCE)).at(-1)).toMatch(/^1 breaking change, /);
  expect((await control('GET baseline')).body.counts).toMatchObject({ breaking: 1 });
  await save('api.yaml', text);
  expect((await noticesUntil(SINCE)).at(-1)).toMatch(/^no change for clients since /);
  expect((await control('GET baseline')).body.changes).toEqual([]);
});

test('of several documents each is compared with its own former one, and named', async () => {
  const texts = { 'users.json': JSON.stringify(BOTH.users), 'orders.json': JSON.stringify(BOTH.orders) };
  const { save, noticesUntil, control } = await compared(texts);
  await save('orders.json', texts['orders.json'].replace('"200"', '"202"'));
  await noticesUntil(SINCE);
  const { changes, commands } = (await control('GET baseline')).body;
  expect(changes).toMatchObject([
    { class: 'warning', document: 'orders', operations: ['listOrders'] },
    { class: 'warning', document: 'orders', operations: ['listOrders'] },
  ]);
  expect(commands).toEqual([
    expect.stringMatching(/'http:.*\/baseline-document\?document=orders' \S*orders\.json$/),
  ]);
  expect((await control('GET baseline-document?document=orders')).body).toEqual(BOTH.orders);
  expect((await control('GET baseline-document?document=carts')).status).toBe(404);
});

test('a baseline that is given is compared with at once, and until what is served is accepted', async () => {
  const text = await readFile(SHIPPED, 'utf8');
  const old = { contract: await loadContract(SHIPPED), location: 'git:main:api.yaml' };
  const { save, noticesUntil, control } = await compared(
    { 'api.yaml': shorter(text) },
    { adminToken: 'secret', overlays: [] },
    { old },
  );
  expect((await noticesUntil(SINCE)).at(-1)).toBe(
    '1 breaking change, 0 warnings, 1 other change for clients since git:main:api.yaml',
  );
  const { commands, location, changes } = (await control('GET baseline')).body;
  expect(location).toBe('git:main:api.yaml');
  expect(changes).toHaveLength(2);
  // It needs nothing of the mock.
  expect(commands).toEqual([expect.stringMatching(/^paddock compat git:main:api\.yaml \S+api\.yaml$/)]);
  await control('POST baseline');
  const accepted = (await control('GET baseline')).body;
  expect(accepted).toMatchObject({ changes: [], commands: [] });
  expect(accepted).not.toHaveProperty('location');
  await save('api.yaml', text);
  expect((await noticesUntil(SINCE)).at(-1)).toMatch(/for clients since \d{4}-/);
});

test('behind a token there is no command, since who runs it would have none', async () => {
  const text = await readFile(SHIPPED, 'utf8');
  const { save, noticesUntil, control } = await compared({ 'api.yaml': text }, { adminToken: 'secret' });
  await save('api.yaml', shorter(text));
  await noticesUntil(SINCE);
  expect((await control('GET baseline')).body).toMatchObject({ counts: { breaking: 1 }, commands: [] });
});

test('what fails while documents are compared leaves the new one served', async () => {
  const text = await readFile(SHIPPED, 'utf8');
  const bugs: unknown[] = [];
  const failed = new Error('cannot compare');
  const { save, noticesUntil, control } = await compared(
    { 'api.yaml': text },
    { onBug: (error) => bugs.push(error) },
    { compare: async () => Promise.reject(failed) },
  );
  await save('api.yaml', text.replace('version: 1.0.0', 'version: 1.1.0'));
  await noticesUntil(/is served from now on/);
  await expect.poll(() => bugs).toEqual([failed]);
  expect((await control('GET health')).body).toMatchObject({ document: { version: '1.1.0' } });
  await expect.poll(async () => (await control('GET changes')).body).toMatchObject([{ forClients: [] }]);
});

test('of a schema that many operations share the first ones are named, and all are counted', async () => {
  const listed = Array.from({ length: 12 }, (_, index) => `list${index}`);
  const parameters = [{ $ref: '#/components/parameters/page' }];
  const withPage = (type: string) =>
    documentOf(
      Object.fromEntries(
        listed.map((operationId) => [
          `/${operationId}`,
          { get: { operationId, parameters, responses: { 200: { description: 'All' } } } },
        ]),
      ),
      { components: { parameters: { page: { name: 'page', in: 'query', schema: { type } } } } },
    );
  const { save, noticesUntil, control } = await compared({ 'api.json': JSON.stringify(withPage('integer')) });
  await save('api.json', JSON.stringify(withPage('boolean')));
  await noticesUntil(SINCE);
  const [change] = (await control('GET baseline')).body.changes;
  expect(change).toMatchObject({ class: 'breaking', operationCount: 12 });
  expect(change.operations).toEqual(listed.slice(0, 8));
});

test('without a watched document there is no baseline', async () => {
  const { control } = await compared({ 'api.yaml': await readFile(SHIPPED, 'utf8') }, { watch: false });
  expect(await control('GET baseline')).toEqual({ status: 200, body: null });
  for (const line of ['POST baseline', 'GET baseline-document'])
    expect(await control(line)).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('`paddock mock --watch` compares') },
    });
});
