import { describe, expect, test } from 'vitest';
import { isEqual, type Resource, Shape } from '#spec';
import { contractWith } from '../testing/steps.ts';
import {
  changedMembers,
  leftOverItems,
  leftOverMembers,
  notAsSent,
  withoutNulls,
} from './compare-records.ts';
import type { Breach, LawName } from './law.ts';

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

test.each([
  ['is left out, and its default is sent', 'If omitted, the default is false.', false, undefined, 'presumed'],
  ['is left out, and another value is sent', 'If omitted, the default is false.', true, undefined, undefined],
  ['has the value that it always has', 'Not in use; always 0.', 7, 0, 'presumed'],
  ['has another value', 'Not in use; always 0.', 7, 8, undefined],
])('a member as its description says: it %s', (_, description, sent, shown, want) => {
  const shape = Shape.of([{ ...SPOT, value: { properties: { flag: { description } } } }]);
  const got = shown === undefined ? {} : { flag: shown };
  const [breach] = notAsSent('created-equals-sent', TOOLS, shape, { flag: sent }, got, SPOT);
  expect(breach?.rests?.[0]?.certainty).toBe(want);
});

test.each([
  ["is the service's", { id: 'b', size: 1 }, []],
  ['and what is beside it', { id: 'a', size: 2 }, ['created-equals-sent: part {"id":"a","size":2}']],
])('the id of a record within a record, which need not be sent, %s', (_, part, want) => {
  const text = { type: 'string' };
  const properties = { id: text, size: { type: 'integer' }, note: text };
  const schema = { properties: { part: { type: 'object', properties } } };
  const shape = Shape.of([{ ...SPOT, value: schema }]);
  const sent = { part: { id: 'a', size: 1 } };
  expect(told(notAsSent('created-equals-sent', TOOLS, shape, sent, { part }, SPOT))).toEqual(want);
});

test.each([
  [0, []],
  [7, ['created-equals-sent: id 3']],
])('an id %s of a new record', (id, want) => {
  const shape = new Shape([{ ...SPOT, value: { type: 'object', properties: { id: { type: 'integer' } } } }]);
  const resource = { ...PETS, id: { ...(PETS.id as NonNullable<Resource['id']>), property: 'id' } };
  expect(told(notAsSent('created-equals-sent', resource, shape, { id }, { id: 3 }, SPOT))).toEqual(want);
});

test.each<[schema: object, want: string[]]>([
  [{ type: 'number' }, []],
  [{ type: 'integer' }, ['exact-integers: note 12345678901234567000']],
  [{ type: 'number', format: 'int64' }, ['exact-integers: note 12345678901234567000']],
])('a service may round what it keeps as a double, %o', (note, want) => {
  const shape = new Shape([{ ...SPOT, value: { type: 'object', properties: { note } } }]);
  const sent = { note: 12345678901234567890n };
  const shown = { note: 12345678901234567000n };
  expect(told(notAsSent('created-equals-sent', TOOLS, shape, sent, shown, SPOT))).toEqual(want);
});

test('null may be shown as the default, which stands for what was not sent', () => {
  const note = { type: ['integer', 'null'], default: 3 };
  const shape = new Shape([{ ...SPOT, value: { type: 'object', properties: { note } } }]);
  const breachesOf = (shown: number) =>
    told(notAsSent('created-equals-sent', TOOLS, shape, { note: null }, { note: shown }, SPOT));
  expect(breachesOf(3)).toEqual([]);
  expect(breachesOf(4)).toEqual(['created-equals-sent: note 4']);
});

test.each<[string, object, string[]]>([
  ['the settings that apply then', { size: 10 }, []],
  ['another record', { id: 7, size: 10 }, ['created-equals-sent: part {"id":7,"size":10}']],
  ['nothing that it has', {}, ['created-equals-sent: part {}']],
])('null for an object of a new record may be shown as %s', (_, shown, want) => {
  const names = 'id' in shown ? ['id', 'size'] : ['size'];
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
  const part = { oneOf: [{ type: 'null' }, { type: 'object', properties }] };
  const shape = new Shape([{ ...SPOT, value: { type: 'object', properties: { part } } }]);
  const breachesOf = (law: LawName) =>
    told(notAsSent(law, TOOLS, shape, { part: null }, { part: shown }, SPOT));
  expect(breachesOf('created-equals-sent')).toEqual(want);
  expect(breachesOf('merged-is-merged')).not.toEqual([]);
});

test.each([
  ['need not have, it is to be gone', [], ['created-equals-sent: parts []']],
  ['must have, any value is as good', ['parts'], []],
])('of null for a member that a response cannot show as null and %s', (_, required, want) => {
  const schema = { type: 'object', required, properties: { parts: { type: 'array' } } };
  const shape = new Shape([{ ...SPOT, value: schema }]);
  const breaches = notAsSent('created-equals-sent', TOOLS, shape, { parts: null }, { parts: [] }, SPOT);
  expect(told(breaches)).toEqual(want);
});

describe('members that are not as sent', () => {
  const table: Table = [
    ['another value', { given: [{ name: 'a' }, { name: 'b' }], want: ['created-equals-sent: name "b"'] }],
    ['a missing one', { given: [{ name: 'a' }, {}], want: ['created-equals-sent: name missing'] }],
    ['null, shown as absence', { given: [{ note: null }, {}], want: [] }],
    [
      'null, shown as another value than the default',
      { given: [{ note: null }, { note: 'a' }], want: ['created-equals-sent: note "a"'] },
    ],
    [
      'nothing in place of a value',
      { given: [{ note: 'a' }, {}], want: ['created-equals-sent: note missing'] },
    ],
    [
      'null in place of a value',
      { given: [{ note: 'a' }, { note: null }], want: ['created-equals-sent: note null'] },
    ],
    ['a secret, shown as if it were being typed', { given: [{ note: 'a' }, { note: '********' }], want: [] }],
    ['an empty list, shown as absence', { given: [{ tags: [] }, {}], want: [] }],
    [
      'a list, shown as absence',
      { given: [{ tags: ['a'] }, {}], want: ['created-equals-sent: tags missing'] },
    ],
    [
      'a set in another order, and added to',
      { given: [{ tags: ['a', 'b'] }, { tags: ['b', 'c', 'a'] }], want: [] },
    ],
    [
      'a set that lacks an item',
      { given: [{ tags: ['a', 'b'] }, { tags: ['b'] }], want: ['created-equals-sent: tags ["b"]'] },
    ],
    ['a text without the blanks at its ends', { given: [{ name: ' a ' }, { name: 'a' }], want: [] }],
    [
      'a text with other blanks',
      { given: [{ name: 'a  b' }, { name: 'a b' }], want: ['created-equals-sent: name "a b"'] },
    ],
    [
      'the same instant in another notation',
      { given: [{ note: '2024-05-01T09:00:00Z' }, { note: '2024-05-01T11:00:00.000+02:00' }], want: [] },
    ],
    [
      'another instant',
      {
        given: [{ note: '2024-05-01T09:00:00Z' }, { note: '2024-05-01T09:00:00.001Z' }],
        want: ['created-equals-sent: note "2024-05-01T09:00:00.001Z"'],
      },
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

  test('blanks at the ends of a text where the document says that it is stored', () => {
    const breaches = notAsSent('created-equals-sent', PETS, PETS.shape, { name: ' a ' }, { name: 'a' }, SPOT);
    expect(told(breaches)).toEqual(['created-equals-sent: name "a"']);
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
    ['one less', { given: [{ note: 'a' }, {}], want: ['neighbours-untouched: note missing'] }],
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

test.each<[title: string, given: [sent: string[], after: string[], added?: string[]], want: string[]]>([
  ['the items that were sent', [['b'], ['b']], []],
  ['an item of before beside them', [['b'], ['a', 'b']], ['replaced-is-replaced: "a" in tags, as before']],
  ['an item of before that the service has added', [['b'], ['a', 'b'], ['a']], []],
  ['an item that the service adds now', [['b'], ['b', 'c']], []],
])('the items of a set that was replaced: %s', (_, [sent, after, added = []], want) => {
  const breaches = leftOverItems(TOOLS, { tags: ['a'] }, { tags: sent }, { tags: after }, { tags: added });
  expect(told(breaches)).toEqual(want);
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
  ];
  test.each(table)('%s', (_, { given: [before, after], want }) => {
    expect(told(leftOverMembers(ARTICLES, before, Object.keys(before), after as Data))).toEqual(want);
  });

  test('what the path names', () => {
    const parents = [{ parameter: 'weight', property: 'weight_g', inner: undefined }];
    const [before, after] = [{ weight_g: 5 }, { weight_g: 5 }];
    expect(told(leftOverMembers({ ...ARTICLES, parents }, before, ['weight_g'], after))).toEqual([]);
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
  expect(isEqual(left, right)).toBe(want);
});
