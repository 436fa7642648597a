import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '#mock';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole } from './testing/page.ts';

/** How a table shows records, and where its links lead. */

const id = { type: 'integer', format: 'int64', readOnly: true };
const schemas = {
  Member: {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      id,
      settings: { type: 'object', additionalProperties: true },
      nickname: { type: 'string' },
      biography: { type: 'string' },
      avatarUrl: { type: 'string', format: 'uri' },
      createdAt: { type: 'string', format: 'date-time' },
      status: { type: 'string', enum: ['active', 'away'] },
      name: { type: 'string' },
      city: { type: 'string' },
      country: { type: 'string' },
      zip: { type: 'string' },
    },
  },
  Note: { type: 'object', required: ['text'], properties: { id, text: { type: 'string' } } },
  Order: {
    type: 'object',
    required: ['memberId', 'total'],
    properties: { id, total: { type: 'number' }, memberId: { type: 'integer', format: 'int64' } },
  },
};

type Schema = keyof typeof schemas;

const content = (schema: unknown) => ({ 'application/json': { schema } });
const one = (name: Schema) => content({ $ref: `#/components/schemas/${name}` });
const many = (name: Schema) => content({ type: 'array', items: { $ref: `#/components/schemas/${name}` } });
const inPath = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer', format: 'int64' },
});

function collection(path: string, parameter: string, name: Schema, parents: readonly string[] = []) {
  return {
    [path]: {
      parameters: parents.map(inPath),
      get: { responses: { 200: { description: '', content: many(name) } } },
      post: {
        requestBody: { content: one(name) },
        responses: { 201: { description: '', content: one(name) } },
      },
    },
    [`${path}/{${parameter}}`]: {
      parameters: [...parents, parameter].map(inPath),
      get: { responses: { 200: { description: '', content: one(name) }, 404: { description: '' } } },
    },
  };
}

const DOCUMENT = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Club', version: '1' },
  paths: {
    ...collection('/members', 'memberId', 'Member'),
    ...collection('/members/{memberId}/notes', 'noteId', 'Note', ['memberId']),
    ...collection('/orders', 'orderId', 'Order'),
  },
  components: { schemas },
});

const NOTES = '/members/{memberId}/notes';

/** Each appearance of a page, and each width. */
const VIEWS: readonly BrowserContextOptions[] = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 800 } },
];

describeInChromium('the table of records', (browser) => {
  async function open(collection: string, { count = 3, view = {}, steps = '' } = {}) {
    const folder = await mkdtemp(join(tmpdir(), 'record-links-'));
    const document = join(folder, 'openapi.json');
    await writeFile(document, DOCUMENT);
    const mock = await createMock({ document, port: 0, count });
    onTestFinished(async () => {
      await mock.close();
      await rm(folder, { recursive: true });
    });
    const address = `${mock.controlUrl}/#/records/${encodeURIComponent(collection)}${steps}`;
    const opened = await openConsole(browser(), address, view);
    await rows(opened.page).first().waitFor();
    return { mock, ...opened };
  }

  const rows = (page: Page) => page.getByRole('table').locator('tbody tr');
  const headings = async (page: Page) =>
    (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim());

  test('a picture of the mock is a thumbnail, and no other address is loaded', async () => {
    const { mock, page, complaints } = await open('/members');
    const pictures = rows(page).locator('img.thumbnail');
    expect(await pictures.count()).toBe(3);
    await expect
      .poll(() =>
        pictures.evaluateAll((all) =>
          all.every((each) => (each as unknown as { naturalWidth: number }).naturalWidth > 0),
        ),
      )
      .toBe(true);
    await mock.restore({
      records: { '/members': [{ id: 1, name: 'Ada', avatarUrl: 'https://elsewhere.example/a.png' }] },
    });
    await rows(page).filter({ hasText: 'https://elsewhere.example/a.png' }).waitFor();
    expect(await pictures.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('columns are chosen by content: what names a record first, nothing that is empty in all, the rest on demand', async () => {
    const { mock, page } = await open('/members');
    const filled = {
      settings: { a: 1 },
      biography: 'Wrote.',
      nickname: '',
      createdAt: '2026-01-01T00:00:00Z',
    };
    const place = { city: 'Bern', country: 'CH', zip: '3000' };
    const members = [1, 2].map((own) => ({
      id: own,
      name: `Ada ${own}`,
      status: 'away',
      ...filled,
      ...place,
    }));
    await mock.restore({ records: { '/members': members } });
    await rows(page).filter({ hasText: 'Ada 2' }).waitFor();
    const usual = [
      '',
      'id',
      'name',
      'status',
      'createdAt',
      'biography',
      'city',
      'country',
      'zip',
      'settings',
      'Actions',
    ];
    await expect.poll(() => headings(page)).toEqual(usual);
    await page.getByText('Columns (9 of 11)').click();
    const choices = page.getByRole('group', { name: 'Columns' });
    await choices.getByLabel('nickname').check();
    expect(await headings(page)).toEqual(usual.toSpliced(-1, 0, 'nickname'));
    await choices.getByLabel('zip').uncheck();
    expect(await headings(page)).not.toContain('zip');
    const date = rows(page).first().locator('time');
    expect([await date.innerText(), await date.getAttribute('datetime')]).toEqual([
      '1 Jan 2026, 00:00',
      '2026-01-01T00:00:00Z',
    ]);
  });

  test('a reference opens the record with that id, however many others have its digits', async () => {
    const { mock, page } = await open('/orders', { count: 1200 });
    const records = mock.contract.resources.map(({ path }) => path);
    expect(records).toContain('/orders');
    const orders = [
      { id: 1, total: 5, memberId: 1200 },
      { id: 2, total: 5, memberId: 7 },
      { id: 3, total: 5, memberId: 77777 },
    ];
    const members = (await mock.records('/members')) as readonly Record<string, unknown>[];
    await mock.restore({ records: { '/orders': orders, '/members': members } });
    await rows(page).getByRole('link', { name: '7', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit record 7', exact: true });
    await dialog.waitFor();
    expect(await dialog.locator('#field-name').inputValue()).toBe(String(members[6]?.name));
    await page.keyboard.press('Escape');
    await page.goto(`${mock.controlUrl}/#/records/%2Fmembers/1200`);
    await page.getByRole('dialog', { name: 'Edit record 1200', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${mock.controlUrl}/#/records/%2Fmembers/77777`);
    await page.getByText('There is no record 77777 in /members.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('nested records are shown by their parent, and added below it', async () => {
    const { mock, page } = await open(NOTES);
    const notes = {
      '/members/1/notes': [{ id: 1, text: 'One' }],
      '/members/2/notes': [{ id: 2, text: 'Two' }],
    };
    await mock.restore({
      records: { '/members': [1, 2].map((own) => ({ id: own, name: `Ada ${own}` })), ...notes },
    });
    await rows(page).filter({ hasText: 'Two' }).waitFor();
    expect(await rows(page).count()).toBe(2);
    await page.goto(`${mock.controlUrl}/#/records/%2Fmembers`);
    await rows(page).filter({ hasText: 'Ada 2' }).getByRole('link', { name: 'notes', exact: true }).click();
    await rows(page).filter({ hasText: 'Two' }).waitFor();
    expect(await rows(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Add record' }).click();
    await page.getByRole('dialog').locator('#field-text').fill('Three');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await rows(page).filter({ hasText: 'Three' }).waitFor();
    expect((await mock.records('/members/2/notes')).map((note) => (note as { text: string }).text)).toEqual([
      'Two',
      'Three',
    ]);
    // The record of another parent does not belong here.
    await page.goto(`${mock.controlUrl}/#/records/${encodeURIComponent('/members/2/notes')}/1`);
    await page.getByText('There is no record 1 in /members/2/notes.').waitFor();
  });

  for (const view of VIEWS) {
    const name = `${view.viewport?.width} pixels, ${view.colorScheme}`;
    test(`selection, import and the form with its JSON are accessible at ${name}`, async () => {
      const { page, complaints } = await open('/members', { view });
      await expectAccessible(page);
      await page.getByLabel('Select all on this page').check();
      await page.getByText('3 selected').waitFor();
      await expectAccessible(page);
      await page.getByLabel('Records file').setInputFiles({
        name: 'members.jsonl',
        mimeType: 'application/json',
        buffer: Buffer.from('{"name":7}\n'),
      });
      const refused = page.getByRole('dialog', { name: 'No record was added' });
      await refused.getByText('record 1').waitFor();
      await expectAccessible(page);
      await refused.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Edit 1', exact: true }).click();
      const form = page.getByRole('dialog');
      await form.getByRole('group', { name: 'settings' }).waitFor();
      await expectAccessible(page);
      await form.getByRole('tab', { name: 'JSON' }).click();
      const json = form.getByRole('textbox', { name: 'JSON' });
      await json.fill('{"name": 7');
      await form.getByText(/^Invalid JSON at (line 1, )?column 11/).waitFor();
      await expectAccessible(page);
      await json.fill('{"name": 7}');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByRole('alert').getByText('must be a string').waitFor();
      await expectAccessible(page);
      expect(complaints).toEqual([]);
    });
  }
});
