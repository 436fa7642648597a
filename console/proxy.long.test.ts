import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createProxy } from '#proxy';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole, SHIPPED } from './testing/page.ts';

describeInChromium('the console of the proxy', (browser) => {
  /** In front of a service that lists what is no pet. */
  async function open(view: Parameters<typeof openConsole>[2] = {}) {
    const service = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":1,"name":7}]');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => service.once('listening', resolve));
    onTestFinished(() => void service.close().closeAllConnections());
    const target = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
    const proxy = await createProxy({ target, document: fileURLToPath(SHIPPED), port: 0 });
    onTestFinished(() => proxy.close());
    const get = async (path: string) => {
      const headers = { authorization: 'Bearer key', connection: 'close' };
      await (await fetch(proxy.url + path, { headers })).text();
    };
    const opened = await openConsole(browser(), `${proxy.adminUrl}/`, view);
    onTestFinished(() => opened.page.context().close());
    await opened.page.getByText('Live', { exact: true }).waitFor();
    return { proxy, get, ...opened };
  }

  test('shows findings with their lines of the document as they come', async () => {
    const { page, get, complaints } = await open();
    await page.getByText('No findings yet').waitFor();
    await expectAccessible(page);
    await get('/pets');
    const finding = page.getByRole('article').filter({ hasText: 'schema' }).first();
    await finding.getByText('/0/name').first().waitFor();
    await finding.locator('mark').waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  test('shows what has passed, with the keyboard alone, in a dark narrow window', async () => {
    const { page, get } = await open({ colorScheme: 'dark', viewport: { width: 360, height: 740 } });
    await get('/pets');
    await get('/elsewhere');
    await page.getByRole('article').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await page.getByRole('link', { name: 'Requests' }).press('Enter');
    const rows = page.getByRole('row');
    await rows.filter({ hasText: '/v1/elsewhere' }).getByText('not in the document').waitFor();
    await rows
      .filter({ hasText: 'listPets' })
      .getByText(/^breaks .*schema/)
      .waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear' }).press('Enter');
    await page.getByText('No requests yet').waitFor();
  });
});
