import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from '../../quality/testing/describe-in-chromium.ts';
import { createMock, type Mock } from '../index.ts';
import { SHIPPED } from '../testing/serve.ts';

const FOREIGN_HOST = 'foreign.example';
const FLAGS = [`--host-resolver-rules=MAP ${FOREIGN_HOST} 127.0.0.1`];

// A page of another origin, where the browser decides what it may send and read.
describeInChromium(
  'a page',
  (browser) => {
    let mock: Mock;
    let site: Server;
    let page: Page;

    beforeAll(async () => {
      mock = await createMock({ document: SHIPPED, port: 0 });
      site = createServer((_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>A shop</title>');
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      page = await browser().newPage();
      await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    });

    afterAll(async () => {
      site.close();
      await mock.close();
    });

    /** Fetches in the page; values that the browser hides are null. */
    function fetchInPage(
      path: string,
      method = 'GET',
      headers: Record<string, string> = {},
      body?: string,
      credentials: 'include' | 'same-origin' = 'same-origin',
    ) {
      const url = path.startsWith('http') ? path : mock.url + path;
      const names = ['sunset', 'link', 'www-authenticate', 'preference-applied', 'date'];
      return page.evaluate(
        async ([url, method, headers, body, names, credentials]) => {
          const init = { method, headers, credentials, ...(body !== null && { body }) };
          const response = await fetch(url, init);
          const seen = Object.fromEntries(names.map((name) => [name, response.headers.get(name)]));
          return { status: response.status, text: await response.text(), seen };
        },
        [url, method, headers, body ?? null, names, credentials] as const,
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
      const created = await fetchInPage(
        '/pets',
        'POST',
        { ...key, 'content-type': 'application/json' },
        body,
      );
      expect(created.status).toBe(201);
      expect(created.text).toContain('"categoryId":9007199254740993');
      const { id } = JSON.parse(created.text);
      expect((await fetchInPage(`/pets/${id}`, 'GET', key)).text).toBe(created.text);
    });

    test('includes credentials, in reads and in writes, and reads the response', async () => {
      const json = { ...key, 'content-type': 'application/json' };
      const created = await fetchInPage('/pets', 'POST', json, '{"name":"Ida","categoryId":1}', 'include');
      expect([created.status, JSON.parse(created.text).name]).toEqual([201, 'Ida']);
      const read = await fetchInPage('/pets/1', 'GET', key, undefined, 'include');
      expect([read.status, read.seen.sunset]).toEqual([200, 'Thu, 05 Dec 2030 00:00:00 GMT']);
      const refused = await fetchInPage('/pets', 'GET', {}, undefined, 'include');
      expect([refused.status, refused.seen['www-authenticate']]).toEqual([
        401,
        expect.stringMatching(/^Bearer/),
      ]);
    });

    test('never includes credentials in what it sends to the control API', async () => {
      const url = `${mock.controlUrl}/state`;
      expect((await fetchInPage(url)).status).toBe(200);
      await expect(fetchInPage(url, 'GET', {}, undefined, 'include')).rejects.toThrow('Failed to fetch');
    });

    test.each(['same-origin', 'include'] as const)(
      'reads the 405 of a method that no document names (credentials: %s)',
      async (credentials) => {
        for (const method of ['DELETE', 'PATCH', 'PUT']) {
          const { status, text } = await fetchInPage('/pets', method, key, undefined, credentials);
          expect(status).toBe(405);
          expect(JSON.parse(text).message).toBe(
            `${method} is not allowed at /v1/pets, only GET, POST, HEAD, OPTIONS`,
          );
        }
        expect((await fetchInPage('/nothing', 'PATCH', key, undefined, credentials)).status).toBe(404);
      },
    );

    test('sees the headers of a rule, and what a rule breaks', async () => {
      const remove = mock.addRule({ operation: 'getPet', body: {}, headers: { 'X-Region': 'eu' } });
      const seen = await page.evaluate(async (url) => {
        const response = await fetch(url, { headers: { authorization: 'Bearer paddock-dev-key' } });
        return [response.headers.get('x-region'), response.headers.get('x-paddock-violation')];
      }, `${mock.url}/pets/1`);
      remove();
      expect(seen).toEqual(['eu', expect.stringContaining('body.id is required')]);
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
      const foreign = await browser().newPage();
      // To the browser, the mock is now the page's own server.
      await foreign.goto(`http://${FOREIGN_HOST}:${new URL(mock.url).port}/openapi.json`);
      const refused = await foreign.evaluate(async () => {
        const response = await fetch('/__admin/reset', { method: 'POST' });
        return { status: response.status, text: await response.text() };
      });
      expect(refused.status).toBe(403);
      expect(refused.text).toContain(FOREIGN_HOST);
      expect((await mock.state()).records['/pets']).toHaveLength(51);
    });
  },
  FLAGS,
);
