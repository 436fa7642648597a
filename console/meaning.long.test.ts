import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMock, type Mock } from '#mock';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole } from './testing/page.ts';

const DOCUMENT = `openapi: 3.1.1
info: { title: Shelves, version: '1' }
paths:
  /shelves:
    get:
      operationId: listShelves
      parameters: [{ name: find, in: query, schema: { type: string } }]
      responses:
        '200':
          description: All
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Shelf' } } } }
components:
  schemas:
    Shelf:
      type: object
      required: [id, tag, room]
      properties: { id: { type: integer }, tag: { type: string }, room: { type: integer } }
`;

async function serve(
  hasOverlay: boolean,
): Promise<{ mock: Mock; file: string; list: () => Promise<unknown> }> {
  const folder = await mkdtemp(join(tmpdir(), 'meaning-'));
  const file = join(folder, 'mine.yaml');
  await writeFile(join(folder, 'openapi.yaml'), DOCUMENT);
  await writeFile(file, 'overlay: 1.0.0\ninfo: { title: Mine, version: "1" }\n# mine\nactions: []\n');
  const overlays = hasOverlay ? [file] : [];
  const mock = await createMock({ document: join(folder, 'openapi.yaml'), port: 0, overlays });
  onTestFinished(async () => {
    await mock.close();
    await rm(folder, { recursive: true });
  });
  return { mock, file, list: async () => (await fetch(`${mock.url}/shelves?find=nowhere`)).json() };
}

describeInChromium('what an operation means', (browser) => {
  async function open(mock: Mock, path: string) {
    const opened = await openConsole(browser(), `${mock.controlUrl}/${path}`);
    onTestFinished(() => opened.page.context().close());
    return opened;
  }

  test('a choice by keyboard takes effect at once, is written, and is taken back', async () => {
    const { mock, file, list } = await serve(true);
    expect(await list()).toHaveLength(50);
    const { page, complaints } = await open(mock, '#/requests/1');
    const choice = page.getByRole('article').getByRole('combobox', { name: 'find' });
    await choice.focus();
    await choice.press('f');
    await expect.poll(list).toEqual([]);
    expect(await choice.inputValue()).toBe('"id"');
    await page.getByText('promised: said').waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SELECT');
    await page.getByRole('combobox', { name: 'Another member' }).selectOption('room');
    await page.getByRole('combobox', { name: 'room' }).selectOption({ label: 'refers to /shelves' });
    await expect.poll(() => readFile(file, 'utf8')).toContain('names: /shelves');
    expect(await readFile(file, 'utf8')).toMatch(/# mine[\s\S]*find: id/);
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 800 });
    await page
      .getByText(/mine\.yaml:\d+$/)
      .first()
      .click();
    await expectAccessible(page);
    await choice.selectOption({ label: 'as inferred' });
    await expect.poll(list).toHaveLength(50);
    expect(complaints).toEqual([]);
  });

  test('the reference has it, too, and without an overlay the lines to copy', async () => {
    const { mock } = await serve(false);
    const { page } = await open(mock, 'reference#/operations/listShelves');
    await page.getByRole('combobox', { name: 'find' }).selectOption({ label: 'filters by tag' });
    const lines = page.getByLabel('Lines of an overlay');
    await lines.waitFor();
    expect(await lines.textContent()).toBe(
      `  - { target: "$.paths['/shelves'].get", update: { x-paddock: { query: { find: tag } } } }`,
    );
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await expectAccessible(page);
    }
  });
});
