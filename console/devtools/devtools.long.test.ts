import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMock, type Mock, type MockOptions } from '#mock';
import { describeInChromium } from '../../quality/testing/describe-in-chromium.ts';
import { buildBrowser } from '../../release/packaging/build-browser.ts';
import { buildDevtools } from '../../release/packaging/build-devtools.ts';
import { type FileServer, serveFiles } from '../../release/packaging/testing/serve-files.ts';
import { expectAccessible, openConsole, SHIPPED } from '../testing/page.ts';

/** The published devtools panel over another page. */

/** In bytes, gzipped. */
const MOST_BYTES = 50_000;

/** Its styles would change everything within their reach. */
const APP = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>App</title>
  <link rel="icon" href="data:,"><link rel="stylesheet" href="/app.css"></head>
  <body><main><h1>Pets</h1><button id="own">Own</button><p id="shown"></p></main></body>
</html>`;
const APP_STYLE = `
* { font: 30px serif; letter-spacing: 3px; }
button, .rows, .dock, paddock-devtools { background: pink !important; border: 9px solid !important; opacity: 0.2 !important; }
paddock-devtools { display: none !important; transform: scale(2) !important; }
html { --surface: pink; --text: pink; --page: pink; }
main, main * { font: 16px sans-serif; letter-spacing: 0; opacity: 1 !important; background: none !important; }
`;

const KEY = 'a-key';
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'devtools-'));
  await buildDevtools(join(folder, 'devtools'));
  await buildBrowser(join(folder, 'browser'));
  await writeFile(join(folder, 'index.html'), APP);
  await writeFile(join(folder, 'app.css'), APP_STYLE);
});

test('the panel is one file of less than 50 kB, gzipped, with the licences of what is in it', async () => {
  const file = await readFile(join(folder, 'devtools/index.js'));
  expect(gzipSync(file, { level: 9 }).length).toBeLessThan(MOST_BYTES);
  expect(file.toString()).not.toMatch(/\bimport\s*[("'{]/);
  expect(await readFile(join(folder, 'devtools/licences.txt'), 'utf8')).toContain('preact');
});

describeInChromium('the panel', (browser) => {
  let site: FileServer;
  beforeAll(async () => {
    site = await serveFiles(folder);
  });
  afterAll(() => site?.close());

  describe('for a mock behind a URL, from a page of another origin', () => {
    test('a request appears, with what was wrong with it and where the document says so', async () => {
      const { page, mock } = await openApp(browser());
      await openPanel(page);
      await call(page, mock, '/pets', 'POST', { name: 5 });
      await page.getByRole('option', { name: /POST.*\/v1\/pets.*is required, and 1 more.*400/ }).click();
      const detail = page.getByRole('article', { name: 'Request 1' });
      await detail.locator('.violation', { hasText: 'body.name must be a string, not 5' }).waitFor();
      await detail
        .getByText(/openapi\.yaml:\d+$/)
        .first()
        .waitFor();
      expect(await detail.getByLabel('Body of the request').textContent()).toBe('{\n  "name": 5\n}');
      await detail.getByRole('button', { name: 'Send again' }).click();
      await expect.poll(() => mock.requests().length).toBe(2);
      await page.getByRole('article', { name: 'Request 2' }).waitFor();
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByText('No requests yet').waitFor();
      expect(mock.requests()).toEqual([]);
    });

    test('by one click the next response is a 503, an empty list, late or none at all', async () => {
      const { page, mock } = await openApp(browser());
      await call(page, mock, '/pets?limit=3');
      await openPanel(page, 'Scenarios');
      // The operation of the last request is selected.
      await expect.poll(() => page.getByLabel('Requests to').inputValue()).toBe('listPets');
      const rules = page.getByRole('list', { name: /^Rules/ }).getByRole('listitem');

      await page.getByRole('button', { name: 'Answer 503' }).click();
      await rules.filter({ hasText: 'GET /pets answers 503' }).waitFor();
      expect(await call(page, mock, '/pets?limit=3')).toMatchObject({ status: 503 });
      expect(await call(page, mock, '/pets?limit=3')).toMatchObject({ status: 200 });
      await rules.filter({ hasText: 'used 1 of 1' }).waitFor();

      await page.getByRole('button', { name: 'Empty list' }).click();
      await expect.poll(() => rules.count()).toBe(2);
      expect(await call(page, mock, '/pets?limit=3')).toEqual({ status: 200, body: [] });

      await page.getByRole('button', { name: 'No response' }).click();
      await expect.poll(() => rules.count()).toBe(3);
      expect(await call(page, mock, '/pets?limit=3')).toBe('TypeError');
      // The browser has sent it twice.
      await expect.poll(() => rules.count()).toBe(2);

      await page.getByRole('button', { name: /^Slow/ }).click();
      await expect.poll(() => rules.count()).toBe(3);
      const begun = performance.now();
      expect(await call(page, mock, '/pets?limit=3')).toMatchObject({ status: 200 });
      expect(performance.now() - begun).toBeGreaterThan(2900);

      await page.getByRole('button', { name: 'Remove rule 4' }).click();
      await expect.poll(() => rules.count()).toBe(2);
      await page.getByRole('button', { name: 'Remove all' }).click();
      await page.getByText('No rules').waitFor();
    });

    test('a request says why it got its response, and leads to the rule that made it', async () => {
      const { page, mock } = await openApp(browser());
      mock.addRule({ operation: 'listPets', status: 503 });
      await openPanel(page);
      await call(page, mock, '/pets?limit=3');
      await page.getByRole('option', { name: /GET.*\/v1\/pets\?limit=3.*rule 1.*503/ }).click();
      await page
        .getByRole('region', { name: 'Why this answer' })
        .getByRole('link', { name: 'Rule 1' })
        .click();
      await page.getByRole('form', { name: 'Rule 1' }).waitFor();
      await page.getByRole('tab', { name: 'Scenarios', selected: true }).waitFor();
      expect(new URL(page.url()).hash).toBe('');
    });

    test('a rule is switched off and on, whoever made it', async () => {
      const { page, mock } = await openApp(browser());
      await openPanel(page, 'Scenarios');
      mock.addRule({ operation: 'listPets', status: 503 });
      const rule = page.getByRole('switch', { name: 'Rule 1 is on' });
      await rule.click();
      await expect.poll(() => rule.isChecked()).toBe(false);
      expect(mock.rules()).toMatchObject([{ id: 1, enabled: false }]);
      expect(await call(page, mock, '/pets?limit=3')).toMatchObject({ status: 200 });
      await rule.click();
      await expect.poll(() => rule.isChecked()).toBe(true);
      expect(await call(page, mock, '/pets?limit=3')).toMatchObject({ status: 503 });
    });

    test('the session switches to a named scenario, and the page is told', async () => {
      const { page, mock } = await openApp(browser());
      const remove = mock.addRule({ operation: 'listPets', status: 503 });
      await mock.setLatency(3);
      await mock.saveScenario('payments are down');
      remove();
      await mock.setLatency(0);
      await openPanel(page, 'Scenarios');
      expect(await call(page, mock, '/pets?limit=3')).toMatchObject({ status: 200 });
      await page.getByRole('button', { name: 'Switch to payments are down' }).click();
      await page.getByText('GET /pets answers 503').waitFor();
      expect(await call(page, mock, '/pets?limit=3')).toMatchObject({ status: 503 });
      expect(mock.latency()).toEqual({ low: 3, high: 3 });
      expect(await page.evaluate('changed')).toBe(1);
    });

    test('a status that the document does not have comes with a body of the rule', async () => {
      const paths = {
        '/things': { get: { operationId: 'list', responses: { 200: { description: 'ok' } } } },
      };
      const document = join(await mkdtemp(join(tmpdir(), 'devtools-')), 'openapi.json');
      await writeFile(
        document,
        JSON.stringify({ openapi: '3.1.0', info: { title: 'Things', version: '1' }, paths }),
      );
      const { page, mock } = await openApp(browser(), { document });
      await openPanel(page, 'Scenarios');
      await page.getByLabel('Which requests').selectOption('Every request');
      await page.getByLabel('Forced status').selectOption('429');
      await page.getByRole('button', { name: 'Answer 429' }).click();
      await page.getByText('used 0 times').waitFor();
      expect(await call(page, mock, '/things')).toMatchObject({ status: 429, body: { status: 429 } });
      expect(await call(page, mock, '/things')).toMatchObject({ status: 429 });
    });

    test('off-line nothing gets through, whatever rule comes later, until it is switched off', async () => {
      const { page, mock } = await openApp(browser());
      await call(page, mock, '/pets?limit=3');
      await openPanel(page, 'Scenarios');
      const offline = page.getByRole('switch', { name: 'Off-line' });
      await offline.click();
      await expect.poll(() => offline.isChecked()).toBe(true);
      expect(await call(page, mock, '/pets')).toBe('TypeError');
      await page.getByRole('button', { name: 'Answer 503' }).click();
      await page.getByText('GET /pets answers 503').waitFor();
      expect(await call(page, mock, '/pets')).toBe('TypeError');
      await page.getByRole('tab', { name: 'Requests' }).click();
      await page
        .getByRole('option', { name: /\/v1\/pets.*drop/ })
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Open Paddock devtools (off-line)' }).click();
      await offline.click();
      await expect.poll(() => offline.isChecked()).toBe(false);
      expect(await call(page, mock, '/pets')).toMatchObject({ status: 503 });
      expect(await call(page, mock, '/pets')).toMatchObject({ status: 200 });
    });

    test('latency and clock are those of the mock, and follow changes from elsewhere', async () => {
      const { page, mock } = await openApp(browser());
      await openPanel(page, 'Scenarios');
      const latency = page.getByLabel('Latency');
      await latency.fill('150');
      await expect.poll(() => mock.latency()).toEqual({ low: 150, high: 150 });
      await fetch(new URL('/__admin/latency', mock.url), { method: 'PUT', body: '{"latency":"50-200"}' });
      await page.getByText('50-200 ms').waitFor();
      await page.getByLabel('Date, UTC').fill('2031-02-03T04:05:00');
      await page.getByRole('button', { name: 'Set', exact: true }).click();
      const clock = async () => (await fetch(new URL('/__admin/clock', mock.url))).json();
      await expect
        .poll(clock)
        .toMatchObject({ given: true, now: expect.stringMatching(/^2031-02-03T04:05/) });
      await page.getByRole('link', { name: '2031-02-03 04:05 UTC' }).waitFor();
    });

    test('a record is edited, held to the document, and the page is told; so are those that the page makes', async () => {
      const { page, mock } = await openApp(browser());
      await openPanel(page, 'Records');
      await page.getByRole('button', { name: 'Edit 1', exact: true }).click();
      await page.getByRole('tab', { name: 'JSON' }).click();
      const json = page.getByRole('textbox', { name: 'JSON' });
      await json.fill('{"id": 1, "name": 7, "categoryId": 3}');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').getByText('must be a string').waitFor();
      expect(await page.evaluate('changed')).toBe(0);
      await json.fill('{"id": 1, "name": "Edited", "categoryId": 9007199254740993}');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: 'Edited' }).waitFor();
      expect(await (await mock.fetch('/pets/1', { headers })).text()).toBe(
        '{"id":1,"name":"Edited","categoryId":9007199254740993}',
      );
      expect(await page.evaluate('changed')).toBe(1);
      await page.getByRole('searchbox').fill('made by the page');
      await page.getByText('No records match the filter').waitFor();
      await call(page, mock, '/pets', 'POST', { name: 'Made by the page', categoryId: 1 });
      await page.getByRole('cell', { name: 'Made by the page' }).waitFor();
      await page.getByRole('button', { name: 'Reset' }).click();
      await expect
        .poll(async () => (await mock.fetch('/pets/1', { headers })).text())
        .not.toContain('Edited');
      await expect.poll(() => page.evaluate('changed')).toBe(2);
    });

    test('a session of the URL is another one than the default one', async () => {
      const { page, mock } = await openApp(browser(), {}, 'blue');
      await openPanel(page);
      await page.evaluate(`fetch(${JSON.stringify(`${mock.session('blue').url}/pets/5`)})`);
      await page.getByRole('option', { name: /\/v1\/pets\/5.*401/ }).waitFor();
      await page.getByRole('switch', { name: 'Off-line' }).click();
      await expect.poll(() => page.getByRole('switch').isChecked()).toBe(true);
      expect((await mock.fetch('/pets/1', { headers })).status).toBe(200);
    });

    test('where the mock has a token, the panel asks for it', async () => {
      const { page, mock } = await openApp(browser(), { adminToken: 'a-token' });
      await openPanel(page);
      await page.getByLabel('Token').fill('wrong');
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.getByText('Token required').waitFor();
      await page.getByLabel('Token').fill('a-token');
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.getByText('Live').waitFor();
      await call(page, mock, '/pets/3');
      await page.getByRole('option', { name: /\/v1\/pets\/3/ }).waitFor();
    });

    test('when the mock is gone the panel says so, and is back with it', async () => {
      const first = await createMock({ document: SHIPPED, port: 0, apiKeys: [KEY] });
      const { page } = await openApp(browser(), {}, '', first);
      await openPanel(page);
      await page.getByText('Live').waitFor();
      const port = Number(new URL(first.url).port);
      await first.close();
      await page.getByText('Connection lost').waitFor();
      const second = await createMock({ document: SHIPPED, port, apiKeys: [KEY] });
      onTestFinished(() => second.close());
      await page.getByText('Live').waitFor();
      await call(page, second, '/pets/3');
      await page.getByRole('option', { name: /\/v1\/pets\/3/ }).waitFor();
    });
  });

  describe('for a mock of the page', () => {
    test('what the page sends appears, and gets what the panel says', async () => {
      const page = await openOwnMock('showDevtools({ mock })');
      await openPanel(page, 'Scenarios');
      expect(await callOwn(page, '/pets?limit=3')).toMatchObject({ status: 200 });
      await expect.poll(() => page.getByLabel('Requests to').inputValue()).toBe('listPets');
      const rules = page.getByRole('list', { name: /^Rules/ }).getByRole('listitem');
      const effects: [string, unknown][] = [
        ['Answer 503', { status: 503 }],
        ['Empty list', { status: 200, body: [] }],
        ['No response', 'TypeError'],
      ];
      for (const [index, [name, response]] of effects.entries()) {
        await page.getByRole('button', { name }).click();
        await expect.poll(() => rules.count()).toBe(index + 1);
        const got = await callOwn(page, '/pets?limit=3');
        if (typeof response === 'string') expect(got).toBe(response);
        else expect(got).toMatchObject(response as object);
      }
      await page.getByRole('switch', { name: 'Off-line' }).click();
      await expect.poll(() => rules.count()).toBe(4);
      expect(await callOwn(page, '/pets')).toBe('TypeError');
      await page.getByRole('switch', { name: 'Off-line' }).click();
      await expect.poll(() => rules.count()).toBe(3);
      await page.getByLabel('Latency').fill('250');
      await expect.poll(() => page.evaluate('mock.latency()')).toEqual({ low: 250, high: 250 });
      await page.getByRole('tab', { name: 'Requests' }).click();
      await page
        .getByRole('option', { name: /GET.*\/v1\/pets .*drop/ })
        .first()
        .click();
      // Other programs could not use its address.
      expect(await page.getByRole('button', { name: 'Copy as curl' }).count()).toBe(0);
      await page.getByRole('tab', { name: 'Records' }).click();
      await page.getByRole('button', { name: 'Edit 1', exact: true }).click();
      await page.getByRole('dialog').getByLabel('name').fill('Edited');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: 'Edited' }).waitFor();
      expect(await callOwn(page, '/pets/1')).toMatchObject({ body: { name: 'Edited' } });
    });

    test('a session of it, with the token of its control API', async () => {
      const page = await openOwnMock(`showDevtools({ mock: mock.session('blue'), token: 'a-token' })`, {
        adminToken: 'a-token',
      });
      await openPanel(page, 'Records');
      await page.getByText('1–50 of 50').waitFor();
      await page.evaluate(`mock.session('blue').fetch('/pets/3')`);
      await page.getByRole('tab', { name: 'Requests' }).click();
      await page.getByRole('option', { name: /\/v1\/pets\/3.*401/ }).waitFor();
      expect(await page.evaluate('mock.requests().length')).toBe(0);
    });
  });

  test('by keys alone it opens, changes tabs, opens a request and closes; it is as it was after a reload', async () => {
    const { page, mock, show } = await openApp(browser());
    await call(page, mock, '/pets?limit=1');
    await call(page, mock, '/pets?limit=2');
    await page.getByRole('button', { name: 'Own' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const requests = page.getByRole('tab', { name: 'Requests' });
    await expectFocus(page, requests);
    await page.keyboard.press('j');
    await page.getByRole('article', { name: 'Request 2' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('article', { name: 'Request 1' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('article').waitFor({ state: 'detached' });
    await requests.focus();
    await page.keyboard.press('ArrowRight');
    await expectFocus(page, page.getByRole('tab', { name: 'Scenarios', selected: true }));
    const edge = page.getByRole('separator', { name: 'Height of the panel' });
    await edge.focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => edge.getAttribute('aria-valuenow')).toBe('384');
    const dock = page.getByRole('region', { name: 'Panel' });
    expect((await dock.boundingBox())?.height).toBe(384);
    await page.getByRole('button', { name: 'Move to the side' }).click();
    expect(await dock.boundingBox()).toMatchObject({ width: 384, height: 720 });

    await page.reload();
    await show();
    await page.getByRole('tab', { name: 'Scenarios', selected: true }).waitFor();
    expect(await dock.boundingBox()).toMatchObject({ width: 384, height: 720 });
    await page.keyboard.press('Escape');
    await expectFocus(page, page.getByRole('button', { name: 'Open Paddock devtools' }));
    // The page receives none of these keys.
    expect(await page.evaluate('heard')).toEqual([]);
  });

  test('its edge can be dragged', async () => {
    const { page } = await openApp(browser());
    await openPanel(page);
    await page.mouse.move(400, 360);
    await page.mouse.down();
    await page.mouse.move(400, 200, { steps: 3 });
    await page.mouse.up();
    await expect
      .poll(async () => (await page.getByRole('region', { name: 'Panel' }).boundingBox())?.height)
      .toBe(520);
  });

  test('styles of the page do not reach in, nor those of the panel out', async () => {
    const { page } = await openApp(browser());
    const looks = `JSON.stringify([...document.querySelectorAll('body, body *')].map((one) => ({ ...getComputedStyle(one) })))`;
    const before = await page.evaluate(looks);
    await openPanel(page);
    expect(await page.evaluate(looks)).toBe(before);
    const inside = `(() => {
      const { shadowRoot } = document.querySelector('paddock-devtools');
      return [...shadowRoot.querySelectorAll('*')].map((one) => {
        const { font, letterSpacing, opacity, borderTopWidth, backgroundColor, color, width } = getComputedStyle(one);
        return [one.localName, font, letterSpacing, opacity, borderTopWidth, backgroundColor, color, width].join();
      });
    })()`;
    const styled = await page.evaluate<string[]>(inside);
    await page.evaluate(`document.querySelector('link[rel=stylesheet]').remove()`);
    expect(await page.evaluate(inside)).toEqual(styled);
    expect(styled.length).toBeGreaterThan(20);
  });

  test("a strict policy of the page is enough for it: scripts and styles of the page's own, and the mock", async () => {
    const mock = await createMock({ document: SHIPPED, port: 0, apiKeys: [KEY] });
    const policy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${new URL(mock.url).origin}; img-src data:; require-trusted-types-for 'script'`;
    const strict = await serveFiles(folder, { 'Content-Security-Policy': policy });
    onTestFinished(() => strict.close());
    const { page, complaints } = await openApp(browser(), {}, '', mock, strict);
    await openPanel(page);
    await call(page, mock, '/pets/1');
    await page.getByRole('option', { name: /\/v1\/pets\/1/ }).click();
    await page.getByRole('tab', { name: 'Records' }).click();
    await page.getByRole('button', { name: 'Edit 1', exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a page has one panel; after close nothing of it is left, and it listens no more', async () => {
    const { page } = await openConsole(browser(), site.origin);
    onTestFinished(() => page.context().close());
    await page.evaluate(`(async () => {
      globalThis.ended = [];
      const { showDevtools } = await import('/devtools/index.js');
      globalThis.show = (name) => showDevtools({ mock: { fetch: async (url) => url.endsWith('/events')
        ? new Response(new ReadableStream({ cancel() { ended.push(name); } }))
        : new Response('{}', { status: 404 }) } });
      globalThis.first = show('first');
      globalThis.second = show('second');
    })()`);
    await expect.poll(() => page.evaluate('ended')).toEqual(['first']);
    expect(await page.locator('paddock-devtools').count()).toBe(1);
    await page.evaluate('second.close()');
    await expect.poll(() => page.evaluate('ended')).toEqual(['first', 'second']);
    expect(await page.locator('paddock-devtools').count()).toBe(0);
  });

  test.each([
    ['{}', 'showDevtools needs either mock'],
    ['{ mock: {}, url: "http://127.0.0.1:1" }', 'showDevtools needs either mock'],
    ['{ mock: {} }', 'option mock must be what createMock'],
    ['{ url: "ftp://127.0.0.1/" }', 'option url must be an address such as'],
    ['{ url: "http://127.0.0.1:1", token: "" }', 'option token must be a text'],
  ])('wrong options are refused: %s', async (options, message) => {
    const { page } = await openConsole(browser(), site.origin);
    const shown = page.evaluate(
      `import('/devtools/index.js').then(({ showDevtools }) => showDevtools(${options}))`,
    );
    await expect(shown).rejects.toThrow(message);
  });

  describe.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)('%i px, %s', (width, colorScheme) => {
    test('axe finds nothing, and nothing is wider than the window', async () => {
      const look = { viewport: { width, height: 800 }, colorScheme };
      const { page, mock } = await openApp(browser(), {}, '', undefined, site, look);
      // The page's styles do not matter here.
      await page.evaluate(`document.querySelector('link[rel=stylesheet]').remove()`);
      await expectAccessible(page);
      await openPanel(page);
      await expectAccessible(page);
      await call(page, mock, '/pets', 'POST', { name: 5 });
      await call(page, mock, '/pets?limit=1');
      await page.getByRole('option', { name: /POST/ }).click();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Scenarios' }).click();
      await page.getByRole('button', { name: 'Answer 503' }).click();
      await page.getByRole('switch', { name: 'Off-line' }).click();
      await page.getByText('Every request drops the connection').waitFor();
      await expectAccessible(page);
      await page.getByRole('tab', { name: 'Records' }).click();
      await page.getByRole('button', { name: 'Edit 1', exact: true }).click();
      await expectAccessible(page);
    });
  });

  /** Opens the page with a mock inside, which receives the page's requests to its service. */
  async function openOwnMock(show: string, options: object = {}): Promise<Page> {
    const { page } = await openConsole(browser(), site.origin);
    onTestFinished(() => page.context().close());
    const given = { document: await readFile(SHIPPED, 'utf8'), apiKeys: [KEY], ...options };
    await page.evaluate(`(async () => {
      const { createMock } = await import('/browser/index.js');
      globalThis.mock = await createMock({ ...${JSON.stringify(given)}, origin: 'https://api.example' });
      const network = fetch;
      globalThis.fetch = (input, init) => {
        const request = new Request(input, init);
        return request.url.startsWith('https://api.example/') ? mock.fetch(request) : network(request);
      };
      const { showDevtools } = await import('/devtools/index.js');
      ${show};
    })()`);
    return page;
  }

  /** Opens the page with the panel over it, for a given mock or a new one. */
  async function openApp(
    within: Browser,
    options: Partial<MockOptions> = {},
    session = '',
    given?: Mock,
    server = site,
    look: BrowserContextOptions = {},
  ) {
    const mock =
      given ?? (await createMock({ document: SHIPPED, port: 0, apiKeys: [KEY], ...options } as MockOptions));
    const { page, complaints } = await openConsole(within, server.origin, look);
    onTestFinished(async () => {
      await page.context().close();
      await mock.close();
    });
    const { url } = session === '' ? mock : mock.session(session);
    const show = async () => {
      await page.evaluate(`(async () => {
        globalThis.changed = 0;
        globalThis.heard = [];
        document.addEventListener('keydown', ({ key }) => heard.push(key));
        const { showDevtools } = await import('/devtools/index.js');
        globalThis.panel = showDevtools({ url: ${JSON.stringify(url)}, onChange: () => { changed++; } });
      })()`);
    };
    await show();
    return { page, mock, complaints, show };
  }
});

async function openPanel(page: Page, tab = 'Requests'): Promise<void> {
  await page.getByRole('button', { name: 'Open Paddock devtools' }).click();
  await page.getByRole('tab', { name: tab }).click();
}

/** The mock's response to the page; the name of an error: there was none. */
function call(
  page: Page,
  { url }: Pick<Mock, 'url'>,
  path: string,
  method = 'GET',
  body?: unknown,
): Promise<unknown> {
  const init = JSON.stringify({ method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return page.evaluate(`fetch(${JSON.stringify(url + path)}, ${init}).then(
    async (response) => ({ status: response.status, body: await response.json() }),
    ({ name }) => name,
  )`);
}

/** The same for a mock in the page. */
const callOwn = (page: Page, path: string) => call(page, { url: 'https://api.example/v1' }, path);

async function expectFocus(page: Page, locator: ReturnType<Page['locator']>): Promise<void> {
  await locator.waitFor();
  await expect.poll(() => locator.evaluate((one) => one.matches(':focus'))).toBe(true);
  expect(page.isClosed()).toBe(false);
}
