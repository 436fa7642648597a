import { expect, onTestFinished, test } from 'vitest';
import {
  attackedBy,
  CONNECTIONS,
  connectAtOnce,
  reset,
  startAttacked,
} from '../../quality/testing/attack.ts';
import { sendLoad } from '../../quality/testing/send-load.ts';

/** An hour of ten requests a second. */
const REQUESTS = 36_000;

async function start() {
  const mock = await startAttacked('mock', '--log=quiet');
  onTestFinished(() => void mock.stop('SIGKILL'));
  return mock;
}

test(`${CONNECTIONS} connections open at once are all answered, and leave nothing behind`, async () => {
  if (CONNECTIONS < 10_000) process.stderr.write('this machine allows too few open files in a process\n');
  const mock = await start();
  const { growth } = await attackedBy(mock, () => connectAtOnce(mock, CONNECTIONS));
  expect(growth).toBeLessThan(12);
  expect(await mock.stop()).toBe(0);
});

/** A front end's requests in turn; a tenth of them create a record. */
const FRONT_END = [
  ...Array.from({ length: 4 }, () => ({ method: 'GET', path: '/v1/pets?limit=20' })),
  ...[1, 2, 3, 4711].map((id) => ({ method: 'GET', path: `/v1/pets/${id}` })),
  { method: 'POST', path: '/v1/pets', body: '{"name":"Rex"}' },
  { method: 'POST', path: '/v1/pets', body: '{"name":"Rex","categoryId":1}' },
];

test(`an hour of ${REQUESTS} requests, as fast as they are answered, leaves nothing behind`, async () => {
  const mock = await start();
  const sendRequests = (amount: number) =>
    sendLoad({
      url: new URL(mock.url).origin,
      headers: { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' },
      requests: FRONT_END,
      connections: 50,
      until: { amount },
    });
  // The first tenth is a warm-up: compiled code and a full journal are no growth.
  await sendRequests(REQUESTS / 10);
  await reset(mock);
  const { growth, delay } = await attackedBy(mock, async () => {
    const { statuses, broken } = await sendRequests(REQUESTS);
    const peak = await mock.measure();
    expect(broken).toBe(0);
    expect(statuses).toEqual({
      200: REQUESTS * 0.7,
      201: REQUESTS * 0.1,
      400: REQUESTS * 0.1,
      404: REQUESTS * 0.1,
    });
    await reset(mock);
    return peak;
  });
  expect(growth).toBeLessThan(8);
  // Only detects a collapse, as other programs run on the machine, too.
  expect(delay).toBeLessThan(5000);
  expect(await mock.stop()).toBe(0);
});
