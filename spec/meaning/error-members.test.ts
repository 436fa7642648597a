import { expect, test } from 'vitest';
import { schemaInUse } from '../testing/contract-of.ts';
import { errorRoles } from './error-members.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };

const BODIES: [name: string, properties: object, want: object][] = [
  [
    'code, message, status',
    { code: text, message: text, status: integer },
    { code: 'code', message: 'message', status: 'status' },
  ],
  [
    'problem details',
    { type: text, title: text, status: integer, detail: text },
    { code: undefined, message: 'detail', status: 'status' },
  ],
  [
    'a number as code',
    { code: integer, message: text },
    { code: undefined, message: 'message', status: undefined },
  ],
  ['one text', { error: text }, { code: undefined, message: 'error', status: undefined }],
  [
    'code and text',
    { error: text, error_description: text },
    { code: 'error', message: 'error_description', status: undefined },
  ],
  [
    'other words',
    { statusCode: integer, errorMessage: text },
    { code: undefined, message: 'errorMessage', status: 'statusCode' },
  ],
  ['none', { at: text }, { code: undefined, message: undefined, status: undefined }],
];

test.each(BODIES)('the roles of the members of an error body: %s', async (_name, properties, want) => {
  const { shape } = await schemaInUse({ type: 'object', properties });
  expect(errorRoles(shape)).toEqual(want);
});
