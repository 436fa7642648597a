import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BUILT_IN_KEY, createMock, type Mock, type MockOptions } from '#mock';
import { describeInChromium } from '../../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole, SHIPPED } from '../testing/page.ts';

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

const ok = { 200: { description: 'All', content: { 'application/json': { schema: { type: 'object' } } } } };

describe('without a browser', () => {
  test('the page has a policy of its own, and needs no token; the document does', async () => {
    const mock = await serve({ adminToken: TOKEN });
    const page = await fetch(`${mock.controlUrl}/reference`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-[\w+/]+='; style-src 'self'; img-src 'self' data:; connect-src 'self'; /,
    );
    expect((await fetch(`${mock.controlUrl}/reference-document`)).status).toBe(401);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const known = await fetch(`${mock.controlUrl}/reference-document`, { headers });
    expect(await known.json()).toMatchObject({
      key: BUILT_IN_KEY,
      schemes: [{ name: 'bearer', kind: 'bearer' }],
      document: { servers: [{ url: '/v1' }] },
    });
  });

  test('a key of the user is not shown: the page gets one of its own, which the mock accepts', async () => {
    const mock = await serve({ apiKeys: ['my-secret'] });
    const text = await (await fetch(`${mock.controlUrl}/reference-document`)).text();
    expect(text).not.toContain('my-secret');
    const ask = (key: string) => fetch(`${mock.url}/pets`, { headers: { authorization: `Bearer ${key}` } });
    expect((await ask(JSON.parse(text).key)).status).toBe(200);
    expect((await ask('my-secret')).status).toBe(200);
    expect((await ask(BUILT_IN_KEY)).status).toBe(401);
  });
});

describeInChromium('the console', (browser) => {
  /** The page of a mock; whatever it complains of, or asks of another origin, fails the test. */
  async function open(mock: Mock, query = '', options: Parameters<typeof openConsole>[2] = {}) {
    const { page, complaints } = await openConsole(browser(), 'about:blank', options);
    const foreign: string[] = [];
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^http/.test(protocol) && origin !== new URL(mock.url).origin) foreign.push(request.url());
    });
    onTestFinished(async () => {
      await page.context().close();
      expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
    });
    await page.goto(`${mock.controlUrl}/reference${query}`);
    return page;
  }

  const block = (page: Page, name: string) => page.locator('.opblock').filter({ hasText: name }).first();

  /** Opens an operation, executes it with what is filled in, and returns the status and the body that are shown. */
  async function tryIt(page: Page, name: string) {
    const operation = block(page, name);
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const live = operation.locator('.live-responses-table');
    const status = await live.locator('.response-col_status').last().innerText();
    return { status: status.trim().slice(0, 3), body: await live.locator('.microlight').first().innerText() };
  }

  test('a list and a create answer with the key filled in, and integers stay exact', async () => {
    const mock = await serve();
    const page = await open(mock);
    const listed = await tryIt(page, 'List animals');
    expect(listed.status).toBe('200');
    expect(JSON.parse(listed.body)).toHaveLength(20);
    const create = block(page, 'Add an animal');
    await create.locator('.opblock-summary-control').click();
    await create.getByRole('combobox', { name: 'Example' }).first().selectOption('beyondDoubles');
    await create.locator('.opblock-summary-control').click();
    const created = await tryIt(page, 'Add an animal');
    expect(created.status).toBe('201');
    expect(created.body).toMatch(/"categoryId": 9007199254740993\b/);
    expect((await mock.state()).records['/pets']?.at(-1)).toMatchObject({ categoryId: 9007199254740993n });
  });

  test('a deprecated operation shows the day of its removal, closed and open', async () => {
    const page = await open(await serve());
    const operation = page.locator('.opblock-deprecated');
    await operation.getByText('(deprecated, removed on 2030-12-05)').waitFor();
    await operation.locator('.opblock-summary-control').click();
    await operation.getByText('This operation is deprecated, removed on 2030-12-05.').waitFor();
    await operation.getByText('GET /pets', { exact: true }).first().waitFor();
  });

  test('with a token it asks for it, then shows the document', async () => {
    const mock = await serve({ adminToken: TOKEN });
    const { page } = await openConsole(browser(), `${mock.controlUrl}/reference`);
    await page.getByLabel('Token').fill(TOKEN);
    await page.keyboard.press('Enter');
    expect((await tryIt(page, 'List animals')).status).toBe('200');
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.getByLabel('Token').count()).toBe(0);
  });

  test('what it sends belongs to its session', async () => {
    const mock = await serve();
    const page = await open(mock, '?session=tom');
    expect((await tryIt(page, 'Add an animal')).status).toBe('201');
    expect((await mock.session('tom').state()).records['/pets']).toHaveLength(51);
    expect((await mock.state()).records['/pets']).toHaveLength(50);
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByText('session tom').waitFor();
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
    expect((await tryIt(page, 'List boats')).status).toBe('200');
    await page.getByText('All boats of the harbour').waitFor();
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
    const paths = Object.fromEntries(
      Object.keys(securitySchemes).map((name) => [
        `/${name}`,
        { get: { summary: `With ${name}`, security: [{ [name]: [] }], responses: ok } },
      ]),
    );
    const info = { title: 'Keys', version: '1' };
    const folder = await folderOf({
      'openapi.json': { openapi: '3.0.3', info, paths, components: { securitySchemes } },
    });
    const page = await open(await serve({ document: join(folder, 'openapi.json'), apiKeys: ['secret'] }));
    for (const name of Object.keys(securitySchemes))
      expect([name, (await tryIt(page, `With ${name}`)).status]).toEqual([name, '200']);
  });

  test('Swagger 2.0 is shown as it is converted', async () => {
    const document = new URL('../../fixtures/documents/allotments-swagger.yaml', import.meta.url);
    const mock = await serve({ document });
    const page = await open(mock);
    await page.getByText('OAS 3.0').waitFor();
    const shown = await page.locator('.opblock').count();
    expect(shown).toBe(mock.operations.length);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    test(`it is accessible, ${colorScheme}, wide and narrow`, async () => {
      const mock = await serve();
      const page = await open(mock, '', { colorScheme });
      for (const name of ['List animals', 'Add an animal', '(deprecated']) {
        await block(page, name).locator('.opblock-summary-control').click();
        await block(page, name).getByRole('button', { name: 'Execute' }).waitFor();
      }
      await block(page, 'Add an animal').getByRole('button', { name: 'Execute' }).click();
      await page.locator('.live-responses-table').waitFor();
      await expectAccessible(page);
      await page.setViewportSize({ width: 360, height: 800 });
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Authorize' }).click();
      await page.getByRole('button', { name: 'Logout' }).waitFor();
      await expectAccessible(page);
    });
});
