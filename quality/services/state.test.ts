import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { changedLines, fileLines, line, rowLines } from './state.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'state-'));

test('the order of members is no part of a line', () => {
  expect(line('pet', { name: 'Rex', tags: [{ b: 1, a: 2 }] })).toBe(
    line('pet', { tags: [{ a: 2, b: 1 }], name: 'Rex' }),
  );
});

test.each([
  ['nothing', ['a', 'b'], ['b', 'a'], []],
  ['an addition', ['a'], ['a', 'b'], []],
  ['a removal', ['a', 'b'], ['b'], ['a']],
  ['one of two equal lines', ['a', 'a'], ['a'], ['a']],
  ['a change', ['a 1', 'b'], ['a 2', 'b'], ['a 1']],
])('%s: what was removed or changed', (_, before, after, want) => {
  expect(changedLines(before, after)).toEqual(want);
});

test('a file is another line once a byte of it is changed', () => {
  const place = folder();
  writeFileSync(join(place, 'a.txt'), 'one');
  const before = fileLines(place);
  writeFileSync(join(place, 'a.txt'), 'two');
  expect(before).toHaveLength(1);
  expect(changedLines(before, fileLines(place))).toEqual(before);
});

test('each row of a database is a line, exactly, without what is left out', () => {
  const file = join(folder(), 'rows.db');
  const database = new DatabaseSync(file);
  database.exec(
    "CREATE TABLE pets (id INTEGER, seen TEXT); INSERT INTO pets VALUES (9007199254740993, 'now')",
  );
  database.close();
  const lines = rowLines(file, (_, { seen, ...row }) => row);
  expect(lines).toEqual([line('pets', { id: '9007199254740993' })]);
});
