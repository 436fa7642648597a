import { globSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CHROMIUM, launchChromium } from '../testing/chromium.ts';
import { run, start } from '../testing/command.ts';
import { freePort } from '../testing/free-port.ts';
import { PROGRAM } from '../testing/paddock.ts';
import { DOCS, ROOT } from './places.ts';
import { exitCodeIn, shownAs, stepsOf } from './testing/guide.ts';

/** Each guide, step by step in a folder of its own, with free ports in place of those in the text. */
const GUIDES = globSync('guides/*.md', { cwd: DOCS }).sort();

describe.for(GUIDES)('%s', (guide) => {
  const steps = stepsOf(join(DOCS, guide));
  const stops: (() => void)[] = [];
  let folder: string;
  let moved: (text: string) => string;
  let mockPort: string;

  beforeAll(async () => {
    folder = await projectWithPaddock();
    const servicePort = String(await freePort());
    mockPort = String(await freePort());
    moved = (text) =>
      text.replace(/\b(?:4020|8080)\b/g, (port) => (port === '4020' ? mockPort : servicePort));
  });

  afterAll(async () => {
    for (const stop of stops) stop();
    await rm(folder, { recursive: true });
  });

  test('has files and commands', () => {
    expect(steps.filter((step) => 'command' in step).length).toBeGreaterThan(3);
  });

  test.for(steps.map((step) => ['file' in step ? `writes ${step.file}` : step.command, step] as const))(
    '%s',
    async ([, step]) => {
      if ('file' in step) {
        const place = join(folder, step.file);
        await mkdir(dirname(place), { recursive: true });
        return writeFile(place, moved(step.text));
      }
      const shown = shownAs(moved(step.shown));
      const command = moved(step.command);
      const env = { PADDOCK_PORT: mockPort };
      if (!command.endsWith(' &')) {
        const { code, output } = await run(folder, ['sh', '-c', command], env);
        expect(output).toMatch(shown);
        return expect(code).toBe(exitCodeIn(step.shown));
      }
      const server = await start(folder, ['sh', '-c', `exec ${command.slice(0, -2)}`], shown, env);
      stops.push(server.stop);
    },
  );

  if (steps.some((step) => 'file' in step && step.file === 'index.html'))
    test('its page shows what is added, in Chromium', async (context) => {
      if (!CHROMIUM) return context.skip('no Chromium is installed');
      const browser = await launchChromium();
      onTestFinished(() => browser.close());
      const page = await browser.newPage();
      await page.goto(pathToFileURL(join(folder, 'index.html')).href);
      await page.getByRole('listitem').first().waitFor();
      await page.getByLabel('Name').fill('Florentine');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByRole('listitem').filter({ hasText: 'Florentine' }).waitFor();
    });
});

/** A project that has the package installed: inside the clone, whose tools it finds. */
async function projectWithPaddock(): Promise<string> {
  const folder = await mkdtemp(join(ROOT, 'guide-'));
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '.bin'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: basename(folder), private: true }));
  await symlink(ROOT, join(modules, 'openapi-paddock'), 'dir');
  const program = join(modules, '.bin/openapi-paddock');
  await writeFile(program, `#!/bin/sh\nexec node '${PROGRAM}' "$@"\n`);
  await chmod(program, 0o755);
  return folder;
}
