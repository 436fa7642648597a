import { van } from '../testing/fleet.ts';
import { HOLDS, type LawTable } from '../testing/law-table.ts';
import { ask, type Step } from '../testing/steps.ts';

/** A page of vans from this offset on. */
const list = (offset: number, ids: readonly number[], total = 5, limit = 2): Step =>
  ask('listVehicles', { query: { offset, limit } }, 200, {
    meta: { total },
    vehicles: ids.map((id) => van(id)),
  });

const all = list(0, [1, 2, 3, 4, 5], 5, 40);
const walk = [list(0, [1, 2]), list(2, [3, 4]), list(4, [5])];
const walkWithout3 = [list(0, [1, 2]), list(2, [4, 5]), list(4, [])];
const four = list(0, [1, 2], 4, 40);
const refusedWalk = [
  list(0, [1, 2], 2),
  ask('listVehicles', { query: { offset: 2, limit: 2 } }, 404, { slug: 'x', text: 'x' }),
];

export const PAGE_CASES: LawTable = {
  'distinct-pages': [
    [
      'a page that repeats the one before',
      {
        given: [list(0, [1, 2]), list(2, [1, 2]), list(0, [1, 2])],
        want: [
          `distinct-pages: ${JSON.stringify(van(1))} with offset=0 and with offset=2 | each record on one page`,
        ],
      },
    ],
    [
      'a record that moved to the next page while others wrote',
      { given: [list(0, [1, 2]), list(2, [2, 3]), list(0, [9, 1])], want: HOLDS },
    ],
  ],
  'complete-pages': [
    ['two equal walks through all', { given: [all, ...walk, ...walk, all], want: HOLDS }],
    [
      'a record that is on no page, and in the list before and after',
      {
        given: [all, ...walkWithout3, ...walkWithout3, all],
        want: [
          `complete-pages: pages with 4 records together, without ${JSON.stringify(van(3))} | every record on one of the pages`,
        ],
      },
    ],
    ['walks with different results', { given: [all, ...walk, ...walkWithout3, all], want: HOLDS }],
    [
      'a walk that is refused behind the last page',
      { given: [four, ...refusedWalk, ...refusedWalk, four], want: HOLDS },
    ],
  ],
  total: [
    ['a total that is greater', { given: [list(0, [1, 2], 500)], want: HOLDS }],
    [
      'a total that is less than a page',
      {
        given: [list(0, [1, 2], 1)],
        want: ['total: meta.total 1, with 2 records seen | meta.total at least 2'],
      },
    ],
    [
      'a total that is less than what is before and on a page',
      {
        given: [list(2, [3, 4], 3)],
        want: ['total: meta.total 3, with 4 records seen | meta.total at least 4'],
      },
    ],
    ['the last page again, behind the last', { given: [list(40, [4, 5], 5)], want: HOLDS }],
    [
      'a total that counts one page only',
      {
        given: [list(0, [1, 2], 2), list(2, [3, 4], 2), list(0, [1, 2], 2)],
        want: ['total: meta.total 2, with 4 records seen | meta.total at least 4'],
      },
    ],
  ],
};
