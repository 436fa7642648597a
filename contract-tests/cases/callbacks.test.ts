import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract, type OutgoingOperation } from '#spec';
import { createMock } from '../../mock/index.ts';
import { freePort } from '../../quality/testing/free-port.ts';
import { judgeDelay } from '../laws/callback.ts';
import type { Report } from '../report/report.ts';
import type { CheckOptions } from '../settings/check-options.ts';
import { runCheck } from '../testing/run-check.ts';

const SIGNALS = 'fixtures/specs/signals.yaml';
const PAGERS = 'fixtures/specs/pagers.yaml';

/** Checks the callbacks of a mock, whose requests `alter` changes on their way. */
async function checkCallbacks(
  alter?: (url: string, init: RequestInit) => [string, RequestInit] | undefined,
  options: Partial<CheckOptions> = {},
): Promise<Report> {
  const { document = SIGNALS } = options;
  const mock = await createMock({ document, count: 3 });
  const original = globalThis.fetch;
  if (alter)
    globalThis.fetch = (input, init) => {
      const altered = alter(String(input), init ?? {});
      return altered ? original(...altered) : Promise.resolve(new Response(null, { status: 204 }));
    };
  onTestFinished(async () => {
    globalThis.fetch = original;
    await mock.close();
  });
  return runCheck({
    ...{ target: mock.url, document: SIGNALS, apiKey: 'paddock-dev-key', settle: 600 },
    ...{ only: 'callback', allow: ['inspect'], ...options },
  });
}

const cellsOf = ({ cells }: Report) =>
  cells
    .filter(({ operationId }) => operationId.startsWith('on'))
    .map(({ operationId, status, verdict, gates }) => [operationId, status, verdict, gates]);

const body = (change: (body: Record<string, unknown>) => unknown) => (url: string, init: RequestInit) => {
  const text = new TextDecoder().decode(init.body as Uint8Array);
  const own: [string, RequestInit] = [url, { ...init, body: JSON.stringify(change(JSON.parse(text))) }];
  return own;
};

test('each callback is received, judged, and answered with each documented status', async () => {
  const report = await checkCallbacks();
  expect(report.findings).toEqual([]);
  expect(cellsOf(report)).toEqual([
    ['onSignalCreated', 204, 'covered', false],
    ['onSignalCreated', 410, 'covered', false],
    ['onInspected', 200, 'covered', false],
    ['onInspected', 503, 'covered', false],
  ]);
});

test.each<[string, Parameters<typeof checkCallbacks>[0], string, RegExp]>([
  ['a wrong method', (url, init) => [url, { ...init, method: 'PATCH' }], 'the method', /came as PATCH/],
  ['a wrong path', (url, init) => [`${url}/more`, init], 'the path', /came as \w+ .*\/more/],
  [
    'a member of another type',
    body((sent) => ({ ...sent, passed: 'yes', signal: 7 })),
    'must be',
    /: body\.(passed|signal) is/,
  ],
  ['a member missing', body(() => ({})), 'is required', /: body\.\w+ is missing/],
  ['no JSON', (url, init) => [url, { ...init, body: 'hello' }], 'must be JSON', /: body is/],
])('%s is a finding, with the line of the document', async (_, alter, documented, received) => {
  const report = await checkCallbacks(alter);
  expect(report.verdict).toBe('broken');
  const findings = report.findings.filter(({ law }) => law === 'callback');
  expect(findings.length).toBeGreaterThan(0);
  for (const finding of findings) {
    expect([finding.documented, finding.received]).toEqual([
      expect.stringContaining(documented),
      expect.stringMatching(received),
    ]);
    expect(finding.at).toMatch(/signals\.yaml:\d+$/);
    expect(finding.curl).toMatch(/(?:\/|%2F)paddock-/);
    expect(finding.confirmation?.outcome).toBe('confirmed');
  }
  expect(cellsOf(report).map(([, , verdict]) => verdict)).toContain('violated');
});

test('a required header that is missing is a finding', async () => {
  const report = await checkCallbacks((url, init) => {
    const { 'x-signal-event': _, ...headers } = init.headers as Record<string, string>;
    return [url, { ...init, headers }];
  });
  const found = new Set(report.findings.map(({ law, documented }) => `${law}: ${documented}`));
  expect([...found]).toEqual(['callback: header x-signal-event is required']);
});

test('that no callback comes is left open, and holds', async () => {
  const report = await checkCallbacks(() => undefined, { settle: 100 });
  expect(report.findings).toEqual([]);
  expect(report.notSpecified.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^the callback inspected did not come within 100 ms/),
  );
  expect(new Set(cellsOf(report).map(([, , verdict]) => verdict))).toEqual(new Set(['not reached']));
});

test.each<[number | undefined, number, string | undefined]>([
  [-5, 1500, undefined],
  [1900, 2000, undefined],
  [2100, 9000, 'the callback delivered came after 2.1 s'],
  [undefined, 1999, undefined],
  [undefined, 2000, 'the callback delivered did not come within 2 s'],
])(
  'promised within a second, a delay of %s ms after a wait of %s is: %s',
  async (delay, waited, received) => {
    const { outgoing } = await loadContract(PAGERS);
    const [delivered] = outgoing as [OutgoingOperation];
    const breaches = judgeDelay(delivered, delay, waited);
    expect(breaches.map((one) => one.received)).toEqual(received === undefined ? [] : [received]);
  },
);

const checkPagers = (alter?: Parameters<typeof checkCallbacks>[0], options: Partial<CheckOptions> = {}) =>
  checkCallbacks(alter, {
    document: PAGERS,
    allow: ['sendPage'],
    settle: 100,
    only: '/callback-',
    ...options,
  });

test('a callback that comes within the time that the document promises holds', async () => {
  const report = await checkPagers();
  expect(report.findings).toEqual([]);
  expect(cellsOf(report)).toEqual([['onDelivered', 204, 'covered', false]]);
});

test.each<[string, Parameters<typeof checkCallbacks>[0], RegExp, RegExp]>([
  ['never', () => undefined, /did not come within 2 s$/, /^it comes within 1 s$/],
  [
    'with another time',
    body((sent) => ({ ...sent, sentAt: '2020-01-01T00:00:00Z' })),
    /^the callback delivered that came at \S+: body\.sentAt is "2020/,
    /^body\.sentAt is the moment of sending/,
  ],
])('a callback that comes %s is a finding', async (_, alter, received, documented) => {
  const report = await checkPagers(alter);
  expect(report.verdict).toBe('broken');
  const [finding, ...others] = report.findings;
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ law: 'callback', at: expect.stringMatching(/pagers\.yaml:\d+$/) });
  expect([finding?.received, finding?.documented]).toEqual([
    expect.stringMatching(received),
    expect.stringMatching(documented),
  ]);
});

test('a target that cannot reach the run is not asked, and the cells say so', async () => {
  const report = await runCheck({
    ...{
      target: 'http://staging.example/v1',
      document: SIGNALS,
      writes: true,
      only: 'callback',
      allow: ['inspect'],
    },
    fetch: async () => new Response('[]', { headers: { 'content-type': 'application/json' } }),
  });
  const cells = report.cells.filter(({ operationId }) => operationId === 'onInspected');
  expect(cells.map(({ verdict, reason }) => [verdict, reason])).toEqual(
    Array(2).fill([
      'skipped',
      'the target is not on this machine: --callback-url URL says where it can reach the run',
    ]),
  );
});

test('the run listens where the user says that it can be reached', async () => {
  const port = await freePort();
  const seen: string[] = [];
  const alter = (url: string, init: RequestInit): [string, RequestInit] => {
    seen.push(url);
    return [url.replace('hooks.localhost', '127.0.0.1'), init];
  };
  const report = await checkCallbacks(alter, {
    callbackUrl: `http://127.0.0.1:${port}/below,${port}`,
  });
  expect(cellsOf(report).map(([, , verdict]) => verdict)).toEqual(Array(4).fill('covered'));
  for (const url of seen) expect(url).toMatch(`http://127.0.0.1:${port}/below/paddock-`);
});

test.each([
  ['no url', /callbackUrl must be an http or https URL/],
  ['https://hooks.example', /add the port of this machine/],
  ['https://hooks.example,70000', /the port must be 1 to 65535, not 70000/],
])('the callback URL %j is refused', async (callbackUrl, message) => {
  await expect(runCheck({ target: 'http://127.0.0.1:1', document: SIGNALS, callbackUrl })).rejects.toThrow(
    message,
  );
});

test('of several callbacks at one URL each is judged as the one that it is', async () => {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const callback = (event: string) => ({
    '{$request.body#/callbackUrl}': {
      post: {
        operationId: `on${event}`,
        requestBody: {
          ...json({ type: 'object', required: ['event'], properties: { event: { const: event } } }),
          required: true,
        },
        responses: { 204: { description: 'Heard' } },
      },
    },
  });
  const [ID, TEXT] = [{ type: 'integer' }, { type: 'string' }];
  const job = { type: 'object', required: ['callbackUrl'], properties: { id: ID, callbackUrl: TEXT } };
  const document = {
    ...{ openapi: '3.1.1', info: { title: 'Jobs', version: '1' } },
    paths: {
      '/jobs': {
        get: { responses: { 200: { description: 'All', ...json({ type: 'array', items: job }) } } },
        post: {
          ...{ operationId: 'startJob', requestBody: { ...json(job), required: true } },
          responses: { 201: { description: 'Begun', ...json(job) } },
          callbacks: { begun: callback('Begun'), ended: callback('Ended') },
        },
      },
    },
  };
  const folder = await mkdtemp(join(tmpdir(), 'callbacks-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const mock = await createMock({ document: file });
  onTestFinished(() => mock.close());
  const report = await runCheck({
    ...{ target: mock.url, document: file, settle: 600, only: 'callback', allow: ['startJob'] },
  });
  expect(report.findings).toEqual([]);
  expect(cellsOf(report)).toEqual([
    ['onBegun', 204, 'covered', false],
    ['onEnded', 204, 'covered', false],
  ]);
});
