import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM_FLAGS, chromiumPath } from '../../testing/chromium.ts';
import { createMock, type Mock } from '../index.ts';
import { SHIPPED } from '../testing/serve.ts';

/** A page of another origin, in a real browser: what it may send and read is for the browser to say. */
const CHROMIUM = chromiumPath();
const FOREIGN_HOST = 'foreign.example';
const FLAGS = [`--host-resolver-rules=MAP ${FOREIGN_HOST} 127.0.0.1`, ...CHROMIUM_FLAGS];

describe.skipIf(!CHROMIUM)(`a page in ${CHROMIUM ?? 'Chromium: none is here'}`, () => {
  let mock: Mock;
  let site: Server;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    mock = await createMock({ document: SHIPPED, port: 0 });
    site = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>A shop</title>');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    // Its profile is a new folder, which goes with it.
    browser = await chromium.launch({ executablePath: CHROMIUM as string, args: FLAGS });
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    site.close();
    await mock.close();
  });

  /** Fetches in the page; what the browser hides from the page is null here. */
  function fetchInPage(path: string, method = 'GET', headers: Record<string, string> = {}, body?: string) {
    const url = path.startsWith('http') ? path : mock.url + path;
    const names = ['sunset', 'link', 'www-authenticate', 'preference-applied', 'date'];
    return page.evaluate(
      async ([url, method, headers, body, names]) => {
        const response = await fetch(url, { method, headers, ...(body !== null && { body }) });
        const seen = Object.fromEntries(names.map((name) => [name, response.headers.get(name)]));
        return { status: response.status, text: await response.text(), seen };
      },
      [url, method, headers, body ?? null, names] as const,
    );
  }

  const key = { authorization: 'Bearer paddock-dev-key' };

  test('reads a list', async () => {
    const { status, text } = await fetchInPage('/pets?limit=3', 'GET', key);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toHaveLength(3);
  });

  test('creates, and reads what it has created', async () => {
    const body = '{"name":"Página","categoryId":9007199254740993}';
    const created = await fetchInPage('/pets', 'POST', { ...key, 'content-type': 'application/json' }, body);
    expect(created.status).toBe(201);
    expect(created.text).toContain('"categoryId":9007199254740993');
    const { id } = JSON.parse(created.text);
    expect((await fetchInPage(`/pets/${id}`, 'GET', key)).text).toBe(created.text);
  });

  test('sees a 401 with its body and its challenge', async () => {
    const { status, text, seen } = await fetchInPage('/pets');
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(seen['www-authenticate']).toMatch(/^Bearer/);
  });

  test('reads Sunset and the link to what comes after', async () => {
    const { seen } = await fetchInPage('/pets/1', 'GET', key);
    expect(seen.sunset).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
    expect(seen.link).toBe('</v1/pets>; rel="successor-version"');
  });

  test('sends a preference, and uses a session of its own', async () => {
    const forced = await fetchInPage('/pets', 'GET', { ...key, prefer: 'code=503' });
    expect({ status: forced.status, applied: forced.seen['preference-applied'] }).toEqual({
      status: 503,
      applied: 'code=503',
    });
    const own = mock.session('page');
    const headers = { ...key, 'content-type': 'application/json', 'paddock-session': 'page' };
    await fetchInPage('/pets', 'POST', headers, '{"name":"Rex","categoryId":1}');
    expect((await own.state()).records['/pets']).toHaveLength(51);
  });

  test('uses the control API from a loopback origin, and not after DNS rebinding', async () => {
    expect((await fetchInPage(`${mock.controlUrl}/reset`, 'POST')).status).toBe(204);
    const body = '{"name":"Rex","categoryId":1}';
    await fetchInPage('/pets', 'POST', { ...key, 'content-type': 'application/json' }, body);
    const foreign = await browser.newPage();
    // For the browser the mock is now this page's own server.
    await foreign.goto(`http://${FOREIGN_HOST}:${new URL(mock.url).port}/openapi.json`);
    const refused = await foreign.evaluate(async () => {
      const response = await fetch('/__admin/reset', { method: 'POST' });
      return { status: response.status, text: await response.text() };
    });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain(FOREIGN_HOST);
    expect((await mock.state()).records['/pets']).toHaveLength(51);
  });
});
