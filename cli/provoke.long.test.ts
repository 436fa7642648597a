import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { type CheckOptions, check, SettingsError } from '#contract-tests';
import { BUILT_IN_KEY, createMock, defaultParts, type MockOptions } from '#mock';
import { resultOf } from '../quality/testing/result-of.ts';

/** Cells that no client can provoke from the document alone, and how to make them gate. */
const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/specs/${name}`, import.meta.url));

async function fileOf(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'provoke.yaml');
  await writeFile(file, text);
  return file;
}

interface Given {
  readonly mock?: Partial<MockOptions>;
  readonly provoke?: string;
  readonly options?: Partial<CheckOptions>;
}

async function checkMock(name: string, { mock: how = {}, provoke, options = {} }: Given = {}) {
  const document = fixture(name);
  const mock = await createMock({ document, port: 0, ...how });
  onTestFinished(() => mock.close());
  const file = provoke === undefined ? {} : { provoke: await fileOf(provoke) };
  const given = {
    target: mock.url,
    document,
    apiKey: BUILT_IN_KEY,
    settle: 100,
    examples: 3,
    ...file,
    ...options,
  };
  const report = await resultOf(check(given));
  const cell = (id: string) => {
    const found = report.cells.find(({ operationId, status }) => `${operationId}/${status}` === id);
    return found && { verdict: found.verdict, gates: found.gates, reason: found.reason };
  };
  return { report, cell, mock };
}

const OPEN = {
  verdict: 'not reached',
  gates: false,
  reason: 'no known trigger; the key provoke of the configuration file can name one',
};
const COVERED = { verdict: 'covered', gates: true, reason: undefined };

test('conflicts and faults of the server do not gate', async () => {
  const { report, cell } = await checkMock('bookings.yaml');
  expect(report.exitCode).toBe(0);
  expect(cell('book/409')).toEqual(OPEN);
  expect(cell('getBooking/500')).toEqual(OPEN);
  expect(cell('book/422')).toEqual(COVERED);
});

test('with --strict cells all of them gate', async () => {
  const { report, cell } = await checkMock('bookings.yaml', { options: { strict: ['cells'] } });
  expect(cell('book/409')).toEqual({ ...OPEN, gates: true });
  expect({ exitCode: report.exitCode, reason: report.reason }).toEqual({
    exitCode: 4,
    reason: expect.stringContaining('was not reached: no known trigger'),
  });
});

const FORCED = `
book/409:
  headers: { Prefer: code=409 }
getBooking/500:
  - operation: book
    body: { room: tower, subject: A talk, guests: 3 }
  - path: { id: $response.body#/id }
    query: { for: "{$response.1.body#/subject}" }
    headers: { Prefer: code=500 }
`;

test('a request, and a sequence with values of earlier responses, make cells gate', async () => {
  const { report, cell, mock } = await checkMock('bookings.yaml', { provoke: FORCED });
  expect(report.findings).toEqual([]);
  expect([cell('book/409'), cell('getBooking/500'), cell('book/500')]).toEqual([COVERED, COVERED, OPEN]);
  expect(report.exitCode).toBe(0);
  const [forced] = (await mock.requests()).filter(({ status }) => status === 500);
  expect(JSON.stringify(forced)).toMatch(/for=A(?:%20|\+| )talk/);
});

test('a status of a gateway that is asked for is not waited out', async () => {
  const provoke = 'listFiles/429: { headers: { Prefer: code=429 }, repeat: 3 }\n';
  const { report, cell } = await checkMock('archives.yaml', { provoke });
  expect([cell('listFiles/429'), report.exitCode]).toEqual([COVERED, 0]);
});

test('where another status comes, the promise is broken', async () => {
  const { report, cell } = await checkMock('bookings.yaml', { provoke: 'book/409: {}\n' });
  expect(report.findings.map(({ caseId, law, documented }) => ({ caseId, law, documented }))).toEqual([
    { caseId: 'book/409/provoked', law: 'status', documented: '409' },
  ]);
  expect([cell('book/409')?.verdict, cell('book/409')?.gates, report.exitCode]).toEqual([
    'violated',
    true,
    1,
  ]);
});

test('a header of the file takes the place of the ordinary one, and is no part of any report', async () => {
  const provoke = 'book/401: { headers: { Authorization: Bearer some-other-key } }\n';
  const { report } = await checkMock('bookings.yaml', { provoke });
  expect(report.cases.find(({ id }) => id === 'book/401/provoked')?.outcome).toBe('passed');
  expect(JSON.stringify(report)).not.toContain('some-other-key');
});

/** No seal can be found. */
const withoutSeals: Partial<MockOptions> = {
  parts: {
    authenticate(operation, keys) {
      const guard = defaultParts.authenticate(operation, keys);
      if (!operation.path.includes('seal')) return guard;
      return (request) => guard(request) ?? { refuse: 'not found', message: 'there is no such seal' };
    },
  },
};

test('a path parameter without a known value: the run is incomplete until one is given', async () => {
  const guessed = await checkMock('archives.yaml', { mock: withoutSeals });
  expect([guessed.cell('getSeal/200'), guessed.report.exitCode]).toEqual([
    {
      verdict: 'not reached',
      gates: true,
      reason: 'no value of seal is known: say --value seal=V (check.value in the configuration file)',
    },
    4,
  ]);
  const options = { values: { seal: 'rose' } };
  const { report, cell } = await checkMock('archives.yaml', { mock: withoutSeals, options });
  expect([cell('getSeal/200')?.gates, report.exitCode]).toEqual([true, 1]);
});

test('a link gives the value of a path parameter', async () => {
  const { mock, report, cell } = await checkMock('couriers.yaml');
  expect([cell('getRound/200'), report.exitCode]).toEqual([COVERED, 0]);
  const response = await mock.fetch('/today');
  const { round } = (await response.json()) as { round: string };
  const asked = JSON.stringify(await mock.requests());
  expect(asked).toContain(`/rounds/${encodeURIComponent(round)}`);
});

test.for([
  ['a list', '- a\n', /:1: the file must hold an object/],
  ['no cell', 'book: {}\n', /:1: "book" is no cell/],
  ['another member', '\nbook/409: { boddy: {} }\n', /:2: "boddy" is no member of a request/],
  ['no object', 'book/409:\n  - {}\n  - 7\n', /:3: a request must be an object/],
  ['a query that is none', 'book/409:\n  query: 7\n', /:2: "query" must be an object/],
  ['too often', 'book/409: { repeat: 0 }\n', /:1: "repeat" must be a whole number from 1/],
  ['an empty list', 'book/409: []\n', /:1: the list names no request/],
  ['an unknown operation', '\n\nborrow/409: {}\n', /:3: the document has no operation "borrow"/],
  ['another status', 'book/410: {}\n', /:1: book documents no 410; there are 201, 401, 409, 422, 500/],
  [
    'another step',
    'book/409:\n  - operation: borrow\n  - {}\n',
    /:2: the document has no operation "borrow"/,
  ],
  ['another end', 'book/409:\n  - operation: listBookings\n', /:1: the last request must be one of book/],
  ['another parameter', 'getBooking/500: { path: { it: 1 } }\n', /no path parameter "it"; there are id/],
  [
    'no earlier response',
    'getBooking/500: { path: { id: $response.body#/id } }\n',
    /names no earlier response/,
  ],
  [
    'no expression',
    'book/409:\n  - {}\n  - body: $response.status\n',
    /:3: "\$response\.status" is no expression/,
  ],
] as const)('a file that cannot be used is refused with its line: %s', async ([, text, message]) => {
  const provoke = await fileOf(text);
  const options = { target: 'http://127.0.0.1:9', document: fixture('bookings.yaml'), provoke };
  const refused = await resultOf(check(options)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SettingsError);
  expect((refused as Error).message).toMatch(message);
});
