import { expect, test } from 'vitest';
import { startReceiver } from '../webhooks/testing/receiver.ts';
import { admin, logged, post, settled, startMock } from '../webhooks/testing/signals.ts';

const SIGNALS = 'fixtures/specs/signals.yaml';
const TWICE = {
  document: undefined,
  documents: ['/north', '/south'].map((at) => ({ document: SIGNALS, at })),
};

test('each of several documents sends its callbacks, and one list has them all', async () => {
  const receiver = await startReceiver();
  const mock = await startMock(TWICE);
  const base = (at: string) => mock.documents.find(({ url }) => url.includes(at))?.url.slice(mock.url.length);
  for (const at of ['/north', '/south']) {
    await post(mock, `${base(at)}/subscriptions`, { callbackUrl: receiver.url + at });
    await post(mock, `${base(at)}/signals`, { label: at });
  }
  const got = await receiver.got(2);
  expect(got.map(({ path, body }) => [path, JSON.parse(body).signal.label]).sort()).toEqual([
    ['/north', '/north'],
    ['/south', '/south'],
  ]);
  await settled(mock);
  const { outgoing, deliveries } = await logged(mock);
  expect(deliveries.map(({ operation }) => operation).sort()).toEqual([
    'north:onSignalCreated',
    'south:onSignalCreated',
  ]);
  expect(new Set(outgoing.map(({ id }) => id)).size).toBe(6);
});

test('of webhooks of one name the id says which document is meant', async () => {
  const receiver = await startReceiver();
  const mock = await startMock(TWICE);
  const sent = await admin(mock, 'webhooks/south:onSignalRemoved', 'POST', { url: receiver.url });
  expect([sent.status, sent.json[0].operation]).toEqual([201, 'south:onSignalRemoved']);
  expect((await receiver.got(1))[0]?.path).toBe('/');
});
