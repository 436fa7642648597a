import { expect, onTestFinished, test } from 'vitest';
import type { Behaviour } from '../../quality/mutants/by-hand/behaviour.ts';
import { startShop } from '../../quality/mutants/by-hand/shop.ts';
import { eachOf, type MockFault, mockOf, response, responseBody } from '../../quality/mutants/mock-faults.ts';
import { convert } from '../../quality/mutants/record-changes.ts';
import type { CheckOptions } from '../settings/check-options.ts';
import { runCheck } from '../testing/run-check.ts';
import { REPORT_FORMATS, renderJson } from './formats.ts';
import { mergeReports } from './merge-reports.ts';
import { readReport } from './read-report.ts';
import type { Report } from './report.ts';

const SHARDS = 3;
const numbers = Array.from({ length: SHARDS }, (_, index) => index + 1);

/** Checks a fresh service each time: as a whole, or the shards that are named. */
type CheckPart = (options: Partial<CheckOptions>) => Promise<Report>;

function ofShop(behaviour: Partial<Behaviour>, own: Partial<CheckOptions> = {}): CheckPart {
  return async (options) => {
    const { url: target, apiKey, close } = await startShop(behaviour);
    onTestFinished(close);
    return runCheck({ target, apiKey, settle: 100, examples: 5, ...own, ...options });
  };
}

function ofMock(document: Parameters<typeof mockOf>[0], fault: MockFault): CheckPart {
  const service = mockOf(document);
  return async (options) => {
    const { url: target, apiKey, close } = await service.start(fault);
    onTestFinished(close);
    const common = { target, apiKey, document: service.document, settle: 100, examples: 5 };
    return runCheck({ ...common, ...service.options, ...options });
  };
}

async function shardsOf(checkPart: CheckPart, wanted: readonly number[] = numbers): Promise<Report[]> {
  const reports: Report[] = [];
  for (const number of wanted) reports.push(await checkPart({ shard: `${number}/${SHARDS}` }));
  return reports;
}

/** As files have them. */
function merge(reports: readonly Report[]): Report {
  const named = reports.map((report, index) => ({ name: `${index}.json`, report }));
  return mergeReports(
    named.map(({ name, report }) => ({ name, report: readReport(renderJson(report), name) })),
  );
}

function compared({ verdict, exitCode, reason, cells, cases, findings, totals, coverage, causes }: Report) {
  const { requests: _, ms: __, ...counts } = totals;
  return {
    verdict,
    exitCode,
    hasReason: reason !== undefined,
    cells: cells.map(({ reason: ___, ...cell }) => cell),
    cases: cases.map(({ id, outcome }) => ({ id, outcome })),
    keys: [...new Set(findings.map(({ key }) => key))].sort(),
    causes: causes
      .map(({ key, gates }) => ({ key, gates }))
      .sort((one, other) => (one.key < other.key ? -1 : 1)),
    counts,
    coverage,
  };
}

test.for<[string, () => CheckPart, Report['verdict']]>([
  ['a correct Pet Store', () => ofShop({}), 'holds'],
  ['a Pet Store that cuts no list', () => ofShop({ page: (pets) => pets }), 'broken'],
  ['few records to make', () => ofShop({}, { maxCreates: 12 }), 'incomplete'],
  ['a credential that is refused everywhere', () => ofShop({ isKey: () => false }), 'no verdict'],
  ['nothing is sent', () => ofShop({}, { plan: true }), 'planned'],
  ['only some cases', () => ofShop({}, { only: '/400/' }), 'holds'],
  [
    'a larger document, of which one operation has another status',
    () =>
      ofMock(
        'libraries.yaml',
        response('replace', (given) => ({ ...given, status: 201 })),
      ),
    'broken',
  ],
  [
    'a larger document, of which a member has another type',
    () => ofMock('warehouse.yaml', responseBody('list', eachOf('articles', convert('price', String)))),
    'broken',
  ],
])(`${SHARDS} merged shards say what the whole run says: %s`, async ([, make, verdict]) => {
  const checkPart = make();
  const whole = await checkPart({});
  const shards = await shardsOf(checkPart);
  expect(whole.verdict).toBe(verdict);
  expect(compared(merge(shards))).toEqual(compared(whole));
  // Every case is in one shard.
  for (const [index, { id }] of whole.cases.entries()) {
    const own = shards.filter(({ cases }) => cases[index]?.reason !== '--shard');
    expect({ id, shards: own.length }).toEqual({ id, shards: 1 });
  }
});

test('what belongs to one resource is in one shard, and a shard does not become incomplete by what it lacks', async () => {
  const shards = await shardsOf(ofShop({}));
  for (const { verdict, cells } of shards) {
    expect(verdict).toBe('holds');
    const own = new Set(
      cells.filter(({ reason }) => reason !== '--shard').map(({ operationId }) => operationId),
    );
    const others = cells.filter(({ reason }) => reason === '--shard');
    expect(others.filter(({ operationId }) => own.has(operationId))).toEqual([]);
    expect(others.every((cell) => cell.verdict === 'skipped')).toBe(true);
  }
});

test('a shard that is missing makes the run incomplete, unless the others show that the contract is broken', async () => {
  const correct = merge(await shardsOf(ofShop({}), [1, 3]));
  expect(correct).toMatchObject({
    verdict: 'incomplete',
    exitCode: 4,
    reason: `shard 2 of ${SHARDS} is missing`,
  });
  const shards = await shardsOf(ofShop({ page: (pets) => pets }));
  const broken = shards.filter(({ verdict }) => verdict === 'broken');
  expect(merge(broken)).toMatchObject({ verdict: 'broken', exitCode: 1 });
  expect(merge(broken).reason).toContain('missing');
});

test('every report but that of exchanges is written from a merged one', async () => {
  const merged = merge(await shardsOf(ofShop({ page: (pets) => pets })));
  for (const [name, format] of Object.entries(REPORT_FORMATS)) {
    if ('needsExchanges' in format) continue;
    expect({ name, length: format.render(merged).length > 100 }).toEqual({ name, length: true });
  }
  expect(compared(readReport(renderJson(merged), 'merged.json'))).toEqual(compared(merged));
});

test('reports of other runs are refused', async () => {
  const [one, two] = (await shardsOf(ofShop({}), [1, 2])) as [Report, Report];
  const refused = (reports: readonly Report[]) => expect(() => merge(reports));
  refused([]).toThrow('there is no report to merge');
  refused([one, one]).toThrow(`shard 1/${SHARDS} is given twice: 0.json and 1.json`);
  const other = { ...two, documentInfo: { ...two.documentInfo, digest: 'sha256:0' } };
  refused([one, other]).toThrow('1.json is of another run than 0.json: document sha256:0');
  refused([one, { ...two, seed: 7 }]).toThrow('seed 7, not 1');
  refused([one, { ...two, cases: two.cases.slice(1) }]).toThrow('do not have the same cases');
  const { shard: _, ...whole } = two;
  refused([one, whole]).toThrow('1.json is the report of a whole run');
});

test.for([
  ['{', 'a.json: '],
  ['[]', 'it is no object'],
  ['{"findings": []}', 'it has no list "cells"'],
])('what is no report is refused: %s', ([text, message]) => {
  expect(() => readReport(text as string, 'a.json')).toThrow(message);
});
