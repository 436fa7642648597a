import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { secretBytes, signMessage } from './attempt.ts';
import { startReceiver } from './testing/receiver.ts';
import { post, startMock } from './testing/signals.ts';

/** As published with the Standard Webhooks specification 1.0.0. */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

test.each([VECTOR.secret, VECTOR.secret.slice('whsec_'.length)])(
  'signs as the published vector with %s',
  async (secret) => {
    const bytes = secretBytes(secret);
    const body = new TextEncoder().encode(VECTOR.body);
    expect(bytes && (await signMessage(bytes, VECTOR.id, VECTOR.timestamp * 1000, body))).toEqual({
      'webhook-id': VECTOR.id,
      'webhook-timestamp': String(VECTOR.timestamp),
      'webhook-signature': VECTOR.signature,
    });
  },
);

test.each(['', 'whsec_', 'not base64!'])('%j is no secret', (secret) => {
  expect(secretBytes(secret)).toBeUndefined();
});

test('a receiver can verify what it gets, and each attempt keeps the id', async () => {
  const receiver = await startReceiver((count) => (count === 1 ? 503 : 204));
  const mock = await startMock({ webhookSecret: VECTOR.secret });
  await post(mock, '/subscriptions', { callbackUrl: receiver.url });
  await post(mock, '/signals', { label: 'a' });
  const [first, second] = await receiver.got(2);
  const key = Buffer.from(VECTOR.secret.slice('whsec_'.length), 'base64');
  for (const { headers, body } of [first, second].flatMap((one) => one ?? [])) {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
  }
  expect(first?.headers['webhook-id']).toBe(second?.headers['webhook-id']);
});

test('nothing is signed where the document has no header for it, or no secret is given', async () => {
  const receiver = await startReceiver(() => 200);
  const signing = await startMock({ webhookSecret: VECTOR.secret });
  await post(signing, `/inspections?replyTo=${receiver.url}`);
  const plain = await startMock();
  await post(plain, '/subscriptions', { callbackUrl: receiver.url });
  await post(plain, '/signals', { label: 'a' });
  const all = await receiver.got(2);
  expect(all.map(({ headers }) => headers['webhook-signature'])).toEqual([undefined, undefined]);
});
