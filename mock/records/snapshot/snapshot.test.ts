import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ask, fixture, SHIPPED, serve } from '../../testing/serve.ts';

const GOOD = { name: 'Rex', categoryId: 9_007_199_254_740_993n };
const at = (path: string) => `http://localhost/__admin/${path}`;

describe('state', () => {
  test.each([SHIPPED, fixture('libraries.yaml'), fixture('tide-gauges.yaml'), fixture('warehouse.yaml')])(
    'a snapshot of %s is restored to the byte, and the next ids are the same',
    async (document) => {
      const mock = await serve(document, { apiKeys: 'any' });
      const taken = (await ask(mock, `GET ${at('state')}`)).text;
      const other = mock.session('other');
      const put = await ask(mock, `PUT ${at('state?session=other')}`, taken);
      expect({ status: put.status, text: put.text }).toEqual({ status: 204, text: '' });
      expect((await ask(mock, `GET ${at('state?session=other')}`)).text).toBe(taken);
      await mock.restore(await other.state());
      expect((await ask(mock, `GET ${at('state')}`)).text).toBe(taken);
    },
  );

  test('integers are exact, the next id is restored, and reset goes back to the seeds', async () => {
    const mock = await serve(SHIPPED);
    for (let n = 0; n < 2; n++) await ask(mock, 'POST /pets', GOOD);
    const taken = (await ask(mock, `GET ${at('state')}`)).text;
    expect(taken).toContain('"categoryId":9007199254740993}');
    await mock.reset();
    expect((await ask(mock, 'GET /pets/52')).status).toBe(404);
    await ask(mock, `PUT ${at('state')}`, taken);
    expect((await ask(mock, 'GET /pets/52')).text).toContain('"categoryId":9007199254740993}');
    expect((await ask(mock, 'POST /pets', GOOD)).body.id).toBe(53);
    await ask(mock, `POST ${at('reset')}`);
    expect((await ask(mock, 'POST /pets', GOOD)).body.id).toBe(51);
  });

  test('YAML, records without ids, and collections that are not named, which are seeded', async () => {
    const mock = await serve(fixture('libraries.yaml'), { apiKeys: 'any' });
    const before = await mock.state();
    const [path = ''] = Object.keys(before.records);
    const [record] = before.records[path] as Record<string, unknown>[];
    const put = await ask(
      mock,
      `PUT ${at('state')}`,
      `# by hand\nrecords:\n  ${path}:\n    - ${JSON.stringify(record)}\n`,
    );
    expect(put.text).toBe('');
    const after = await mock.state();
    expect(after.records[path]).toEqual([record]);
    const others = Object.keys(before.records).filter((name) => name !== path);
    for (const name of others) expect(after.records[name]).toEqual(before.records[name]);
  });

  test('a new record comes after all others with safe integers as ids', async () => {
    const mock = await serve(SHIPPED);
    const ids = ['7000', '9223372036854775807', '12'];
    const records = ids.map((id) => `{"id":${id},"name":"A","categoryId":1}`);
    await ask(mock, `PUT ${at('state')}`, `{"records":{"/pets":[${records},{"name":"B","categoryId":2}]}}`);
    const listed = (await ask(mock, 'GET /pets')).text;
    expect([...listed.matchAll(/"id":(\d+)/g)].map(([, id]) => id)).toEqual([
      '12',
      '7000',
      '7001',
      '9223372036854775807',
    ]);
    expect((await ask(mock, 'POST /pets', { name: 'C', categoryId: 3 })).body.id).toBe(7002);
  });

  test.each<[name: string, text: string, want: RegExp]>([
    ['a broken text', '{"records":', /line \d+:\d+: /],
    ['no state', '[]', /line 1:1: a state must be an object with "records"/],
    ['another member', '{"records":{},"extra":1}', /line 1:15: "extra" is no member of a state/],
    [
      'no such collection',
      '{"records":{"/cats":[]}}',
      /line 1:13: the document has no collection at \/cats; there are \/pets/,
    ],
    ['no list', 'records:\n  /pets: 7', /line 2:3: \/pets must be a list/],
    ['no record', 'records:\n  /pets:\n    - 7', /line 3:7: a record must be an object/],
    [
      'all that breaks the schema, each once',
      'records:\n  /pets:\n    - id: 1\n      name: 7\n',
      /line 3:7: categoryId is required; line 4:7: name must be a string$/,
    ],
    [
      'a member that would be lost',
      '{"records":{"/pets":[\n{"id":1,"name":"A","categoryId":1,"nmae":"B"}]}}',
      /line 2:35: the document has no member "nmae" here/,
    ],
    [
      'an id twice',
      '{"records":{"/pets":[{"id":1,"name":"A","categoryId":1},\n{"id":1,"name":"B","categoryId":1}]}}',
      /line 2:1: there is another record with the id 1/,
    ],
    [
      'an id past the greatest',
      '{"records":{"/pets":[{"id":9223372036854775808,"name":"A","categoryId":1}]}}',
      /int64/,
    ],
  ])('%s is refused with its place, and nothing changes', async (_, text, want) => {
    const mock = await serve(SHIPPED);
    const before = await mock.state();
    const { status, headers, body } = await ask(mock, `PUT ${at('state')}`, text);
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 400, type: 'application/json' });
    expect(body.message).toMatch(want);
    expect(await mock.state()).toEqual(before);
  });
});

describe('--fixture', () => {
  const inFile = async (name: string, text: string) => {
    const file = join(await mkdtemp(join(tmpdir(), 'fixture-')), name);
    await writeFile(file, text);
    return file;
  };

  test('seed files are the initial state of sessions, and that after a reset; the last file wins', async () => {
    const early = await inFile('early.yaml', 'records:\n  /pets:\n    - {name: Early, categoryId: 1}\n');
    const late = await inFile('late.json', '{"records":{"/pets":[{"id":30,"name":"Late","categoryId":2}]}}');
    const mock = await serve(SHIPPED, { fixtures: [early, late] });
    for (const { url } of [mock, mock.session('a')]) {
      expect((await ask(mock, `POST ${url}/pets`, { name: 'New', categoryId: 3 })).body.id).toBe(31);
      const listed = await ask(mock, `GET ${url}/pets`);
      expect(listed.body.map(({ name }: { name: string }) => name)).toEqual(['Late', 'New']);
    }
    await mock.reset();
    expect((await ask(mock, 'GET /pets')).body).toEqual([{ id: 30, name: 'Late', categoryId: 2 }]);
  });

  test('a snapshot can be used as a seed file', async () => {
    const first = await serve(SHIPPED, { count: 3 });
    await ask(first, 'POST /pets', GOOD);
    const file = await inFile('state.json', (await ask(first, `GET ${at('state')}`)).text);
    const second = await serve(SHIPPED, { fixtures: [file] });
    expect(await second.state()).toEqual(await first.state());
  });

  test('an invalid seed file stops the start, with file and line', async () => {
    const file = await inFile('broken.yaml', 'records:\n  /pets:\n    - {id: 1, name: 2, categoryId: 1}\n');
    await expect(serve(SHIPPED, { fixtures: [file] })).rejects.toThrow(
      /broken\.yaml:3:15: name must be a string/,
    );
  });
});
