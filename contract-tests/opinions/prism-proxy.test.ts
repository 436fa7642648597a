import { expect, test } from 'vitest';
import { readViolations } from './prism-proxy.ts';

const entry = (location: string[], message: string) => ({ location, severity: 'Error', code: 'x', message });
const type = entry(['response', 'body', '0', 'id'], 'must be integer');

test.for<[string, string, string[]]>([
  ['nothing', '', []],
  [
    'both parts',
    JSON.stringify([entry(['request', 'query'], 'is bad'), type]),
    ['request query is bad', 'response body.0.id must be integer'],
  ],
  [
    'a header truncated within an entry',
    `Too many violations! ${JSON.stringify([type, type, type]).slice(0, -30)}`,
    ['response body.0.id must be integer', 'response body.0.id must be integer'],
  ],
  ['a header that is no list', 'Too many violations! [{"loc', ['response Too many violations! [{"loc']],
])('sl-violations: %s', ([, header, want]) => {
  expect(readViolations(header).map(({ part, text }) => `${part} ${text}`)).toEqual(want);
});

test('a status that is not documented, and an integer that is too large for a double', () => {
  const [status, integer] = readViolations(
    JSON.stringify([
      entry(['response'], 'Unable to match the returned status code with those defined in the document: 200'),
      entry(['response', 'body', 'id'], 'Response body property id must be <= 9007199254740991'),
    ]),
  );
  expect(status).toMatchObject({ isStatus: true, isBody: false });
  expect(integer).toMatchObject({ isStatus: false, isBody: true, isDouble: true });
});
