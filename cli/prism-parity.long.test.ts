import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock, type Mock } from '#mock';
import { freePort } from '../quality/testing/free-port.ts';
import { PRISM } from '../quality/testing/prism.ts';

/**
 * The same requests to Prism's mock and to ours. Each difference stands in docs/comparison.md with its reason:
 * a team that changes from one to the other must not have to find them out.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DOCUMENT = `${ROOT}spec/openapi.yaml`;
const KEY = 'Bearer paddock-dev-key';

interface Row {
  /** As in docs/comparison.md: `GET /pets, Prefer: code=404`. */
  readonly name: string;
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the body must be the same, too: where both take it from the document. */
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
    // Prism never responds to some requests; none of those is in the table.
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  const [type] = (response.headers.get('content-type') ?? '').split(';');
  const repeated = response.status >= 400 && text ? ` saying ${JSON.parse(text).status}` : '';
  return `${response.status} ${type}${repeated}${whole ? ` ${text}` : ''}`;
}

/** The table of docs/comparison.md: request -> [Prism, mock, reason]. */
async function listed(): Promise<Map<string, string[]>> {
  const text = await readFile(`${ROOT}docs/comparison.md`, 'utf8');
  const cells = text
    .split('\n')
    .filter((line) => /^\| `[A-Z]+ /.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')));
  return new Map(cells.map(([, name = '', ...rest]) => [name, rest.slice(0, 3)]));
}

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

  const different = new Map<string, [string, string]>();

  test.for(ROWS)('$name', async (one) => {
    const [theirs, ours] = [await answerOf(prismUrl, one), await answerOf(mock.url, one)];
    const known = (await listed()).get(one.name);
    if (theirs !== ours) {
      different.set(one.name, [theirs, ours]);
      console.log(
        `${one.name}\n  Prism  ${theirs}\n  mock   ${ours}\n  why    ${known?.[2] ?? 'NOT LISTED'}`,
      );
    }
    expect([theirs, ours]).toEqual(known ? known.slice(0, 2) : [theirs, theirs]);
    if (known) expect(known[2]).toMatch(/\w{3}/);
  });

  test('every listed difference still exists', async () => {
    expect([...(await listed()).keys()].sort()).toEqual([...different.keys()].sort());
  });
});
