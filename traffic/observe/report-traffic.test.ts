import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { REPORT_FORMATS } from '../../contract-tests/report/formats.ts';
import { observeTraffic, type Sent } from '../../contract-tests/testing/traffic.ts';
import schema from '../../report.schema.json' with { type: 'json' };

const ajv = new Ajv2020({ allErrors: true });
formats.default(ajv);
const validate = ajv.compile(schema);

const TOKEN = 'tok-9f8e7d6c5b4a';
const COOKIE = 'cookie-1a2b3c4d5e';
const PASSWORD = 'correct horse battery';
const REFRESH = 'refresh-0a0b0c0d0e';

/** A login's worth of secrets, all of them in exchanges that break the contract. */
const secretive: readonly Sent[] = [
  { request: 'GET /boats', key: TOKEN, status: 200, json: [] },
  {
    request: `POST /boats?access_token=${TOKEN}`,
    key: TOKEN,
    headers: { Cookie: `sid=${COOKIE}`, 'X-Api-Key': 'key-aabbccddee' },
    body: { name: 'Gull', kind: 'submarine', password: PASSWORD },
    status: 201,
    json: { id: 7, name: `of ${TOKEN}`, kind: 'dinghy', refresh_token: REFRESH, author: 'Ann' },
    answer: { 'set-cookie': `sid=${REFRESH}; Path=/; HttpOnly`, location: `/v1/x?token=${REFRESH}` },
  },
  { request: 'GET /unknown/ann@boats.example', key: TOKEN, status: 404 },
];

test('no credential and no secret of anybody stands in a report, in any format', async () => {
  const report = (await observeTraffic(secretive)).report();
  expect(report.findings.length).toBeGreaterThan(1);
  for (const [name, { render }] of Object.entries(REPORT_FORMATS)) {
    const text = render(report);
    for (const secret of [TOKEN, COOKIE, PASSWORD, REFRESH, 'key-aabbccddee', 'ann@boats.example'])
      expect(text.includes(secret), `${secret} in ${name}`).toBe(false);
    for (const encoded of [Buffer.from(TOKEN).toString('base64'), encodeURIComponent(PASSWORD)])
      expect(text.includes(encoded), `${encoded} in ${name}`).toBe(false);
  }
  expect(report.findings[0]?.curl).toContain('$PADDOCK_API_KEY');
  expect(JSON.stringify(report)).toContain('Ann');
});

test.for<[string, readonly Sent[]]>([
  ['findings', secretive],
  ['nothing', []],
  [
    'suspicions',
    [
      {
        request: 'POST /boats',
        body: { name: 'Gull', kind: 'dinghy' },
        status: 201,
        json: { id: 'a1', name: 'Gull', kind: 'dinghy' },
      },
      { request: 'GET /boats/a1', status: 404, json: { title: 'no' } },
    ],
  ],
])('the JSON report on traffic fits its schema: %s', async ([, traffic]) => {
  const report = JSON.parse(REPORT_FORMATS.json.render((await observeTraffic(traffic)).report()));
  validate(report);
  expect(validate.errors).toBeNull();
  expect(report.traffic.exchanges).toBe(traffic.length);
});

test('every format shows what the traffic was', async () => {
  const report = (await observeTraffic(secretive)).report();
  expect(report.cases.find(({ id }) => id === 'addBoat/201/traffic')).toMatchObject({ outcome: 'failed' });
  for (const format of ['markdown', 'html'] as const)
    expect(REPORT_FORMATS[format].render(report)).toMatch(/3 exchanges, 2 judged.*; bodies judged: 2 of 2/);
  expect(REPORT_FORMATS.junit.render(report)).toContain('addBoat/201/traffic');
  expect(REPORT_FORMATS.sarif.render(report)).toContain('created-equals-sent');
});

const READ = { request: 'GET /boats/a1', status: 200, json: { id: 'a1', name: 'Gull', kind: 'dinghy' } };

test.for<[string, readonly Sent[], object]>([
  ['all', [READ, READ], { verdict: 'holds', reason: undefined, traffic: { bodies: 2, bodiesJudged: 2 } }],
  ['some', [READ, { ...READ, cut: true }], { verdict: 'holds', reason: 'bodies judged: 1 of 2' }],
  [
    'none',
    [{ ...READ, cut: true }],
    { verdict: 'incomplete', exitCode: 4, reason: 'bodies judged: 0 of 1', traffic: { bodiesJudged: 0 } },
  ],
  [
    'none is documented',
    [READ, { request: 'DELETE /boats/a1', status: 204 }],
    { verdict: 'holds', reason: undefined, traffic: { bodies: 1, bodiesJudged: 1 } },
  ],
])('the verdict says how many documented bodies were judged: %s', async ([, traffic, wanted]) => {
  expect((await observeTraffic(traffic)).report()).toMatchObject(wanted);
});

test('a cell of which no body could be judged is not covered', async () => {
  const traffic = [READ, { request: 'GET /boats', status: 200, json: [], cut: true }];
  const { verdict, cells } = (await observeTraffic(traffic)).report();
  expect(verdict).toBe('holds');
  const [listed, read] = ['listBoats', 'getBoat'].map((id) => cells.find((one) => one.operationId === id));
  expect(read).toMatchObject({ verdict: 'covered' });
  expect(listed).toMatchObject({ verdict: 'not reached', reason: 'bodies judged: 0 of 1' });
  const { exitCode } = (await observeTraffic(traffic, { strict: ['cells'] })).report();
  expect(exitCode).toBe(4);
});

test('exchanges that are counted in place of being judged count with their bodies', async () => {
  const observer = await observeTraffic([READ]);
  const pending = observer.begin({
    method: 'GET',
    url: new URL('https://boats.example/v1/boats/a1'),
    headers: [],
    body: undefined,
    startedAt: undefined,
  });
  if (pending.operation) observer.countAgain(pending.operation, 200, 1);
  expect(observer.traffic).toMatchObject({ judged: 2, bodies: 2, bodiesJudged: 2 });
});

test('known findings do not gate, and others of the same file are not spoken of', async () => {
  const { mkdtemp, writeFile, rm } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  const known = join(folder, 'known.yaml');
  await writeFile(
    known,
    '- { case: addBoat/201/traffic, until: 2999-12-31 }\n- { case: getBoat/200/read, until: 2999-12-31 }\n',
  );
  const report = (await observeTraffic(secretive, { known })).report();
  await rm(folder, { recursive: true });
  expect(report.verdict).toBe('holds');
  expect(report.findings.every(({ gates }) => !gates)).toBe(true);
  expect(report.notices.filter(({ text }) => text.includes('--known'))).toEqual([]);
});
