import { expect, test } from 'vitest';
import { readContract } from '#spec';
import { resolveSettings } from '../settings/settings.ts';
import { createOwnership } from './ownership.ts';
import { createPermissions } from './permissions.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const item = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } };
const one = { 200: { description: '', ...json(item) } };
const many = { 200: { description: '', ...json({ type: 'array', items: item }) } };
const created = { requestBody: json(item), responses: { 201: one[200] } };
const changed = { requestBody: json(item), responses: one };
const done = { responses: { 204: { description: '' } } };

const PATHS = {
  '/items': { get: { responses: many }, post: created, put: changed },
  '/items/{itemId}': { get: { responses: one }, delete: done },
  '/items/{itemId}/flags/{flag}': { put: changed },
  '/servers': { get: { responses: many } },
  '/servers/{serverId}': { get: { responses: one } },
  '/servers/{serverId}/zones': { get: { responses: many }, post: created },
  '/servers/{serverId}/zones/{zoneId}': { get: { responses: one }, delete: done },
};

async function open() {
  const paths = Object.entries(PATHS).map(([path, operations]) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parameters = names.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }));
    return [path, { ...operations, parameters }];
  });
  const info = { title: '', version: '' };
  const contract = await readContract(
    { openapi: '3.1.0', info, paths: Object.fromEntries(paths) },
    'service.json',
  );
  const settings = resolveSettings({
    target: 'http://127.0.0.1:1',
    document: '',
    values: { itemId: 'given' },
  });
  const own = createOwnership(contract, createPermissions(contract, settings), settings);
  for (const resource of contract.resources) own.note(resource, 'own');
  return { own, contract };
}

test.each([
  ['DELETE /items/{itemId}', { path: { itemId: 'own' } }],
  ['DELETE /items/{itemId}', { path: { itemId: 'given' } }],
  ['DELETE /items/{itemId}', { path: { itemId: 'nobody' }, unknownId: true }],
  ['DELETE /items/{itemId}', { path: { itemId: 'nobody' }, madeUp: true }],
  ['PUT /items/{itemId}/flags/{flag}', { path: { itemId: 'own', flag: 'any' } }],
  ['POST /servers/{serverId}/zones', { path: { serverId: 'foreign' } }],
  ['DELETE /servers/{serverId}/zones/{zoneId}', { path: { serverId: 'foreign', zoneId: 'own' } }],
  ['PUT /items', { body: { id: 'own' } }],
  ['PUT /items', { body: { id: 7 } }],
  ['GET /items/{itemId}', { path: { itemId: 'foreign' } }],
])('%s with %j is sent', async (id, input) => {
  const { own, contract } = await open();
  const operation = contract.operations.find((one) => one.id === id);
  if (!operation) throw new Error(id);
  expect(() => own.demand(operation, input)).not.toThrow();
});

test.each([
  ['DELETE /items/{itemId}', { path: { itemId: 'foreign' } }, 'itemId foreign is no record of this run'],
  ['PUT /items/{itemId}/flags/{flag}', { path: { itemId: 'foreign', flag: 'any' } }, 'itemId foreign'],
  [
    'DELETE /servers/{serverId}/zones/{zoneId}',
    { path: { serverId: 'own', zoneId: 'foreign' } },
    'zoneId foreign',
  ],
  ['PUT /items', { body: { id: 'foreign' } }, 'id foreign is no record of this run'],
])('%s with %j is withheld: %s', async (id, input, message) => {
  const { own, contract } = await open();
  const operation = contract.operations.find((one) => one.id === id);
  if (!operation) throw new Error(id);
  expect(() => own.demand(operation, input)).toThrow(message);
});
