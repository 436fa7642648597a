import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { JSHandle, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock } from '#mock';
import { readContract } from '#spec';
import { ROOT } from '../../quality/testing/command.ts';
import { describeInChromium } from '../../quality/testing/describe-in-chromium.ts';
import { BROWSER_FILES, buildBrowser } from './build-browser.ts';
import { play, type Script } from './testing/play.ts';
import { stepsFor } from './testing/scripts.ts';
import { type FileServer, serveFiles } from './testing/serve-files.ts';

/** Tests the bundle for browsers in a real browser. */

// biome-ignore lint/suspicious/noExplicitAny: options are wrong on purpose.
type Library = any;

const DOCS = readFileSync(join(ROOT, 'docs/browser.md'), 'utf8');
const built = mkdtempSync(join(tmpdir(), 'browser-'));

/** In a page, responses contain pictures, where Node has their URLs. */
const WITH_PICTURES = ['shop-window.yaml'];

/** Documents that consist of a single file. */
const DOCUMENTS = [
  'spec/openapi.yaml',
  ...['specs', 'documents'].flatMap((folder) =>
    readdirSync(join(ROOT, 'fixtures', folder))
      .filter((name) => name.endsWith('.yaml') && !WITH_PICTURES.includes(name))
      .map((name) => `fixtures/${folder}/${name}`),
  ),
];

beforeAll(() => buildBrowser(built));

test('what is always fetched has at most 410 kB, gzipped', () => {
  const always = BROWSER_FILES.filter((name) => !['faker.js', 'templates.js'].includes(name));
  const bytes = always.map((name) => gzipSync(readFileSync(join(built, name)), { level: 9 }).length);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(410_000);
});

describeInChromium('the mock', (browser) => {
  let site: FileServer;
  let page: Page;

  beforeAll(async () => {
    site = await serveFiles(built);
    page = await browser().newPage();
    await page.goto(`${site.origin}/empty`);
  });

  afterAll(() => site?.close());

  /** The entry point as a page imports it. */
  const libraryIn = (page: Page): Promise<JSHandle<Library>> => page.evaluateHandle(`import('/index.js')`);

  test.each(DOCUMENTS)('%s: the same bytes as in Node', async (name) => {
    const text = readFileSync(join(ROOT, name), 'utf8');
    const steps = stepsFor(await readContract(text, name));
    const script: Script = { name, text, options: { seed: 7, count: 12 }, steps };
    const inNode = await play({
      library: {
        createMock: ({ document: _, documentName, ...options }) =>
          createMock({ ...options, document: join(ROOT, documentName), port: false, replica: 'browser' }),
      },
      script,
    });
    const inPage = await page.evaluate(play, { library: await libraryIn(page), script });
    expect(steps.map((step, index) => [step, inPage[index]])).toEqual(
      steps.map((step, index) => [step, inNode[index]]),
    );
    expect(inNode.length).toBeGreaterThan(15);
  });

  const shipped = readFileSync(join(ROOT, 'spec/openapi.yaml'), 'utf8');

  test('faker is fetched for documents that describe members, and for no other', async () => {
    const fetched = async (document: string) => {
      const fresh = await browser().newPage();
      await fresh.goto(`${site.origin}/empty`);
      site.requested.length = 0;
      const library = await libraryIn(fresh);
      await fresh.evaluate(async ([library, document]) => library.createMock({ document }), [
        library,
        document,
      ] as const);
      await fresh.close();
      return site.requested.includes('/faker.js');
    };
    expect(await fetched(shipped)).toBe(true);
    const plain = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} };
    expect(await fetched(JSON.stringify(plain))).toBe(false);
  });

  test('a page patches its fetch, begins with states and a rule with templates, and reads integers of any length', async () => {
    const library = await libraryIn(page);
    const shown = await page.evaluate(
      async ([library, text]) => {
        const { createMock, BUILT_IN_KEY } = library;
        const named = {
          operation: 'getPet',
          body: { id: '{{request.path.petId}}', name: '{{record.name}}' },
        };
        const fixtures = [
          'records: { /pets: [{ id: 7, name: Tom, categoryId: 9007199254740993 }] }',
          { rules: [{ operation: 'listPets', status: 503, times: 1 }, named] },
        ];
        const mock = await createMock({ document: text, fixtures, origin: 'https://api.example' });
        const network = globalThis.fetch;
        globalThis.fetch = (input, init) => {
          const request = new Request(input, init);
          return request.url.startsWith(mock.url) ? mock.fetch(request) : network(request);
        };
        const headers = { authorization: `Bearer ${BUILT_IN_KEY}` };
        const { status } = await fetch(`${mock.url}/pets`, { headers });
        const pets = await (await fetch(`${mock.url}/pets`, { headers })).text();
        const filled = await (await fetch(`${mock.url}/pets/7`, { headers })).text();
        globalThis.fetch = network;
        const console = await mock.fetch('https://api.example/__admin/', { headers: { host: 'localhost' } });
        return [console.status, mock.url, status, pets, filled, (await network('/empty')).status];
      },
      [library, shipped] as const,
    );
    const pets = '[{"id":7,"name":"Tom","categoryId":9007199254740993}]';
    expect(shown).toEqual([404, 'https://api.example/v1', 503, pets, '{"id":7,"name":"Tom"}', 200]);
  });

  test('the page in docs/browser.md without MSW', async () => {
    const [, text = ''] = /## With a fetch of your own.*?^```js\n(.*?)^```/ms.exec(DOCS) ?? [];
    const imports = JSON.stringify({ imports: { 'openapi-paddock/browser': '/index.js' } });
    writeFileSync(join(built, 'openapi.yaml'), shipped);
    writeFileSync(
      join(built, 'docs.html'),
      `<!doctype html><script type="importmap">${imports}</script>
      <script type="module">${text}; document.title = pets.length + ' pets';</script>`,
    );
    const fresh = await browser().newPage();
    await fresh.goto(`${site.origin}/docs.html`);
    await fresh.waitForFunction(`document.title === '3 pets'`);
    await fresh.close();
  });

  test('a worker has a mock of its own', async () => {
    const script = `
      import { createMock } from '/index.js';
      const mock = await createMock({ document: await (await fetch('/openapi.yaml')).text() });
      const response = await mock.fetch('/pets', { headers: { authorization: 'Bearer paddock-dev-key' } });
      postMessage([response.status, (await response.json()).length]);`;
    writeFileSync(join(built, 'openapi.yaml'), shipped);
    writeFileSync(join(built, 'worker.js'), script);
    const said = await page.evaluate(`new Promise((resolve, reject) => {
      const worker = new Worker('/worker.js', { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    })`);
    expect(said).toEqual([200, 20]);
  });

  const failure = (page: Page, options: object) =>
    libraryIn(page).then((library) =>
      page.evaluate(
        ([library, options]) =>
          library.createMock(options).then(
            () => 'none',
            (error: Error) => `${error.name}: ${error.message}`,
          ),
        [library, options] as const,
      ),
    );

  test.each<[options: object, message: RegExp]>([
    [
      {},
      /^RangeError: option document must be the text of a document, its value or a contract, not undefined$/,
    ],
    [{ document: shipped, port: 4020 }, /^RangeError: option port: a mock in a browser does not have it$/],
    [{ document: shipped, count: -1 }, /^RangeError: option count must be a whole number from 0/],
    [{ document: shipped, fixtures: [7] }, /^RangeError: option fixtures must be a list of states/],
    [{ document: shipped, origin: 'localhost' }, /^RangeError: option origin must be an origin/],
    [
      { document: shipped, fixtures: [{ records: { '/pots': [] } }] },
      /^DocumentError: fixtures\[0\]:\d+:\d+: /,
    ],
    [{ document: 'info: {}\nopenapi: 4.0.0' }, /^DocumentError: openapi.yaml:2:1: /],
    [{ document: { info: 1, openapi: '4.0.0' } }, /^DocumentError: openapi.json:3:3: /],
    [
      {
        document: shipped.replace('#/components/schemas/PetStatus', 'pet.yaml'),
        documentName: 'pets.yaml',
        strictDocument: true,
      },
      /^DocumentError: pets.yaml:\d+:\d+: .*the \$ref "pet.yaml" leads to another file: bundle the document/,
    ],
  ])('%#: what is wrong with the options or the document is said', async (options, message) => {
    expect(await failure(page, options)).toMatch(message);
  });

  test("without 'unsafe-eval' it says so at once", async () => {
    const script = "import('/index.js').then(({ createMock }) => createMock({ document: {} })).catch(alert);";
    writeFileSync(join(built, 'strict.js'), script);
    writeFileSync(
      join(built, 'strict.html'),
      '<!doctype html><script type="module" src="/strict.js"></script>',
    );
    const strict = await serveFiles(built, { 'Content-Security-Policy': "script-src 'self'" });
    const fresh = await browser().newPage();
    const said = new Promise((resolve) => {
      fresh.once('dialog', async (dialog) => {
        resolve(dialog.message());
        await dialog.dismiss();
      });
    });
    await fresh.goto(`${strict.origin}/strict.html`);
    expect(await said).toMatch(/^Error: .* add 'unsafe-eval' to its script-src$/);
    await fresh.close();
    strict.close();
  });
});
