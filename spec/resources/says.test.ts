import { expect, test } from 'vitest';
import { contractOf, documentOf } from '../testing/contract-of.ts';
import { saysOf } from './says.ts';

const text = { type: 'string' };
const flag = { type: 'boolean' };
const status = { type: 'integer', example: 200 };

test.each<[what: string, method: string, status: number, properties: object, more: object, says: object]>([
  [
    ...(['an envelope', 'post', 201] as const),
    { status, error: flag, success: flag, message: text, data: { type: 'object' } },
    {},
    { status: 201, error: false, success: true, message: 'Film added' },
  ],
  [
    'of a read that it went well, and no other flag',
    'get',
    200,
    {
      success: flag,
      full: flag,
      message: text,
      error: { type: ['string', 'null'] },
      errors: { type: 'array' },
    },
    {},
    { success: true, message: 'Film added', error: null, errors: [] },
  ],
  [
    'a state that is no failure',
    'post',
    201,
    { status: { ...text, enum: ['error', 'success'] }, result: { type: 'object' } },
    {},
    { status: 'success' },
  ],
  [
    'of a record with an id of its own nothing',
    'post',
    201,
    { filmId: text, full: flag, status: text },
    {},
    {},
  ],
  [
    'of what was done with a record that it went well',
    ...(['post', 201] as const),
    { filmId: text, success: flag },
    {},
    { success: true },
  ],
  ['of a note that is read nothing', 'get', 200, { message: text, sender: text, status: text }, {}, {}],
  [
    'what schemas say already',
    'post',
    200,
    { message: { ...text, example: 'Done' }, code: { ...status, example: 7 } },
    {},
    {},
  ],
  [
    'around a record what schemas give',
    'post',
    201,
    {
      ...{ code: { ...status, example: 0 }, msg: { ...text, example: 'ok' }, kind: { const: 'film' } },
      ...{
        version: { ...text, default: 'v2' },
        next_mark: { ...text, example: 'm' },
        at: { ...text, format: 'date-time', example: 'x' },
      },
      data: { type: 'object', properties: { id: text } },
    },
    {},
    { code: 0, msg: 'ok', version: 'v2' },
  ],
  ['a record', 'post', 201, { id: text, message: text, verified: flag }, {}, {}],
  ['what is said', 'post', 201, { state: text }, { 'x-paddock': { says: { state: 'ok' } } }, { state: 'ok' }],
])('%s', async (_, method, code, properties, more, says) => {
  const schema = { type: 'object', properties };
  const response = { description: 'Film added', content: { 'application/json': { schema } } };
  const paths = { '/films': { [method]: { ...more, responses: { [code]: response } } } };
  const { operations } = await contractOf({ 'document.json': documentOf(paths) });
  expect(operations.map((one) => saysOf(one, false))).toEqual([says]);
});
