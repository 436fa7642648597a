import { expect, test } from 'vitest';
import { contractOf } from '../testing/contract-of.ts';
import { upsertOf } from './upsert.ts';

const done = { description: 'Done.' };
const CREATED = { 201: done };
const BOTH = { 200: done, 201: done };

const upsertIn = async (method: string, responses: object, description = '') => {
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const paths = { '/things/{id}': { parameters, [method]: { description, responses } } };
  const info = { title: 'Things', version: '1' };
  const { operations } = await contractOf({ 'things.json': { openapi: '3.1.0', info, paths } });
  return operations[0] && upsertOf(operations[0])?.certainty;
};

test.each([
  ['201 beside another success', 'put', BOTH, '', 'promised'],
  ['201 alone', 'put', CREATED, '', 'presumed'],
  ['no 201', 'put', { 200: done }, '', undefined],
  ['201 of a POST', 'post', BOTH, '', undefined],
  ['201 of a PATCH', 'patch', BOTH, '', undefined],
  ['words', 'put', { 200: done }, 'Creates or updates a thing.', 'presumed'],
  ['other words', 'put', { 200: done }, 'Updates the thing, or creates it.', 'presumed'],
  ['a rule', 'put', { 200: done }, 'It is created if it does not exist.', 'presumed'],
  ['a term', 'post', { 200: done }, 'Upsert a thing.', 'presumed'],
  ['201 alone and words', 'put', CREATED, 'Creates or updates a thing.', 'promised'],
  ['a rule against it', 'put', { 200: done }, 'This does not create or update other things.', undefined],
  ['what cannot be made', 'put', { 200: done }, 'A thing that does not exist cannot be created.', undefined],
])('%s: %s', async (_, method, responses, description, certainty) => {
  expect(await upsertIn(method, responses, description)).toBe(certainty);
});
