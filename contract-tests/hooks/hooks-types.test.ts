import { expect, test } from 'vitest';
import type { Hooks } from './hooks.ts';

/** As openapi-typescript writes them. What must not compile is for `npm run types` to refuse. */
interface operations {
  getPet: {
    parameters: { query?: never; header?: never; path: { petId: number }; cookie?: never };
    requestBody?: never;
  };
  createPet: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: { content: { 'application/json': { name: string; status?: 'sold' } } };
  };
  changePet: {
    parameters: { query?: never; header?: never; path: { petId: number }; cookie?: never };
    requestBody?: { content: { 'application/json': { name: string } } };
  };
}

type Prepares = NonNullable<Hooks<operations>['prepare']>;

test('what is prepared has the types of the document', () => {
  const right: Prepares = {
    getPet: () => ({ path: { petId: 1 } }),
    createPet: async ({ seed }) => ({ body: { name: `Rex ${seed}`, status: 'sold' } }),
    changePet: () => undefined,
  };
  const wrong: Prepares[] = [
    // @ts-expect-error: the document has no such operation
    { getPett: () => ({ path: { petId: 1 } }) },
    // @ts-expect-error: the path has no such parameter
    { getPet: () => ({ path: { id: 1 } }) },
    // @ts-expect-error: the parameter is a number
    { getPet: () => ({ path: { petId: 'one' } }) },
    // @ts-expect-error: the path has no parameter
    { createPet: () => ({ path: { petId: 1 } }) },
    // @ts-expect-error: a pet has a name
    { createPet: () => ({ body: { status: 'sold' } }) },
    // @ts-expect-error: there is no such value
    { createPet: async () => ({ body: { name: 'Rex', status: 'gone' } }) },
    // @ts-expect-error: a name is a text
    { changePet: () => ({ path: { petId: 1 }, body: { name: 7 } }) },
    // @ts-expect-error: it takes no body
    { getPet: () => ({ path: { petId: 1 }, body: { name: 'Rex' } }) },
    // @ts-expect-error: nothing else is prepared
    { getPet: () => ({ query: { petId: 1 } }) },
    // @ts-expect-error: it is a function
    { getPet: { path: { petId: 1 } } },
  ];
  expect(Object.keys(right)).toHaveLength(3);
  expect(wrong).toHaveLength(10);
});
