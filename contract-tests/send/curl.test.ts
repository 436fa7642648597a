import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Credential, Operation } from '#spec';
import { NASTY } from '../testing/report-saying.ts';
import { inHeader, keyed, type Presented, presentKey, theKey } from './credentials.ts';
import { curlOf, linesOf } from './curl.ts';
import { decodeResponse } from './response.ts';
import { idAt } from './trail.ts';
import type { WireRequest } from './wire.ts';

const KEY = 'secret-key';
/** Keeps curl from calling the body a form. */
const UNTYPED = ['-H', 'Content-Type:'];

/** The words that curl gets when a POSIX shell runs the line, the key taken from the environment; its input for `@-`. */
function words(line: string): string[] {
  const word = `if [ "$word" = @- ]; then cat; printf '\\0'; else printf '%s\\0' "$word"; fi`;
  const script = `curl() { for word in "$@"; do ${word}; done; }\n${line}`;
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
    'the key, known to be the credential',
    {
      headers: [['Authorization', `Bearer ${KEY}`]],
      credential: inHeader('Authorization', keyed`Bearer ${theKey(KEY)}`),
    },
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
    ['-i', 'http://h/v1', ...UNTYPED, '--data-binary', `{"a":"O'Brien\n$HOME"}`],
  ],
  [
    'another method',
    { method: 'PUT', body: Buffer.from('{}') },
    ['-i', '-X', 'PUT', 'http://h/v1', ...UNTYPED, '--data-binary', '{}'],
  ],
  [
    'a read with a body',
    { body: Buffer.from('{}') },
    ['-i', '-X', 'GET', 'http://h/v1', ...UNTYPED, '--data-binary', '{}'],
  ],
  [
    'what would be the name of a file',
    { method: 'POST', body: Buffer.from('@/etc/hosts') },
    ['-i', 'http://h/v1', ...UNTYPED, '--data-raw', '@/etc/hosts'],
  ],
  [
    'the line ends of parts, and what printf would read',
    { method: 'POST', body: Buffer.from(`--b\r\n\r\n100%\\n'ë\x1b1\r\n--b--`) },
    ['-i', 'http://h/v1', ...UNTYPED, '--data-binary', `--b\r\n\r\n100%\\n'ë\x1b1\r\n--b--`],
  ],
  ['HEAD', { method: 'HEAD' }, ['-I', 'http://h/v1']],
  [
    'a header without a value',
    { headers: [['Authorization', '']] },
    ['-i', 'http://h/v1', '-H', 'Authorization;'],
  ],
])('a shell gives curl back just what was sent: %s', ([, part, want]) => {
  expect(words(curlOf(request(part)))).toEqual(want);
});

test.for(Object.entries(NASTY))('whatever is sent, a shell runs none of it: %s', ([, text]) => {
  // No argument of a program can hold a NUL, and no header a line end.
  const said = text.replaceAll('\0', '').toWellFormed();
  const header = said.replace(/[^\x20-\x7e]/g, '') || '-';
  const url = new URL('http://h/v1');
  url.searchParams.set('q', said);
  const line = curlOf(request({ method: 'POST', url, headers: [['X', header]], body: Buffer.from(said) }));
  expect(words(line)).toEqual(['-i', url.href, '-H', `X: ${header}`, ...UNTYPED, '--data-binary', said]);
});

/** An operation that takes its credential in each place that OpenAPI has. */
const PLACES: readonly Credential[] = [
  { kind: 'bearer', name: 'authorization', in: 'header' },
  { kind: 'apiKey', name: 'X-Key', in: 'header' },
  { kind: 'apiKey', name: 'sid', in: 'cookie' },
  { kind: 'apiKey', name: 'key', in: 'query' },
] as unknown as readonly Credential[];

test('bytes that are no text reach the service as they are', () => {
  const body = Buffer.from(Array.from({ length: 256 }, (_, code) => 255 - code));
  const script = `curl() { cat; }\n${curlOf(request({ method: 'POST', body }))}`;
  expect([...execFileSync('sh', ['-c', script])]).toEqual([...body]);
});

test('the key itself does not stand in the line', () => {
  const operation = { security: [PLACES] } as unknown as Operation;
  const credential = presentKey(operation, { apiKey: KEY, credentials: {} });
  const url = new URL(`http://h/v1?page=1&key=${KEY}`);
  const headers = credential.headers.map(([name, { text }]) => [name, text] as const);
  const line = curlOf(request({ url, headers, credential }));
  expect(line).not.toContain(KEY);
  expect(line.match(/\$PADDOCK_API_KEY/g)).toHaveLength(PLACES.length);
  expect(words(line)).toContain(url.href);
});

test('credentials of several schemes are variables of their own', () => {
  const credential: Presented = {
    headers: [['Cookie', keyed`sid=${theKey('s', 'PADDOCK_CREDENTIAL_SESSION')}`]],
    query: [
      ['a', theKey('a', 'PADDOCK_CREDENTIAL_A')],
      ['b', theKey('b+', 'PADDOCK_CREDENTIAL_B')],
      ['c', theKey('c')],
    ],
  };
  const url = new URL('http://h/v1?a=a&b=b%2B&c=c');
  expect(curlOf(request({ url, headers: [['Cookie', 'sid=s']], credential }))).toBe(
    'curl -i "http://h/v1?a=$PADDOCK_CREDENTIAL_A" --url-query "b=$PADDOCK_CREDENTIAL_B" --url-query "c=$PADDOCK_API_KEY" -H "Cookie: sid=$PADDOCK_CREDENTIAL_SESSION"',
  );
});

test('a client certificate is read from the files that the variables name, and only for https', () => {
  const connection = { clientCert: ['/home/ann/me.pem', '/home/ann/me.key'], insecure: true };
  const line = (href: string) => curlOf(request({ url: new URL(href), connection }));
  expect(line('https://h/v1')).toBe(
    `curl -i -k --cert "\${PADDOCK_CLIENT_CERT%,*}" --key "\${PADDOCK_CLIENT_CERT#*,}" 'https://h/v1'`,
  );
  expect(line('http://h/v1')).toBe("curl -i 'http://h/v1'");
});

test('a key that must be percent-encoded is left to curl', () => {
  const credential: Presented = { headers: [], query: [['key', theKey('a+b')]] };
  const url = new URL('http://h/v1?page=1&key=a%2Bb');
  expect(curlOf(request({ url, credential }))).toBe(
    'curl -i "http://h/v1?page=1" --url-query "key=$PADDOCK_API_KEY"',
  );
});

const posting = (body: string): WireRequest => ({
  method: 'POST',
  url: new URL('http://h/v1/things'),
  headers: [['Content-Type', 'text/plain']],
  body: Buffer.from(body),
  chunked: false,
});

const keeps = { variable: 'ID1', at: ['id'] };

test.each([
  ['a', `ID1=$(curl -s 'http://h/v1/things' -H 'Content-Type: text/plain' --data-binary 'a' | jq -r .id)`],
  [
    "--b\r\n'x'",
    `ID1=$(printf '\\055-b\\r\\n'\\''x'\\''' | curl -s 'http://h/v1/things' -H 'Content-Type: text/plain' --data-binary @- | jq -r .id)`,
  ],
])('the id of what %j makes is kept', (body, line) => {
  expect(linesOf([[{ request: posting(body), keeps }]])).toEqual([line]);
});

test('an id that is not a path as it is, is kept percent-encoded', () => {
  const [line] = linesOf([[{ request: posting('a'), keeps: { ...keeps, isEncoded: true } }]]);
  expect(line).toMatch(/ \| jq -r '\.id \| @uri'\)$/);
});

test.each([
  [
    'an attribute',
    '<?xml version="1.0"?>\n<p:plate xmlns:p="https://p.example/id" p:id="7" no="8"><id>9</id></p:plate>',
  ],
  ['an element', '<plate><pid>8</pid>\n  <p:id>7</p:id><id>9</id></plate>'],
])('an id in XML is kept as the run reads it, by %s', (_, xml) => {
  const place = { xml: 'id' };
  const [line = ''] = linesOf([[{ request: posting('a'), keeps: { variable: 'ID1', at: place } }]]);
  const [, extraction = ''] = / \| (tr .*)\)$/.exec(line) ?? [];
  expect(execFileSync('sh', ['-c', extraction], { input: xml, encoding: 'utf8' })).toBe('7\n');
  expect(
    idAt(decodeResponse({ status: 200, headers: [], body: Buffer.from(xml), cut: false, ms: 1 }), place),
  ).toBe('7');
});
