import { expect, test } from 'vitest';
import { Shape } from '../schema/shape.ts';
import { contractOf, documentOf } from '../testing/contract-of.ts';
import { memberMeaning, memberMeanings } from './members.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const moment = { ...text, format: 'date-time' };

/** The collection of records with these members, and what can be sent of them. */
async function collectionOf(properties: object, sent: object = properties, required: string[] = []) {
  const record = { type: 'object', properties: { id: { type: 'integer', readOnly: true }, ...properties } };
  const post = {
    requestBody: json({ type: 'object', additionalProperties: false, required, properties: sent }),
    responses: { 201: { description: '', ...json(record) } },
  };
  const get = { responses: { 200: { description: '', ...json({ type: 'array', items: record }) } } };
  const { resources } = await contractOf({ 'document.json': documentOf({ '/shops': { get, post } }) });
  const [resource] = resources;
  if (!resource) throw new Error('no collection');
  return resource;
}

test.each<[name: string, schema: object, want: object | undefined]>([
  ['createdAt', moment, { holds: 'created', set: 'once' }],
  ['postedAt', text, { holds: 'created' }],
  ['issued_at', moment, { holds: 'created', set: 'once' }],
  ['issued_at', { ...moment, type: ['string', 'null'] }, { holds: 'moment', set: 'service' }],
  ['created_at', { ...moment, type: ['string', 'null'] }, { holds: 'created', set: 'once' }],
  ['updated', moment, { holds: 'changed', set: 'service' }],
  ['last_modified', { type: 'integer' }, { holds: 'changed' }],
  ['date-created', text, { holds: 'created' }],
  ['mtime', { type: 'number' }, { holds: 'changed' }],
  ['paid_on', { ...text, format: 'date' }, { holds: 'moment', set: 'service' }],
  ['last_order_at', { anyOf: [moment, { type: 'null' }] }, { holds: 'moment' }],
  ['updated_by', text, { set: 'service' }],
  ['version', { type: 'integer' }, { holds: 'version', set: 'service' }],
  ['etag', text, { holds: 'version' }],
  ['author_id', { type: 'integer' }, { holds: 'maker' }],
  ['priority', { type: 'integer' }, { holds: 'place' }],
  ['userRoles', { type: 'array', items: text }, { holds: 'role' }],
  ['phase', { enum: ['done', 'todo'] }, { holds: 'state', first: 'todo' }],
  ['num_pages', { type: 'integer' }, { holds: 'count', first: 0 }],
  ['article_tags', { type: 'array', items: text }, { holds: 'set' }],
  ['verified', { type: 'boolean' }, { first: false }],
  ['pin', { ...text, format: 'password' }, { holds: 'secret', hidden: 'in lists' }],
  ['key', { ...text, description: 'Empty when listing keys.' }, { hidden: 'in lists' }],
  ['nameservers', { type: 'array', description: 'Only used when creating a zone.' }, { hidden: 'always' }],
  ['notes', { type: 'array', description: 'The service may add notes.' }, { adjusted: true }],
  ['name', { ...text, readOnly: true }, { set: 'service' }],
  ['slots', { type: 'integer', description: 'Computed by the service.' }, { set: 'service' }],
  ['updated', { anyOf: [text, { type: 'boolean' }] }, undefined],
  ['api_version', text, undefined],
  ['startsAt', moment, undefined],
  ['scheduled_at', moment, undefined],
  ['name', text, undefined],
])('%s %o means %j', async (name, schema, want) => {
  const resource = await collectionOf({ [name]: schema });
  const found = memberMeanings(resource).get(name);
  if (want) expect(found).toMatchObject(want);
  else expect(found).toBeUndefined();
});

test('what no request can say is the service’s, and what a create must have is the client’s', async () => {
  const properties = { title: text, total: { type: 'number' }, createdAt: moment };
  const resource = await collectionOf(properties, { title: text, createdAt: moment }, ['createdAt']);
  const meanings = memberMeanings(resource);
  expect([...meanings].map(([name, { set }]) => [name, set])).toEqual([
    ['total', 'service'],
    ['createdAt', undefined],
  ]);
});

test('what is said of a member wins', async () => {
  const resource = await collectionOf({ price: { type: 'number' }, version: { type: 'integer' } });
  const shape = new Shape([
    {
      ...resource.shape.spot,
      value: {
        ...(resource.shape.spot.value as object),
        'x-paddock': { members: { price: { holds: 'moment' } } },
      },
    },
  ]);
  expect(memberMeanings({ shape }).get('price')).toMatchObject({ holds: 'moment', signs: ['said'] });
});

test('a flag with a count of the same is that of an account', async () => {
  const flags = { starred: { type: 'boolean' }, stars: { type: 'integer' }, archived: { type: 'boolean' } };
  const meanings = memberMeanings(await collectionOf(flags));
  expect([meanings.get('starred')?.per, meanings.get('archived')?.per]).toEqual(['account', undefined]);
});

test.each<[name: string, others: string[], want: boolean]>([
  ['shopGeo', ['shopAddress'], true],
  ['latitude', ['address'], true],
  ['slug', ['title'], true],
  ['shopGeo', ['homeAddress'], false],
  ['geo', ['name'], false],
  ['slug', [], false],
])('%s beside %j follows from it: %s', async (name, others, want) => {
  const sent = Object.fromEntries([name, ...others].map((one) => [one, text]));
  const resource = await collectionOf(sent);
  const member = resource.shape.properties.get(name) ?? new Shape([resource.shape.spot as Shape['spot']]);
  expect(memberMeaning(name, member, resource).set === 'service').toBe(want);
});
