import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createMock, type Mock, type MockOptions } from '#mock';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole, SHIPPED } from './testing/page.ts';

const KEY = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };

describeInChromium('requests', (browser) => {
  async function open(options: Partial<MockOptions> = {}, view: Parameters<typeof openConsole>[2] = {}) {
    const mock = await createMock({ document: SHIPPED, port: 0, ...options });
    onTestFinished(() => mock.close());
    const opened = await openConsole(browser(), `${mock.controlUrl}/#/requests`, {
      permissions: ['clipboard-read', 'clipboard-write'],
      ...view,
    });
    await opened.page.getByText('Live', { exact: true }).waitFor();
    return { mock, ...opened };
  }

  const send = (mock: Mock, path: string, init: RequestInit = {}) =>
    fetch(mock.url + path, { headers: KEY, ...init });
  const rows = (page: Page) => page.getByRole('listbox', { name: /^Requests/ }).getByRole('option');

  test('requests appear as they come, with those of before, and are filtered', async () => {
    const mock = await createMock({ document: SHIPPED, port: 0 });
    onTestFinished(() => mock.close());
    await send(mock, '/pets?limit=3');
    const { page, complaints } = await openConsole(browser(), `${mock.controlUrl}/#/requests`);
    await rows(page).filter({ hasText: '/v1/pets?limit=3' }).waitFor();
    await send(mock, '/pets/7');
    await send(mock, '/pets/99999');
    await send(mock, '/nosuch');
    await send(mock, '/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' });
    await rows(page).nth(4).waitFor();
    expect((await rows(page).allInnerTexts()).map((text) => /\/v1\/\S+/.exec(text)?.[0])).toEqual([
      '/v1/pets',
      '/v1/nosuch',
      '/v1/pets/99999',
      '/v1/pets/7',
      '/v1/pets?limit=3',
    ]);
    await page.getByLabel('Operation').selectOption('getPet');
    await page.getByText('2 of 5 requests').waitFor();
    await page.getByLabel('Status').selectOption('4xx client error');
    await page.getByText('1 of 5 requests').waitFor();
    await page.getByLabel('Operation').selectOption('Any operation');
    await page.getByLabel('Status').selectOption('Any status');
    await page.getByLabel('Search').fill('rex');
    await page.getByText('1 of 5 requests').waitFor();
    await page.getByLabel('Search').fill('nothing like this');
    await page.getByText('No requests match the filter').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a long name of an ignored parameter is broken, and not cut off', async () => {
    const { mock, page } = await open({}, { viewport: { width: 390, height: 800 } });
    await send(mock, `/pets?${'a-long-name-'.repeat(20)}=1`);
    await rows(page).first().click();
    const detail = page.getByRole('article');
    const chip = detail.locator('.chip', { hasText: 'ignored' });
    const right = async (part: typeof detail) => {
      const { x = 0, width = 0 } = (await part.boundingBox()) ?? {};
      return x + width;
    };
    expect(await right(chip)).toBeLessThan(await right(detail));
  });

  test('a refusal shows all that was wrong, each with its line of the document', async () => {
    const { mock, page, complaints } = await open();
    await send(mock, '/pets', { method: 'POST', body: '{"name":7,"status":"gone"}' });
    await rows(page).first().click();
    const detail = page.getByRole('article');
    for (const wrong of [
      'body.name must be a string',
      'body.categoryId is required',
      'body.status must be one of',
    ])
      await detail.locator('.violation', { hasText: wrong }).waitFor();
    const marked = detail.locator('mark');
    await marked.nth(2).waitFor();
    expect((await marked.allInnerTexts()).join(' ')).toContain('required: [name, categoryId]');
    await detail.getByText('"invalid_request"').waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  test('why this answer: each step of the way, near misses and what was ignored, in both themes and widths', async () => {
    const { mock, page, complaints } = await open();
    mock.addRule({ operation: 'listPets', match: { headers: { 'X-Tenant': 'a' } }, status: 401 });
    mock.addRule({ match: { path: '/pets/8' }, status: 404, delay: 20 });
    await send(mock, '/pets?page=2&limit=1', { headers: { ...KEY, 'x-tenant': 'b' } });
    await send(mock, '/pets/8');
    await send(mock, '/pets/9', { headers: { ...KEY, prefer: 'code=404' } });
    await send(mock, '/pet/9');
    await send(mock, '/pets/7');
    await rows(page).nth(4).waitFor();
    const row = (path: string) => rows(page).filter({ hasText: path });
    const step = (name: string) =>
      page
        .getByRole('article')
        .getByRole('listitem')
        .filter({ hasText: new RegExp(`^${name}`) });

    // Visible in the list.
    for (const [path, chip] of [
      ['/v1/pets?page', 'ignored ?page'],
      ['/v1/pets?page', 'not rule 1'],
      ['/v1/pets/8', 'rule 2'],
      ['/v1/pets/9', 'Prefer'],
    ] as const)
      await row(path).locator('.chip', { hasText: chip }).waitFor();
    await page.getByLabel('Status').selectOption('By a rule or Prefer');
    await page.getByText('2 of 5 requests').waitFor();
    await page.getByLabel('Status').selectOption('With something ignored');
    await page.getByText('1 of 5 requests').waitFor();
    await page.getByLabel('Status').selectOption('Any status');

    await row('/v1/pets?page').click();
    await step('Route').getByText('listPets').waitFor();
    await step('Credential').getByText('Accepted by bearer').waitFor();
    await step('Validated').getByText('query.limit').waitFor();
    expect(
      await step('Answered by').getByRole('link', { name: '/pets', exact: true }).getAttribute('href'),
    ).toBe('#/records/%2Fpets');
    await step('Answered by').getByText('Rule 1 did not apply: headers.x-tenant is "b", not "a"').waitFor();
    await step('After').getByText('Ignored query.page: listPets declares no such parameter').waitFor();
    await step('Route')
      .getByText(/openapi\.yaml:\d+/)
      .click();
    await step('Route').locator('mark').waitFor();
    await expectAccessible(page);

    await row('/v1/pets/8').click();
    await step('Answered by').getByText('Rule 2: status 404, delay 20 ms (use 1)').waitFor();
    await step('Answered by')
      .getByRole('list', { name: 'Conditions that matched' })
      .getByText('path /pets/8')
      .waitFor();
    await step('After')
      .getByText(/^\d+ ms = .* mock \+ \d+ ms rule$/)
      .waitFor();
    const scenario = page.getByRole('article').getByRole('link', { name: 'Create scenario' });
    expect(await scenario.getAttribute('href')).toBe('#/scenarios/new?from=2');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 860 });

    await row('/v1/pet/9').click();
    await step('Route').getByText('No path of the document matches.').waitFor();
    await step('Route').getByText('GET /v1/pets/{petId}').waitFor();
    await expectAccessible(page);
    await row('/v1/pets/7').click();
    await step('Answered by').getByRole('link', { name: '/pets/7' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('j and k move, Enter opens the first, Escape closes, and a link leads to a row far below', async () => {
    const { mock, page } = await open();
    for (let n = 0; n < 120; n++) await mock.fetch(`/pets/${n + 1}`, { headers: KEY });
    await page.getByText('120 requests').waitFor();
    const detail = (number: number) => page.getByRole('article', { name: `Request ${number}`, exact: true });
    await page.keyboard.press('j');
    await detail(120).waitFor();
    await page.keyboard.press('j');
    await detail(119).waitFor();
    await page.keyboard.press('k');
    await detail(120).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('article').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await detail(120).waitFor();
    await page.evaluate("location.hash = '#/requests/3'");
    await rows(page)
      .filter({ hasText: '/v1/pets/3' })
      .and(page.getByRole('option', { selected: true }))
      .waitFor();
    await page.getByRole('button', { name: 'Copy as fetch' }).click();
    await page.getByText('was copied').waitFor();
    const code = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(code).toContain(`await fetch('${mock.url}/pets/3', {`);
    expect(code).toContain("Authorization: 'Bearer paddock-dev-key'");
  });

  test('what a client sends is shown as it is, and runs nowhere', async () => {
    const { mock, page, complaints } = await open();
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    const headers = { ...KEY, 'x-note': hostile };
    await send(mock, `/pets/${encodeURIComponent(hostile)}`, { headers });
    await send(mock, '/pets', {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: hostile, status: hostile }),
    });
    await rows(page).first().click();
    await page.locator('.violation', { hasText: 'onerror' }).waitFor();
    await page.getByText('headers').first().click();
    await page.getByText(hostile).first().waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.title()).toBe('Requests · Pet Store · Paddock');
    expect(complaints).toEqual([]);
  });

  test('with the keyboard alone: select, copy as curl, send again, close', async () => {
    const { mock, page } = await open({}, { colorScheme: 'dark' });
    await send(mock, '/pets', { method: 'POST', body: '{"name":"O\'Neill","categoryId":9007199254740993}' });
    await rows(page).first().waitFor();
    await page.getByRole('listbox', { name: /^Requests/ }).focus();
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: 'Copy as curl' }).press('Enter');
    await page.getByText('was copied').waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).toContain('Bearer paddock-dev-key');
    expect(command).toContain(`${mock.url}/pets`);
    await page.getByRole('button', { name: 'Send again' }).press('Enter');
    await page.getByText('Sent again: status 201.').waitFor();
    await page.getByRole('article', { name: 'Request 2' }).getByText('9007199254740993').first().waitFor();
    expect((await mock.state()).records['/pets']).toHaveLength(52);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Close' }).press('Enter');
    await page.getByRole('article').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Pause' }).click();
    await send(mock, '/pets/1');
    await page.getByText('1 new').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('3 requests').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No requests yet').waitFor();
    await expectAccessible(page);
  });

  test('in a session with a token, in a window of 360 px', async () => {
    const mock = await createMock({ document: SHIPPED, port: 0, adminToken: 't0ken' });
    onTestFinished(() => mock.close());
    const view = { viewport: { width: 360, height: 640 } };
    const { page, complaints } = await openConsole(
      browser(),
      `${mock.controlUrl}/?session=tom#/requests`,
      view,
    );
    await page.getByLabel('Token').fill('t0ken');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    await send(mock, '/pets/1');
    await fetch(`${mock.session('tom').url}/pets?limit=1000`, { headers: KEY });
    await rows(page).first().click();
    await page.locator('.violation', { hasText: 'query.limit must be at most' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sent again: status 400.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('2 requests').waitFor();
    await expectAccessible(page);
    // The browser itself reports the 401 that made the page ask for the token.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });
});
