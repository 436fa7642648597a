import { expect, test } from 'vitest';
import { readContract } from './contract.ts';
import { placeOf, showPlace } from './document/spot.ts';
import { spokenOf } from './resources/messages.ts';

const DOCUMENT = `openapi: 3.1.1
info: { title: Kennel, version: '1' }
paths:
  /pets:
    get: { responses: { 200: { description: '', content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } } } } }
    post:
      operationId: createPet
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses: { 201: { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } }
      callbacks:
        vetSeen: { $ref: '#/components/callbacks/vetSeen' }
        broken:
          '{request.body#/url}':
            post: { responses: { 200: { description: '' } } }
  /visits:
    post:
      responses: { 201: { description: '' } }
      callbacks:
        vetSeen: { $ref: '#/components/callbacks/vetSeen' }
webhooks:
  pet.created:
    post:
      parameters: [{ name: webhook-signature, in: header, schema: { type: string } }]
      requestBody: { content: { application/json: { schema: { type: object, properties: { data: { $ref: '#/components/schemas/Pet' } } } } } }
      responses: { 204: { description: '' } }
components:
  callbacks:
    vetSeen:
      '{$request.body#/url}/seen':
        put: { operationId: seen, responses: { 200: { description: '' } } }
  schemas:
    Pet: { type: object, required: [id], properties: { id: { type: integer }, url: { type: string }, state: { enum: [sold, kept] } } }
`;

test('callbacks and webhooks are operations of their own kind, with names and places', async () => {
  const { outgoing, operations, warnings } = await readContract(DOCUMENT, 'kennel.yaml');
  expect(
    outgoing.map(({ id, kind, name, method, path, owner, url, spot }) => [
      ...[id, kind, name, method, path, owner?.id, url !== undefined, showPlace(placeOf(spot))],
    ]),
  ).toEqual([
    [
      'createPet vetSeen',
      'callback',
      'vetSeen',
      'PUT',
      '{$request.body#/url}/seen',
      'createPet',
      true,
      'kennel.yaml:30',
    ],
    [
      'createPet broken',
      'callback',
      'broken',
      'POST',
      '{request.body#/url}',
      'createPet',
      false,
      'kennel.yaml:14',
    ],
    [
      'POST /visits vetSeen',
      'callback',
      'vetSeen',
      'PUT',
      '{$request.body#/url}/seen',
      'POST /visits',
      true,
      'kennel.yaml:30',
    ],
    ['pet.created', 'webhook', 'pet.created', 'POST', '', undefined, false, 'kennel.yaml:22'],
  ]);
  expect(operations).toHaveLength(3);
  expect(warnings.map(({ message }) => message)).toContainEqual(
    '{request.body#/url} is no runtime expression such as {$request.body#/callbackUrl}; the callback "broken" is never sent',
  );
});

test.each([
  ['pet.created', ['created'], undefined],
  ['onNewPet', ['created'], undefined],
  ['petUpdated', ['changed'], undefined],
  ['pet_deleted', ['removed'], undefined],
  ['pet', ['created', 'changed', 'removed'], undefined],
  ['pet-sold', ['created', 'changed'], 'sold'],
  ['petBarked', undefined, undefined],
  ['weather', undefined, undefined],
])('the name %s speaks of %j pets', async (name, kinds, becomes) => {
  const { resources } = await readContract(DOCUMENT, 'kennel.yaml');
  const spoken = spokenOf({ name, body: undefined }, resources);
  expect(spoken && [spoken.resource.path, [...spoken.kinds], spoken.becomes]).toEqual(
    kinds && ['/pets', kinds, becomes],
  );
});

test('the body says which records a webhook speaks of where its name does not', async () => {
  const { resources, outgoing } = await readContract(DOCUMENT, 'kennel.yaml');
  const body = outgoing.find(({ kind }) => kind === 'webhook')?.body;
  expect(spokenOf({ name: 'created', body }, resources)?.resource.path).toBe('/pets');
});
