import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createProxy } from '#proxy';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole, SHIPPED } from './testing/page.ts';

describeInChromium('the console of the proxy', (browser) => {
  /** In front of a service that lists an invalid pet. */
  async function open(view: Parameters<typeof openConsole>[2] = {}) {
    const service = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":1,"name":7}]');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => service.once('listening', resolve));
    onTestFinished(() => void service.close().closeAllConnections());
    const target = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
    const proxy = await createProxy({ target, document: fileURLToPath(SHIPPED), port: 0 });
    onTestFinished(() => proxy.close());
    const get = async (path: string, more: Readonly<Record<string, string>> = {}) => {
      const headers = { authorization: 'Bearer key', connection: 'close', ...more };
      await (await fetch(proxy.url + path, { headers })).text();
    };
    const opened = await openConsole(browser(), `${proxy.adminUrl}/`, view);
    onTestFinished(() => opened.page.context().close());
    await opened.page.getByText('Live', { exact: true }).waitFor();
    return { proxy, get, ...opened };
  }

  test('shows findings with method, URL and the lines of the document as they come', async () => {
    const { page, get, complaints } = await open();
    await page.getByText('No findings yet').waitFor();
    await expectAccessible(page);
    await get('/pets?limit=20');
    const finding = page
      .getByRole('article', { name: 'GET /v1/pets?limit=20' })
      .filter({ hasText: 'schema' });
    await finding.first().getByText('[0].name').first().waitFor();
    await finding.first().locator('mark').waitFor();
    await page.getByText(/^\d findings? in 1 request, 1 judged$/).waitFor();
    await get('/pets?limit=20');
    await finding.first().getByText('seen 2 times').waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  test('a command is copied without what browsers and proxies add, and without the key', async () => {
    const { page, get } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await get('/pets', { 'x-forwarded-for': '10.0.0.1', 'user-agent': 'browser', 'x-tenant': 'blue' });
    await page.getByRole('button', { name: 'Copy curl' }).first().click();
    await page.getByText('The command was copied.').waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).toMatch(/^curl -i 'http:\/\/127\.0\.0\.1:\d+\/v1\/pets' /);
    expect(command).toContain(`-H "authorization: Bearer $PADDOCK_API_KEY"`);
    expect(command).toContain(`-H 'x-tenant: blue'`);
    expect(command.match(/-H/g)).toHaveLength(2);
  });

  test('reports are downloaded in each format', async () => {
    const { page, get, proxy } = await open();
    await get('/pets');
    await page.getByRole('article').first().waitFor();
    const formats = page.getByLabel('Format of the report');
    expect(await formats.locator('option').allTextContents()).toEqual(proxy.found().formats);
    for (const [format, file, content] of [
      ['html', 'paddock-report.html', '<!doctype html>'],
      ['junit', 'paddock-report.junit.xml', '<testsuites'],
      ['markdown', 'paddock-report.md', '## The contract is broken'],
      ['sarif', 'paddock-report.sarif', '"version": "2.1.0"'],
    ] as const) {
      await formats.selectOption(format);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download report' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(file);
      expect(await readFile(await download.path(), 'utf8')).toContain(content);
    }
    const refused = await fetch(`${proxy.adminUrl}/report?format=pdf`);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('must be one of json, junit, html');
  });

  test('shows what has passed, with the keyboard alone, in a dark narrow window', async () => {
    const { page, get } = await open({ colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    await get('/pets');
    await get('/elsewhere');
    await page.getByRole('article').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await page.getByRole('link', { name: 'Requests' }).press('Enter');
    const rows = page.getByRole('row');
    await rows.filter({ hasText: '/v1/elsewhere' }).getByText('not in the document').waitFor();
    await get('/pets?limit=many');
    await page.getByRole('button', { name: '/v1/pets?limit=many' }).press('Enter');
    await page.getByText('Invalid request: query.limit must be an integer').waitFor();
    await page.locator('mark').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: '/v1/pets?limit=many' }).press('Enter');
    await rows
      .filter({ hasText: 'listPets' })
      .getByText(/^violates .*schema/)
      .first()
      .waitFor();
    await page.getByRole('rowheader', { name: 'GET /v1/elsewhere' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear' }).press('Enter');
    await page.getByText('No requests yet').waitFor();
  });
});
