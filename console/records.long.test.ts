import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createMock, type MockOptions } from '#mock';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole, SHIPPED } from './testing/page.ts';

const LIBRARIES = new URL('../fixtures/specs/libraries.yaml', import.meta.url);

describeInChromium('records', (browser) => {
  async function open(options: Partial<MockOptions> = {}, view: Parameters<typeof openConsole>[2] = {}) {
    const mock = await createMock({ document: SHIPPED, port: 0, ...options });
    onTestFinished(() => mock.close());
    const opened = await openConsole(browser(), `${mock.controlUrl}/#/records`, view);
    await opened.page.getByRole('table').waitFor();
    return { mock, ...opened };
  }

  const rows = (page: Page) => page.getByRole('table').locator('tbody tr');
  const petsOf = async (mock: Awaited<ReturnType<typeof createMock>>) =>
    (await mock.state()).records['/pets'] as readonly Record<string, unknown>[];

  test('a record is added, edited and removed, its integers exact', async () => {
    const { mock, page, complaints } = await open({ count: 3 });
    await page.getByRole('button', { name: 'Add record' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('name').fill('Rex');
    await form.getByLabel('categoryId').fill('9007199254740993');
    await form.getByLabel('status').selectOption('sold');
    await form.getByRole('button', { name: 'Add' }).click();
    await rows(page).filter({ hasText: '9007199254740993' }).waitFor();
    const added = (await petsOf(mock)).at(-1) as { id: number };
    expect(added).toEqual({ id: added.id, name: 'Rex', categoryId: 9007199254740993n, status: 'sold' });

    await page.getByRole('button', { name: `Edit ${added.id}`, exact: true }).click();
    await form.getByLabel('name').fill('Max');
    await form.getByLabel('status').selectOption('(not set)');
    await page.keyboard.press('Enter');
    await rows(page).filter({ hasText: 'Max' }).waitFor();
    expect((await petsOf(mock)).at(-1)).toEqual({ id: added.id, name: 'Max', categoryId: 9007199254740993n });

    const max = rows(page).filter({ hasText: 'Max' });
    await page.getByRole('button', { name: `Remove ${added.id}`, exact: true }).click();
    await max.waitFor({ state: 'detached' });
    expect(await petsOf(mock)).toHaveLength(3);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await max.waitFor();
    expect((await petsOf(mock)).at(-1)).toEqual({ id: added.id, name: 'Max', categoryId: 9007199254740993n });
    // The newest first.
    expect(await rows(page).first().innerText()).toContain('Max');
    expect(complaints).toEqual([]);
  });

  test('a record that breaks the schema is not sent: the field says why, with the line', async () => {
    const { mock, page } = await open({ count: 3 }, { colorScheme: 'dark' });
    await page.getByRole('button', { name: 'Add record' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('name').fill('Rex');
    await form.getByLabel('categoryId').fill('many');
    await form.getByRole('button', { name: 'Add' }).click();
    const errors = form.getByRole('alert');
    await errors.getByText('Not saved: 1 error.').waitFor();
    const field = form.getByLabel('categoryId');
    const hasFocus = (one: Locator) => one.evaluate((found) => found === found.ownerDocument.activeElement);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => hasFocus(errors)).toBe(true);
    await errors.getByRole('link', { name: 'categoryId' }).click();
    expect(await hasFocus(field)).toBe(true);
    await form.locator('summary', { hasText: 'openapi.yaml:' }).click();
    await form.locator('mark').waitFor();
    await expectAccessible(page);
    expect(await petsOf(mock)).toHaveLength(3);
    await field.fill('4');
    await expect.poll(() => form.getByText('must be an integer').count()).toBe(0);
    await form.getByRole('button', { name: 'Add' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await petsOf(mock)).toHaveLength(4);
    // The focus returns to where it was before the dialog.
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Add record' }))).toBe(true);
    await page.keyboard.press('Enter');
    await form.getByLabel('name').fill('Ada');
    await page.keyboard.press('Escape');
    const asked = page.getByRole('dialog', { name: 'Discard the changes?' });
    await page.waitForTimeout(100);
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    expect(await form.getByLabel('name').inputValue()).toBe('Ada');
    await page.keyboard.press('Escape');
    await asked.getByRole('button', { name: 'Discard' }).click();
    await form.waitFor({ state: 'detached' });
  });

  test('what clients do is seen, a snapshot is saved and restored, and all is reset', async () => {
    const { mock, page } = await open({ count: 3 });
    const headers = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Snapshot' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('paddock-state.json');
    const snapshot = await readFile(await saved.path(), 'utf8');
    await fetch(`${mock.url}/pets`, { method: 'POST', headers, body: '{"name":"Zorro","categoryId":1}' });
    await rows(page).filter({ hasText: 'Zorro' }).waitFor();
    const restore = (text: string) =>
      page
        .getByLabel('Snapshot file')
        .setInputFiles({ name: 'state.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await restore('{"records":{"/pets":[{"id":1,"name":7}]}}');
    await page.getByRole('dialog').getByText('name must be a string').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Close' }).click();
    await restore(snapshot);
    await rows(page).filter({ hasText: 'Zorro' }).waitFor({ state: 'detached' });
    await fetch(`${mock.url}/pets`, { method: 'POST', headers, body: '{"name":"Zorro","categoryId":1}' });
    await rows(page).filter({ hasText: 'Zorro' }).waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await rows(page).filter({ hasText: 'Zorro' }).waitFor({ state: 'detached' });
    expect(await petsOf(mock)).toHaveLength(3);
    const since = mock.requests().length;
    await page.getByRole('button', { name: 'Undo' }).click();
    await rows(page).filter({ hasText: 'Zorro' }).waitFor();
    await expect.poll(() => mock.requests().length).toBeGreaterThan(since);
    expect(mock.requests().filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  test('a document that changes changes the page: its members, and records that no longer fit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'records-'));
    const document = join(folder, 'openapi.yaml');
    const text = await readFile(SHIPPED, 'utf8');
    await writeFile(document, text);
    const { mock, page } = await open({ document, watch: true, count: 1 });
    onTestFinished(() => rm(folder, { recursive: true }));
    const headers = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };
    for (const name of ['Rex', 'Barnaby'])
      await fetch(`${mock.url}/pets`, { method: 'POST', headers, body: `{"name":"${name}","categoryId":1}` });
    await rows(page).filter({ hasText: 'Barnaby' }).waitFor();
    await writeFile(document, text.replace("description: The animal's name.", '$&\n          maxLength: 5'));
    await rows(page).filter({ hasText: 'Barnaby' }).waitFor({ state: 'detached' });
    expect(await rows(page).filter({ hasText: 'Rex' }).count()).toBe(1);
  });

  test('records are paged and filtered, in a window of 360 px, too', async () => {
    const { page, complaints } = await open({ count: 120 }, { viewport: { width: 360, height: 700 } });
    await page.getByText('1–50 of 120').waitFor();
    expect(await rows(page).count()).toBe(50);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Last' }).click();
    await page.getByText('101–120 of 120').waitFor();
    const name = await rows(page).last().locator('td').nth(1).innerText();
    await page.getByLabel('Field').selectOption('name');
    await page.getByLabel('Search').fill(name.toUpperCase());
    await page.getByText(/^1–\d+ of \d+$/).waitFor();
    await expect
      .poll(async () => new Set(await rows(page).locator('td:nth-child(3)').allInnerTexts()))
      .toContain(name);
    await page.getByLabel('Search').fill('no such name at all');
    await page.getByText('No records match the filter').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a nested collection shows and keeps the parents of its records', async () => {
    const { mock, page } = await open({ document: LIBRARIES });
    const nested = mock.contract.resources.find(({ path }) => path.includes('{'))?.path as string;
    await page.getByLabel('Collection').selectOption(nested);
    await page.getByRole('columnheader', { name: 'path' }).waitFor();
    await page.getByRole('button', { name: /^Edit/ }).first().click();
    const before = await mock.state();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Record .* was changed\.$/).waitFor();
    expect(await mock.state()).toEqual(before);
    await expectAccessible(page);
  });

  test('form and JSON are one record: each follows the other, and a sample fills both', async () => {
    const { mock, page, complaints } = await open({ count: 3 });
    await page.keyboard.press('n');
    const form = page.getByRole('dialog');
    const json = form.getByRole('textbox', { name: 'JSON' });
    const show = (tab: string) => form.getByRole('tab', { name: tab }).click();
    await form.getByRole('button', { name: 'Fill with a sample' }).click();
    await expect.poll(() => form.getByLabel('name').inputValue()).not.toBe('');
    await form.getByLabel('name').fill('Rex');
    await show('JSON');
    await expect.poll(async () => JSON.parse(await json.inputValue())).toMatchObject({ name: 'Rex' });
    await json.fill('{"name": 7, "categoryId": 9007199254740993}');
    await show('Form');
    expect(await form.getByLabel('categoryId').inputValue()).toBe('9007199254740993');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await form.getByRole('alert').getByText('must be a string').waitFor();
    await show('JSON');
    await json.fill('{"name": ');
    await form.getByText('Invalid JSON at column 10: expected a value, not the end').waitFor();
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await form.getByRole('alert').getByText('the JSON is invalid').waitFor();
    await json.fill('{"name": "Max", "categoryId": 9007199254740993}');
    await show('Form');
    expect(await form.getByLabel('name').inputValue()).toBe('Max');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    expect((await petsOf(mock)).at(-1)).toMatchObject({ name: 'Max', categoryId: 9007199254740993n });
    expect(complaints).toEqual([]);
  });

  test('records are sorted, selected with keys, duplicated, exported, removed and imported', async () => {
    const { mock, page } = await open({ count: 12 });
    const ids = async () => (await rows(page).getByRole('rowheader').allInnerTexts()).map(Number);
    await page.getByRole('button', { name: 'id', exact: true }).click();
    await page.getByRole('button', { name: 'id', exact: true }).click();
    await expect.poll(ids).toEqual((await ids()).toSorted((one, other) => other - one));
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
    await page.getByText('1–14 of 14').waitFor();
    await page.getByLabel('Select all on this page').check();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as lines' }).click(),
    ]);
    const lines = (await readFile(await saved.path(), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(14);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('14 records were removed.').waitFor();
    expect(await petsOf(mock)).toEqual([]);
    const load = (text: string) =>
      page
        .getByLabel('Records file')
        .setInputFiles({ name: 'pets.jsonl', mimeType: 'application/json', buffer: Buffer.from(text) });
    await load(`${lines[0]}\n\n{"name":7,"categoryId":1}\n`);
    const refused = page.getByRole('dialog', { name: 'No record was added' });
    await refused.getByText('record 2: name must be a string').waitFor();
    await refused.getByRole('button', { name: 'Close' }).click();
    await load(lines.join('\n'));
    await page.getByText('14 records were added from pets.jsonl.').waitFor();
    expect(await petsOf(mock)).toHaveLength(14);
  });

  test('a click opens a record, a double click edits a cell, and samples are added and removed', async () => {
    const { mock, page } = await open({ count: 3 });
    const cell = rows(page).first().getByRole('cell').nth(2);
    await cell.dblclick();
    await page.getByRole('combobox', { name: 'status' }).selectOption('sold');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await petsOf(mock)).at(-1)?.status).toBe('sold');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await cell.click();
    await page.getByRole('dialog', { name: /^Edit record/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Number of samples').fill('2');
    await page.getByRole('button', { name: 'Add 2 samples' }).click();
    await expect.poll(() => rows(page).count()).toBe(5);
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByText('No records', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => rows(page).count()).toBe(5);
  });

  test('a record leads to its children, and they back to their parents', async () => {
    const { mock, page } = await open({ document: LIBRARIES });
    const nested = mock.contract.resources.find(({ path }) => /^\/[^/]+\/\{[^/]+\}\/[^/]+$/.test(path))
      ?.path as string;
    const [, parent = '', , child = ''] = nested.split('/');
    await page.getByLabel('Collection').selectOption(`/${parent}`);
    const first = rows(page).first();
    const id = await first.getByRole('rowheader').innerText();
    await first.getByRole('link', { name: child, exact: true }).click();
    const parents = page.getByRole('navigation', { name: 'Parents' });
    await parents.getByText(child, { exact: true }).waitFor();
    await expectAccessible(page);
    await parents.getByRole('link', { name: id, exact: true }).click();
    await page.getByRole('dialog', { name: `Edit record ${id}` }).waitFor();
  });

  test('ten thousand records: the first row is there in a moment, and a sort too', async () => {
    const { page } = await open({ count: 10_000 });
    await page.getByText('1–50 of 10,000').waitFor();
    const begun = performance.now();
    await page.reload();
    await rows(page).first().waitFor();
    process.stderr.write(`first row of 10,000 records: ${Math.round(performance.now() - begun)} ms\n`);
    await page.getByRole('button', { name: 'name', exact: true }).click();
    await page
      .getByRole('columnheader', { name: 'name' })
      .and(page.locator('[aria-sort="ascending"]'))
      .waitFor();
    expect(await rows(page).count()).toBe(50);
  });
});
