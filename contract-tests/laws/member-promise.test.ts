import { expect, test } from 'vitest';
import { Shape } from '#spec';
import { contractOf, documentOf } from '../../spec/testing/contract-of.ts';
import { contractWith } from '../testing/steps.ts';
import { isKeptByService, mayBeHiddenInLists, mayBeShownOtherwise } from './member-promise.ts';

const { spot } = contractWith('listTools').resources[0]?.shape ?? {};
const shapeOf = (value: object) => new Shape([{ ...(spot as Shape['spot']), value }]);
const NO_ACTIONS = { actions: {} };

test.each<[name: string, schema: object, want: boolean]>([
  ['createdAt', { type: 'string', format: 'date-time' }, true],
  ['updated', { type: 'string', format: 'date-time' }, true],
  ['last_modified', { type: 'integer' }, true],
  ['date-created', { type: 'string' }, true],
  ['mtime', { type: 'number' }, true],
  ['version', { type: 'integer' }, true],
  ['resourceVersion', { type: 'integer' }, true],
  ['etag', { type: 'string' }, true],
  ['updated', { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] }, true],
  ['updated', { anyOf: [{ type: 'string' }, { type: 'boolean' }] }, false],
  ['version', { type: 'string' }, false],
  ['created', { type: 'boolean' }, false],
  ['startsAt', { type: 'string', format: 'date-time' }, false],
  ['name', { type: 'string' }, false],
  ['name', { type: 'string', readOnly: true }, true],
  ['slots', { type: 'integer', description: 'Computed by the service.' }, true],
])('%s %o is kept by the service: %s', (name, schema, want) => {
  expect(isKeptByService(name, shapeOf(schema), NO_ACTIONS)).toBe(want);
});

test.each<[name: string, others: string[], want: boolean]>([
  ['shopGeo', ['shopAddress'], true],
  ['latitude', ['address'], true],
  ['slug', ['title'], true],
  ['shopGeo', ['homeAddress'], false],
  ['geo', ['name'], false],
  ['slug', [], false],
])('%s beside %j follows from it: %s', async (name, others, want) => {
  const properties = Object.fromEntries([name, ...others].map((one) => [one, { type: 'string' }]));
  const post = {
    requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
    responses: { 201: { description: '' } },
  };
  const { operations } = await contractOf({ 'document.json': documentOf({ '/shops': { post } }) });
  const actions = operations[0] ? { create: operations[0] } : {};
  expect(isKeptByService(name, shapeOf({ type: 'string' }), { actions })).toBe(want);
});

test.each<[name: string, schema: object, otherwise: boolean, hidden: boolean]>([
  ['name', { type: 'string' }, false, false],
  ['password', { type: 'string' }, true, true],
  ['pin', { type: 'string', format: 'password' }, true, true],
  ['key', { type: 'string', description: 'The key, empty when listing keys.' }, false, true],
  ['nameservers', { type: 'array', description: 'Only used when creating a zone.' }, true, false],
  ['notes', { type: 'array', description: 'The service may add notes.' }, true, false],
])('%s %o is shown otherwise: %s, hidden in lists: %s', (name, schema, otherwise, hidden) => {
  const member = shapeOf(schema);
  expect([mayBeShownOtherwise(name, member), mayBeHiddenInLists(name, member)]).toEqual([otherwise, hidden]);
});
