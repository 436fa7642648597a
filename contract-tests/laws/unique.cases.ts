import type { LawTable } from '../testing/law-table.ts';
import { HOLDS } from '../testing/law-table.ts';
import { ask } from '../testing/steps.ts';

const OWNER = { email: 'ada@kennels.example', name: 'Ada' };
const LOCATED = { Location: '/v1/owners/7' };
const problem = (status: number) => ({ title: 'No', status });
const twice = (status: number, body: unknown) =>
  ask('addOwner', { body: OWNER, duplicated: 'email' }, status, body, LOCATED);
const free = { label: 'email', since: 'the record itself has this email' };
const keep = (status: number, body: unknown) =>
  ask('changeOwner', { path: { ownerId: 7 }, body: OWNER, free }, status, body);
const listed = (...emails: string[]) =>
  ask(
    'listOwners',
    {},
    200,
    emails.map((email, at) => ({ id: at + 1, email, name: 'Ada' })),
    { 'X-Total-Count': String(emails.length), ETag: '"1"' },
  );
const TAKEN =
  'unique-refused: 201 to /v1/owners/7: {"id":7,"email":"ada@kennels.example","name":"Ada"} | 409, since another record has this email';

export const UNIQUE_CASES: LawTable = {
  'unique-refused': [
    ['the documented conflict', { given: [twice(409, problem(409))], want: HOLDS }],
    ['a second record', { given: [twice(201, { id: 7, ...OWNER })], want: [TAKEN] }],
    [
      'another refusal than the documented one',
      {
        given: [twice(422, problem(422))],
        want: [
          'unique-refused: 422 to /v1/owners/7: {"title":"No","status":422} | 409, since another record has this email',
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
  'unique-free': [
    ['a value of its own', { given: [keep(200, { id: 7, ...OWNER })], want: HOLDS }],
    ['a refusal for another reason', { given: [keep(422, problem(422))], want: HOLDS }],
    [
      'a refusal for the value that the record has itself',
      {
        given: [keep(409, problem(409))],
        want: [
          'unique-free: 409: {"title":"No","status":409} | no 409, since the record itself has this email',
        ],
      },
    ],
  ],
};

export const TWIN_CASES: LawTable = {
  'refused-leaves-nothing': [
    [
      'one record with the value of a refused create',
      { given: [twice(409, problem(409)), listed(OWNER.email, 'eve@kennels.example')], want: HOLDS },
    ],
    [
      'two records with the value of a refused create',
      {
        given: [twice(409, problem(409)), listed(OWNER.email, OWNER.email)],
        want: [
          'refused-leaves-nothing: 2 records with this email: [{"id":1,"email":"ada@kennels.example","name":"Ada"},{"id":2,"email":"ada@kennels.example","name":"Ada"}] | no record of a refused request',
        ],
      },
    ],
    [
      'two records with a value that no refused create has sent',
      { given: [listed(OWNER.email, OWNER.email)], want: HOLDS },
    ],
  ],
};
