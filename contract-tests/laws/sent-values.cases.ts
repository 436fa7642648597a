import type { LawTable } from '../testing/law-table.ts';
import { HOLDS } from '../testing/law-table.ts';
import { ask } from '../testing/steps.ts';

const OWNER = { email: 'ada@kennels.example', name: 'Ada' };
const DOG = { name: 'Trine', kind: 'guide' };
const problem = (status: number) => ({ title: 'No', status });
const LOCATED = { Location: '/v1/owners/7' };
const AT = { uri: 'kennels.yaml', line: 1, column: 1 };

export const SENT_VALUE_CASES: LawTable = {
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
