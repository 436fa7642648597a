import { expect, test } from 'vitest';
import { createJournal, createJournalRoom, type JournalEntry } from './journal.ts';

function entry(path: string): JournalEntry {
  const request = { method: 'GET', path, query: '', headers: {}, body: undefined };
  const response = { headers: {}, body: '' };
  const found = { match: undefined, operation: undefined, values: undefined, record: undefined };
  return { at: 0, ms: 0, request, status: 200, ...found, refusal: undefined, decided: undefined, response };
}

const numbersOf = (journal: ReturnType<typeof createJournal>) =>
  journal.entries().map(({ number, request }) => [number, request.path]);

function fill(journal: ReturnType<typeof createJournal>, count: number): void {
  for (let n = 1; n <= count; n++) journal.add(entry(`/${n}`));
}

const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => [first + index, `/${first + index}`]);

test.each<[added: number, first: number]>([
  [0, 1],
  [1, 1],
  [999, 1],
  [1000, 1],
  [1001, 2],
  [2500, 1501],
])('of %i entries those from the %i. on are kept', (added, first) => {
  const journal = createJournal(createJournalRoom());
  fill(journal, added);
  expect(numbersOf(journal)).toEqual(from(first, added));
});

test('what was cleared last comes back with its numbers, before what has come since', () => {
  const room = createJournalRoom();
  const left = room.left;
  const [one, two] = [createJournal(room), createJournal(room)];
  fill(one, 1500);
  one.clear();
  one.add(entry('/1501'));
  one.restore();
  expect(numbersOf(one)).toEqual(from(502, 1501));
  one.restore();
  expect(numbersOf(one)).toEqual(from(502, 1501));
  one.clear();
  fill(two, 3);
  two.clear();
  one.restore();
  expect(numbersOf(one)).toEqual([]);
  expect(room.left).toBe(left);
});

test('journals share their room; each keeps fifty all the same, and what one forgets another may keep', () => {
  const room = { left: 10 };
  const [one, two] = [createJournal(room), createJournal(room)];
  fill(one, 100);
  expect(numbersOf(one)).toEqual(from(41, 100));
  fill(two, 70);
  expect(numbersOf(two)).toEqual(from(21, 70));
  one.clear();
  expect(room.left).toBe(10);
  fill(one, 3);
  expect(numbersOf(one)).toEqual(from(1, 3));
  two.clear();
  fill(two, 70);
  expect(numbersOf(two)).toEqual(from(11, 70));
});
