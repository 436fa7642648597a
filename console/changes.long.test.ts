import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '#mock';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole, SHIPPED } from './testing/page.ts';

const KEY = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };

/** Pages are loaded one by one: once this one has requested its content, it listens. */
const LISTENS = `performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/__admin/changes'))`;

describeInChromium('changes', (browser) => {
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
    // The header updates.
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
