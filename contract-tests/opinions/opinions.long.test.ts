import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { loadContract } from '#spec';
import type { Behaviour } from '../../quality/mutants/by-hand/behaviour.ts';
import { startShop } from '../../quality/mutants/by-hand/shop.ts';
import { SHIPPED_DOCUMENT } from '../../quality/mutants/suspect.ts';
import { installJudges } from '../../quality/testing/judges.ts';
import type { CaseResult } from '../cases/case.ts';
import { openSuite } from '../check.ts';
import { renderJson } from '../report/formats.ts';
import schema from '../report/report.schema.json' with { type: 'json' };
import type { Report } from '../report/report.ts';
import type { JudgeName } from '../settings/check-options.ts';
import { startOwnMock } from '../testing/own-mock.ts';
import { reportOf, reportOn } from '../testing/report-on.ts';
import { compare, type JudgeSummary } from './compare.ts';
import { judgeWithDredd } from './dredd.ts';
import { findJudge, type JudgeResult } from './judge.ts';
import { judgeWithPrism } from './prism.ts';

/** Prism and Dredd judge services written by hand; both are looked for in the working directory. */
const judges = await installJudges();
if (judges !== undefined) process.chdir(judges);
const testWithJudges = test.skipIf(judges === undefined);
// Each of them starts two programs, on machines that do other things as well.
vi.setConfig({ testTimeout: 120_000 });

const both = { opinions: ['prism', 'dredd'] } as const;

function judge(report: Report, name: string) {
  const summary = report.judges.find((one) => one.judge === name);
  return { ...summary, differing: report.opinions.filter((one) => one.judge === name) };
}

testWithJudges('both judges agree with the suite on every case and cell of a correct service', async () => {
  const report = await reportOn({}, both);
  expect(report.opinions).toEqual([]);
  expect(judge(report, 'prism')).toMatchObject({ reason: undefined, agreed: judge(report, 'prism').judged });
  expect(judge(report, 'prism').judged).toBeGreaterThan(150);
  expect(judge(report, 'dredd')).toMatchObject({ reason: undefined, judged: 8, agreed: 8, notes: [] });
  expect(report.verdict).toBe('holds');
});

testWithJudges('a JSON report with differing opinions fits its schema', async () => {
  const options = { only: 'limit-least$', opinions: ['dredd'] } as const;
  const report = JSON.parse(renderJson(await reportOn({ page: (records) => records }, options)));
  const ajv = new Ajv2020({ allErrors: true });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  validate(report);
  expect(validate.errors).toBeNull();
  expect(report).toMatchObject({ judges: [{ judge: 'dredd' }], opinions: [{ opinion: 'no objection' }] });
});

type Detects = { readonly prism: boolean; readonly dredd: boolean };
/** Enough cases to detect each of the faults. */
const FEW = '/(ordinary|limit-least|status-sold|as-listed|no-credential)$';
const NEITHER: Detects = { prism: false, dredd: false };
const BOTH: Detects = { prism: true, dredd: true };

const FAULTS: readonly (readonly [name: string, Partial<Behaviour>, Detects])[] = [
  ['a list longer than its limit', { page: (records) => records }, NEITHER],
  ['a filter that filters nothing', { matches: () => true }, NEITHER],
  [
    'an id that is a text',
    { show: ({ id, ...rest }) => ({ ...rest, id: String(id) }) },
    { prism: true, dredd: false },
  ],
  [
    'a value outside its set',
    { show: (record) => ({ ...record, status: 'gone' }) },
    { prism: true, dredd: false },
  ],
  ['a required member missing', { show: ({ name: _, ...rest }) => rest }, BOTH],
  ['an undocumented status', { create: (_, { does }) => does.refuse(418, 'no') }, BOTH],
  ['no authentication', { authenticate: () => undefined }, { prism: false, dredd: true }],
];

/** The run against a service with a fault, as the judges get it, and the suite's own verdict. */
async function record(behaviour: Partial<Behaviour>) {
  const { url: target, apiKey, close } = await startShop(behaviour);
  const options = { target, apiKey, document: SHIPPED_DOCUMENT, settle: 100, jobs: 1, only: FEW, ...both };
  const { suite, run } = await openSuite(options);
  const results: CaseResult[] = [];
  for await (const event of suite.executeAll()) if (event.type === 'case') results.push(event.result);
  const { verdict } = await suite.finish();
  await close();
  return { verdict, recorded: { ...run, results } };
}

describe.skipIf(judges === undefined)(
  'what a judge cannot detect is shown beside the finding of the suite',
  () => {
    const runs: Awaited<ReturnType<typeof record>>[] = [];
    const results: Partial<Record<JudgeName, readonly JudgeResult[]>> = {};

    // Each judge is started once for the runs of all services.
    beforeAll(async () => {
      for (const [, behaviour] of FAULTS) runs.push(await record(behaviour));
      const recorded = runs.map((run) => run.recorded);
      const contract = await loadContract(SHIPPED_DOCUMENT);
      results.prism = await judgeWithPrism(contract, recorded, findJudge('prism'));
      results.dredd = await judgeWithDredd(contract, recorded, findJudge('dredd'));
    });

    test.for(FAULTS.map(([name, , detects], index) => [name, detects, index] as const))(
      '%s',
      ([, detects, index]) => {
        const { verdict, recorded } = runs[index] as (typeof runs)[number];
        expect(verdict).toBe('broken');
        for (const name of both.opinions) {
          const result = results[name]?.[index] as JudgeResult;
          const { judges, opinions } = compare(findJudge(name), result, recorded.results);
          const [{ reason, judged }] = judges as [JudgeSummary];
          expect({ name, reason }).toEqual({ name, reason: undefined });
          expect(judged).toBeGreaterThan(0);
          const missed = opinions.filter(({ opinion }) => opinion === 'no objection');
          expect({ name, missed: missed.length > 0 }).toEqual({ name, missed: !detects[name] });
          for (const one of missed) expect(one.suite).toMatch(/^broken: /);
        }
      },
    );
  },
);

testWithJudges('judges see only exchanges of the run, and the target gets no further request', async () => {
  const shop = await startShop();
  const { url: target, apiKey } = shop;
  const report = await reportOf({ target, apiKey, document: SHIPPED_DOCUMENT, writes: false, ...both });
  await shop.close();
  expect(new Set(shop.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  // One more than the run's own: the check that the target can be reached.
  expect(shop.requests).toHaveLength(report.totals.requests + 1);
  expect(judge(report, 'dredd')).toMatchObject({
    judged: 5,
    agreed: 5,
    notes: ['for 3 of 8 rows the run has no answer'],
  });
  expect(judge(report, 'prism').agreed).toBe(judge(report, 'prism').judged);
});

testWithJudges('an objection leaves the verdict unchanged: Dredd takes an example for the rule', async () => {
  const document = new URL('../../fixtures/specs/libraries.yaml', import.meta.url).pathname;
  const folder = await mkdtemp(join(tmpdir(), 'opinions-'));
  const seeds = join(folder, 'seeds.json');
  // Without `seats`, which need not be there.
  const library = { id: '018cc251-f401-7546-a2b0-6def6274a9d4', name: 'North' };
  await writeFile(seeds, JSON.stringify({ records: { '/libraries': [library] } }));
  const mock = await startOwnMock(document, '--no-log', '--fixture', seeds);
  try {
    const options = { target: mock.url, document, apiKey: 'paddock-dev-key', writes: false };
    const report = await reportOf({ ...options, opinions: ['dredd'] });
    expect(report.opinions).toContainEqual(
      expect.objectContaining({
        judge: 'dredd',
        suite: expect.stringMatching(/^(?:kept|not specified)$/),
        opinion: 'objects',
        text: expect.stringContaining('Missing required property'),
      }),
    );
    expect(report.findings).toEqual([]);
    expect(report.exitCode).toBe((await reportOf(options)).exitCode);
  } finally {
    await mock.stop();
  }
});

testWithJudges('without a response of the target there is nothing to judge', async () => {
  const target = 'http://127.0.0.1:9/v1';
  const report = await reportOf({ target, document: SHIPPED_DOCUMENT, apiKey: 'any', retries: 0, ...both });
  expect(report.judges.map(({ reason }) => reason)).toEqual(
    Array(2).fill('the target gave no answer to show it'),
  );
  expect(report.exitCode).toBe(3);
});
