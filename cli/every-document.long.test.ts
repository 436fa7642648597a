import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { check, REPORT_FORMATS } from '#contract-tests';
import { readHar } from '#har';
import { BUILT_IN_KEY, createMock, type Mock, type Snapshot } from '#mock';
import { stringifyJson } from '#spec';
import type { Report } from '../contract-tests/report/report.ts';
import { DOCUMENTS, ROOT } from '../quality/testing/documents.ts';
import { resultOf } from '../quality/testing/result-of.ts';

/**
 * Every document of the tests is a service that the suite accepts when this project's mock serves it. The recording of that
 * run is played into another mock, whose initial records equal those that the run has left, and include each that the run
 * has created or changed.
 */

/** Documents in which the mock understands every operation, and clients can reach every cell. */
const COMPLETE = ['warehouse', 'tide-gauges', 'libraries', 'notices/openapi', 'fleet', 'wiki'].map(
  (name) => `fixtures/specs/${name}.yaml`,
);
/** Its records show counts of others that are not recorded, and its jobs end unseen. */
const UNPLAYED = 'fixtures/specs/freight.yaml';
/** Services with a single operation that the suite would withhold. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = { 'fixtures/specs/pagers.yaml': ['sendPage'] };

type Records = Snapshot['records'];

async function mockOf(document: string, recorded?: () => ReturnType<typeof readHar>): Promise<Mock> {
  const mock = await createMock({ document: ROOT + document, count: 8, recorded });
  onTestFinished(() => mock.close());
  return mock;
}

test.each(DOCUMENTS)('%s', async (document) => {
  const source = await mockOf(document);
  const before = textsOf((await source.state()).records);
  const report = await resultOf(
    check({
      target: source.url,
      document: ROOT + document,
      apiKey: BUILT_IN_KEY,
      settle: 200,
      maxCreates: 1000,
      allow: ALLOWED[document] ?? [],
      // The usual number of examples: quality/corpus/corpus.nightly.test.ts.
      examples: 5,
      recordExchanges: true,
    }),
  );
  expectToHold(document, source, report);
  const left = textsOf((await source.state()).records);
  if (document !== UNPLAYED) await expectToBePlayed(document, report, before, left);
});

test('each complete one is among them', () => {
  expect(DOCUMENTS).toEqual(expect.arrayContaining(COMPLETE));
});

function expectToHold(
  document: string,
  mock: Mock,
  { exitCode, reason, findings, cells, verdict, totals }: Report,
): void {
  expect(findings.map(({ caseId, received, documented }) => ({ caseId, received, documented }))).toEqual([]);
  expect({ exitCode, reason }).toEqual({ exitCode: 0, reason: undefined });
  expect(cells.filter(({ gates, verdict }) => gates && verdict !== 'covered')).toEqual([]);
  if (!COMPLETE.includes(document)) return;
  expect(mock.operations.filter(({ action }) => action === 'sample')).toEqual([]);
  expect(cells.filter((cell) => cell.verdict !== 'covered')).toEqual([]);
  expect({ verdict, notReached: totals.notReached }).toEqual({ verdict: 'holds', notReached: 0 });
}

type Texts = ReadonlyMap<string, ReadonlySet<string>>;

async function expectToBePlayed(document: string, report: Report, before: Texts, left: Texts): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'play-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, `${basename(document)}.har`);
  await writeFile(file, REPORT_FORMATS.har.render(report));
  const played = await mockOf(document, () => readHar(file));
  expect(played.recorded?.misfits.filter(({ kind }) => !EXPECTED.has(kind)) ?? []).toEqual([]);
  const records = textsOf((await played.state()).records);
  for (const [path, texts] of records) {
    if (!isCompared(played, path)) continue;
    const extra = [...texts].filter((text) => !left.get(path)?.has(text));
    expect(['extra', path, extra]).toEqual(['extra', path, []]);
  }
  for (const [path, texts] of left) {
    if (isOrphaned(path, left)) continue;
    const made = [...texts].filter((text) => !before.get(path)?.has(text));
    const missing = made.filter((text) => !records.get(path)?.has(text));
    expect(['missing', path, missing]).toEqual(['missing', path, []]);
  }
}

/** The records at each path, as texts. */
function textsOf(records: Records): Texts {
  // A recording does not show the mock's internal data of accounts.
  const shown = Object.entries(records).filter(([path]) => !path.startsWith('~'));
  return new Map(shown.map(([path, list]) => [path, new Set(list.map(textOf))]));
}

/**
 * Intended differences, or ones that no recording can show: bodies that are no text, shortened lists, a record at two
 * paths.
 */
const EXPECTED = new Set([
  ...['unknown path', 'body missing', 'body unreadable', 'no record', 'partly made up', 'same id'],
]);

/** Whether the parent of records was removed, so that a recording could not show them. */
function isOrphaned(path: string, left: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const [, above = '', id = ''] = /^(.*)\/([^/]+)\/[^/]+$/.exec(path) ?? [];
  const parents = left.get(above);
  const isNamed = (text: string) => [`:"${id}"`, `:${id},`, `:${id}}`].some((value) => text.includes(value));
  return parents !== undefined && ![...parents].some(isNamed);
}

/** A text that does not depend on the order of members. */
function textOf(record: unknown): string {
  return stringifyJson(Object.fromEntries(Object.entries(record as object).sort()));
}

/**
 * A mock only has records of collections without a list once they are written; a record of which only the id is known is
 * made up.
 */
function isCompared({ contract, recorded }: Mock, path: string): boolean {
  const isShown = recorded?.collections.some((one) => one.madeUp === 0 && matches(one.path, path));
  const isListed = contract.resources.some(({ path: template, actions, further }) => {
    const hasList = actions.list !== undefined || further.some(({ role }) => role === 'view');
    return hasList && matches(template, path);
  });
  return isShown === true && isListed;
}

function matches(template: string, path: string): boolean {
  const [left, right] = [template.split('/'), path.split('/')];
  return left.length === right.length && left.every((part, at) => part.startsWith('{') || part === right[at]);
}
