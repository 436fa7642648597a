import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createMock, type Mock, type MockOptions } from '#mock';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole, SHIPPED } from './testing/page.ts';

const KEY = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };

describeInChromium('rules', (browser) => {
  async function open(
    address: string,
    options: Partial<MockOptions> = {},
    view: Parameters<typeof openConsole>[2] = {},
  ) {
    const mock = await createMock({ document: SHIPPED, port: 0, ...options });
    onTestFinished(() => mock.close());
    const opened = await openConsole(browser(), `${mock.controlUrl}/${address}`, view);
    onTestFinished(() => opened.page.context().close());
    await opened.page.getByText('Live', { exact: true }).waitFor();
    return { mock, ...opened };
  }

  const statusOf = async (mock: Mock, path: string) =>
    (await fetch(mock.url + path, { headers: KEY })).status;
  const rule = (page: Page) => page.getByRole('list', { name: /^Rules/ }).getByRole('listitem');

  test('a request that was seen is answered with 503 twice, and the rule is counted and removed', async () => {
    const { mock, page, complaints } = await open('#/requests');
    await statusOf(mock, '/pets/7');
    await page.getByRole('option').filter({ hasText: '/v1/pets/7' }).click();
    await page.getByRole('button', { name: 'Create rule' }).click();
    const form = page.getByRole('dialog');
    expect(await form.getByLabel('Requests').inputValue()).toBe('getPet');
    expect(await form.getByLabel('Path').inputValue()).toBe('/pets/7');
    await form.getByLabel('Times').fill('twice');
    await form.getByRole('button', { name: 'Create rule' }).click();
    await form.getByText('must be a whole number from 1').waitFor();
    await expectAccessible(page);
    const body = form.getByRole('textbox', { name: 'Body' });
    for (const slip of ['{"a": ', '[1', '"a']) {
      await body.fill(slip);
      await form.getByRole('button', { name: 'Create rule' }).click();
      await form.getByText(/^starts like JSON but is not valid JSON/).waitFor();
      expect(await body.getAttribute('aria-invalid')).toBe('true');
    }
    expect(await (await fetch(`${mock.controlUrl}/rules`)).json()).toEqual([]);
    await body.fill('');
    await form.getByLabel('Times').fill('2');
    await form.getByRole('button', { name: 'Create rule' }).click();
    await rule(page).getByText('used 0 of 2 times').waitFor();
    expect(await statusOf(mock, '/pets/8')).toBe(200);
    expect(await statusOf(mock, '/pets/7')).toBe(503);
    await rule(page).getByText('used 1 of 2 times').waitFor();
    expect(await statusOf(mock, '/pets/7')).toBe(503);
    expect(await statusOf(mock, '/pets/7')).toBe(200);
    await rule(page).getByText('used 2 of 2 times, done').waitFor();
    await expectAccessible(page);
    await rule(page).getByRole('button', { name: 'Remove rule 1' }).click();
    await page.getByText('No rules', { exact: true }).waitFor();
    // The browser itself complains of the 400 that the first try got.
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });

  test('answers one after the other, with the keyboard alone, in a dark narrow window', async () => {
    const narrow = { colorScheme: 'dark', viewport: { width: 360, height: 740 } } as const;
    const { mock, page } = await open('?session=tom#/rules', {}, narrow);
    await page.getByRole('button', { name: 'Create rule' }).press('Enter');
    const form = page.getByRole('dialog');
    await form.getByLabel('Requests').selectOption('listPets');
    await form.getByLabel('Effect').selectOption('Respond in sequence');
    await expectAccessible(page);
    await form.getByLabel('Responses').fill('503, 401, pass');
    await page.keyboard.press('Enter');
    await rule(page).getByText('in sequence: 503, 401, usual response').waitFor();
    await expectAccessible(page);
    const tom = mock.session('tom');
    const statuses = [];
    for (let count = 0; count < 4; count++)
      statuses.push((await fetch(`${tom.url}/pets`, { headers: KEY })).status);
    expect(statuses).toEqual([503, 401, 200, 200]);
    expect(await statusOf(mock, '/pets')).toBe(200);
    await page.getByRole('button', { name: 'Remove all' }).press('Enter');
    await page.getByText('No rules', { exact: true }).waitFor();
  });

  test('latency and clock are set while the mock runs, and seen when others set them', async () => {
    const { mock, page } = await open('#/rules');
    const slider = page.getByLabel('Latency');
    await slider.focus();
    const isSet = page.waitForResponse(
      (one) => one.url().endsWith('/latency') && one.request().method() === 'PUT',
    );
    await page.keyboard.press('ArrowRight');
    await isSet;
    await page.getByRole('status').getByText('50 ms').waitFor();
    const begun = performance.now();
    await statusOf(mock, '/pets');
    expect(performance.now() - begun).toBeGreaterThan(45);
    await fetch(`${mock.controlUrl}/latency`, { method: 'PUT', body: '{"latency":"10-20"}', headers: KEY });
    await page.getByRole('status').getByText('10-20 ms').waitFor();
    await page.getByLabel('Date, UTC').fill('soon');
    await page.getByRole('button', { name: 'Set' }).click();
    await page.getByText('now must be a date').waitFor();
    await page.getByLabel('Date, UTC').fill('2030-12-06');
    await page.getByRole('button', { name: 'Set' }).click();
    await page.getByText('Set to 2030-12-06 00:00').waitFor();
    expect(await statusOf(mock, '/pets/1')).toBe(410);
    await page.getByRole('button', { name: 'Real time' }).click();
    await page.getByText('Real time. No operation is removed.').waitFor();
    expect(await statusOf(mock, '/pets/1')).toBe(200);
    await expectAccessible(page);
  });

  test('sessions are shown with what they hold, and the console switches between them', async () => {
    const { mock, page, complaints } = await open('#/sessions');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('(default)').getByText('/pets 50').waitFor();
    const tom = mock.session('tom');
    const post = { method: 'POST', headers: KEY, body: '{"name":"Rex","categoryId":1}' };
    await fetch(`${tom.url}/pets`, post);
    await row('tom').getByText('/pets 51').waitFor();
    await expectAccessible(page);
    await row('tom').getByRole('link', { name: 'Show session tom' }).click();
    await page.getByRole('link', { name: 'session tom' }).waitFor();
    await row('tom').getByText('current').waitFor();
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('option').filter({ hasText: 'POST' }).waitFor();
    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await page.getByLabel('Session name').fill('ada');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('link', { name: 'session ada' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('many sessions come in pages, and are found by name, in a narrow window', async () => {
    const { mock, page } = await open('#/sessions', {}, { viewport: { width: 360, height: 740 } });
    await Promise.all(Array.from({ length: 25 }, (_, at) => mock.session(`s${at}`).fetch('/pets')));
    await page.getByText('26 sessions').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('21 to 26 of 26').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Search sessions').fill('s24');
    await page.getByText('1 session', { exact: true }).waitFor();
  });
});
