import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createMock, type Mock, type MockOptions } from '#mock';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole, SHIPPED } from './testing/page.ts';

const KEY = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };

describeInChromium('scenarios', (browser) => {
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
  const sentences = (page: Page) => page.locator('.rule-text a').allTextContents();
  const moved = (page: Page) => page.waitForResponse((one) => one.url().includes('/answers/order'));

  test('a rule is made from a request: a documented answer is edited, and judged as one types', async () => {
    const { mock, page, complaints } = await open('#/requests');
    await statusOf(mock, '/pets/7');
    await page.getByText('/v1/pets/7').first().waitFor();
    await page.goto(`${mock.controlUrl}/#/scenarios/new?from=1`);
    const form = page.getByRole('form', { name: 'New rule' });
    await form.waitFor();
    expect(await form.getByLabel('Path', { exact: true }).inputValue()).toBe('/pets/7');
    expect(await form.getByRole('combobox', { name: 'Operation' }).inputValue()).toBe('GET /pets/{petId}');
    await form.getByRole('button', { name: /^200/ }).first().click();
    const body = form.getByRole('textbox', { name: 'JSON body' });
    expect(JSON.parse(await body.inputValue())).toMatchObject({ name: expect.any(String) });
    await body.fill('{\n  "id": 1,\n  "name": 5\n}');
    await form.getByText(/^Line 3: .*must be a string/).waitFor();
    await form.getByText('spec/openapi.yaml:', { exact: false }).first().waitFor();
    await expectAccessible(page);
    await body.fill('{\n  "id": }');
    await form.getByText('Line 2, column 9: expected a value, not "}"').waitFor();
    await form.getByRole('button', { name: 'Create rule' }).click();
    expect(await body.getAttribute('aria-invalid')).toBe('true');
    await form.getByRole('alert').getByText('Not saved: a body is invalid JSON.').waitFor();
    expect(await (await fetch(`${mock.controlUrl}/answers`)).json()).toEqual([]);
    await body.fill('{"id": 9007199254740993, "name": "Tom", "categoryId": 1}');
    await form.getByLabel('Repeat').fill('never');
    await form.getByRole('alert').getByText('must be a whole number from 1').waitFor();
    await form.getByLabel('Repeat').fill('2');
    await form.getByRole('button', { name: 'Create rule' }).click();
    await rule(page).getByText('used 0 of 2 times').waitFor();
    const seen = async () => (await fetch(`${mock.url}/pets/7`, { headers: KEY })).text();
    expect(await seen()).toBe('{"id":9007199254740993,"name":"Tom","categoryId":1}');
    await rule(page).getByText('used 1 of 2 times').waitFor();
    await seen();
    expect(await seen()).not.toContain('9007199254740993');
    await rule(page).getByText('used 2 of 2 times, done').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove rule 1' }).click();
    await page.getByText('No rules', { exact: true }).waitFor();
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });

  test('rules are switched off, moved, duplicated, edited and copied', async () => {
    const { mock, page } = await open(
      '#/scenarios',
      {},
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
    mock.addRule({ operation: 'listPets', match: { query: { status: 'sold' } }, body: [] });
    mock.addRule({ operation: 'listPets', status: 503 });
    await page.reload();
    await page.getByText('The newest rule wins', { exact: false }).waitFor();
    expect(await statusOf(mock, '/pets?status=sold')).toBe(503);
    expect(await sentences(page)).toEqual([
      'GET /pets answers 503',
      'GET /pets with query status=sold answers with the body []',
    ]);
    const first = moved(page);
    await page
      .getByRole('button', { name: /^Move rule 1:/ })
      .dragTo(page.getByRole('button', { name: /^Move rule 2:/ }));
    await first;
    await page.getByText('Rule 1 is now 1 of 2.').waitFor();
    expect(await statusOf(mock, '/pets?status=sold')).toBe(200);
    expect(await statusOf(mock, '/pets')).toBe(503);
    await page.getByRole('switch', { name: 'Rule 2 is on' }).click();
    await expect.poll(() => statusOf(mock, '/pets')).toBe(200);
    await page.getByRole('switch', { name: 'Rule 2 is on' }).click();
    await expect.poll(() => statusOf(mock, '/pets')).toBe(503);
    await page.getByRole('button', { name: 'Duplicate rule 2' }).click();
    await page.getByText('Rule 3 · used 0 times').waitFor();
    await page.getByRole('link', { name: 'GET /pets answers 503' }).first().click();
    const form = page.getByRole('form', { name: 'Rule 3' });
    await form.getByLabel('Status', { exact: true }).fill('401');
    await form.getByRole('button', { name: 'Save rule' }).click();
    await page.getByRole('link', { name: 'GET /pets answers 401' }).waitFor();
    expect(await statusOf(mock, '/pets')).toBe(401);
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    const copy = async (id: number, kind: string) => {
      await page.getByRole('combobox', { name: `Copy rule ${id} as` }).selectOption(kind);
      await expect.poll(clipboard).toContain('listPets');
      return clipboard();
    };
    expect(await copy(3, 'mock.addRule(...)')).toBe(
      "mock.addRule({\n  operation: 'listPets',\n  status: 401,\n});",
    );
    expect(await copy(3, 'YAML of a seed file')).toBe('rules:\n  - {"operation":"listPets","status":401}\n');
    expect(await copy(3, 'curl')).toContain(`'${mock.controlUrl}/answers'`);
    await expectAccessible(page);
  });

  test('the keyboard alone, in a dark narrow window: a sequence with bodies of its own, and the order', async () => {
    const narrow = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;
    const { mock, page } = await open('?session=tom#/scenarios', {}, narrow);
    const { keyboard } = page;
    await page.getByRole('button', { name: 'New rule' }).press('Enter');
    const form = page.getByRole('form', { name: 'New rule' });
    await form.getByRole('combobox', { name: 'Operation' }).focus();
    await keyboard.type('get /pets');
    await keyboard.press('Tab');
    expect(await form.getByRole('combobox', { name: 'Operation' }).inputValue()).toBe('GET /pets');
    await form.getByRole('button', { name: /^200/ }).first().waitFor();
    await form.getByRole('button', { name: 'Sequence' }).press('Enter');
    const step = form.getByRole('group', { name: 'Step 1' });
    await step.getByLabel('Body', { exact: true }).focus();
    await keyboard.press('ArrowDown');
    const body = step.getByRole('textbox', { name: 'JSON body' });
    await body.focus();
    await keyboard.press('Control+A');
    await keyboard.type('{"code": "down", "message": "later", "status": 503}');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create rule' }).press('Enter');
    await rule(page).getByText('GET /pets answers 503 with the body', { exact: false }).waitFor();
    const tom = mock.session('tom');
    const ask = async () => (await fetch(`${tom.url}/pets`, { headers: KEY })).status;
    tom.addRule({ operation: 'listPets', status: 401 });
    await page.getByRole('button', { name: /^Move rule 2:/ }).focus();
    expect(await ask()).toBe(401);
    const order = moved(page);
    await keyboard.press('Alt+ArrowDown');
    await order;
    await page.getByText('Rule 2 is now 2 of 2.').waitFor();
    await expectAccessible(page);
    expect([await ask(), await ask()]).toEqual([503, 200]);
    expect(await statusOf(mock, '/pets')).toBe(200);
    await page.getByRole('switch', { name: 'Rule 1 is on' }).press(' ');
    await expect.poll(ask).toBe(401);
    await page.getByRole('button', { name: 'Remove all' }).press('Enter');
    await page.getByText('No rules', { exact: true }).waitFor();
  });

  test('scenarios are saved as seed files, switched per session, renamed and removed', async () => {
    const scenarios = await mkdtemp(join(tmpdir(), 'scenarios-'));
    const { mock, page } = await open('?session=tom#/scenarios', { scenarios });
    const tom = mock.session('tom');
    const ask = async () => (await fetch(`${tom.url}/pets`, { headers: KEY })).status;
    const save = async (name: string) => {
      await page.getByLabel('Name of the scenario').fill(name);
      await page.getByRole('button', { name: 'Save current rules as' }).click();
      await page.getByRole('button', { name: `Switch to ${name}` }).waitFor();
    };
    await save('all is well');
    tom.addRule({ operation: 'listPets', status: 503 });
    await tom.setLatency(5);
    await save('pets are down');
    expect(await readFile(join(scenarios, 'pets are down.yaml'), 'utf8')).toBe(
      'rules:\n  - operation: listPets\n    status: 503\nlatency: 5\n',
    );
    await page.getByRole('listitem').filter({ hasText: 'pets are down' }).getByText('current').waitFor();
    await page.getByRole('button', { name: 'Switch to all is well' }).click();
    await expect.poll(ask).toBe(200);
    expect(tom.latency()).toEqual({ low: 0, high: 0 });
    await page.getByRole('button', { name: 'Switch to pets are down' }).click();
    await expect.poll(ask).toBe(503);
    expect(await statusOf(mock, '/pets')).toBe(200);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Rename pets are down' }).click();
    await page.getByLabel('New name of pets are down').fill('down');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Switch to down' }).waitFor();
    await page.getByRole('button', { name: 'Remove down' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Switch to down' }).count()).toBe(0);
    // As another process on the same folder.
    const other = await createMock({
      document: SHIPPED,
      port: 0,
      scenarios,
      fixtures: [join(scenarios, 'all is well.yaml')],
    });
    onTestFinished(() => other.close());
    expect(await (await fetch(`${other.controlUrl}/answers/scenarios`)).json()).toMatchObject([
      { name: 'all is well' },
    ]);
  });

  /** The console's control for each member of a rule, match and answer. */
  const CONTROLS: Readonly<Record<string, string>> = {
    'rule operation': 'Operation',
    'rule times': 'Repeat',
    'rule tag': 'Tag',
    'rule match': 'Conditions',
    'rule sequence': 'Add step',
    'rule source': 'Source',
    'rule enabled': 'Enabled',
    'rule validate': 'Answer invalid requests',
    'answer status': 'Status',
    'answer example': 'Example',
    'answer delay': 'Delay in ms',
    'answer drop': 'Close connection',
    'answer truncate': 'Cut body',
    'answer body': 'Body',
    'answer headers': 'Headers',
    'answer template': 'Use templates',
    'match method': 'Method',
    'match path': 'Path',
    'match query': 'Query',
    'match headers': 'Request headers',
    'match body': 'Body contains',
  };

  test('everything that a rule can be has a control', async () => {
    const { mock, page } = await open('#/scenarios/new', { upstream: 'http://127.0.0.1:9/v1' });
    const membersOf = async (draft: unknown) => {
      const response = await fetch(`${mock.controlUrl}/answers`, {
        method: 'POST',
        headers: KEY,
        body: JSON.stringify(draft),
      });
      const { message } = (await response.json()) as { message: string };
      return /there are ([\w, ]+)/.exec(message)?.[1]?.split(', ') ?? [];
    };
    const answer = await membersOf({ sequence: [{ unknown: 1 }] });
    const whole = await membersOf({ unknown: 1 });
    const members = [
      ...whole.filter((name) => !answer.includes(name)).map((name) => `rule ${name}`),
      ...answer.map((name) => `answer ${name}`),
      ...(await membersOf({ match: { unknown: 1 } })).map((name) => `match ${name}`),
    ];
    expect(members.length).toBeGreaterThan(15);
    expect(Object.keys(CONTROLS).toSorted()).toEqual(members.toSorted());
    const form = page.getByRole('form', { name: 'New rule' });
    await form.getByText('More', { exact: true }).click();
    const shown = async (name: string, within = form) => {
      const control = within
        .getByLabel(name, { exact: true })
        .or(within.getByText(name, { exact: true }))
        .or(within.getByRole('button', { name, exact: true }));
      await control.first().waitFor();
    };
    const press = (name: string) => form.getByRole('button', { name, exact: true }).click();
    await press('Who responds');
    await shown('Source');
    // A rule has all members of an answer, too.
    await press('Any status');
    for (const [member, name] of Object.entries(CONTROLS)) if (member.startsWith('answer')) await shown(name);
    await press('Sequence');
    const step = form.getByRole('group', { name: 'Step 1' });
    await step.getByText('More', { exact: true }).click();
    for (const [member, name] of Object.entries(CONTROLS))
      if (member !== 'rule source') await shown(name, member.startsWith('answer') ? step : form);
    await expectAccessible(page);
  });

  test('latency and clock are set while the mock runs, and seen when others set them', async () => {
    const { mock, page } = await open('#/scenarios');
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
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await page.getByText('Enter a date').waitFor();
    await page.getByLabel('Date, UTC').fill('2030-12-05T00:00');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await page.getByText('Set to 2030-12-05 00:00').waitFor();
    await page.getByRole('button', { name: '+1 day' }).click();
    await page.getByText('Set to 2030-12-06 00:00').waitFor();
    expect(await statusOf(mock, '/pets/1')).toBe(410);
    await page.getByRole('button', { name: 'Real time' }).click();
    await page.getByRole('paragraph').getByText('Real time').waitFor();
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
