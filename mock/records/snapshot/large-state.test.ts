import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask, SHIPPED, serve } from '../../testing/serve.ts';
import { createStateScanner } from './state-scanner.ts';

/** Everything that the scanner finds, as a parser would have it. */
function scanned(text: string, chunk: number): unknown {
  const records: [string, unknown[]][] = [];
  const members: [string, unknown][] = [];
  const scanner = createStateScanner({
    list: (path) => records.push([path, []]),
    record: (value) => records.at(-1)?.[1].push(JSON.parse(value)),
    member: (name, value) => members.push([name, JSON.parse(value)]),
  });
  for (let at = 0; at < text.length; at += chunk) scanner.write(text.slice(at, at + chunk));
  scanner.end();
  return { records, members };
}

const json = fc.jsonValue({ depthSize: 'small' });
const state = fc.record({
  records: fc.dictionary(fc.string(), fc.array(json)),
  numbered: json,
});

describe('the scanner', () => {
  test('finds what a parser finds, with chunks of any size and any white space', () => {
    fc.assert(
      fc.property(
        state,
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom(0, 1, 3),
        (value, chunk, indent) => {
          const parsed = JSON.parse(JSON.stringify(value));
          expect(scanned(JSON.stringify(value, null, indent), chunk)).toEqual({
            records: Object.entries(parsed.records),
            members: [['numbered', parsed.numbered]],
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['no object', '[]'],
    ['cut off', '{"records": {"/a": [1, 2'],
    ['a list without its end', '{"records": {"/a": [1}}'],
    ['no list', '{"records": {"/a": 1}}'],
    ['two commas', '{"records": {"/a": [1,,2]}}'],
    ['a comma before the end', '{"records": {"/a": [1,]}}'],
    ['a key without a value', '{"records"}'],
    ['more after the end', '{"records": {}} {}'],
    ['a broken key', '{"records": {"\\x": []}}'],
  ])('refuses %s', (_, text) => {
    for (const chunk of [1, 5, 100]) expect(() => scanned(text, chunk)).toThrow(/no JSON of a state/);
  });
});

describe('a large seed file', () => {
  async function fileOf(lines: readonly string[]): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'paddock-large-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'state.json');
    // White space enough to be large, which costs nobody any time.
    const text = `{"records":{"/pets":[\n${lines.join(',\n')}\n]},"numbered":{"/pets":70}}`;
    await writeFile(file, `${text}${' '.repeat(2 ** 23)}`);
    return file;
  }

  test('seeds the mock: exact integers, records without ids, the number of assigned ids', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `{"id":${n + 1},"name":"animal ${n}","categoryId":1}`);
    const given = '{"name":"without an id","categoryId":9223372036854775807,"status":"sold"}';
    const fixtures = [await fileOf([...names, given])];
    const mock = await serve(SHIPPED, { fixtures });
    const { body } = await ask(mock, 'GET /pets?limit=100');
    expect(body).toHaveLength(31);
    expect(body.at(-1)).toEqual({
      id: 31,
      name: 'without an id',
      categoryId: 2n ** 63n - 1n,
      status: 'sold',
    });
    expect((await ask(mock, 'POST /pets', { name: 'Ida', categoryId: 1 })).body.id).toBe(71);
    await mock.reset();
    expect((await ask(mock, 'GET /pets?limit=100')).body).toHaveLength(31);
  });

  test('with invalid records is refused with the line of each', async () => {
    const fixtures = [
      await fileOf(['{"id":1,"name":"a","categoryId":1}', '{"id":2,"name":7,"categoryId":1}', '{"id":']),
    ];
    await expect(serve(SHIPPED, { fixtures })).rejects.toThrow(/state\.json:4:1: this is no JSON/);
    const others = [await fileOf(['{"id":2,"name":7,"categoryId":1}', '{"id":2,"name":"b","colour":1}'])];
    const failure = await serve(SHIPPED, { fixtures: others }).catch((error: Error) => error.message);
    expect(failure).toMatch(/state\.json:2:1: name must/);
    expect(failure).toMatch(/state\.json:3:1: .*"colour"/);
  });

  test('reports its progress, and so does a large --count', async () => {
    const notices: string[] = [];
    const progress = (text: string) => notices.push(text);
    await serve(SHIPPED, { count: 200_000, progress });
    expect(notices).toEqual(['/pets: 100,000 of 200,000 records', '/pets: 200,000 of 200,000 records']);
  }, 120_000);
});
