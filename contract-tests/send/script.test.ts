import { expect, test } from 'vitest';
import { linesOf } from './curl.ts';
import type { WireRequest } from './wire.ts';

const request = (body: string): WireRequest => ({
  method: 'POST',
  url: new URL('http://h/v1/things'),
  headers: [['Content-Type', 'text/plain']],
  body: Buffer.from(body),
  chunked: false,
});

const keeps = { variable: 'ID1', member: 'id' };

test.each([
  ['a', `ID1=$(curl -s 'http://h/v1/things' -H 'Content-Type: text/plain' --data-binary 'a' | jq -r .id)`],
  [
    "--b\r\n'x'",
    `ID1=$(printf '\\055-b\\r\\n'\\''x'\\''' | curl -s 'http://h/v1/things' -H 'Content-Type: text/plain' --data-binary @- | jq -r .id)`,
  ],
])('the id of what %j makes is kept', (body, line) => {
  expect(linesOf([[{ request: request(body), keeps }]])).toEqual([line]);
});
