import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { expectAccessible } from '../../console/testing/page.ts';
import { openContext } from '../../quality/testing/chromium.ts';
import { ROOT, run } from '../../quality/testing/command.ts';
import { describeInChromium } from '../../quality/testing/describe-in-chromium.ts';
import { NO_REGISTRY } from '../../quality/testing/temporary-tools.ts';
import { DOCS } from './places.ts';
import { readBuiltLinks } from './testing/built-links.ts';
import { type SiteServer, serveSite } from './testing/serve-site.ts';
import { installVitePress } from './vitepress.ts';

/** Tests the built site, served below a path, and opened as files. */
const BASE = '/paddock/';
let folder: string;
let site: SiteServer;

const canBuild = (await installVitePress()) !== undefined;

beforeAll(async () => {
  if (!canBuild) return;
  folder = await mkdtemp(join(tmpdir(), 'paddock-site-'));
  const { code, output } = await run(ROOT, ['npm', 'run', 'docs', '--', '--out', folder, '--base', BASE]);
  expect({ code, output }).toEqual({ code: 0, output });
  site = await serveSite(folder, BASE);
});

beforeEach(({ skip }) => skip(!canBuild, NO_REGISTRY));

afterAll(async () => {
  if (!canBuild) return;
  site.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the built pages', () => {
  test('every Markdown file of docs/ is one', () => {
    const written = globSync('**/*.md', { cwd: DOCS }).map((file) => file.replace(/\.md$/, '.html'));
    const { pages } = readBuiltLinks(folder, BASE);
    expect(pages.sort()).toEqual([...written, '404.html'].sort());
  });

  test('no link, image, script, style or anchor is dead', () => {
    const { inside, dead } = readBuiltLinks(folder, BASE);
    expect(inside.length).toBeGreaterThan(1000);
    expect(dead).toEqual([]);
  });

  test('nothing but links leads elsewhere, and these use https', () => {
    const { outside } = readBuiltLinks(folder, BASE);
    const strange = outside.filter(
      ({ element, target }) => !(element === 'a' ? /^https:/ : /^data:/).test(target),
    );
    expect(strange).toEqual([]);
  });
});

describeInChromium('the site', (browser) => {
  async function open(path: string, options: BrowserContextOptions = {}) {
    const context = await openContext(browser(), { colorScheme: 'light', ...options });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    page.on('request', (request) => {
      if (!/^data:/.test(request.url()) && !request.url().startsWith(site.url))
        complaints.push(request.url());
    });
    await page.goto(site.url + path);
    await isLive(page);
    return { page, complaints };
  }

  test('the first page has a mock that works in it: list, refusal and finding', async () => {
    const { page, complaints } = await open('');
    const live = page.getByRole('region', { name: 'Paddock, live in this page' });
    const response = live.getByRole('region', { name: 'Response' });
    const step = (name: string) => live.getByRole('button', { name }).click();
    await response.getByText('"id":1').waitFor();
    await step('Create');
    await response.getByText('201').waitFor();
    await step('List');
    await response.getByText('Call the printer').waitFor();
    await step('Wrong request');
    await response.getByRole('heading', { name: 'Rejected, as documented' }).waitFor();
    await response.getByRole('listitem').filter({ hasText: 'body.assignee is required' }).waitFor();
    expect(await live.locator('.marked').allTextContents()).toContain('      required: [title, assignee]');
    await step('Faulty response');
    await response.getByRole('heading', { name: 'Finding: the response is not as documented' }).waitFor();
    await response.getByRole('listitem').filter({ hasText: 'body.id must be an integer' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('its document can be changed, and says where it cannot be read', async () => {
    const { page, complaints } = await open('');
    const live = page.getByRole('region', { name: 'Paddock, live in this page' });
    const state = live.getByRole('status');
    await state.getByText('3 operations').waitFor();
    const editor = live.getByLabel('The document, openapi.yaml');
    const whole = await editor.inputValue();
    await editor.fill(whole.replaceAll('/tasks', '/jobs'));
    await live.getByLabel('Path and query').fill('/jobs');
    await live.getByRole('button', { name: 'Send' }).click();
    await live.getByRole('region', { name: 'Response' }).getByText('"id":1').waitFor();
    await editor.fill(whole.replace('responses:', 'responses: ['));
    await live.getByText('openapi.yaml:11').waitFor();
    expect(await live.locator('.marked').allTextContents()).toContain('          description: All tasks.');
    expect(complaints).toEqual([]);
  });

  test('the search shows the lines that it has found', async () => {
    const { page } = await open('mock.html');
    await isLive(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill('fail twice then succeed');
    const [best] = await page.getByRole('option').all();
    await best?.getByText('Fail twice, then succeed').waitFor();
    await best?.getByText('503,503').first().waitFor();
  });

  test('the search finds an option by keyboard, and opens its section', async () => {
    const { page, complaints } = await open('');
    await isLive(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill('--known');
    const found = page
      .getByRole('option')
      .filter({ hasText: 'paddock check' })
      .filter({ hasText: '--known' });
    // The Enter key, because a click may miss while the results appear and move the options down.
    await found.getByRole('link').first().press('Enter');
    await page.waitForURL(`${site.url}reference/paddock-check.html#known*`);
    await page.getByRole('heading', { name: '--known <file>' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('it is dark where the system is, or the reader wants it, and stays so', async () => {
    const dark = await open('mock.html', { colorScheme: 'dark' });
    expect(await dark.page.locator('html.dark').count()).toBe(1);
    const { page } = await open('mock.html');
    expect(await page.locator('html.dark').count()).toBe(0);
    await page.getByRole('switch').first().click();
    await page.locator('html.dark').waitFor();
    await page.reload();
    await page.locator('html.dark').waitFor();
  });

  test('the keyboard leads past the menu to the page', async () => {
    const { page } = await open('mock.html');
    // The page handles keys once its script has run.
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Skip to content');
    const isInContent = () => page.evaluate('document.activeElement.closest("#VPContent") !== null');
    await page.keyboard.press('Enter');
    await expect.poll(isInContent).toBe(true);
    await page.keyboard.press('Tab');
    expect(await isInContent()).toBe(true);
  });

  const VIEWS: [name: string, options: BrowserContextOptions][] = [
    ['wide and light', { viewport: { width: 1280, height: 800 } }],
    ['narrow and dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
  ];
  const PAGES = ['', 'comparison.html', 'reference/paddock-check.html'];

  test.for(VIEWS)('%s: pages are accessible, and not wider than the window', async ([, view]) => {
    for (const path of PAGES) {
      const { page, complaints } = await open(path, view);
      if (path === '') await page.getByText('"id":1').first().waitFor();
      await expectAccessible(page);
      expect(complaints).toEqual([]);
    }
  });

  test('as files, without a server, pages have their style and lead to one another', async () => {
    const context = await openContext(browser());
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    await page.getByRole('link', { name: 'Contract tests', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Exit codes' }).waitFor();
    expect(await page.evaluate('getComputedStyle(document.body).fontFamily')).toContain('system-ui');
  });
});

/** Waits until the scripts of a page run; before that, nothing handles keys and clicks. */
async function isLive(page: { waitForFunction(text: string): Promise<unknown> }): Promise<void> {
  await page.waitForFunction('document.querySelector("#app").__vue_app__ !== undefined');
}
