import { describe, expect, test } from 'vitest';
import type { Resource } from '#spec';
import { contractWith } from '../testing/steps.ts';
import { changedMembers, equalJson, leftOverMembers, notAsSent, withoutNulls } from './compare-records.ts';
import type { Breach } from './law.ts';

type Data = Readonly<Record<string, unknown>>;
type Table = [title: string, row: { given: [before: Data, after: unknown]; want: string[] }][];

const resourceOf = (operationId: string) => {
  const { resources } = contractWith(operationId);
  return resources.find(({ actions }) =>
    Object.values(actions).some(({ id }) => id === operationId),
  ) as Resource;
};
const TOOLS = resourceOf('listTools');
const ARTICLES = resourceOf('list_articles');
const PETS = resourceOf('listPets');
const SPOT = TOOLS.shape.spot;
const told = (breaches: readonly Breach[]) => breaches.map(({ law, received }) => `${law}: ${received}`);

describe('members that are not as sent', () => {
  const table: Table = [
    ['another value', { given: [{ name: 'a' }, { name: 'b' }], want: ['created-equals-sent: name "b"'] }],
    ['a missing one', { given: [{ name: 'a' }, {}], want: ['created-equals-sent: name nothing'] }],
    [
      'null in place of nothing',
      { given: [{ note: null }, {}], want: ['created-equals-sent: note nothing'] },
    ],
    [
      'a longer list',
      { given: [{ tags: ['a'] }, { tags: ['a', 'b'] }], want: ['created-equals-sent: tags ["a","b"]'] },
    ],
    ['one of a type that it does not have in the response', { given: [{ name: ['a'] }, {}], want: [] }],
    ['members that the service adds', { given: [{ name: 'a' }, { name: 'a', kind: 'saw' }], want: [] }],
    [
      'members that are nested, and added to',
      { given: [{ tags: [{ b: 1 }] }, { tags: [{ b: 1, c: 2 }] }], want: [] },
    ],
    [
      'write-only, read-only and undocumented ones',
      { given: [{ pin: '1', id: 4, colour: 'a' }, {}], want: [] },
    ],
    ['a body that is no object', { given: [{ name: 'a' }, []], want: [] }],
  ];
  test.each(table)('%s', (_, { given: [sent, got], want }) => {
    expect(told(notAsSent('created-equals-sent', TOOLS, TOOLS.shape, sent, got, SPOT))).toEqual(want);
  });

  test('a bigint', () => {
    const breaches = notAsSent(
      'created-equals-sent',
      PETS,
      PETS.shape,
      { categoryId: 1n },
      { categoryId: 1 },
      SPOT,
    );
    expect(told(breaches)).toEqual(['exact-integers: categoryId 1']);
  });
});

describe('members that changed', () => {
  const table: Table = [
    ['another value', { given: [{ note: 'a' }, { note: 'b' }], want: ['neighbours-untouched: note "b"'] }],
    ['one more', { given: [{}, { note: 'b' }], want: ['neighbours-untouched: note "b"'] }],
    ['one less', { given: [{ note: 'a' }, {}], want: ['neighbours-untouched: note nothing'] }],
    ['one that may', { given: [{ name: 'a' }, { name: 'b' }], want: [] }],
    [
      'read-only, write-only and undocumented ones',
      { given: [{ id: 1, pin: 'a', colour: 'a' }, {}], want: [] },
    ],
    ['the order of members', { given: [{ tags: [{ a: 1, b: 2 }] }, { tags: [{ b: 2, a: 1 }] }], want: [] }],
  ];
  test.each(table)('%s', (_, { given: [before, after], want }) => {
    const but = ['name'];
    expect(told(changedMembers('neighbours-untouched', TOOLS, before, after as Data, SPOT, but))).toEqual(
      want,
    );
  });
});

describe('members that a replacement left out', () => {
  const table: Table = [
    [
      'kept',
      { given: [{ weight_g: 5 }, { weight_g: 5 }], want: ['replaced-is-replaced: weight_g 5, as before'] },
    ],
    ['gone', { given: [{ weight_g: 5 }, {}], want: [] }],
    ['changed by the service', { given: [{ weight_g: 5 }, { weight_g: 6 }], want: [] }],
    ['with a default', { given: [{ stock: 0 }, { stock: 0 }], want: [] }],
    ['null before', { given: [{ weight_g: null }, { weight_g: null }], want: [] }],
    ['the id', { given: [{ article_no: 5 }, { article_no: 5 }], want: [] }],
    ['sent', { given: [{ label: 'a' }, { label: 'a' }], want: [] }],
  ];
  test.each(table)('%s', (_, { given: [before, after], want }) => {
    expect(told(leftOverMembers(ARTICLES, before, { label: 'a' }, after as Data))).toEqual(want);
  });

  test('what the path names', () => {
    const parents = [{ parameter: 'weight', property: 'weight_g', inner: undefined }];
    expect(told(leftOverMembers({ ...ARTICLES, parents }, { weight_g: 5 }, {}, { weight_g: 5 }))).toEqual([]);
  });
});

test('null takes a member away', () => {
  expect(withoutNulls({ a: null, b: 0, c: { d: null } })).toEqual({ b: 0, c: { d: null } });
});

test.each<[left: unknown, right: unknown, want: boolean]>([
  [1, 1, true],
  [1, '1', false],
  [2, 3, false],
  [null, undefined, false],
  [[1, 2], [2, 1], false],
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [{ a: undefined }, { b: 1 }, false],
  [{ a: 1 }, { a: 1, b: 1 }, false],
  [[], {}, false],
])('%j equals %j: %s', (left, right, want) => {
  expect(equalJson(left, right)).toBe(want);
});
