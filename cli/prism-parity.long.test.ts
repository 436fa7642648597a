import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock, type Mock } from '#mock';
import { freePort } from '../quality/testing/free-port.ts';
import { PRISM } from '../quality/testing/prism.ts';

/** Sends the same requests to Prism's mock and ours. Each difference has a reason; docs/comparison.md summarizes them. */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DOCUMENT = `${ROOT}spec/openapi.yaml`;
const KEY = 'Bearer paddock-dev-key';

interface Row {
  /** `GET /pets, Prefer: code=404` */
  readonly name: string;
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the body must be equal, too, where both take it from the document. */
  readonly whole: boolean;
}

/** Bodies that both take from the document. */
const EXAMPLE = /example=(?:several|none|noCredential|unavailable|withoutStatus|created)/;

const GOOD = '{"name":"Rex","categoryId":1}';

function row(line: string, headers: Record<string, string> = {}, body?: string, whole = false): Row {
  const named = Object.entries(headers).map(([name, value]) => `, ${name}: ${value || '(none)'}`);
  const { authorization = KEY, ...others } = headers;
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  return {
    name: `${line}${body === undefined || body === GOOD ? '' : ` ${body || '(empty)'}`}${named.join('')}`,
    line,
    headers: { ...type, ...(authorization && { authorization }), ...others },
    ...(body !== undefined && { body }),
    whole,
  };
}

const prefer = (preference: string, line = 'GET /pets', body?: string) =>
  row(line, { Prefer: preference }, body, EXAMPLE.test(preference));

const ROWS: readonly Row[] = [
  row('GET /pets'),
  row('GET /pets?status=sold'),
  row('GET /pets?limit=0'),
  row('GET /pets?limit=x'),
  row('GET /pets?status=gone'),
  row('GET /pets', { authorization: '' }),
  row('GET /pets', { authorization: 'Basic eDp5' }),
  row('GET /pets', { authorization: 'bearer paddock-dev-key' }),
  row('GET /pets', { authorization: 'Bearer another' }),
  row('GET /pets', { Accept: 'text/plain' }),
  row('HEAD /pets'),
  row('DELETE /pets'),
  row('GET /nowhere'),
  row('GET /pets/1'),
  row('GET /pets/1', { authorization: '' }),
  row('GET /pets/4711'),
  row('GET /pets/abc'),
  row('GET /pets/9223372036854775808'),
  row('POST /pets', {}, GOOD),
  row('POST /pets', {}, '{"name":"Rex"}'),
  row('POST /pets', {}, '{"name":"Rex","categoryId":1,"status":"gone"}'),
  row('POST /pets', {}, '[]'),
  row('POST /pets', {}, ''),
  row('POST /pets', { authorization: '' }, '{}'),
  row('POST /pets', { 'content-type': 'text/plain' }, GOOD),
  ...[
    'code=200',
    'code=401',
    'code=404',
    'code=500',
    'code=503',
    'code=299',
    'code=302',
    'code=abc',
    'CODE=401',
    'code="401"',
    'code=401, code=200',
    'code=401; why=not',
    'respond-async, code=401',
    'example=several',
    'example=none',
    'example=nosuch',
    'code=200, example=several',
    'code=401, example=noCredential',
    'code=503, example=unavailable',
    'dynamic=true',
    'dynamic=false',
    'dynamic=maybe',
    'code=200, dynamic=true',
    'return=minimal',
  ].map((preference) => prefer(preference)),
  prefer('code=404', 'GET /pets/1'),
  prefer('code=200', 'GET /pets/4711'),
  prefer('code=200', 'GET /pets/abc'),
  prefer('code=200', 'GET /pets?limit=0'),
  prefer('example=withoutStatus', 'GET /pets/1'),
  prefer('example=unknownId', 'GET /pets/1'),
  prefer('code=201', 'POST /pets', GOOD),
  prefer('code=201', 'POST /pets', '{}'),
  prefer('code=400', 'POST /pets', GOOD),
  prefer('example=created', 'POST /pets', GOOD),
  row('GET /pets', { authorization: '', Prefer: 'code=200' }),
  row('GET /pets?__code=401'),
  row('GET /pets?__code=503'),
  row('GET /pets?__code=299'),
  row('GET /pets?__example=several', {}, undefined, true),
  row('GET /pets?__code=200&__example=none', {}, undefined, true),
  row('GET /pets?__dynamic=true'),
  prefer('code=401', 'GET /pets?__code=200'),
];

let mock: Mock;
let prism: ChildProcess;
let prismUrl: string;

/** Status, media type, the status in an error body, and the body where it is compared. */
async function answerOf(base: string, { line, headers, body, whole }: Row): Promise<string> {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(base + path, {
    method,
    headers,
    ...(body !== undefined && { body }),
    // Prism never responds to some requests, which are not in the table.
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  const [type] = (response.headers.get('content-type') ?? '').split(';');
  const repeated = response.status >= 400 && text ? ` saying ${JSON.parse(text).status}` : '';
  return `${response.status} ${type}${repeated}${whole ? ` ${text}` : ''}`;
}

/** All differences, by request: Prism's response, the mock's, and the reason. */
const DIFFERENCES: Readonly<Record<string, readonly [prism: string, mock: string, why: string]>> = {
  'GET /pets?limit=0': [
    '422 application/json saying 503',
    '400 application/json saying 400',
    "Prism uses 422 where no 400 is documented, with the example of another error; the mock's body repeats the status and says what is wrong",
  ],
  'GET /pets?limit=x': [
    '422 application/json saying 503',
    '400 application/json saying 400',
    "Prism uses 422 where no 400 is documented, with the example of another error; the mock's body repeats the status and says what is wrong",
  ],
  'GET /pets?status=gone': [
    '422 application/json saying 503',
    '400 application/json saying 400',
    "Prism uses 422 where no 400 is documented, with the example of another error; the mock's body repeats the status and says what is wrong",
  ],
  'GET /pets?limit=0, Prefer: code=200': [
    '422 application/json saying 503',
    '400 application/json saying 400',
    'on both, validation comes before preferences',
  ],
  'GET /pets/abc': [
    '422 application/json saying 503',
    '404 application/json saying 404',
    'no record can have this id, and 404 is documented',
  ],
  'GET /pets/abc, Prefer: code=200': [
    '422 application/json saying 503',
    '404 application/json saying 404',
    'no record can have this id, and 404 is documented',
  ],
  'GET /pets/9223372036854775808': [
    '422 application/json saying 503',
    '404 application/json saying 404',
    'one past the greatest int64',
  ],
  'GET /pets/4711': [
    '200 application/json',
    '404 application/json saying 404',
    'the mock has state, and there is no such record; with `Prefer: code=200` it gives the example',
  ],
  'GET /pets, authorization: bearer paddock-dev-key': [
    '401 application/json saying 401',
    '200 application/json',
    "the scheme's case does not count (RFC 9110 §11.1)",
  ],
  'GET /pets, authorization: Bearer another': [
    '200 application/json',
    '401 application/json saying 401',
    'the mock knows its keys; `--any-key` accepts every one',
  ],
  'GET /pets, Accept: text/plain': [
    '406 application/problem+json saying 406',
    '200 application/json',
    'the document has no 406; a server may send what it has (RFC 9110 §12.5.1)',
  ],
  'HEAD /pets': [
    '405 application/problem+json',
    '200 application/json',
    'HEAD goes wherever GET goes (RFC 9110 §9.3.2)',
  ],
  'DELETE /pets': [
    '405 application/problem+json saying 405',
    '405 application/json saying 405',
    'all errors have the documented error body',
  ],
  'GET /nowhere': [
    '404 application/problem+json saying 404',
    '404 application/json saying 404',
    'all errors have the documented error body',
  ],
  'POST /pets, content-type: text/plain': [
    '400 application/json saying 400',
    '415 application/json saying 415',
    'the body was not read, so nothing inside it can be invalid',
  ],
  'GET /pets, Prefer: code=404': [
    '404 application/json saying 503',
    '404 application/json saying 404',
    'the body repeats the status: of a `default` that describes many statuses, the example of one is not sent for another',
  ],
  'GET /pets, Prefer: code=500': [
    '500 application/json saying 503',
    '500 application/json saying 500',
    'the body repeats the status: of a `default` that describes many statuses, the example of one is not sent for another',
  ],
  'GET /pets, Prefer: code=299': [
    '299 application/json',
    '400 application/json saying 400',
    '`default` describes errors; an undocumented success is refused, and the message names the documented statuses',
  ],
  'GET /pets, Prefer: code=302': [
    '302 application/json',
    '400 application/json saying 400',
    '`default` describes errors; an undocumented success is refused, and the message names the documented statuses',
  ],
  'GET /pets?__code=299': [
    '299 application/json',
    '400 application/json saying 400',
    '`default` describes errors; an undocumented success is refused, and the message names the documented statuses',
  ],
  'GET /pets, Prefer: code=abc': [
    '422 application/problem+json saying 422',
    '400 application/json saying 400',
    'the documented error body, and what is wrong with the preference',
  ],
  'GET /pets, Prefer: dynamic=maybe': [
    '422 application/problem+json saying 422',
    '400 application/json saying 400',
    'the documented error body, and what is wrong with the preference',
  ],
  'GET /pets, Prefer: example=nosuch': [
    '404 application/problem+json saying 404',
    '400 application/json saying 400',
    "a 404 would look like one of the service's own; the message names the documented examples",
  ],
  'GET /pets/1, Prefer: example=unknownId': [
    '404 application/problem+json saying 404',
    '404 application/json saying 404',
    'Prism looks for examples among the successes only; the mock also among the errors, and sends the 404 that has this one',
  ],
};

describe('Prism and the mock', () => {
  beforeAll(async () => {
    mock = await createMock({ document: DOCUMENT, port: 0 });
    const port = String(await freePort());
    prismUrl = `http://127.0.0.1:${port}`;
    prism = spawn(process.execPath, [PRISM, 'mock', DOCUMENT, '--port', port]);
    await new Promise<void>((resolve, reject) => {
      prism.stdout?.on('data', (chunk) => /listening/.test(String(chunk)) && resolve());
      prism.once('exit', (code) => reject(new Error(`Prism ended with ${code}`)));
    });
  });

  afterAll(async () => {
    prism.kill();
    await mock.close();
  });

  const different = new Set<string>();

  test.for(ROWS)('$name', async (one) => {
    const [theirs, ours] = [await answerOf(prismUrl, one), await answerOf(mock.url, one)];
    if (theirs !== ours) different.add(one.name);
    const [byPrism, byMock] = DIFFERENCES[one.name] ?? [theirs, theirs];
    expect([theirs, ours]).toEqual([byPrism, byMock]);
  });

  test('every listed difference still exists', () => {
    expect(Object.keys(DIFFERENCES).sort()).toEqual([...different].sort());
  });
});
