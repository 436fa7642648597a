import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '#mock';
import { createProxy } from '#proxy';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { openConsole } from './testing/page.ts';

/** A script in each form that a page may execute. */
const SCRIPT = `<img src=x onerror="globalThis.attacked=1">"'><svg onload=globalThis.attacked=1>{{attacked}}`;
const LINK = 'javascript:globalThis.attacked=1';
/** A value that a renderer may mistake for its own element. */
const ELEMENT = {
  type: 'img',
  props: { src: 'x', onError: LINK, dangerouslySetInnerHTML: { __html: SCRIPT } },
  key: null,
};

/** A document whose texts are all scripts. */
function hostileDocument(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const thing = {
    type: 'object',
    title: SCRIPT,
    description: SCRIPT,
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      name: { type: 'string', description: SCRIPT, enum: [SCRIPT, LINK] },
      [SCRIPT]: { type: 'string' },
      more: { type: 'object' },
    },
  };
  const content = (schema: object) => ({ 'application/json': { schema } });
  const one = { $ref: '#/components/schemas/Thing' };
  const operation = (operationId: string, status: number, schema: object, more: object = {}) => ({
    operationId: `${operationId} ${SCRIPT}`,
    summary: SCRIPT,
    description: `[a](${LINK}) ${SCRIPT}`,
    tags: [SCRIPT],
    responses: { [status]: { description: SCRIPT, content: content(schema) } },
    ...more,
  });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' }, description: SCRIPT };
  const document = {
    openapi: '3.1.0',
    info: {
      title: SCRIPT,
      version: SCRIPT,
      description: SCRIPT,
      contact: { url: LINK },
      license: { name: SCRIPT, url: LINK },
    },
    externalDocs: { url: LINK, description: SCRIPT },
    paths: {
      '/things': {
        get: operation('list', 200, { type: 'array', items: one }),
        post: operation('add', 201, one, { requestBody: { required: true, content: content(one) } }),
      },
      '/things/{id}': { parameters: [id], get: operation('read', 200, one) },
    },
    components: { schemas: { Thing: thing } },
  };
  const file = join(folder, '<img src=x onerror=attacked=1>.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

/** No script has run or was attempted, and no text has become an element. */
async function expectTextOnly(page: Page, complaints: readonly string[]): Promise<void> {
  expect(await page.evaluate('globalThis.attacked')).toBeUndefined();
  expect(await page.locator('img[src="x"], svg[onload], [onerror], a[href^="javascript" i]').count()).toBe(0);
  expect(complaints).toEqual([]);
}

describeInChromium('hostile text', (browser) => {
  test('of a document, of records and of requests is text in the console of the mock', async () => {
    const mock = await createMock({ document: hostileDocument(), port: 0, count: 3, apiKeys: 'any' });
    onTestFinished(() => mock.close());
    const headers = { 'content-type': 'application/json', 'x-hostile': SCRIPT, referer: LINK };
    const body = JSON.stringify({ id: 1, name: SCRIPT, [SCRIPT]: SCRIPT, more: ELEMENT });
    await fetch(`${mock.url}/things`, { method: 'POST', headers, body });
    await fetch(`${mock.url}/things`, { method: 'POST', headers, body: body.slice(0, 20) });
    await fetch(`${mock.url}/things?${encodeURIComponent(SCRIPT)}=${encodeURIComponent(LINK)}`, { headers });
    await fetch(`${mock.url}/${encodeURIComponent(SCRIPT)}`, { headers });
    const rule = { operation: `read ${SCRIPT}`, status: 200, body: ELEMENT, template: false };
    expect(
      (await fetch(`${mock.controlUrl}/answers`, { method: 'POST', body: JSON.stringify(rule) })).ok,
    ).toBe(true);
    const { page, complaints } = await openConsole(browser(), `${mock.controlUrl}/#/requests`);
    onTestFinished(() => page.context().close());
    await page.getByText('Live', { exact: true }).waitFor();
    const requests = page.getByRole('listbox', { name: /^Requests/ }).getByRole('option');
    await requests.nth(3).waitFor();
    for (let at = 0; at < 4; at++) {
      await requests.nth(at).click();
      await page.getByRole('article').first().waitFor();
      await expectTextOnly(page, complaints);
    }
    for (const name of ['Records', 'Scenarios', 'Sessions', 'Changes']) {
      await page.getByRole('link', { name, exact: true }).first().press('Enter');
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      await expectTextOnly(page, complaints);
    }
  });

  test('of a document is text in the API reference, and its links lead to nothing that runs', async () => {
    const mock = await createMock({ document: hostileDocument(), port: 0, count: 3, apiKeys: 'any' });
    onTestFinished(() => mock.close());
    const { page, complaints } = await openConsole(browser(), `${mock.controlUrl}/reference`);
    onTestFinished(() => page.context().close());
    const side = page.getByRole('navigation', { name: 'Operations and schemas' });
    const operations = side.locator('a[href*="#/operations/"]');
    await operations.nth(2).waitFor();
    await expectTextOnly(page, complaints);
    for (let at = 0; at < 3; at++) {
      await operations.nth(at).click();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('status', { name: 'Response' }).waitFor();
      await page.locator('.reference-view :is(summary, [aria-expanded="false"])').evaluateAll((all) => {
        for (const one of all) (one as unknown as { click(): void }).click();
      });
      for (const language of ['JavaScript', 'Python', 'Java', 'curl'])
        await page.getByRole('button', { name: language, exact: true }).click();
      await expectTextOnly(page, complaints);
    }
    await side.getByRole('link', { name: 'Schemas' }).click();
    await page.getByRole('link', { name: 'Thing', exact: true }).click();
    await page.getByRole('heading', { name: 'Thing', exact: true }).waitFor();
    await expectTextOnly(page, complaints);
    await side.getByRole('searchbox').fill('<img');
    await side.locator('mark').first().waitFor();
    await expectTextOnly(page, complaints);
  });

  test('of a document and of a service is text in the console of the proxy', async () => {
    const answer = JSON.stringify([{ id: SCRIPT, name: LINK, [SCRIPT]: 7, more: ELEMENT }]);
    const service = createServer((_, response) => {
      const headers = { 'content-type': 'application/json', 'x-hostile': SCRIPT, location: LINK };
      response.writeHead(200, headers).end(answer);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => service.once('listening', resolve));
    onTestFinished(() => void service.close().closeAllConnections());
    const target = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const proxy = await createProxy({ target, document: hostileDocument(), port: 0 });
    onTestFinished(() => proxy.close());
    const paths = [
      'things',
      `things?${encodeURIComponent(SCRIPT)}=1`,
      encodeURIComponent(SCRIPT),
      'things/1?a=<svg/onload=attacked=1>',
    ];
    for (const path of paths) await (await fetch(`${proxy.url}/${path}`)).text();
    const { page, complaints } = await openConsole(browser(), `${proxy.adminUrl}/`);
    onTestFinished(() => page.context().close());
    await page.getByRole('article').first().waitFor();
    await expectTextOnly(page, complaints);
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('row').nth(4).waitFor();
    await expectTextOnly(page, complaints);
  });

  test('cannot be sent to a page by another one: it takes no messages, and shows no token of an address', async () => {
    const mock = await createMock({
      document: hostileDocument(),
      port: 0,
      adminToken: 'the-token-of-this-test',
    });
    onTestFinished(() => mock.close());
    const at = `${mock.controlUrl}/?token=the-token-of-this-test&session=${encodeURIComponent(SCRIPT)}#${SCRIPT}`;
    const { page, complaints } = await openConsole(browser(), at);
    onTestFinished(() => page.context().close());
    await page.getByLabel('Token').waitFor();
    await page.evaluate(`postMessage({ token: 'the-token-of-this-test', type: 'snapshot' }, '*')`);
    expect(await page.evaluate('globalThis.attacked')).toBeUndefined();
    expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
    // The only error is the 401.
    expect(complaints.filter((text) => !/401|400/.test(text))).toEqual([]);
  });
});
