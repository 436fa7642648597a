import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { readHar } from '#har';
import { BUILT_IN_KEY, createMock, type Mock } from '#mock';
import { openContext } from '../quality/testing/chromium.ts';
import { ROOT } from '../quality/testing/command.ts';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';

/** A HAR that Playwright recorded of a page using a service becomes a mock's records. */
const DOCUMENT = join(ROOT, 'spec/openapi.yaml');

type RecordHar = NonNullable<BrowserContextOptions['recordHar']>;

const MODES: readonly (readonly [name: string, options: Omit<RecordHar, 'path'>])[] = [
  ['bodies within', { content: 'embed' }],
  ['bodies beside it', { content: 'attach' }],
  ['the minimal mode', { content: 'embed', mode: 'minimal' }],
];

async function mockOf(recorded?: () => ReturnType<typeof readHar>): Promise<Mock> {
  const mock = await createMock({ document: DOCUMENT, count: 3, recorded });
  onTestFinished(() => mock.close());
  return mock;
}

describeInChromium('Playwright', (browser) => {
  async function record(options: Omit<RecordHar, 'path'>, service: Mock): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'playwright-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'traffic.har');
    const context = await openContext(browser(), { recordHar: { path, ...options } });
    const page = await context.newPage();
    await page.goto(`${service.controlUrl.replace('/__admin', '')}/openapi.json`);
    await page.evaluate(
      async ({ url, key }) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const body = JSON.stringify({ name: 'Zoë', categoryId: 7 });
        for (const init of [{ headers }, { headers, method: 'POST', body }, { headers }])
          await (await fetch(`${url}/pets`, init)).text();
        await fetch('data:text/plain,nothing');
      },
      { url: service.url, key: BUILT_IN_KEY },
    );
    await context.close();
    return path;
  }

  test.for(MODES)('with %s', async ([, options]) => {
    const service = await mockOf();
    const path = await record(options, service);
    const played = await mockOf(() => readHar(path));
    expect(await played.records('/pets')).toEqual(await service.records('/pets'));
    expect(await played.records('/pets')).toContainEqual({ id: 4, name: 'Zoë', categoryId: 7 });
    // The page itself is no operation of the document.
    expect(played.recorded?.misfits).toMatchObject([{ kind: 'unknown path' }]);
    const beside = (await readdir(join(path, '..'))).filter((name) => name.endsWith('.json'));
    expect(beside.length > 0).toBe(options.content === 'attach');
  });

  test('without bodies nothing is known but what was sent', async () => {
    const service = await mockOf();
    const path = await record({ content: 'omit' }, service);
    const played = await mockOf(() => readHar(path));
    expect(played.recorded?.misfits).toMatchObject([{ kind: 'unknown path' }, { kind: 'body missing' }]);
  });
});
