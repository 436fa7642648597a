import type { LawTable } from '../testing/law-table.ts';
import { HOLDS } from '../testing/law-table.ts';
import { ask } from '../testing/steps.ts';

const OWNER = { email: 'ada@kennels.example', name: 'Ada' };
const DOG = { name: 'Trine', kind: 'guide' };
const problem = (status: number) => ({ title: 'No', status });
const twice = (status: number, body: unknown) =>
  ask('addOwner', { body: OWNER, duplicated: 'email' }, status, body, LOCATED);
const LOCATED = { Location: '/v1/owners/7' };
const AT = { uri: 'kennels.yaml', line: 1, column: 1 };
const TAKEN =
  'unique-refused: 201 to /v1/owners/7: {"id":7,"email":"ada@kennels.example","name":"Ada"} | 409, since another record has this email ("x-unique")';

export const SENT_VALUE_CASES: LawTable = {
  'unique-refused': [
    ['the documented conflict', { given: [twice(409, problem(409))], want: HOLDS }],
    ['a second record', { given: [twice(201, { id: 7, ...OWNER })], want: [TAKEN] }],
    [
      'another refusal than the documented one',
      {
        given: [twice(422, problem(422))],
        want: [
          'unique-refused: 422 to /v1/owners/7: {"title":"No","status":422} | 409, since another record has this email ("x-unique")',
        ],
      },
    ],
    [
      'any refusal where none is documented',
      {
        given: [
          ask('createPet', { body: { name: 'a', categoryId: 1 }, duplicated: 'name' }, 400, {
            code: 'a',
            message: 'b',
            status: 400,
          }),
        ],
        want: HOLDS,
      },
    ],
    [
      'a value of its own',
      { given: [ask('addOwner', { body: OWNER }, 201, { id: 7, ...OWNER }, LOCATED)], want: 'not judged' },
    ],
  ],
  'example-accepted': [
    [
      'a success',
      {
        given: [ask('addOwner', { body: OWNER, example: AT }, 201, { id: 7, ...OWNER }, LOCATED)],
        want: HOLDS,
      },
    ],
    [
      'a conflict',
      { given: [ask('addOwner', { body: OWNER, example: AT }, 409, problem(409))], want: HOLDS },
    ],
    [
      'a refusal as invalid',
      {
        given: [ask('addOwner', { body: OWNER, example: AT }, 422, problem(422))],
        want: [
          'example-accepted: 422: {"title":"No","status":422} | neither 400, 415 nor 422, since the request is an example of the document',
        ],
      },
    ],
    [
      '422 where the example names another record',
      {
        given: [
          ask(
            'addDog',
            { path: { ownerId: 712 }, body: { ...DOG, breed_id: 5 }, example: AT },
            422,
            problem(422),
          ),
        ],
        want: HOLDS,
      },
    ],
    [
      'an invalid example',
      {
        given: [ask('addOwner', { body: { name: 'A' }, example: AT }, 422, problem(422))],
        want: 'not judged',
      },
    ],
  ],
};
