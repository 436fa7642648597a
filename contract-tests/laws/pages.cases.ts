import { van, vanId } from '../testing/fleet.ts';
import { HOLDS, type LawTable } from '../testing/law-table.ts';
import { ask, type Step } from '../testing/steps.ts';

/** A page of vans from an offset on. */
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

const tree = (n: number) => ({ id: vanId(n), name: 'Old', kind: 'pear' });

/** A page of trees: its cursor, its trees, and the cursor of the next page. */
function trees(cursor: string | undefined, ids: readonly number[], next: string | null, limit = 2): Step {
  return ask('listTrees', { query: { limit, ...(cursor !== undefined && { cursor }) } }, 200, {
    trees: ids.map(tree),
    pagination: { next_cursor: next, has_more: next !== null },
  });
}

const allTrees = trees(undefined, [1, 2, 3, 4, 5], null, 60);
/** The cursors of a second walk may repeat those of the first, or be new. */
const treeWalk = (sign: string, second = [3, 4], third = [5]) => [
  trees(undefined, [1, 2], `${sign}2`),
  trees(`${sign}2`, second, `${sign}3`),
  trees(`${sign}3`, third, null),
];

/** A page of weighings, which have no id. */
const weighings = (page: number | undefined, kilograms: readonly number[], next?: number, size = 2): Step =>
  ask(
    'listWeighings',
    { query: { page_size: String(size), ...(page !== undefined && { page: String(page) }) } },
    200,
    {
      weighings: kilograms.map((one) => ({ kilograms: one, by: 'Ann' })),
      meta: {
        total: 9,
        next: next === undefined ? null : `http://inside.test/v1/weighings?page=${next}&page_size=${size}`,
      },
    },
  );

const allWeighings = weighings(undefined, [1, 2, 2, 3, 4], undefined, 75);
const weighingWalk = (...third: number[]) => [
  weighings(undefined, [1, 2], 2),
  weighings(2, [2, 3], 3),
  weighings(3, third),
];

const visits = (
  query: object,
  numbers: readonly number[],
  before: string | null = null,
  after: string | null = null,
) =>
  ask('listVisits', { query: { ...query } }, 200, {
    data: numbers.map((number) => ({ id: `v${number}`, note: 'a', room: null, status: 'open' })),
    cursors: { before, after },
  });
const onwards = (before: string | null) => [
  visits({ limit: 2 }, [1, 2], null, 'a'),
  visits({ limit: 2, after: 'a' }, [3, 4], before, 'c'),
];
const back = (numbers: readonly number[]) => visits({ limit: 2, before: 'b' }, numbers, null, 'a');

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
    [
      'a page behind a cursor that repeats a record, with new cursors each time',
      {
        given: [...treeWalk('a', [2, 3]), ...treeWalk('b', [2, 3])],
        want: [
          `distinct-pages: ${JSON.stringify(tree(2))} with no cursor and with cursor="a2" | each record on one page`,
          `distinct-pages: ${JSON.stringify(tree(2))} with cursor="b2" and with no cursor | each record on one page`,
        ],
      },
    ],
    [
      'pages behind cursors that are shorter than asked for',
      {
        given: [...treeWalk('a', [3], [4, 5]), ...treeWalk('b', [3], [4, 5])],
        want: HOLDS,
      },
    ],
    [
      'a page that leads back to an earlier one',
      {
        given: [trees(undefined, [1, 2], 'a'), trees('a', [3, 4], 'b'), trees('b', [5, 6], 'a')],
        want: [
          'distinct-pages: the page with cursor="b" names one as the next that has been shown before | each record on one page',
        ],
      },
    ],
    [
      'an empty page that leads to itself: what is there later comes then',
      { given: [trees(undefined, [1, 2], 'a'), trees('a', [], 'a'), trees('a', [], 'a')], want: HOLDS },
    ],
    [
      'more records without an id than the list has',
      {
        given: [allWeighings, ...weighingWalk(3, 4), ...weighingWalk(3, 4), allWeighings],
        want: ['distinct-pages: pages with 6 records together | 5 records, as the list has without pages'],
      },
    ],
  ],
  'complete-pages': [
    [
      'a page back',
      { given: [visits({ limit: 10 }, [1, 2, 3, 4, 5]), ...onwards('b'), back([1, 2])], want: HOLDS },
    ],
    [
      'a page back that has others',
      {
        given: [visits({ limit: 10 }, [1, 2, 3, 4, 5]), ...onwards('b'), back([2, 3])],
        want: [
          'presumed complete-pages: a page of ["v2","v3"] | ["v1","v2"], just before "b" in the whole list',
        ],
      },
    ],
    [
      'no way back',
      {
        given: onwards(null),
        want: [
          'presumed complete-pages: cursors.before null, where another page is before this one | the cursor of that page',
        ],
      },
    ],
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
    [
      'two equal walks along cursors, which are new ones each time',
      { given: [allTrees, ...treeWalk('a'), ...treeWalk('b'), allTrees], want: HOLDS },
    ],
    [
      'a record that is behind no cursor',
      {
        given: [allTrees, ...treeWalk('a', [4]), ...treeWalk('b', [4]), allTrees],
        want: [
          `complete-pages: pages with 4 records together, without ${JSON.stringify(tree(3))} | every record on one of the pages`,
        ],
      },
    ],
    [
      'a service that does not know on its last full page that it is the last',
      {
        given: [
          trees(undefined, [1, 2], null, 60),
          ...['a', 'b'].flatMap((sign) => [trees(undefined, [1, 2], sign), trees(sign, [], null)]),
          trees(undefined, [1, 2], null, 60),
        ],
        want: HOLDS,
      },
    ],
    [
      'a first page that says it is the last',
      {
        given: [allTrees, trees(undefined, [1, 2], null), trees(undefined, [1, 2], null), allTrees],
        want: [
          `complete-pages: pages with 2 records together, without ${JSON.stringify(tree(3))} | every record on one of the pages`,
        ],
      },
    ],
    [
      'empty pages, each of which leads to another',
      {
        given: [
          trees(undefined, [1], '0'),
          ...Array.from({ length: 10 }, (_, index) => trees(`${index}`, [], `${index + 1}`)),
        ],
        want: ['complete-pages: 10 pages without a record, each of which names a next one | a last page'],
      },
    ],
    [
      'fewer records without an id than the list has, two of which are equal',
      {
        given: [allWeighings, ...weighingWalk(), ...weighingWalk(), allWeighings],
        want: ['complete-pages: pages with 4 records together | 5 records, as the list has without pages'],
      },
    ],
    [
      'as many records without an id as the list has',
      { given: [allWeighings, ...weighingWalk(4), ...weighingWalk(4), allWeighings], want: HOLDS },
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
    [
      'a total in a header that is less than a page',
      {
        given: [ask('listPickers', {}, 200, [{ id: 1, name: 'Bo' }], { 'X-Total-Count': '0' })],
        want: ['total: x-total-count 0, with 1 records seen | x-total-count at least 1'],
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
