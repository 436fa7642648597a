import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock, type Mock } from '../index.ts';
import { misfits, SHIPPED } from '../testing/serve.ts';
import { exchange, parsed } from '../testing/wire.ts';

/**
 * Invalid requests, byte for byte, and the status of each. Every one gets the full documented error body, without internals
 * of the mock.
 */
const HOST = 'Host: here\r\n';
const KEY = 'Authorization: Bearer paddock-dev-key\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

const raw = (line: string, headers = '', body = '') => `${line} HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;
const get = (target: string, headers = KEY) => raw(`GET ${target}`, headers);

function post(body: string | Uint8Array, headers = KEY + JSON_TYPE): string {
  const bytes = Buffer.from(body as string);
  return raw('POST /v1/pets', `${headers}Content-Length: ${bytes.length}\r\n`, bytes.toString('latin1'));
}

const PET = '{"name":"A","categoryId":1}';
const bytes = (...codes: number[]) =>
  Uint8Array.from([...Buffer.from('{"name":"'), ...codes, ...Buffer.from('","categoryId":1}')]);

const ROWS: readonly (readonly [name: string, request: string, status: number])[] = [
  // Syntax
  ['a body that ends too early', post('{"name":"A"'), 400],
  ['a body with more behind its end', post(`${PET}x`), 400],
  ['two bodies in one', post(PET + PET), 400],
  ['a comma at the end', post('{"name":"A","categoryId":1,}'), 400],
  ['a comment', post('{"name":"A",/* why */"categoryId":1}'), 400],
  ['single quotes', post("{'name':'A','categoryId':1}"), 400],
  ['a member without quotes', post('{name:"A","categoryId":1}'), 400],
  ['NaN', post('{"name":"A","categoryId":NaN}'), 400],
  ['a number that begins with a zero', post('{"name":"A","categoryId":01}'), 400],
  ['a number with a plus', post('{"name":"A","categoryId":+1}'), 400],
  ['hexadecimal', post('{"name":"A","categoryId":0x1}'), 400],
  ['a line break in a text', post('{"name":"A\n","categoryId":1}'), 400],
  ['an escape that is none', post('{"name":"\\x41","categoryId":1}'), 400],
  ['brackets without end', post('['.repeat(100_000)), 400],
  ['blanks alone', post('  \r\n'), 400],
  ['no body', post(''), 400],
  ['no body and no length', raw('POST /v1/pets', KEY + JSON_TYPE), 400],
  // Types
  ['a list', post('[]'), 400],
  ['a list of records', post(`[${PET}]`), 400],
  ['a text', post('"A"'), 400],
  ['a number', post('1'), 400],
  ['true', post('true'), 400],
  ['null', post('null'), 400],
  ['an empty object', post('{}'), 400],
  ['only the one member', post('{"name":"A"}'), 400],
  ['only the other member', post('{"categoryId":1}'), 400],
  ['null for a text', post('{"name":null,"categoryId":1}'), 400],
  ['a number for a text', post('{"name":1,"categoryId":1}'), 400],
  ['an object for a text', post('{"name":{},"categoryId":1}'), 400],
  ['a text for a number', post('{"name":"A","categoryId":"1"}'), 400],
  ['a flag for a number', post('{"name":"A","categoryId":true}'), 400],
  ['a fraction', post('{"name":"A","categoryId":1.5}'), 400],
  ['one past the greatest integer', post('{"name":"A","categoryId":9223372036854775808}'), 400],
  ['an integer without measure', post('{"name":"A","categoryId":1e400}'), 400],
  ['a value outside the enumeration', post('{"name":"A","categoryId":1,"status":"gone"}'), 400],
  ['the enumeration in capitals', post('{"name":"A","categoryId":1,"status":"SOLD"}'), 400],
  ['null for an optional member', post('{"name":"A","categoryId":1,"status":null}'), 400],
  // Encodings
  ['bytes that are no UTF-8', post(bytes(0xff, 0xfe)), 400],
  ['a character that is cut', post(bytes(0xe2, 0x82)), 400],
  ['UTF-16', post(Buffer.from(PET, 'utf16le')), 400],
  ['a form', post('name=A&categoryId=1', `${KEY}Content-Type: application/x-www-form-urlencoded\r\n`), 415],
  ['plain text', post(PET, `${KEY}Content-Type: text/plain\r\n`), 415],
  ['no type', post(PET, KEY), 415],
  ['a type that is none', post(PET, `${KEY}Content-Type: json\r\n`), 415],
  ['another charset', post(PET, `${KEY}Content-Type: application/json; charset=iso-8859-1\r\n`), 415],
  ['a compressed body', post(PET, `${KEY}${JSON_TYPE}Content-Encoding: compress\r\n`), 415],
  ['a body that is too large', post(`{"name":"${'x'.repeat(2 ** 20)}","categoryId":1}`), 413],
  // Headers
  ['no credential', get('/v1/pets', ''), 401],
  ['an empty credential', get('/v1/pets', 'Authorization:\r\n'), 401],
  ['a scheme alone', get('/v1/pets', 'Authorization: Bearer\r\n'), 401],
  ['another scheme', get('/v1/pets', 'Authorization: Basic eDp5\r\n'), 401],
  ['another key', get('/v1/pets', 'Authorization: Bearer paddock-dev-keys\r\n'), 401],
  ['the key in the query', get('/v1/pets?key=paddock-dev-key', ''), 401],
  ['a bad body without a credential', post('{', JSON_TYPE), 401],
  ['no Host', `GET /v1/pets HTTP/1.1\r\n${KEY}\r\n`, 400],
  ['a header without a colon', get('/v1/pets', `${KEY}nonsense\r\n`), 400],
  ['a header name with a blank', get('/v1/pets', `${KEY}a b: c\r\n`), 400],
  ['a control character in a header', get('/v1/pets', `${KEY}X-A: \x01\r\n`), 400],
  ['headers without measure', get('/v1/pets', `${KEY}X-A: ${'x'.repeat(20_000)}\r\n`), 431],
  ['two lengths', raw('POST /v1/pets', `${KEY}Content-Length: 1\r\nContent-Length: 2\r\n`, 'ab'), 400],
  ['a length below zero', raw('POST /v1/pets', `${KEY}Content-Length: -1\r\n`), 400],
  [
    'a chunk without a size',
    raw('POST /v1/pets', `${KEY}${JSON_TYPE}Transfer-Encoding: chunked\r\n`, 'zz\r\n'),
    400,
  ],
  ['a preference that there cannot be', get('/v1/pets', `${KEY}Prefer: code=abc\r\n`), 400],
  ['a status that no one documents', get('/v1/pets', `${KEY}Prefer: code=299\r\n`), 400],
  ['a session without a name', get('/v1/pets', `${KEY}Paddock-Session: a b\r\n`), 400],
  // Queries and paths
  ['a limit of none', get('/v1/pets?limit=0'), 400],
  ['a limit too many', get('/v1/pets?limit=101'), 400],
  ['a limit below zero', get('/v1/pets?limit=-1'), 400],
  ['a limit in words', get('/v1/pets?limit=ten'), 400],
  ['a limit without a value', get('/v1/pets?limit'), 400],
  ['a limit twice', get('/v1/pets?limit=1&limit=2'), 400],
  ['a limit with a fraction', get('/v1/pets?limit=1.5'), 400],
  ['a limit with an exponent', get('/v1/pets?limit=1e1'), 400],
  ['a filter outside the enumeration', get('/v1/pets?status=gone'), 400],
  ['a filter without a value', get('/v1/pets?status='), 400],
  ['a filter twice', get('/v1/pets?status=sold&status=pending'), 400],
  ['a percent sign that encodes nothing', get('/v1/pets?limit=%zz'), 400],
  ['an id that is no number', get('/v1/pets/abc'), 404],
  ['an id past the greatest', get('/v1/pets/9223372036854775808'), 404],
  ['an id in a coding that is none', get('/v1/pets/%ff'), 404],
  ['an id with a zero byte', get('/v1/pets/%00'), 404],
  ['an id of a prototype', get('/v1/pets/__proto__'), 404],
  ['a path behind the last', get('/v1/pets/1/name'), 404],
  ['a path of two slashes', get('/v1//pets'), 404],
  ['a path that climbs', get('/v1/../v1/pets'), 404],
  ['a path without the base', get('/pets'), 404],
  ['a path without end', get(`/v1/${'x'.repeat(8000)}`), 404],
  // Methods and beginnings
  ['DELETE', raw('DELETE /v1/pets/1', KEY), 405],
  ['PUT', raw('PUT /v1/pets/1', `${KEY}Content-Length: 0\r\n`), 405],
  ['PATCH on the list', raw('PATCH /v1/pets', `${KEY}Content-Length: 0\r\n`), 405],
  ['TRACE', raw('TRACE /v1/pets', KEY), 405],
  ['a method that HTTP does not have', raw('FETCH /v1/pets', KEY), 400],
  ['a method in small letters', raw('get /v1/pets', KEY), 400],
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', 400],
  ['another version', `GET /v1/pets HTTP/3.7\r\n${HOST}\r\n`, 400],
  ['a target that is none', raw('GET v1/pets', KEY), 400],
];

let mock: Mock;
beforeAll(async () => {
  mock = await createMock({ document: SHIPPED, port: 0 });
});
afterAll(() => mock.close());

test('there are more than sixty of them, each once', () => {
  expect(ROWS.length).toBeGreaterThan(60);
  expect(new Set(ROWS.map(([, request]) => request)).size).toBe(ROWS.length);
});

test.for(ROWS)('%s', async ([, request, status]) => {
  const answer = parsed(await exchange(mock.url, request));
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json');
  const operation = request.startsWith('POST') ? 'createPet' : status === 404 ? 'getPet' : 'listPets';
  expect(misfits(mock, operation, answer)).toEqual([]);
  const { code, message, ...others } = JSON.parse(answer.text);
  expect(others).toEqual({ status });
  expect(code).toMatch(/^[a-z_]+$/);
  expect(message).toMatch(/\w{3}/);
  expect(message).not.toMatch(/\n\s+at |\.ts\b|node:|node_modules|Error:/);
});
