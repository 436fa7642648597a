import { expect, test } from 'vitest';
import type { CollectionView, MemberView } from '../wire.ts';
import { draftOf, OTHERS, othersProblem, recordOf } from './draft.ts';

function member(name: string, type: string | undefined, values?: readonly unknown[]): MemberView {
  const unsaid = { format: undefined, description: undefined, values };
  return { name, type, nullable: false, required: false, readOnly: false, ...unsaid };
}

const COLLECTION: CollectionView = {
  name: '/things',
  id: 'id',
  parameters: [],
  open: true,
  references: [],
  members: [
    member('id', 'integer'),
    member('name', 'string'),
    member('note', 'string'),
    member('tags', 'array'),
    member('size', undefined, [1, 'big']),
  ],
};

test.each<[string, Record<string, unknown>]>([
  ['an integer beyond 2^53', { id: 9007199254740993n }],
  ['texts that look like JSON', { name: '7', note: 'null' }],
  ['an empty text and null', { name: '', note: null }],
  ['a list, and members that the document does not name', { tags: ['a', 1n << 60n], colour: { red: 1 } }],
  ['a text among values of several types', { size: 'big' }],
  ['nothing', {}],
])('%s stays as it was', (_, record) => {
  expect(recordOf(COLLECTION, draftOf(COLLECTION, record), record)).toEqual(record);
});

test('an empty field is an absent member, and what is no JSON a text for the mock to judge', () => {
  const before = { id: 1, name: 'Rex' };
  const draft = { ...draftOf(COLLECTION, before), id: 'many', name: '', tags: '[1' };
  expect(recordOf(COLLECTION, draft, before)).toEqual({ id: 'many', tags: '[1' });
});

test('other members must be an object', () => {
  expect(othersProblem({ [OTHERS]: '[1]' })).toBe('must be a JSON object');
  expect(othersProblem({ [OTHERS]: '{"a":1}' })).toBeUndefined();
  expect(othersProblem({})).toBeUndefined();
});
