import { expect, test } from 'vitest';
import { contractWith } from '../testing/steps.ts';
import { invalidStatuses, roleOf, successStatuses } from './operation-role.ts';

test.each<
  [
    id: string,
    want: { action: string | undefined; path: string | undefined; success: number[]; invalid: number[] },
  ]
>([
  ['listPets', { action: 'list', path: '/pets', success: [200], invalid: [] }],
  ['createPet', { action: 'create', path: '/pets', success: [201], invalid: [400] }],
  ['acquireBook', { action: 'create', path: '/libraries/{libraryId}/books', success: [201], invalid: [422] }],
  ['amendBook', { action: 'update', path: '/libraries/{libraryId}/books', success: [200], invalid: [422] }],
  ['discardBook', { action: 'remove', path: '/libraries/{libraryId}/books', success: [204], invalid: [] }],
  ['replaceTool', { action: 'replace', path: '/tools', success: [200, 201], invalid: [400, 422] }],
  ['countTools', { action: undefined, path: undefined, success: [200], invalid: [] }],
])('%s', (id, want) => {
  const contract = contractWith(id);
  const operation = contract.operations.find((one) => one.id === id);
  if (!operation) throw new Error(id);
  const role = roleOf(contract, operation);
  expect({ action: role?.action, path: role?.resource.path }).toEqual({
    action: want.action,
    path: want.path,
  });
  expect(successStatuses(operation)).toEqual(want.success);
  expect(invalidStatuses(operation)).toEqual(want.invalid);
});
