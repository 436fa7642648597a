import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '#mock';
import { judgeTraffic } from '#observe';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole, SHIPPED } from './testing/page.ts';

describeInChromium('sources', (browser) => {
  test('a switch says who responds, and the list of requests who has, and what a real response breaks', async () => {
    const pet = { id: 7, name: 'Rex', categoryId: 1 };
    const server = createServer((request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(request.url === '/v1/pets/7' ? pet : [{ ...pet, name: 5 }]));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const upstream = `http://127.0.0.1:${port}/v1`;
    const mock = await createMock({ document: SHIPPED, upstream, judge: judgeTraffic });
    onTestFinished(() => mock.close());
    const { page, complaints } = await openConsole(browser(), `${mock.controlUrl}/#/scenarios`);
    onTestFinished(() => page.context().close());
    await page.getByText('Live', { exact: true }).waitFor();
    const ask = async (path: string) => {
      const response = await fetch(mock.url + path, { headers: { authorization: 'Bearer secret' } });
      return response.headers.get('paddock-source');
    };

    const source = page.getByLabel('Source of getPet');
    expect(await ask('/pets/7')).toBe('upstream');
    await source.selectOption('mock');
    await page.getByText('is answered by the mock alone').waitFor();
    expect(await ask('/pets/7')).toBe('mock');
    await expectAccessible(page);
    await source.selectOption('');
    await page.getByText('No rules').waitFor();
    expect(await ask('/pets/7')).toBe('upstream');

    await ask('/pets');
    await page.setViewportSize({ width: 390, height: 844 });
    const box = await source.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 390)).toBeLessThanOrEqual(390 - 12);
    await page.goto(`${mock.controlUrl}/#/requests`);
    await page.getByText('1 broken').waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    const row = page.getByRole('option').filter({ hasText: '1 broken' });
    await row.click();
    await page.getByRole('heading', { name: /iolation of the document/ }).waitFor();
    await page
      .getByText(/0\S*name must be a string/)
      .first()
      .waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
});
