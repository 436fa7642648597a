import { expect, test } from 'vitest';
import { readContract } from '../contract.ts';
import { deliveryTimeOf, sentMomentsOf } from './delivery-time.ts';

const MEMBERS = {
  sentAt: { type: 'string', format: 'date-time', description: 'When this message was sent.' },
  at: { type: 'integer', description: 'Time of sending, in seconds' },
  lastTry: { type: 'string', description: 'The time when the last message was sent' },
  timestamp: { type: 'string', format: 'date-time' },
  createdAt: { type: 'string', description: 'When the order was created' },
};

async function outgoingOf(description: string, ofOwner = '', headers: readonly string[] = []) {
  const parameters = headers.map((name) => ({ name, in: 'header', schema: { type: 'string' } }));
  const content = { 'application/json': { schema: { type: 'object', properties: MEMBERS } } };
  const responses = { 204: { description: 'Received' } };
  const callback = { post: { description, parameters, requestBody: { content }, responses } };
  const owner = { description: ofOwner, responses: { 202: { description: 'Begun' } } };
  const post = { ...owner, callbacks: { done: { '{$request.query.url}': callback } } };
  const document = { openapi: '3.1.1', info: { title: 'Jobs', version: '1' }, paths: { '/jobs': { post } } };
  const { outgoing } = await readContract(JSON.stringify(document), 'jobs.json');
  const [one] = outgoing;
  if (!one) throw new Error('the document has no callback');
  return one;
}

test.each<[string, number | undefined]>([
  ['Sent within 30 seconds.', 30_000],
  ['Sent within one second of the request. The receiver has to answer within 5 seconds.', 1000],
  ['The result is sent at the latest 5 minutes after the request.', 300_000],
  ['No later than 500 ms after the response, the callback is sent.', 500],
  ['The client is notified within an hour after the signal was created.', 3_600_000],
  ['Delivered in less than 1.5 min', 90_000],
  ['Sent within 30 seconds after the request has been accepted', 30_000],
  // What the receiver owes, and what comes later.
  ['The receiver must respond within 5 seconds.', undefined],
  ['Your server should answer the callback within 10 seconds.', undefined],
  ['A callback that was not received is sent again within 30 seconds.', undefined],
  ['Return 2xx within 5 seconds, or the callback is retried.', undefined],
  ['The URL of the callback is valid within 2 days of the request.', undefined],
  // No promise.
  ['Usually sent within 30 seconds.', undefined],
  ['The callback should be sent within 30 seconds.', undefined],
  ['Sent within about 30 seconds.', undefined],
  ['Sent when the job is done.', undefined],
  ['Sent on a best-effort basis, within 30 seconds.', undefined],
  // From a moment on that no client sees, or on a condition.
  ['Sent within 30 seconds of its completion.', undefined],
  ['Sent within 30 seconds after the payment has settled.', undefined],
  ['If the job fails, the callback is sent within 30 seconds.', undefined],
  ['Sent within 30 seconds when the job is done.', undefined],
  ['Sent within 30 seconds of processing the request.', undefined],
  ['Sends all readings within 10 minutes of each other.', undefined],
  ['The readings within 10 minutes.', undefined],
])('"%s" promises %s ms', async (description, within) => {
  expect(deliveryTimeOf(await outgoingOf(description))?.within).toBe(within);
});

test.each<[string, number | undefined]>([
  ['Begins a job. The callback comes within 10 seconds.', 10_000],
  ['Begins a job. A record is sent to the archive within 10 seconds.', undefined],
])('its operation says "%s": %s ms', async (ofOwner, within) => {
  expect(deliveryTimeOf(await outgoingOf('Word of the job', ofOwner))?.within).toBe(within);
});

test('a promise has the place of the words', async () => {
  const { because, certainty } = deliveryTimeOf(await outgoingOf('Sent within 30 seconds.')) ?? {};
  expect(because?.path.slice(-2)).toEqual(['post', 'description']);
  expect(certainty).toBe('promised');
});

test('members that are said to be the moment of sending are; names alone promise nothing', async () => {
  const moments = sentMomentsOf(await outgoingOf(''));
  expect(moments.map(({ in: place, name }) => `${place} ${name}`)).toEqual(['body sentAt', 'body at']);
});

test.each([
  [['webhook-id', 'webhook-timestamp', 'webhook-signature'], 1],
  [['Webhook-Timestamp', 'Webhook-Signature'], 1],
  [['webhook-timestamp'], 0],
  [['webhook-id'], 0],
])('of the headers %j %s are the moment of sending', async (headers, count) => {
  const moments = sentMomentsOf(await outgoingOf('', '', headers));
  expect(moments.filter(({ in: place }) => place === 'header')).toHaveLength(count);
});
