import { expect, test } from 'vitest';
import { readContract } from '../contract.ts';
import { deliveryTimeOf, sentMomentsOf } from './delivery-time.ts';

const MEMBERS = {
  sentAt: { type: 'string', format: 'date-time' },
  at: { type: 'integer', description: 'Time of sending, in seconds' },
  createdAt: { type: 'string', format: 'date-time', description: 'When the order was sent' },
};

async function outgoingOf(own: object, ofOwner: object = {}, headers: readonly string[] = []) {
  const parameters = headers.map((name) => ({ name, in: 'header', schema: { type: 'string' } }));
  const content = { 'application/json': { schema: { type: 'object', properties: MEMBERS } } };
  const responses = { 204: { description: 'Received' } };
  const callback = { post: { parameters, requestBody: { content }, responses, ...own } };
  const owner = { responses: { 202: { description: 'Begun' } }, ...ofOwner };
  const post = { ...owner, callbacks: { done: { '{$request.query.url}': callback } } };
  const document = { openapi: '3.1.1', info: { title: 'Jobs', version: '1' }, paths: { '/jobs': { post } } };
  const { outgoing } = await readContract(JSON.stringify(document), 'jobs.json');
  const [one] = outgoing;
  if (!one) throw new Error('the document has no callback');
  return one;
}

test.each<[string, object, object, number | undefined]>([
  ['the callback', { 'x-paddock': { within: 500 } }, { 'x-paddock': { within: 900 } }, 500],
  ['its operation', {}, { 'x-paddock': { within: 900 } }, 900],
  ['nothing but words', { description: 'Sent within 30 seconds.' }, {}, undefined],
])('the time of a callback is said by %s', async (_, own, ofOwner, within) => {
  expect(deliveryTimeOf(await outgoingOf(own, ofOwner))?.within).toBe(within);
});

test.each<[readonly string[], string[]]>([
  [[], ['body sentAt']],
  [
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    ['header webhook-timestamp', 'body sentAt'],
  ],
  [
    ['Webhook-Timestamp', 'Webhook-Signature'],
    ['header webhook-timestamp', 'body sentAt'],
  ],
  [['webhook-timestamp'], ['body sentAt']],
])('beside the headers %j the moment of sending is in %j', async (headers, want) => {
  const moments = sentMomentsOf(await outgoingOf({}, {}, headers));
  expect(moments.map(({ in: place, name }) => `${place} ${name}`)).toEqual(want);
});
