import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createMock, type MockOptions } from '#mock';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole, SHIPPED } from './testing/page.ts';

const KEY = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };

describeInChromium('the start page', (browser) => {
  async function open(options: Partial<MockOptions> = {}, view: Parameters<typeof openConsole>[2] = {}) {
    const mock = await createMock({ document: SHIPPED, port: 0, ...options });
    onTestFinished(() => mock.close());
    const opened = await openConsole(browser(), `${mock.controlUrl}/`, {
      permissions: ['clipboard-read', 'clipboard-write'],
      ...view,
    });
    onTestFinished(() => opened.page.context().close());
    await opened.page.getByText('Live', { exact: true }).waitFor();
    return { mock, ...opened };
  }

  test('base URL, key and a first request are copied, and the request succeeds', async () => {
    const { mock, page, complaints } = await open();
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'Copy base URL', exact: true }).click();
    await expect.poll(clipboard).toBe(mock.url);
    await page.getByRole('button', { name: 'Copy key' }).click();
    await expect.poll(clipboard).toBe('paddock-dev-key');
    await page.getByRole('button', { name: 'Copy the curl example' }).click();
    await expect.poll(clipboard).toMatch(/^curl/);
    const { stdout } = await promisify(execFile)('sh', ['-c', await clipboard()]);
    expect(JSON.parse(stdout)).toHaveLength(20);
    await page.getByRole('tab', { name: 'curl' }).press('ArrowRight');
    const code = page.getByRole('tabpanel').locator('pre');
    const script = await code.innerText();
    const lines: unknown[] = [];
    await new Function('log', `return (async () => {${script.replace('console.log', 'log')}})()`)(
      (...values: unknown[]) => lines.push(...values),
    );
    expect(lines[0]).toBe(200);
    await page.getByRole('tab', { name: 'openapi-fetch' }).click();
    expect(await code.innerText()).toContain("client.GET('/pets')");
    await page.getByRole('button', { name: 'Send the first request' }).click();
    await page.getByRole('link', { name: /^200 in / }).waitFor();
    await page.getByRole('button', { name: 'Send the next request' }).click();
    await page
      .getByRole('region', { name: 'Latest requests' })
      .getByRole('link', { name: '/v1/pets/51' })
      .waitFor();
    await page
      .getByRole('region', { name: 'Make it fail' })
      .getByRole('button', { name: 'Answer 503' })
      .click();
    await page.getByRole('link', { name: '1 rule active' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('what was refused leads to its request, and a count to its records, as clients write', async () => {
    const { mock, page } = await open({ count: 12 });
    const count = page.getByRole('link', { name: '/pets 12' });
    await count.waitFor();
    await fetch(`${mock.url}/pets`, { method: 'POST', headers: KEY, body: '{"name":"Rex","categoryId":1}' });
    await page.getByRole('link', { name: '/pets 13' }).waitFor();
    await page
      .getByRole('region', { name: 'Latest requests' })
      .getByRole('link', { name: '/v1/pets/13' })
      .waitFor();
    const next = page.getByRole('region', { name: 'Next: read the new record' }).locator('pre');
    const { stdout } = await promisify(execFile)('sh', ['-c', `${await next.innerText()} -s`]);
    expect(JSON.parse(stdout)).toEqual({ id: 13, name: 'Rex', categoryId: 1 });
    await fetch(`${mock.url}/pets?status=lost`, { headers: KEY });
    const refused = page
      .getByRole('region', { name: 'Recent errors' })
      .getByRole('link', { name: 'status=lost' });
    await refused.waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 800 });
    await expectAccessible(page);
    await refused.click();
    await page.getByRole('article').getByText('must be one of').first().waitFor();
    await page.goBack();
    // It is counted once it is visible.
    await page.getByRole('region', { name: 'Records' }).getByRole('link').click();
    await page.getByRole('table').waitFor();
  });

  test('the strip says what changes responses, on each page, and leads to where that is', async () => {
    const { mock, page } = await open();
    const strip = page.getByRole('region', { name: 'Session' });
    await strip.getByText('no latency').waitFor();
    const post = (path: string, method: string, body: string) =>
      fetch(`${mock.controlUrl}/${path}`, { method, headers: KEY, body });
    await post('latency', 'PUT', '{"latency":"10-20"}');
    await post('clock', 'PUT', '{"now":"2030-12-06"}');
    await post('answers', 'POST', '{"operation":"listPets","status":503,"times":1}');
    await strip.getByText('10-20 ms').waitFor();
    await strip.getByText('2030-12-06').waitFor();
    await strip.getByRole('link', { name: '1 rule active' }).waitFor();
    await page.getByRole('link', { name: 'Records', exact: true }).click();
    await strip.getByText('10-20 ms').waitFor();
    await fetch(`${mock.url}/pets`, { headers: KEY });
    await strip.getByText('1 rule active').waitFor({ state: 'detached' });
  });

  test('Ctrl-K that is pressed before the contract is there is kept', async () => {
    const { page } = await open();
    let answer: (() => void) | undefined;
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/__admin/contract', async (route) => {
      await isAnswered;
      await route.continue();
    });
    const asked = page.waitForRequest('**/__admin/contract');
    await page.reload();
    await asked;
    await page.keyboard.press('Control+k');
    answer?.();
    await page.getByRole('dialog', { name: 'Find' }).waitFor();
  });

  test('keys lead from page to page, to the search, and list themselves', async () => {
    const { page } = await open({}, { viewport: { width: 390, height: 800 } });
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('table').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('no such name');
    await page.getByText('No records match the filter').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByText('Go to a page').waitFor();
    await keys.getByText('Add a record').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    const finder = page.getByRole('dialog', { name: 'Find' });
    await finder.getByRole('textbox').fill('getpet');
    await finder.getByRole('link', { name: 'GET /pets/{petId} getPet' }).waitFor();
    await expectAccessible(page);
    await finder.getByRole('textbox').fill('ava');
    await finder
      .getByRole('link', { name: /^\/pets\/\d+ / })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await finder.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Menu' }).click();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    expect(await page.getByRole('link', { name: 'Records', exact: true }).isVisible()).toBe(false);
  });
});
