import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { headline } from './report/words.ts';
import type { Fetch } from './send/client.ts';
import { runCheckOf } from './testing/run-check.ts';

/*
 * Every operation that may be called is called, and a run says of how many it holds: what is missing for want of a value, a
 * body or a record makes it incomplete.
 */

const bare = { description: '' };
const DEFAULT_ONLY = { responses: { default: bare } };
const text = { type: 'string' };
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text });
/** Nothing is a day and three digits. */
const UNMAKEABLE = { type: 'string', format: 'date', pattern: '^[0-9]{3}$' };
const bodyOf = (type: string, schema: object) => ({ required: true, content: { [type]: { schema } } });

interface Seen {
  readonly received: string[];
  readonly bodies: string[];
}

/** A path whose requests are answered with a status, beside one that is as it should be. */
async function check(path: string, item: object, status: number, more: object = {}) {
  const seen: Seen = { received: [], bodies: [] };
  const answering: Fetch = async (url, init) => {
    if (url.pathname === '/ping') return Response.json('pong');
    seen.received.push(`${init.method} ${url.pathname}`);
    seen.bodies.push(Buffer.from((init.body as Uint8Array | undefined) ?? []).toString());
    return new Response(null, { status });
  };
  const json = { 'application/json': { schema: text } };
  const ping = { get: { responses: { 200: { description: '', content: json } } } };
  const info = { title: 'Odd', version: '1' };
  const document = { openapi: '3.1.1', info, paths: { '/ping': ping, [path]: item } };
  const report = await runCheckOf(document, {
    fetch: answering,
    allow: ['all'],
    settle: 0,
    retries: 0,
    ...more,
  });
  const operationId = report.operations.at(-1)?.operationId ?? '';
  const operation = report.operations.at(-1);
  return { report, operation, ...seen, told: headline(report), operationId };
}

test.each<[string, string, object, number, number]>([
  ['only default', '/odd', { get: DEFAULT_ONLY }, 200, 0],
  ['only default, answered 500', '/odd', { get: DEFAULT_ONLY }, 500, 1],
  ['only default, answered 501', '/odd', { get: DEFAULT_ONLY }, 501, 4],
  ['only default, refused', '/odd', { get: DEFAULT_ONLY }, 400, 4],
  ['no response', '/odd', { get: { responses: {} } }, 200, 0],
  ['no response, answered 500', '/odd', { get: { responses: {} } }, 500, 1],
  ['a range', '/odd', { get: { responses: { '2XX': bare } } }, 204, 0],
  ['a redirection', '/odd', { get: { responses: { 302: bare } } }, 302, 0],
  [
    'a success and default, answered 500',
    '/odd',
    { get: { responses: { 200: bare, default: bare } } },
    500,
    1,
  ],
  ['a range of faults, answered 500', '/odd', { get: { responses: { '5XX': bare, default: bare } } }, 500, 4],
  ['only a refusal', '/odd', { get: { responses: { 410: bare } } }, 410, 0],
  [
    'an unknown value in the path',
    '/odd/{city}',
    { parameters: [inPath('city')], get: DEFAULT_ONLY },
    404,
    4,
  ],
  [
    'a value that happens to be good',
    '/odd/{city}',
    { parameters: [inPath('city')], get: DEFAULT_ONLY },
    200,
    0,
  ],
  [
    'a required query',
    '/odd',
    { get: { parameters: [{ name: 'q', in: 'query', required: true, schema: text }], ...DEFAULT_ONLY } },
    422,
    4,
  ],
  [
    'a body that nobody can write',
    '/odd',
    { post: { requestBody: bodyOf('application/x-protobuf', { type: 'object' }), responses: { 200: bare } } },
    415,
    4,
  ],
])(
  'an operation is called, whatever it documents: %s, answered %#',
  async (_, path, item, status, exitCode) => {
    const { report, received, told } = await check(path, item, status);
    expect(received.length).toBeGreaterThan(0);
    expect(report.exitCode).toBe(exitCode);
    if (exitCode === 0) expect(told).toMatch(/^The contract holds for 2 of 2 operations \(/);
    if (exitCode === 4) expect(told).toMatch(/^Incomplete: the contract was checked for .*1 of 2 operations/);
  },
);

const BOOKING = {
  operationId: 'book',
  requestBody: bodyOf('application/json', {
    type: 'object',
    required: ['at'],
    properties: { at: UNMAKEABLE },
  }),
  responses: { 200: bare, 400: bare },
};

test('where no valid body can be made, invalid ones are sent, and what would help is said', async () => {
  const { report, bodies } = await check('/odd', { post: BOOKING }, 400);
  expect(bodies).toEqual(expect.arrayContaining(['7', '{}', '[]', 'null', '']));
  expect(bodies.some((body) => /^\{[^}]*$/.test(body))).toBe(true);
  expect({ exitCode: report.exitCode, reason: report.reason }).toEqual({
    exitCode: 4,
    reason: expect.stringMatching(
      /^200 of book was not reached: no valid body could be made: at .*: say --value at=V or --body book=FILE \(check\.value or check\.body in the configuration file\)$/,
    ),
  });
  expect((await check('/odd', { post: BOOKING }, 500)).report.exitCode).toBe(1);
});

const PROTOBUF = bodyOf('application/x-protobuf', { type: 'object' });

test.each<[string, object, string]>([
  ['one that cannot be made', BOOKING.requestBody, '{"at":"2030-01-01"}'],
  ['one of a type that cannot be written', PROTOBUF, 'as it is'],
])('a body that the user gives is sent to any operation: %s', async (_, requestBody, body) => {
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'body.yaml');
  await writeFile(file, body);
  const post = { operationId: 'book', requestBody, responses: { 200: bare } };
  const { report, bodies } = await check('/odd', { post }, 200, { bodies: { book: file } });
  expect(bodies).toContain(body);
  expect(report.operations.at(-1)).toMatchObject({ verdict: 'covered' });
});

test.each<[string, object, RegExp]>([
  ['--only with !', { only: '!/odd/' }, /1 of 2 operations/],
  ['--exclude', { exclude: ['GET /odd'] }, /1 of 2 operations/],
  ['--only', { only: 'ping' }, /1 of 2 operations/],
])('what an option leaves out is counted, and is no gap: %s', async (_, options, counted) => {
  const { report, told } = await check('/odd', { get: { responses: { 200: bare } } }, 200, options);
  expect({ exitCode: report.exitCode, told }).toEqual({ exitCode: 0, told: expect.stringMatching(counted) });
});

test('a plan says how many operations would be called', async () => {
  const { told } = await check('/odd', { put: DEFAULT_ONLY }, 200, { plan: true, allow: [] });
  expect(told).toBe('Planned: nothing was sent; 1 of 2 operations would be called; 1 operation withheld.');
});
