import { expect, test } from 'vitest';
import { loadContract } from '#spec';
import { ROOT } from '../testing/documents.ts';
import { compareCollections } from './compare-collections.ts';
import { measureCollections } from './measure-collections.ts';
import type { Named } from './named-collections.ts';
import { renderCollections } from './render-collections.ts';

const contract = await loadContract(`${ROOT}fixtures/specs/shelter.yaml`);

const animals = {
  path: '/animals',
  list: ['GET /animal/findByStatus', 'GET /keepers/{keeperId}/animals', 'GET /adoptions/latest'],
  create: ['POST /animal'],
  createMany: ['POST /animal/createWithList'],
  read: ['GET /animals/{animalId}'],
  replace: ['PUT /animal'],
  update: ['POST /animals/{animalId}'],
  remove: ['DELETE /animals/{animalId}'],
};
const keepers = {
  path: '/keepers',
  list: ['GET /keepers'],
  create: ['POST /keepers'],
  read: ['GET /keepers/{keeperId}'],
};
const singletons = [
  { path: '/me', read: ['GET /me'] },
  { path: '/settings', read: ['GET /settings'], replace: ['PUT /settings'], update: ['PATCH /settings'] },
];
const actions = ['POST /animals/{animalId}/vaccinate'];
const named = (more: Partial<Named>): Named => ({
  ...{ document: 'shelter', collections: [animals, keepers], singletons, actions },
  ...more,
});

test('what a person names just so is found, with the same roles', () => {
  expect(compareCollections(contract, named({}))).toEqual({
    ...{ document: 'shelter', named: 2, found: ['/animals', '/keepers'], missed: [], falselyFound: [] },
    ...{ mixed: [], recognised: 2, sameRole: 17, anyRole: 17, otherRoles: [] },
  });
});

test.each<[name: string, given: Partial<Named>, want: object]>([
  [
    'a collection that is none',
    { collections: [animals] },
    { found: ['/animals'], falselyFound: ['/keepers'], recognised: 2 },
  ],
  [
    'a collection that is missed',
    { collections: [animals, keepers, { path: '/open-days', list: ['GET /open-days'] }] },
    { missed: ['/open-days'], otherRoles: ['GET /open-days: list, not none'] },
  ],
  [
    'two collections in one',
    {
      collections: [
        { path: '/animals', read: animals.read },
        { path: '/adoptions', list: ['GET /adoptions/latest'] },
        keepers,
      ],
    },
    { found: ['/keepers'], missed: ['/animals', '/adoptions'], mixed: ['/animals'] },
  ],
  [
    'what is open, or below other paths, is not judged',
    { within: ['/keepers'], collections: [], either: ['GET /keepers', 'POST /keepers'], actions: [] },
    { falselyFound: ['/animals', '/keepers'], recognised: 2 },
  ],
])('%s', (_, given, want) => {
  expect(compareCollections(contract, named(given))).toMatchObject(want);
});

test('of the documents that are installed nearly all collections are found, and a page shows it', async () => {
  const measured = await measureCollections([`${ROOT}node_modules`]);
  const compared = measured.flatMap((one) => ('refused' in one ? [] : one));
  expect(compared.length).toBeGreaterThan(4);
  const total = (count: (one: (typeof compared)[number]) => number) =>
    compared.reduce((sum, one) => sum + count(one), 0);
  expect(total(({ found }) => found.length) / total((one) => one.named)).toBeGreaterThanOrEqual(0.9);
  const wrong = total(({ falselyFound, mixed }) => falselyFound.length + mixed.length);
  expect(wrong / total(({ recognised }) => recognised)).toBeLessThanOrEqual(0.1);
  const page = renderCollections(measured);
  expect(page).toContain(
    '| @readme/oas-examples/3.0/json/petstore.json | 3 | 3 | 0 | 3 | 0 | 0 | 17 of 17 |',
  );
});

test('a package that is not installed is refused by its name', async () => {
  await expect(measureCollections(['no-such-package'])).rejects.toThrow(/no-such-package/);
});
