import { expect, test } from 'vitest';
import { freePort } from '../../quality/testing/free-port.ts';
import { post, settled, startMock } from './testing/signals.ts';

test('an address at which nothing listens is tried five times, and named', async () => {
  const port = await freePort();
  const mock = await startMock();
  await post(mock, `/inspections?replyTo=http://127.0.0.1:${port}`);
  const [delivery] = await settled(mock);
  expect(delivery?.attempts.map(({ reason }) => reason)).toEqual(
    Array(5).fill(`127.0.0.1:${port}: nothing listens there (connection refused)`),
  );
});
