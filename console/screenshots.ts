import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { check, type Report, renderHtml } from '#contract-tests';
import { createMock, type Mock } from '#mock';
import { createProxy } from '#proxy';
import { readArguments } from '../quality/arguments.ts';
import { launchChromium } from '../quality/testing/chromium.ts';
import { buildDevtools } from '../release/packaging/build-devtools.ts';
import { serveFiles } from '../release/packaging/testing/serve-files.ts';
import { openConsole, SHIPPED } from './testing/page.ts';

const HELP = `npm run screenshots -- [options] [PATTERN...]

Takes pictures of the pages of the console for the docs, from a mock that has just been used: all, or those whose names
match one of the regular expressions.

  --into FOLDER   where they go (default: docs/screenshots/)
`;

const { values, positionals } = readArguments(HELP, {
  into: { type: 'string', default: fileURLToPath(new URL('../docs/screenshots/', import.meta.url)) },
});
const OUT = resolve(values.into);

interface Picture {
  readonly name: string;
  /** The address within the console. */
  readonly address: string;
  /** Prepares the mock. */
  readonly prepare?: (mock: Mock) => Promise<void>;
  /** User actions before the screenshot. */
  readonly act: (page: Page) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  {
    name: 'start',
    address: '#/',
    act: (page) => page.getByRole('link', { name: /^\/pets \d/ }).waitFor(),
  },
  {
    name: 'refusal',
    address: '#/requests',
    async act(page) {
      const refused = page.getByRole('option').filter({ hasText: 'POST' }).filter({ hasText: '400' });
      await refused.click();
      await page.locator('mark').nth(1).waitFor();
    },
  },
  {
    name: 'why',
    address: '#/requests',
    prepare: nearlyApply,
    async act(page) {
      await page.getByRole('option').filter({ hasText: 'page=2' }).click();
      await page.getByRole('article').getByText('Why this answer').waitFor();
    },
  },
  { name: 'records', address: '#/records', act: (page) => page.getByRole('table').waitFor() },
  {
    name: 'record',
    address: '#/records',
    async act(page) {
      await page.getByRole('button', { name: 'Add record' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('name').fill('Rex');
      await form.getByLabel('categoryId').fill('many');
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await form.getByRole('alert').getByText('must be an integer').waitFor();
      await form.locator('summary', { hasText: 'openapi.yaml' }).click();
      await form.locator('mark').waitFor();
    },
  },
  {
    name: 'reference',
    address: 'reference#/operations/listPets',
    act: (page) => page.getByRole('heading', { name: 'List animals' }).waitFor(),
  },
  {
    name: 'scenarios',
    address: '#/scenarios',
    prepare: addRules,
    act: (page) => page.getByText('used 1 of 3').waitFor(),
  },
  {
    name: 'sessions',
    address: '#/sessions',
    prepare: addSessions,
    act: (page) => page.getByRole('row').filter({ hasText: 'checkout' }).waitFor(),
  },
];

const FINDINGS: Picture = {
  name: 'proxy-findings',
  address: '#/findings',
  act: (page) => page.locator('mark').nth(1).waitFor(),
};

const schemeOf = (name: string) => (name === 'record' ? 'dark' : 'light');
const fileOf = (name: string) => join(OUT, `${name}-${schemeOf(name)}.webp`);
const windowOf = (name: string): BrowserContextOptions => ({
  colorScheme: schemeOf(name),
  viewport: { width: 1280, height: 760 },
});

/** A seed with first names in Latin letters. */
const SEED = 80;

const HEADERS = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };

/** Sends a front end's request. */
async function send(url: string, init: RequestInit = {}): Promise<void> {
  await (await fetch(url, { headers: HEADERS, ...init })).text();
}

const post = (url: string, body: string) => send(`${url}/pets`, { method: 'POST', body });

/** The requests of a front end in development. */
async function use(url: string): Promise<void> {
  await send(`${url}/pets?limit=20`);
  await send(`${url}/pets?status=available&limit=20`);
  for (const id of [3, 7, 12]) await send(`${url}/pets/${id}`);
  await post(url, '{"name":"Biscuit","categoryId":4,"status":"available"}');
  await send(`${url}/pets`, { headers: {} });
  await send(`${url}/pets?status=lost`);
  await send(`${url}/pets/99999`);
  await post(url, '{"name":7,"status":"gone"}');
  await send(`${url}/pets?limit=20`);
  await send(`${url}/pets/2?__code=404`);
  await send(`${url}/pets/1`, { headers: { ...HEADERS, prefer: 'code=503' } });
  await send(`${url}/pet`);
  await send(`${url}/pets?status=sold`);
}

const ofStatus = (status: string) => ({ operation: 'listPets', match: { query: { status } } });

/** One rule that applies, one that nearly does, and a parameter without effect. */
async function nearlyApply(mock: Mock): Promise<void> {
  mock.addRule({ operation: 'listPets', match: { headers: { 'X-Tenant': 'a' } }, status: 401 });
  mock.addRule({ ...ofStatus('sold'), delay: 40 });
  await send(`${mock.url}/pets?status=sold&page=2`, { headers: { ...HEADERS, 'x-tenant': 'b' } });
}

async function addRules(mock: Mock): Promise<void> {
  await mock.addRule({ tag: 'animals', delay: '50-150' });
  await mock.addRule({ operation: 'createPet', status: 503, times: 3 });
  await mock.addRule({ ...ofStatus('sold'), sequence: [503, 503, 'pass'] });
  await post(mock.url, '{"name":"Rex","categoryId":1}');
  await send(`${mock.controlUrl}/latency`, { method: 'PUT', body: '{"latency":300}' });
}

async function addSessions(mock: Mock): Promise<void> {
  for (const name of ['checkout', 'search', 'upload']) {
    const { url } = mock.session(name);
    await send(`${url}/pets`);
    await post(url, '{"name":"Rex","categoryId":1}');
  }
  await mock.session('upload').setClock(new Date('2030-12-06'));
}

// Paths appear as in a project.
const folder = mkdtempSync(join(tmpdir(), 'screenshots-'));
process.chdir(folder);
mkdirSync('spec');
const DOCUMENT = 'spec/openapi.yaml';
copyFileSync(SHIPPED, DOCUMENT);
const mock = await createMock({ document: DOCUMENT, port: 0, seed: SEED });
const browser = await launchChromium();
mkdirSync(OUT, { recursive: true });
await use(mock.url);
const ONLY = new RegExp(positionals.join('|'));
const wanted = ({ name }: Picture) => ONLY.test(name);

for (const picture of PICTURES.filter(wanted)) await take(picture, mock.controlUrl);
if (wanted(FINDINGS)) {
  const proxy = await createProxy({ target: mock.url, document: DOCUMENT, port: 0 });
  await passThrough(proxy.url);
  await take(FINDINGS, proxy.adminUrl);
  await proxy.close();
}

if (ONLY.test('report')) {
  writeFileSync('report.html', renderHtml(await failingReport()));
  await shoot('report', pathToFileURL('report.html').href, (page) =>
    page.getByRole('heading', { level: 1 }).waitFor(),
  );
}

if (ONLY.test('devtools')) {
  const service = await createMock({ document: DOCUMENT, port: 0, seed: SEED });
  mkdirSync('app');
  await buildDevtools('app/devtools');
  writeFileSync('app/index.html', appOf(service.url));
  const site = await serveFiles('app');
  service.addRule({ operation: 'createPet', status: 503, times: 3 });
  await shoot('devtools', site.origin, async (page) => {
    await page.getByRole('listitem').nth(5).waitFor();
    await page.getByRole('button', { name: 'Open Paddock devtools' }).click();
    const lost = page.getByRole('option', { name: /status=lost/ });
    await lost.first().click();
    await page.getByRole('article').getByText('Why this answer').waitFor();
  });
  await site.close();
  await service.close();
}

/** A page of a front end in development. */
function appOf(url: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>Animals</title><link rel="icon" href="data:,">
<style>
body { margin: 0; padding: 32px; font: 16px system-ui, sans-serif; }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(180px, 1fr)); gap: 16px; padding: 0; list-style: none; }
main li { padding: 16px; border: 1px solid #8888; border-radius: 8px; }
</style></head>
<body><main><h1>Animals</h1><ul></ul></main>
<script type="module">
const headers = ${JSON.stringify(HEADERS)};
const send = (path, init) => fetch(${JSON.stringify(url)} + path, { headers, ...init });
const { showDevtools } = await import('/devtools/index.js');
showDevtools({ url: ${JSON.stringify(url)} });
await send('/pets?status=lost');
await send('/pets', { method: 'POST', body: '{"name":"Biscuit","categoryId":4}' });
await send('/pets/7');
for (const { name } of await (await send('/pets?limit=8')).json())
  document.querySelector('main ul').append(Object.assign(document.createElement('li'), { textContent: name }));
</script></body>
</html>`;
}

/** Of a service with a broken filter and invalid records. */
async function failingReport(): Promise<Report> {
  const service = await createMock({ document: DOCUMENT, port: 0, seed: SEED });
  const available = { id: 1, name: 'Rex', categoryId: 4, status: 'available' };
  await service.addRule({ operation: 'getPet', body: { ...available, categoryId: 'dogs' }, status: 200 });
  await service.addRule({ ...ofStatus('sold'), body: [available], status: 200 });
  const run = check({ target: service.url, document: DOCUMENT, apiKey: 'paddock-dev-key', settle: 0 });
  for (;;) {
    const { value, done } = await run.next();
    if (!done) continue;
    await service.close();
    return value;
  }
}

async function take({ name, address, prepare, act }: Picture, controlUrl: string): Promise<void> {
  await prepare?.(mock);
  await shoot(name, `${controlUrl}/${address}`, async (page) => {
    await page.getByText('Live', { exact: true }).waitFor();
    await act(page);
  });
}

async function shoot(name: string, url: string, act: Picture['act']): Promise<void> {
  const { page } = await openConsole(browser, url, windowOf(name));
  await act(page);
  writeFileSync(fileOf(name), await picture(page));
  await page.context().close();
}

/** WebP is much smaller than PNG, but Playwright does not support it. */
async function picture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 90 });
  return Buffer.from(data, 'base64');
}

/** Requests of a front end, and two responses that violate the document. */
async function passThrough(url: string): Promise<void> {
  await send(`${url}/pets?limit=20`);
  await post(url, '{"name":"Biscuit","categoryId":4}');
  await mock.addRule({ operation: 'getPet', body: { id: 'seven', name: 'Rex', categoryId: 1 }, status: 200 });
  await mock.addRule({ ...ofStatus('sold'), body: [{ id: 1 }], status: 200 });
  for (const path of ['/pets/7', '/pets?status=sold', '/pets/99999', '/favicon.ico']) await send(url + path);
}

await browser.close();
await mock.close();
rmSync(folder, { recursive: true });
