import { describe, expect, test } from 'vitest';
import { ask, documentOf, SHIPPED, serve, serveText } from '../../testing/serve.ts';

/** Rows with one required member. */
async function valuesOf(name: string, member: object): Promise<unknown[]> {
  const items = {
    type: 'object',
    required: ['id', name],
    properties: { id: { type: 'integer', format: 'int64' }, [name]: member },
  };
  const content = { 'application/json': { schema: { type: 'array', items } } };
  const paths = { '/rows': { get: { responses: { 200: { description: 'Rows', content } } } } };
  const { body } = await ask(await serveText(documentOf(paths), { count: 400 }), 'GET /rows');
  return body.map((row: Record<string, unknown>) => row[name]);
}

const SCRIPTS = ['Latin', 'Greek', 'Cyrillic', 'Han', 'Hangul', 'Arabic', 'Hebrew', 'Devanagari', 'Thai'];

const scriptsOf = (values: readonly unknown[]) =>
  SCRIPTS.filter((script) =>
    values.some((value) => new RegExp(`\\p{Script=${script}}`, 'u').test(String(value))),
  );

describe('among the fifty records of the default seed', () => {
  test('names have apostrophes and several scripts, and most are ordinary', async () => {
    const { body } = await ask(await serve(SHIPPED), 'GET /pets?limit=100');
    const names: string[] = body.map(({ name }: { name: string }) => name);
    expect(scriptsOf(names).length).toBeGreaterThan(2);
    expect(names.filter((name) => name.includes("'")).length).toBeGreaterThan(0);
    expect(names.filter((name) => /^[A-Z][a-z]+$/.test(name)).length).toBeGreaterThan(35);
  });

  test('the first and the last page have none, and no name too long for a table', async () => {
    const { body } = await ask(await serve(SHIPPED), 'GET /pets?limit=100');
    for (const { name, categoryId } of [...body.slice(0, 20), ...body.slice(-20)]) {
      expect(name.length).toBeLessThan(30);
      expect(categoryId).toBeLessThan(1000);
    }
  });

  test('integers reach both ends of int64, and ids stay small', async () => {
    const { body } = await ask(await serve(SHIPPED), 'GET /pets?limit=100');
    const categories = body.map(({ categoryId }: { categoryId: unknown }) => categoryId);
    expect(categories).toContain(-(2n ** 63n));
    expect(categories).toContain(2n ** 63n - 1n);
    const made = Array.from({ length: 48 }, (_, at) => at + 1);
    expect(body.map(({ id }: { id: unknown }) => id)).toEqual([1002, 1001, ...made]);
  });
});

test('all scripts occur in a large collection', async () => {
  expect(scriptsOf(await valuesOf('authorName', { type: 'string' }))).toEqual(SCRIPTS);
});

test.each<[string, string, object, RegExp]>([
  ['a pattern', 'name', { type: 'string', pattern: '^[a-z]+$' }, /^[a-z]+$/],
  ['a length', 'name', { type: 'string', maxLength: 3 }, /^.{1,3}$/u],
  ['a format', 'name', { type: 'string', format: 'uuid' }, /^[0-9a-f-]{36}$/],
  ['an enumeration', 'name', { type: 'string', enum: ['a', 'b'] }, /^[ab]$/],
  ['bounds', 'total', { type: 'integer', format: 'int64', minimum: 0, maximum: 2000 }, /^\d{1,4}$/],
  ['a smaller format', 'code', { type: 'integer', format: 'int32' }, /^\d{1,4}$/],
  ['text that is no name', 'countryCode', { type: 'string' }, /^[A-Z]{2}$/],
])('edge cases respect %s', async (_, name, member, want) => {
  for (const value of await valuesOf(name, member)) expect(String(value)).toMatch(want);
});

test('an id inside another record stays ordinary', async () => {
  const parts = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer', format: 'int64' } },
  };
  for (const part of await valuesOf('part', parts)) expect((part as { id: unknown }).id).toBeTypeOf('number');
});

test('omitted members are filled in with ordinary values', async () => {
  const member = { type: 'integer', format: 'int64', readOnly: true };
  const thing = { type: 'object', required: ['id', 'mark'], properties: { id: member, mark: member } };
  const content = { 'application/json': { schema: thing } };
  const body = { content };
  const list = { 'application/json': { schema: { type: 'array', items: thing } } };
  const paths = {
    '/things': {
      get: { responses: { 200: { description: 'All', content: list } } },
      post: { requestBody: body, responses: { 201: { description: 'Made', content } } },
    },
  };
  const mock = await serveText(documentOf(paths), { count: 200 });
  const seeded = (await ask(mock, 'GET /things')).body.map(({ mark }: { mark: unknown }) => mark);
  expect(seeded.some((mark: unknown) => typeof mark === 'bigint')).toBe(true);
  for (let made = 0; made < 200; made++) {
    expect((await ask(mock, 'POST /things', {})).body.mark).toBeTypeOf('number');
  }
});
