import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Row, RowList } from './row-list.ts';

const row = (ordinal: number, text = ''): Row => ({ id: ordinal, text, keys: [], ordinal });
const ordinals = (rows: Iterable<Row>) => [...rows].map(({ ordinal, text }) => `${ordinal}${text}`);

/** The list, and an array with the same content. */
interface Pair {
  readonly list: RowList;
  readonly rows: Row[];
}

const copyOf = ({ list, rows }: Pair): Pair => ({ list: list.copy(), rows: [...rows] });

function expectSame({ list, rows }: Pair): void {
  expect(ordinals(list)).toEqual(ordinals(rows));
  expect(list.length).toBe(rows.length);
  const [offset, limit] = [Math.floor(rows.length / 3), 700];
  expect(ordinals(list.slice(offset, limit))).toEqual(ordinals(rows.slice(offset, offset + limit)));
}

const step = fc.record({
  what: fc.constantFrom('push', 'insert', 'remove', 'replace', 'copy'),
  many: fc.integer({ min: 1, max: 700 }),
  at: fc.nat(),
});

test('a list and its copies behave like arrays after any sequence of operations', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const pairs: Pair[] = [{ list: new RowList(), rows: [] }];
      // Odd ordinals stay free for insertions.
      let last = 0;
      for (const { what, many, at } of steps) {
        const pair = pairs[at % pairs.length] as Pair;
        const { list, rows } = pair;
        for (let n = 0; n < many; n++) {
          const place = (at + n * 7) % Math.max(1, rows.length);
          const known = rows[place];
          if (what === 'push') {
            last += 2;
            list.push(row(last));
            rows.push(row(last));
          } else if (what === 'insert' && known && rows[place + 1]?.ordinal !== known.ordinal + 1) {
            list.insert(row(known.ordinal + 1));
            rows.splice(place + 1, 0, row(known.ordinal + 1));
            last = Math.max(last, known.ordinal + 2);
          } else if (what === 'remove' && known) {
            list.remove(known);
            rows.splice(place, 1);
          } else if (what === 'replace' && known) {
            list.replace(row(known.ordinal, ' new'));
            rows[place] = row(known.ordinal, ' new');
          }
        }
        if (what === 'copy') pairs.push(copyOf(pair));
      }
      for (const pair of pairs) expectSame(pair);
    }),
    { numRuns: 150 },
  );
});
