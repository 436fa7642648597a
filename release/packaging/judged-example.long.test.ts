import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHROMIUM } from '../../quality/testing/chromium.ts';
import { ROOT } from '../../quality/testing/command.ts';
import { runPaddock } from '../../quality/testing/paddock.ts';
import { installMsw } from '../../quality/testing/temporary-tools.ts';
import { recordExample } from './testing/record-example.ts';

/** What Playwright records of the example page (`recordHar`) is judged, and an answer that is not as documented is found. */
/** Undefined: the registry cannot be reached. */
const msw = await installMsw();

test.skipIf(!CHROMIUM || msw === undefined)(
  "Playwright's HAR of the example page is judged",
  async () => {
    const { site, page, har, context } = await recordExample(msw as string);
    await page.goto(site.origin);
    const tasks = page.getByRole('listitem');
    await tasks.nth(2).waitFor();
    await page.getByLabel('New task').fill('Feed the cat');
    await page.getByRole('button', { name: 'Add' }).click();
    await tasks.filter({ hasText: 'Feed the cat' }).waitFor();
    // Which writes the file.
    await context.close();

    const judge = (file: string) =>
      runPaddock(['judge', file, '--document', join(ROOT, 'examples/msw-vite/src/openapi.yaml')]);
    const held = await judge(har);
    expect(held.output).toMatch(/listTasks +200 +covered/);
    expect(held.output).toMatch(/addTask +201 +covered/);
    expect(held.output).toContain('3 judged');
    expect(held.code).toBe(0);

    const broken = join(har, '../broken.har');
    await writeFile(broken, (await readFile(har, 'utf8')).replaceAll('\\"title\\":\\"', '\\"titel\\":\\"'));
    const found = await judge(broken);
    expect(found.output).toContain('POST /tasks accepts bodies without /title');
    expect(found.output).toContain('Violated: listTasks 200, addTask 201');
    expect(found.code).toBe(1);
  },
  120_000,
);
