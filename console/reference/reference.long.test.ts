import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BUILT_IN_KEY, createMock, type Mock, type MockOptions } from '#mock';
import { describeInChromium } from '../../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole, SHIPPED } from '../testing/page.ts';
import type { OperationSample, SampleBody } from '../wire.ts';

const TOKEN = 't0ken-of-the-test';

/** A mock that ends with the test. */
async function serve(options: Partial<MockOptions> = {}): Promise<Mock> {
  const mock = await createMock({ document: SHIPPED, port: 0, ...options });
  onTestFinished(() => mock.close());
  return mock;
}

/** A folder with these files, as JSON. */
async function folderOf(files: Readonly<Record<string, object>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reference-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, value] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(value));
  return folder;
}

async function serveJson(document: object, options: Partial<MockOptions> = {}): Promise<Mock> {
  const folder = await folderOf({ 'openapi.json': document });
  return serve({ document: join(folder, 'openapi.json'), ...options });
}

const info = { title: 'Things', version: '1' };
const ok = { 200: { description: 'All', content: { 'application/json': { schema: { type: 'object' } } } } };

describe('without a browser', () => {
  test('the page has the policy of the console, and needs no token; the document does', async () => {
    const mock = await serve({ adminToken: TOKEN });
    const page = await fetch(`${mock.controlUrl}/reference`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-[\w+/]+='; style-src 'self'; img-src 'self'; connect-src 'self'; /,
    );
    const headers = { authorization: `Bearer ${TOKEN}` };
    for (const endpoint of [
      'reference-index',
      'reference-document',
      'reference-sample?operation=createPet',
    ]) {
      expect((await fetch(`${mock.controlUrl}/${endpoint}`)).status).toBe(401);
      expect((await fetch(`${mock.controlUrl}/${endpoint}`, { headers })).status).toBe(200);
    }
    const known = await fetch(`${mock.controlUrl}/reference-index`, { headers });
    expect(await known.json()).toMatchObject({
      key: BUILT_IN_KEY,
      basePath: '/v1',
      schemas: expect.any(Array),
    });
  });

  test('a key of the user is not shown: the page gets one of its own, which the mock accepts', async () => {
    const mock = await serve({ apiKeys: ['my-secret'] });
    const text = await (await fetch(`${mock.controlUrl}/reference-index`)).text();
    expect(text).not.toContain('my-secret');
    const ask = (key: string) => fetch(`${mock.url}/pets`, { headers: { authorization: `Bearer ${key}` } });
    expect((await ask(JSON.parse(text).key)).status).toBe(200);
    expect((await ask('my-secret')).status).toBe(200);
    expect((await ask(BUILT_IN_KEY)).status).toBe(401);
  });

  test('a sample of a request is one that the mock takes, and an unknown operation is refused', async () => {
    const mock = await serve();
    const asked = await fetch(`${mock.controlUrl}/reference-sample?operation=createPet`);
    const sample = (await asked.json()) as OperationSample & { readonly body: SampleBody };
    const headers = { authorization: `Bearer ${BUILT_IN_KEY}`, 'content-type': sample.body.type };
    const made = await fetch(`${mock.url}/pets`, { method: 'POST', headers, body: sample.body.text });
    expect(made.status).toBe(201);
    expect((await fetch(`${mock.controlUrl}/reference-sample?operation=none`)).status).toBe(404);
  });
});

describeInChromium('the reference', (browser) => {
  /** A mock's page; browser errors, and requests to other origins, fail the test. */
  async function open(mock: Mock, address = '', options: Parameters<typeof openConsole>[2] = {}) {
    const { page, complaints } = await openConsole(browser(), 'about:blank', options);
    const foreign: string[] = [];
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^http/.test(protocol) && origin !== new URL(mock.url).origin) foreign.push(request.url());
    });
    onTestFinished(async () => {
      await page.context().close();
      // The browser reports each 404, which a user may try on purpose.
      const others = complaints.filter((text) => !text.includes('the server responded with a status of 404'));
      expect({ others, foreign }).toEqual({ others: [], foreign: [] });
    });
    await page.goto(`${mock.controlUrl}/reference${address}`);
    return page;
  }

  const side = (page: Page) => page.getByRole('navigation', { name: 'Operations and schemas' });
  const received = (page: Page) => page.getByRole('status', { name: 'Response' });

  /** Opens an operation, sends the prefilled request, and returns the shown status. */
  async function tryIt(page: Page, name: string): Promise<string> {
    await side(page).getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 2, name }).waitFor();
    await page.getByText('Bearer').or(page.getByText('curl')).first().waitFor();
    return send(page);
  }

  async function send(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Send' }).click();
    return (await received(page).locator('.pill').innerText()).slice(0, 3);
  }

  test('a search finds operations and schemas, marks what it found, and Enter opens the first', async () => {
    const page = await open(await serve());
    const search = page.getByRole('searchbox', { name: 'Search operations and schemas' });
    await search.waitFor();
    await page.keyboard.press('/');
    await expect.poll(() => search.evaluate((node) => node.matches(':focus'))).toBe(true);
    await page.keyboard.type('post pets');
    expect(await side(page).getByRole('link').count()).toBe(1);
    expect(await side(page).locator('mark').allInnerTexts()).toContain('pets');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: 'Add an animal' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/operations/createPet');
    await search.fill('newpet');
    await side(page).getByRole('link', { name: 'NewPet' }).click();
    await page.getByRole('heading', { level: 2, name: 'NewPet' }).waitFor();
  });

  test('j and k move from operation to operation, each with an address of its own', async () => {
    const page = await open(await serve(), '#/operations/listPets');
    await page.getByRole('heading', { level: 2, name: 'List animals' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { level: 2, name: 'Add an animal' }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('heading', { level: 2, name: 'List animals' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/operations/listPets');
  });

  test('a create is filled in and sent; the response leads to the record and to the request', async () => {
    const mock = await serve();
    const page = await open(mock, '#/operations/createPet');
    const body = page.getByRole('textbox', { name: /^Body/ });
    await expect.poll(() => body.inputValue()).toMatch(/"name"/);
    await page.getByRole('combobox', { name: 'Example' }).last().selectOption('beyondDoubles');
    expect(await send(page)).toBe('201');
    expect(await page.getByLabel('Response body').innerText()).toMatch(/"categoryId": 9007199254740993\b/);
    expect((await mock.state()).records['/pets']?.at(-1)).toMatchObject({ categoryId: 9007199254740993n });
    expect(await page.getByRole('link', { name: 'Why this answer' }).getAttribute('href')).toMatch(
      /#\/requests\/1$/,
    );
    expect(await page.getByRole('link', { name: 'Show the record' }).getAttribute('href')).toMatch(
      /#\/records\/%2Fpets\/51$/,
    );
    await body.fill('{"name": ');
    await page.getByText('Invalid JSON').waitFor();
  });

  test('a request with a body is sent only once the form has one', async () => {
    const page = await open(await serve());
    const held = Promise.withResolvers<void>();
    await page.route('**/reference-sample*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.evaluate("location.hash = '#/operations/createPet'");
    await page.getByRole('heading', { level: 2, name: 'Add an animal' }).waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    held.resolve();
    expect(await send(page)).toBe('201');
  });

  test('ids of records that exist are offered, and the first is filled in', async () => {
    const mock = await serve({ count: 3 });
    const page = await open(mock, '#/operations/getPet');
    const id = page.getByLabel('Try it').getByRole('combobox', { name: /petId/ });
    const known = (await mock.state()).records['/pets']?.map((pet) => String((pet as { id: unknown }).id));
    const offered = page.locator('datalist option');
    await expect.poll(() => offered.count()).toBe(3);
    const values = await offered.evaluateAll((all) =>
      all.map((one) => (one as unknown as { value: string }).value),
    );
    expect(values.toSorted()).toEqual(known?.toSorted());
    expect(await id.inputValue()).toBe(values[0]);
    expect(await send(page)).toBe('200');
    await id.fill('4711');
    expect(await send(page)).toBe('404');
  });

  test('a deprecated operation shows the day of its removal, and what to use', async () => {
    const page = await open(await serve(), '#/operations/getPet');
    await page
      .getByText('This operation is deprecated, and removed on 2030-12-05. Use GET /pets instead.')
      .waitFor();
  });

  test('with a token it asks for it, then shows the document', async () => {
    const mock = await serve({ adminToken: TOKEN });
    const { page } = await openConsole(browser(), `${mock.controlUrl}/reference`);
    await page.getByLabel('Token').fill(TOKEN);
    await page.keyboard.press('Enter');
    expect(await tryIt(page, 'List animals')).toBe('200');
    await page.context().close();
  });

  test('what it sends belongs to its session', async () => {
    const mock = await serve();
    const page = await open(mock, '?session=tom#/operations/createPet');
    await expect.poll(() => page.getByRole('textbox', { name: /^Body/ }).inputValue()).toMatch(/"name"/);
    expect(await send(page)).toBe('201');
    expect((await mock.session('tom').state()).records['/pets']).toHaveLength(51);
    expect((await mock.state()).records['/pets']).toHaveLength(50);
    await page.getByText(`/~tom/v1/pets`).first().waitFor();
  });

  test('a document of several files with an overlay is shown as it is served', async () => {
    const get = {
      operationId: 'listBoats',
      summary: 'List boats',
      responses: { 200: { $ref: 'r.json#/ok' } },
    };
    const folder = await folderOf({
      'openapi.json': {
        openapi: '3.1.1',
        info: { title: 'Boats', version: '1' },
        servers: [{ url: 'https://boats.example/api' }],
        paths: { '/boats': { $ref: 'paths.json#/boats' } },
      },
      'paths.json': { boats: { get, servers: [{ url: 'https://elsewhere.example' }] } },
      'r.json': { ok: { ...ok[200], description: 'All boats of the harbour' } },
      'overlay.json': {
        overlay: '1.0.0',
        info: { title: 'o', version: '1' },
        actions: [{ target: '$.info', update: { description: 'Said by an overlay' } }],
      },
    });
    const mock = await serve({
      document: join(folder, 'openapi.json'),
      overlays: [join(folder, 'overlay.json')],
    });
    const page = await open(mock);
    await page.getByText('Said by an overlay').waitFor();
    expect(await tryIt(page, 'List boats')).toBe('200');
    await page.getByText('All boats of the harbour').first().waitFor();
    await page.getByText('https://elsewhere.example').waitFor();
  });

  test('every kind of credential is filled in, and no server of tokens is asked', async () => {
    const securitySchemes = {
      token: {
        type: 'openIdConnect',
        openIdConnectUrl: 'https://id.example/.well-known/openid-configuration',
      },
      flow: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'https://id.example/t', scopes: { r: 'read' } } },
      },
      user: { type: 'http', scheme: 'basic' },
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'crumb' },
    };
    const names = Object.keys(securitySchemes);
    const operations = names.map((name) => [
      `/${name}`,
      { get: { summary: `With ${name}`, security: [{ [name]: [] }], responses: ok } },
    ]);
    const paths = Object.fromEntries(operations);
    const mock = await serveJson(
      { openapi: '3.0.3', info, paths, components: { securitySchemes } },
      { apiKeys: ['secret'] },
    );
    const page = await open(mock);
    for (const name of names) expect([name, await tryIt(page, `With ${name}`)]).toEqual([name, '200']);
  });

  test('a schema that contains itself opens step by step, and says all that it demands', async () => {
    const node = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 2, pattern: '^[a-z]+$' },
        kind: { enum: ['leaf', 'branch'], default: 'leaf' },
        secret: { type: 'string', writeOnly: true },
        children: { type: 'array', items: { $ref: '#/components/schemas/Node' }, maxItems: 9 },
        shape: { oneOf: [{ $ref: '#/components/schemas/Round' }, { type: 'null' }] },
      },
    };
    const Round = {
      allOf: [{ type: 'object', properties: { radius: { type: 'number', exclusiveMinimum: 0 } } }],
    };
    const mock = await serveJson({
      openapi: '3.1.0',
      info,
      paths: { '/nodes': { get: { responses: ok } } },
      components: { schemas: { Node: node, Round } },
    });
    const page = await open(mock, '#/schemas/Node');
    await page.getByText('at least 2 characters').waitFor();
    await page.getByText('pattern ^[a-z]+$').waitFor();
    await page.getByText('default "leaf"').waitFor();
    await page.getByText('write-only').waitFor();
    for (let depth = 1; depth <= 3; depth++) {
      await page.getByRole('button', { name: 'children' }).last().click();
      await page.getByRole('button', { name: 'items' }).last().click();
      expect(await page.getByRole('button', { name: 'children' }).count()).toBe(depth + 1);
    }
    await page.getByRole('button', { name: 'shape' }).first().click();
    await page.getByRole('button', { name: 'one of: Round' }).click();
    await page.getByText('> 0').waitFor();
  });

  test('callbacks, webhooks, links and several media types are shown', async () => {
    const event = {
      requestBody: {
        content: {
          'application/json': { schema: { type: 'object', properties: { at: { type: 'string' } } } },
        },
      },
      responses: { 204: { description: 'Taken' } },
    };
    const mock = await serveJson({
      openapi: '3.1.0',
      info,
      paths: {
        '/jobs': {
          post: {
            summary: 'Start a job',
            requestBody: {
              content: {
                'application/json': { schema: { type: 'object' } },
                'text/plain': { schema: { type: 'string' } },
              },
            },
            responses: { 202: { description: 'Started', links: { again: { operationId: 'again' } } } },
            callbacks: { done: { '{$request.body#/url}': { post: event } } },
          },
          get: { operationId: 'again', responses: ok },
        },
      },
      webhooks: { closed: { post: { ...event, summary: 'Closed for the day' } } },
    });
    const page = await open(mock);
    await side(page).getByRole('link', { name: 'Start a job' }).click();
    await page.getByText('{$request.body#/url}').waitFor();
    await page.getByRole('link', { name: 'again', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Media type of the request body' }).selectOption('text/plain');
    await side(page).getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('Closed for the day').first().click();
    await page.getByText('Taken').waitFor();
  });

  test('of OpenAPI 3.2 it shows QUERY, tags below others, and each message of a stream', async () => {
    const thing = { type: 'object', properties: { size: { type: 'integer' } } };
    const json = { content: { 'application/json': { schema: thing } } };
    const mock = await serveJson({
      openapi: '3.2.0',
      info,
      tags: [
        { name: 'care', parent: 'animals', summary: 'Care' },
        { name: 'lonely', parent: 'nobody' },
        { name: 'animals', summary: 'All animals' },
        { name: 'one', parent: 'two' },
        { name: 'two', parent: 'one' },
      ],
      paths: {
        '/things': {
          query: {
            ...{ summary: 'Search things', tags: ['care'], requestBody: json },
            responses: { 200: { description: 'Found', ...json } },
          },
          get: { summary: 'List things', tags: ['animals'], responses: ok },
          additionalOperations: { LINK: { summary: 'Link things', responses: ok } },
        },
        '/ticks': {
          get: {
            ...{ summary: 'Watch', tags: ['one'] },
            responses: {
              200: { description: 'Ticks', content: { 'text/event-stream': { itemSchema: thing } } },
            },
          },
        },
      },
      webhooks: { tied: { additionalOperations: { LINK: { summary: 'Tied', responses: ok } } } },
    });
    const page = await open(mock);
    await page.getByText(/^OpenAPI 3\.2/).waitFor();
    const headings = side(page).getByRole('heading', { level: 2 });
    expect(await headings.allInnerTexts()).toEqual([
      expect.stringMatching(/^All animals\s+1$/),
      expect.stringMatching(/^All animals › Care\s+1$/),
      expect.stringMatching(/^one\s+1$/),
    ]);
    // Operations that the mock does not serve are not offered.
    expect(await side(page).getByText('Link things').count()).toBe(0);
    await side(page).getByRole('link', { name: 'Search things' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: /^Body/ }).inputValue()).toMatch(/"size"/);
    expect(await send(page)).toBe('200');
    expect(mock.requests().at(-1)).toMatchObject({ method: 'QUERY', body: expect.stringContaining('size') });
    await expectAccessible(page);
    await side(page).getByRole('link', { name: 'Watch' }).click();
    await page.getByText('Each message').waitFor();
    await page.locator('.schema').getByText('size').waitFor();
    await side(page).getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('LINK').waitFor();
  });

  test('one of several documents is chosen by its name, and shows and sends what is its own', async () => {
    const documentOf = (title: string, server: string, path: string) => ({
      openapi: '3.1.1',
      info: { title, version: '1' },
      servers: [{ url: server }],
      paths: { [path]: { get: { summary: `List ${title}`, responses: ok } } },
    });
    const folder = await folderOf({
      'boats.json': documentOf('Boats', '/v1', '/boats'),
      'crews.json': documentOf('Crews', '/v2', '/crews'),
    });
    const documents = ['boats.json', 'crews.json'].map((name) => join(folder, name));
    const mock = await createMock({ documents, port: 0 });
    onTestFinished(() => mock.close());
    const page = await open(mock);
    await side(page).getByRole('link', { name: 'List Boats' }).waitFor();
    await page.getByRole('combobox', { name: 'Document' }).selectOption('crews');
    await page.getByRole('heading', { level: 2, name: 'Crews 1', exact: true }).waitFor();
    expect(await side(page).getByText('List Boats').count()).toBe(0);
    await expectAccessible(page);
    expect(await tryIt(page, 'List Crews')).toBe('200');
    expect(mock.requests().at(-1)).toMatchObject({ target: '/v2/crews', status: 200 });
    await page.getByText('/v2/crews').first().waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 2, name: 'Crews 1', exact: true }).waitFor();
  });

  test('Swagger 2.0 is shown as it is converted', async () => {
    const document = new URL('../../fixtures/documents/allotments-swagger.yaml', import.meta.url);
    const mock = await serve({ document });
    const page = await open(mock);
    await page.getByText(/^OpenAPI 3\.0/).waitFor();
    expect(await side(page).locator('a[href*="#/operations/"]').count()).toBe(mock.operations.length);
  });

  test('a watched document is shown again when it changes', async () => {
    const before = {
      openapi: '3.1.0',
      info,
      paths: { '/a': { get: { summary: 'The first', responses: ok } } },
    };
    const folder = await folderOf({ 'openapi.json': before });
    const mock = await serve({ document: join(folder, 'openapi.json'), watch: true });
    const page = await open(mock);
    await side(page).getByRole('link', { name: 'The first' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const after = {
      ...before,
      paths: { ...before.paths, '/b': { get: { summary: 'The second', responses: ok } } },
    };
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(after));
    await side(page).getByRole('link', { name: 'The second' }).waitFor();
  });

  test('it is accessible, light and wide, dark and narrow', async () => {
    const page = await open(await serve());
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await expectAccessible(page);
    await tryIt(page, 'Add an animal');
    await page.locator('.reference-view :is(summary, [aria-expanded="false"])').evaluateAll((all) => {
      for (const one of all) (one as unknown as { click(): void }).click();
    });
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All operations' }).click();
    await expectAccessible(page);
    await side(page).getByRole('link', { name: 'Schemas' }).click();
    await page.getByRole('link', { name: 'NewPet' }).last().click();
    await expectAccessible(page);
  });
});
