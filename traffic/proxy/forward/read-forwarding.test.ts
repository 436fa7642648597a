import { expect, test } from 'vitest';
import { compileMayReach } from './read-forwarding.ts';

const HERE = '127.0.0.1';
const ELSEWHERE = '192.0.2.7';

/** Where clients of this machine and of others are led, without and with hosts that are allowed. */
test.each([
  // place, allowed hosts, from here, from elsewhere
  ['https://staging.example', [], true, true],
  ['http://staging.example:443', [], true, true],
  ['http://staging.example', [], true, false],
  ['https://api.example', [], true, false],
  ['http://localhost:8080', [], true, false],
  ['http://127.9.9.9', [], true, false],
  ['http://[::1]:22', [], true, false],
  ['http://metadata.internal', [], false, false],
  ['http://169.254.169.254', [], false, false],
  ['http://0.0.0.0', [], false, false],
  ['http://notstaging.example', ['*.example'], true, true],
  ['http://example', ['*.example'], false, false],
  ['http://a.test', ['a.test'], true, true],
  ['http://a.test:81', ['a.test:82'], false, false],
  ['http://a.test:82', ['a.test:82'], true, true],
  ['https://a.test', ['a.test:443'], true, true],
  ['http://[2001:db8::1]:82', ['2001:db8::1'], true, true],
  ['http://[2001:db8::1]:82', ['[2001:db8::1]:83'], false, false],
  ['http://b.test', ['A.test', 'B.TEST'], true, true],
] as const)('%s, with %j', (place, allowed, fromHere, fromElsewhere) => {
  const mayReach = compileMayReach({
    target: new URL('https://staging.example/v1'),
    servers: [new URL('https://api.example/v1')],
    allowed,
    listensOn: '0.0.0.0',
  });
  expect([mayReach(HERE, new URL(place)), mayReach(ELSEWHERE, new URL(place))]).toEqual([
    fromHere,
    fromElsewhere,
  ]);
  expect(mayReach('::ffff:127.0.0.1', new URL(place))).toBe(fromHere);
  expect(mayReach(undefined, new URL(place))).toBe(fromElsewhere);
});
