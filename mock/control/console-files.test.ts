import { expect, test } from 'vitest';
import { ask, documentOf, SHIPPED, serve, serveText } from '../testing/serve.ts';

const HTML = { accept: 'text/html' };

test('a document that has the path / keeps it', async () => {
  const responses = { 200: { description: '', content: { 'text/html': { schema: { type: 'string' } } } } };
  const mock = await serveText(documentOf({ '/': { get: { responses } } }));
  expect((await ask(mock, 'GET /', undefined, HTML)).status).toBe(200);
  const posting = await serveText(documentOf({ '/': { post: { responses } } }));
  expect((await ask(posting, 'GET /', undefined, HTML)).status).toBe(405);
});

test('only GET of / leads to the console', async () => {
  const mock = await serve(SHIPPED, { basePath: false });
  for (const line of ['POST /', 'GET /nosuch'])
    expect((await ask(mock, line, undefined, HTML)).status).toBe(404);
});

test('modules are served without types, and each import of theirs is served as well', async () => {
  const mock = await serve(SHIPPED);
  const seen = new Set<string>();
  const visit = async (url: URL): Promise<void> => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    const response = await mock.fetch(url);
    expect([url.pathname, response.status]).toEqual([url.pathname, 200]);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const text = await response.text();
    expect(text).not.toMatch(/^import type /m);
    for (const [, path = ''] of text.matchAll(/(?:from |import\()'(\.[^']+)'/g))
      await visit(new URL(path, url));
  };
  await visit(new URL(`${mock.controlUrl}/console/main.ts`));
  expect(seen.size).toBeGreaterThan(20);
});
