import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { NASTY } from '../testing/report-saying.ts';
import { curlOf } from './curl.ts';
import type { WireRequest } from './wire.ts';

const KEY = 'secret-key';

/** The words that curl gets when a POSIX shell runs the line, the key taken from the environment. */
function words(line: string): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${line}`;
  const output = execFileSync('sh', ['-c', script], { env: { PADDOCK_API_KEY: KEY } });
  return output.toString().split('\0').slice(0, -1);
}

function request(part: Partial<WireRequest>): WireRequest {
  return {
    method: 'GET',
    url: new URL('http://h/v1'),
    headers: [],
    body: undefined,
    chunked: false,
    ...part,
  };
}

test.for<[string, Partial<WireRequest>, string[]]>([
  ['a plain read', {}, ['-i', 'http://h/v1']],
  [
    'the key',
    { headers: [['Authorization', `Bearer ${KEY}`]] },
    ['-i', 'http://h/v1', '-H', `Authorization: Bearer ${KEY}`],
  ],
  [
    'the key beside shell text',
    { headers: [['X', `$(id) \`id\` "${KEY}\\`]] },
    ['-i', 'http://h/v1', '-H', `X: $(id) \`id\` "${KEY}\\`],
  ],
  [
    'single quotes and newlines',
    { method: 'POST', body: Buffer.from(`{"a":"O'Brien\n$HOME"}`) },
    ['-i', 'http://h/v1', '--data-binary', `{"a":"O'Brien\n$HOME"}`],
  ],
  [
    'another method',
    { method: 'PUT', body: Buffer.from('{}') },
    ['-i', '-X', 'PUT', 'http://h/v1', '--data-binary', '{}'],
  ],
  [
    'a header without a value',
    { headers: [['Authorization', '']] },
    ['-i', 'http://h/v1', '-H', 'Authorization;'],
  ],
])('a shell gives curl back just what was sent: %s', ([, part, want]) => {
  expect(words(curlOf(request(part), KEY))).toEqual(want);
});

test.for(Object.entries(NASTY))('whatever is sent, a shell runs none of it: %s', ([, text]) => {
  // No argument of a program can hold a NUL, and no header a line end.
  const said = text.replaceAll('\0', '').toWellFormed();
  const header = said.replace(/[^\x20-\x7e]/g, '') || '-';
  const url = new URL('http://h/v1');
  url.searchParams.set('q', said);
  const line = curlOf(
    request({ method: 'POST', url, headers: [['X', header]], body: Buffer.from(said) }),
    KEY,
  );
  expect(words(line)).toEqual(['-i', url.href, '-H', `X: ${header}`, '--data-binary', said]);
});

test('the key itself does not stand in the line', () => {
  const url = new URL(`http://h/v1?key=${KEY}`);
  const line = curlOf(request({ url, headers: [['Authorization', `Bearer ${KEY}`]] }), KEY);
  expect(line).not.toContain(KEY);
  expect(line.match(/\$PADDOCK_API_KEY/g)).toHaveLength(2);
});
