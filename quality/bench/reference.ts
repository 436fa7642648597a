import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { createMock } from '#mock';
import { readArguments, refuse } from '../arguments.ts';
import { launchChromium } from '../testing/chromium.ts';
import { installTools } from '../testing/temporary-tools.ts';

const HELP = `npm run bench -- reference FILE [--only NAME] [--search TEXT]

How long pages take that show a document, each in a fresh browser context: that of the mock, and those that others make.

  --only NAME     one of them
  --search TEXT   what is searched for (default: refund)

Examples:
  npm run bench -- reference stripe.json --only paddock
`;

interface Page {
  readonly url: string;
  /** What is visible once the first operation is. */
  readonly operation: string;
  /** Where a search is entered, and what is visible when it has found something; absent: it has none. */
  readonly search?: { readonly open?: string; readonly field: string; readonly result: string };
}

const print = (line: string) => process.stdout.write(`${line}\n`);

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'";

const {
  positionals: [document = refuse('name a document')],
  values,
} = readArguments(HELP, { only: { type: 'string' }, search: { type: 'string', default: 'refund' } });

const TOOLS = ['swagger-ui-dist@5.35.0', '@scalar/api-reference@1.72.1'];
const modules = await installTools('references', TOOLS);
const file = (path: string) => (modules === undefined ? '' : readFileSync(join(modules, path), 'utf8'));
const page = (scripts: string, styles = '') =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>${styles}<body><div id="app"></div>${scripts}`;
const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/document.json': ['application/json', readFileSync(document, 'utf8')],
  '/swagger-ui.js': ['text/javascript', file('swagger-ui-dist/swagger-ui-bundle.js')],
  '/swagger-ui.css': ['text/css', file('swagger-ui-dist/swagger-ui.css')],
  '/scalar.js': ['text/javascript', file('@scalar/api-reference/dist/browser/standalone.js')],
  '/swagger-start.js': [
    'text/javascript',
    `SwaggerUIBundle({ domNode: document.getElementById('app'), url: '/document.json', tryItOutEnabled: true, validatorUrl: null, defaultModelsExpandDepth: 0 })`,
  ],
  '/scalar-start.js': [
    'text/javascript',
    `Scalar.createApiReference('#app', { url: '/document.json', telemetry: false, withDefaultFonts: false })`,
  ],
  '/swagger': [
    'text/html',
    page(
      '<script src="/swagger-ui.js"></script><script src="/swagger-start.js"></script>',
      '<link rel="stylesheet" href="/swagger-ui.css">',
    ),
  ],
  '/scalar': [
    'text/html',
    page('<script src="/scalar.js"></script><script src="/scalar-start.js"></script>'),
  ],
};
const server = createServer(({ url = '' }, response) => {
  const [path = '', query] = url.split('?');
  const [type, text] = files[path] ?? ['text/plain', ''];
  const policy = query === 'policy' && { 'content-security-policy': POLICY };
  response.writeHead(files[path] ? 200 : 404, { 'content-type': type, ...policy }).end(text);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const others = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const mock = await createMock({ document, port: 0 });

const PAGES: Readonly<Record<string, Page>> = {
  ...(modules !== undefined && {
    'Swagger UI 5.35.0': { url: `${others}/swagger`, operation: '.opblock' },
    'Scalar 1.72.1': {
      url: `${others}/scalar`,
      operation: ':text-is("GET")',
      search: {
        open: 'button:has-text("Search")',
        field: '[role="dialog"] input, input[type="search"]',
        result: '[role="option"]',
      },
    },
  }),
  paddock: {
    url: `${mock.controlUrl}/reference`,
    operation: '.reference-list a[href*="operations/"]',
    search: { field: '.reference input[type="search"]', result: '.reference-list mark' },
  },
};

/** Milliseconds after which a page has failed. */
const PATIENCE = 120_000;

async function measure(browser: Browser, { url, operation, search }: Page) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  let bytes = 0;
  const sizes: Promise<void>[] = [];
  page.on('response', (response) => {
    if (!/\.(?:js|mjs|ts|css)$/.test(new URL(response.url()).pathname)) return;
    const add = (body: Buffer) => {
      bytes += gzipSync(body).length;
    };
    sizes.push(response.body().then(add, () => {}));
  });
  const begun = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(operation).first().waitFor({ state: 'visible' });
  const first = performance.now() - begun;
  const paint = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`,
  );
  let found = Number.NaN;
  if (search) {
    if (search.open) await page.locator(search.open).first().click();
    const field = page.locator(search.field).first();
    await field.waitFor();
    const typed = performance.now();
    await field.fill(values.search);
    await page.locator(search.result).first().waitFor({ state: 'visible' });
    found = performance.now() - typed;
  }
  await Promise.all(sizes);
  const [height, nodes] = await page.evaluate<[number, number]>(
    `[document.documentElement.scrollHeight, document.querySelectorAll('*').length]`,
  );
  await context.close();
  return { bytes, paint, first, found, height, nodes };
}

/** What the policy of the console refuses. */
async function refusals(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage();
  await page.addInitScript(
    `globalThis.refused = 0; addEventListener('securitypolicyviolation', () => { globalThis.refused += 1; })`,
  );
  await page.goto(`${url}?policy`);
  await page.waitForLoadState('networkidle');
  const count = await page.evaluate<number>('globalThis.refused');
  await page.close();
  return count;
}

const browser = await launchChromium();
print(`${mock.operations.length} operations, ${document}`);
const unit = (value: number, name: string) => (Number.isNaN(value) ? '-' : `${Math.round(value)} ${name}`);
for (const [name, one] of Object.entries(PAGES)) {
  if (values.only !== undefined && values.only !== name) continue;
  try {
    const { bytes, paint, first, found, height, nodes } = await measure(browser, one);
    const refused = one.url.startsWith(others) ? await refusals(browser, one.url) : 0;
    print(
      `${name}: ${unit(bytes / 1000, 'kB')} of code in gzip; first paint ${unit(paint, 'ms')}, first operation ${unit(first, 'ms')}, search result ${unit(found, 'ms')}; ${height} px high, ${nodes} elements; the policy refuses ${refused}`,
    );
  } catch (error) {
    print(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
  }
}
await browser.close();
await mock.close();
server.close();
