import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CHROMIUM, launchChromium } from '../../quality/testing/chromium.ts';
import { ROOT, start } from '../../quality/testing/command.ts';
import { freePort } from '../../quality/testing/free-port.ts';
import { blocksOf } from '../../quality/testing/printed-commands.ts';
import { installTools } from '../../quality/testing/temporary-tools.ts';
import { builtPackage } from './testing/project.ts';

/** Runs the stories of docs/devtools.md in Storybook, with the published package. */

/** Undefined: the registry cannot be reached. */
const tools =
  CHROMIUM &&
  (await installTools('storybook', ['storybook@10.6.7', '@storybook/html-vite@10.6.0', 'vite@8']));

const MAIN = `export default {
  framework: '@storybook/html-vite',
  stories: ['../src/*.stories.js'],
  core: { disableTelemetry: true },
};
`;

test.skipIf(tools === undefined)(
  'each story has its rules and its first records, and shows what the panel changes',
  async () => {
    const folder = await projectOf(tools as string);
    const options = [
      '--ci',
      '--no-open',
      '--host',
      '127.0.0.1',
      '--disable-telemetry',
      '--port',
      String(await freePort()),
    ];
    const { found, stop } = await start(
      folder,
      [join(tools as string, '.bin/storybook'), 'dev', ...options],
      /(http:\/\/(?:127\.0\.0\.1|localhost):\d+)/,
      { NODE_ENV: undefined },
    );
    onTestFinished(stop);
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`${found[1]}/iframe.html?id=pets--usual&viewMode=story`);
    const items = page.locator('#storybook-root li');
    await items.nth(2).waitFor({ timeout: 120_000 });
    await page.getByRole('button', { name: 'Open Paddock devtools' }).click();
    await page.getByRole('tab', { name: 'Records' }).click();
    await page.getByRole('button', { name: 'Edit 1', exact: true }).click();
    await page.getByRole('dialog').getByLabel('name').first().fill('Edited');
    await page.getByRole('button', { name: 'Save' }).click();
    await items.filter({ hasText: 'Edited' }).waitFor();

    await page.goto(`${found[1]}/?path=/story/pets--unavailable`);
    const story = page.frameLocator('#storybook-preview-iframe');
    await story.getByText('Error 503').waitFor({ timeout: 120_000 });
    await story.getByRole('tab', { name: 'Requests' }).click();
    await story
      .getByRole('option', { name: /\/v1\/pets.*503/ })
      .first()
      .waitFor();
  },
);

/** A Storybook project with the files of the page. */
async function projectOf(modules: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'storybook-'));
  await mkdir(join(folder, '.storybook'));
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await writeFile(join(folder, '.storybook/main.js'), MAIN);
  await cp(join(ROOT, 'spec/openapi.yaml'), join(folder, '.storybook/openapi.yaml'));
  for (const { place, steps } of blocksOf('docs/devtools.md'))
    for (const step of steps)
      if (place === 'file' && 'file' in step) await writeFile(join(folder, step.file), step.text);
  const own = join(folder, 'node_modules');
  await cp((await builtPackage()).built, join(own, 'openapi-paddock'), { recursive: true });
  for (const name of ['storybook', '@storybook/html-vite', 'vite']) {
    await mkdir(dirname(join(own, name)), { recursive: true });
    await symlink(join(modules, name), join(own, name));
  }
  expect(await readFile(join(folder, '.storybook/preview.js'), 'utf8')).toContain('showDevtools');
  return folder;
}
