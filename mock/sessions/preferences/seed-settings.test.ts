import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask, SHIPPED, serve } from '../../testing/serve.ts';

async function seedFile(text: string, name = 'seed.yaml'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rules-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

const RULES = `
rules:
  - operation: listPets
    sequence: [503, pass]
  - match: { path: /pets/7 }
    body: { id: 7, name: Tom, categoryId: 9007199254740993 }
`;

test('rules begin with the mock, in every session, and again after a reset', async () => {
  const mock = await serve(SHIPPED, { fixtures: [await seedFile(RULES)] });
  const other = mock.session('other');
  const statuses = async (url: string) => [
    (await ask(mock, `GET ${url}/pets`)).status,
    (await ask(mock, `GET ${url}/pets`)).status,
  ];
  for (const { url } of [mock, other]) expect(await statuses(url)).toEqual([503, 200]);
  expect((await ask(mock, 'GET /pets/7')).text).toBe('{"id":7,"name":"Tom","categoryId":9007199254740993}');
  mock.addRule({ operation: 'listPets', status: 401 });
  expect(await statuses(mock.url)).toEqual([401, 401]);
  await mock.reset();
  expect(await statuses(mock.url)).toEqual([503, 200]);
  expect(await statuses(other.url)).toEqual([200, 200]);
  await ask(mock, `DELETE ${mock.controlUrl}/answers`);
  expect((await ask(mock, `GET ${mock.controlUrl}/answers`)).body).toEqual([]);
  mock.addRule({ delay: 0 });
  expect((await ask(mock, `GET ${mock.controlUrl}/answers`)).body).toMatchObject([{ id: 4 }]);
});

test('with records, and of several files the rules of the last one win', async () => {
  const records = 'records:\n  /pets: [{ id: 7, name: Tom, categoryId: 1 }]\nrules: [{ status: 500 }]\n';
  const fixtures = [await seedFile(records), await seedFile('rules: [{ status: 503, operation: listPets }]')];
  const mock = await serve(SHIPPED, { fixtures });
  expect((await mock.state()).records['/pets']).toHaveLength(1);
  expect((await ask(mock, 'GET /pets')).status).toBe(503);
  expect((await ask(mock, 'GET /pets/7')).status).toBe(500);
});

test('all that is wrong is named with its line', async () => {
  const text =
    'rules:\n  - operation: nosuch\n    status: 500\n  - statsu: 500\n    times: 0\n  - delay: 5\n';
  const problems = await serve(SHIPPED, { fixtures: [await seedFile(text)] }).catch(
    (error) => error.problems,
  );
  expect(problems.map(({ line, message }: { line: number; message: string }) => [line, message])).toEqual([
    [2, expect.stringMatching(/^operation names no operation "nosuch"; there are listPets/)],
    [4, expect.stringMatching(/^statsu is no member of a rule/)],
    [5, expect.stringMatching(/^times must be a whole number from 1/)],
  ]);
  const list = serve(SHIPPED, { fixtures: [await seedFile('rules: { status: 500 }')] });
  await expect(list).rejects.toThrow(/"rules" must be a list of rules/);
});

test('a large seed file has rules, too', async () => {
  const pets = Array.from({ length: 60_000 }, (_, n) => ({
    id: n + 1,
    name: 'x'.repeat(120),
    categoryId: 1,
  }));
  const seed = (rules: unknown) =>
    seedFile(JSON.stringify({ records: { '/pets': pets }, rules }), 'seed.json');
  const mock = await serve(SHIPPED, { fixtures: [await seed([{ operation: 'getPet', status: 503 }])] });
  expect((await ask(mock, 'GET /pets/1')).status).toBe(503);
  const broken = serve(SHIPPED, { fixtures: [await seed([{ times: 0 }])] });
  await expect(broken).rejects.toThrow(/times must be a whole number/);
});

test.each(['memory', 'file'])(
  'rules, latency and clock are kept, saved and restored as records are: %s',
  async (kind) => {
    const store = kind === 'file' ? `file:${join(dirname(await seedFile('')), 'records.db')}` : kind;
    const first = await serve(SHIPPED, { store });
    const before = await first.state();
    first.addRule({ operation: 'listPets', status: 503, times: 3 });
    await first.setLatency(1);
    await first.setClock(new Date('2030-12-06'));
    expect((await ask(first, 'GET /pets')).status).toBe(503);
    const state = await first.state();
    expect(state).toMatchObject({
      rules: [{ status: 503 }],
      latency: 1,
      now: expect.stringMatching(/^2030-12-06/),
    });
    await first.close();

    const next = await serve(SHIPPED, { store });
    const kept = kind === 'file' ? [{ status: 503, used: 1 }] : [];
    expect(next.rules()).toMatchObject(kept);
    await next.restore(state);
    expect([next.rules(), next.latency().low, next.clock()?.getUTCFullYear()]).toMatchObject([
      [{ status: 503, used: 0 }],
      1,
      2030,
    ]);
    await next.restore(before);
    expect([next.rules(), next.latency().low, next.clock()]).toEqual([[], 0, undefined]);
  },
);
