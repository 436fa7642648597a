import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installMsw } from '../quality/testing/temporary-tools.ts';
import { BUILT_IN_KEY, createMock, type Mock } from './index.ts';
import { SHIPPED } from './testing/serve.ts';

/** A mock without a socket answers what the code under test sends to the real address. */
const ADDRESS = 'https://service.example/v1';
/** Undefined: the registry is unreachable. */
const modules = await installMsw();

function importFrom(folder: string, name: string) {
  return import(pathToFileURL(createRequire(join(folder, 'index.js')).resolve(name)).href);
}

describe.skipIf(modules === undefined)('Mock Service Worker in Node', () => {
  let mock: Mock;
  let server: { listen(): void; close(): void };
  beforeAll(async () => {
    mock = await createMock({ document: SHIPPED, port: false });
    const [{ http }, { setupServer }] = await Promise.all(
      ['msw', 'msw/node'].map((name) => importFrom(modules as string, name)),
    );
    const answer = ({ request }: { request: Request }) => mock.fetch(request);
    server = setupServer(http.all(`${ADDRESS}/*`, answer));
    server.listen();
  });
  afterAll(async () => {
    server.close();
    await mock.close();
  });

  const headers = { authorization: `Bearer ${BUILT_IN_KEY}`, 'content-type': 'application/json' };

  test('what is sent is there to be read, bodies and queries and all', async () => {
    const body = '{"name":"Ernesto","categoryId":9007199254740993}';
    const made = await fetch(`${ADDRESS}/pets`, { method: 'POST', headers, body });
    expect(made.status).toBe(201);
    const text = await made.text();
    expect(text).toBe('{"id":51,"name":"Ernesto","categoryId":9007199254740993}');
    expect(await (await fetch(`${ADDRESS}/pets/51`, { headers })).text()).toBe(text);
    expect(await (await fetch(`${ADDRESS}/pets?limit=3`, { headers })).json()).toHaveLength(3);
  });

  test('refusals come with their status, body and headers', async () => {
    const refused = await fetch(`${ADDRESS}/pets`);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="mock"');
    expect(await refused.json()).toMatchObject({ status: 401 });
    expect((await fetch(`${ADDRESS}/pets/4711`, { headers })).status).toBe(404);
  });
});
