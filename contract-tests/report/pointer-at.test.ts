import { expect, test } from 'vitest';
import { loadContract, toPointer } from '#spec';
import { SHIPPED_DOCUMENT } from '../testing/run-check.ts';
import { pointerAt } from './pointer-at.ts';

const contract = await loadContract(SHIPPED_DOCUMENT);
const { file } = contract.document.root;

test.for<[string[]]>([
  [['info']],
  [['paths', '/pets', 'get', 'parameters', '0', 'schema']],
  [['paths', '/pets', 'get', 'parameters', '1', 'schema']],
  [['paths', '/pets/{petId}', 'get', 'responses', '404']],
  [['components', 'schemas', 'Pet']],
])('the place of %j has its pointer', ([path]) => {
  expect(pointerAt(contract, file.positionOf(path))).toBe(toPointer(path));
});

test('a place in no file of the document has the pointer of the whole', () => {
  expect(pointerAt(contract, { uri: 'other.yaml', line: 3, column: 1 })).toBe('');
});
