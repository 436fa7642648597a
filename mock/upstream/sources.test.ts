import { expect, test } from 'vitest';
import { compileSources, type Sources, unknownSources } from './sources.ts';
import { readHalves } from './testing/half-service.ts';

test.each<[Sources, { operation: string; want: string }]>([
  [{}, { operation: 'listPets', want: 'auto' }],
  [{ all: 'mock' }, { operation: 'listPets', want: 'mock' }],
  [
    { 'tag:pets': 'real', all: 'mock' },
    { operation: 'listPets', want: 'real' },
  ],
  [
    { 'tag:pets': 'real', all: 'mock' },
    { operation: 'listToys', want: 'mock' },
  ],
  [
    { 'tag:pets': 'real', 'tag:writes': 'mock' },
    { operation: 'createPet', want: 'mock' },
  ],
  [
    { listPets: 'mock', 'tag:pets': 'real' },
    { operation: 'listPets', want: 'mock' },
  ],
  [
    { 'get /pets': 'mock', all: 'real' },
    { operation: 'listPets', want: 'mock' },
  ],
  [{ 'GET /pets/{petId}': 'mock' }, { operation: 'listPets', want: 'auto' }],
])('%j', async (sources, { operation: wanted, want }) => {
  const { operations } = await readHalves();
  expect(compileSources(sources)(operations.find(({ id }) => id === wanted))).toBe(want);
  expect(unknownSources(sources, operations)).toEqual([]);
});

test('a path that the document does not have goes with all', () => {
  expect(compileSources({ 'tag:pets': 'mock' })(undefined)).toBe('auto');
  expect(compileSources({ all: 'mock' })(undefined)).toBe('mock');
});
