import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clientChanges } from '#client-changes';
import { createMock } from '#mock';
import { runMock } from '#mock-server';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole, SHIPPED } from './testing/page.ts';

const KEY = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };

/** Pages are loaded one by one: this one listens when it has asked for what it shows. */
const LISTENS = `performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/__admin/baseline'))`;

const NAME = "description: The animal's name.";
const shorter = (text: string) => text.replace(NAME, `${NAME}\n          maxLength: 5`);

describeInChromium('changes', (browser) => {
  /** The page of changes of a mock that compares a copy of the shipped document with what it becomes. */
  async function compared() {
    const folder = await mkdtemp(join(tmpdir(), 'changes-'));
    const file = join(folder, 'openapi.yaml');
    const text = await readFile(SHIPPED, 'utf8');
    await writeFile(file, text);
    const mock = await runMock({ document: file, watch: true, port: 0 }, undefined, {
      compare: clientChanges,
    });
    onTestFinished(async () => {
      await mock.close();
      await rm(folder, { recursive: true });
    });
    const viewport = { width: 390, height: 800 };
    const opened = await openConsole(browser(), `${mock.controlUrl}/#/changes`, { viewport });
    onTestFinished(() => opened.page.context().close());
    await opened.page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    return { ...opened, mock, text, save: (next: string) => writeFile(file, next) };
  }

  /** A mock that watches a copy of the shipped document. */
  async function watched() {
    const folder = await mkdtemp(join(tmpdir(), 'changes-'));
    const file = join(folder, 'openapi.yaml');
    const text = await readFile(SHIPPED, 'utf8');
    await writeFile(file, text);
    const mock = await createMock({ document: file, watch: true, port: 0 });
    onTestFinished(async () => {
      await mock.close();
      await rm(folder, { recursive: true });
    });
    return { mock, text, save: (next: string) => writeFile(file, next) };
  }

  test('a change is shown at once and listed with what it does, a broken document with its line', async () => {
    const { mock, text, save } = await watched();
    const body = '{"name":"Barnaby","categoryId":1}';
    await fetch(`${mock.url}/pets`, { method: 'POST', headers: KEY, body });
    const { page, complaints } = await openConsole(browser(), `${mock.controlUrl}/#/requests`);
    onTestFinished(() => page.context().close());
    await page.getByText('Live', { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(LISTENS)).toBe(true);
    await save(
      text
        .replace('version: 1.0.0', 'version: 1.1.0')
        .replace('operationId: createPet', 'operationId: addPet')
        .replace("description: The animal's name.", '$&\n          maxLength: 5'),
    );
    await page.getByText('The mock now serves Pet Store 1.1.0').waitFor();
    // The header follows.
    await page.getByText('Pet Store 1.1.0', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Changes' }).click();
    const change = page.getByRole('article', { name: 'Change 1' });
    await change.getByText(/^POST \/pets \(addPet\): .*operationId/).waitFor();
    await change.getByText(/^\/pets 51: name must have at most 5 characters/).waitFor();
    await save(`${text}\nbroken: [\n`);
    const refused = page.getByRole('article', { name: 'Change 2' });
    await refused
      .getByText('The changed document has errors. The mock continues to serve the old one.')
      .waitFor();
    await refused
      .locator('code')
      .filter({ hasText: /openapi\.yaml:\d+:\d+/ })
      .first()
      .waitFor();
    await refused.locator('mark').first().waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('article').nth(1).waitFor();
    expect(complaints).toEqual([]);
  });

  test('what a saved document means for clients is shown at once, by class, until it is accepted', async () => {
    const { page, complaints, text, save, mock } = await compared();
    await page.getByText('Nothing has changed for clients').waitFor();
    await save(shorter(text).replace('operationId: createPet', 'operationId: addPet'));
    const since = page.getByRole('region', { name: /^Changes for clients since / });
    const rows = since.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(3);
    expect(await rows.evaluateAll((all) => all.map((row) => row.querySelector('td')?.textContent))).toEqual([
      'breaking',
      'warning',
      'safe',
    ]);
    expect(await rows.first().innerText()).toMatch(
      /name in the request of createPet: max length none -> 5\s+NEW allows fewer values.*addPet\s.*openapi\.yaml:235$/s,
    );
    await page
      .getByRole('heading', { name: /^Since .*: 1 breaking change, 1 warning, 1 other change$/ })
      .waitFor();
    await page
      .getByText(/^The mock now serves .*: 3 operations changed\. One change breaks clients\.$/)
      .first()
      .waitFor();
    await page.getByText(`paddock compat ${mock.controlUrl}/baseline-document`).waitFor();
    await expectAccessible(page);
    // The keyboard reaches and scrolls what does not fit.
    await since.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('addPet');
    await page.keyboard.press('Enter');
    await page
      .getByRole('heading', { name: /Add an animal/ })
      .first()
      .waitFor();
    expect(page.url()).toBe(`${mock.controlUrl}/reference#/operations/addPet`);
    await page.goBack();

    await save(`${text}\nbroken: [\n`);
    await page
      .getByRole('article', { name: 'Change 2' })
      .getByText('continues to serve the old one')
      .waitFor();
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole('button', { name: 'Accept as the new baseline' }).press('Enter');
    await page.getByText('Nothing has changed for clients').waitFor();
    await page.getByText('What is served is the baseline from now on.').waitFor();
    // What each save has changed stays.
    expect(await page.getByRole('article', { name: 'Change 1' }).locator('tbody tr').count()).toBe(3);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  test('the API reference shows the changed document, and says so', async () => {
    const { mock, text, save } = await watched();
    const { page, complaints } = await openConsole(browser(), `${mock.controlUrl}/reference`);
    onTestFinished(() => page.context().close());
    await page.getByText('List animals').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await save(text.replace('summary: List animals', 'summary: All animals'));
    await page.getByText('All animals').waitFor();
    await page.getByText(/^The mock now serves .*: 1 operation changed\.$/).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
});
