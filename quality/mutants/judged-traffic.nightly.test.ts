import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUILT_IN_KEY, createMock } from '#mock';
import { createProxy } from '#proxy';
import type { LawName } from '../../contract-tests/laws/law.ts';
import { renderHar } from '../../contract-tests/report/har.ts';
import type { CheckOptions } from '../../contract-tests/settings/check-options.ts';
import { runCheck } from '../../contract-tests/testing/run-check.ts';
import { ROOT } from '../testing/command.ts';
import { runPaddock } from '../testing/paddock.ts';
import { LOOKALIKES, MUTANTS } from './families.ts';

/** The exchanges between suite and services, recorded as HAR and checked by `paddock judge`. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paddock-traffic-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The rules that the traffic of a run violates. */
async function judged(name: string, options: CheckOptions, judging: readonly string[]): Promise<LawName[]> {
  const har = join(folder, `${name}.har`);
  const json = join(folder, `${name}.json`);
  await writeFile(har, renderHar(await runCheck({ ...options, recordExchanges: true })));
  const { output } = await runPaddock([
    ...['judge', har, '--document', options.document, ...judging],
    ...['--report', `json=${json}`],
  ]);
  const report = JSON.parse(await readFile(json, 'utf8').catch(() => `{"error":${JSON.stringify(output)}}`));
  expect(report.error).toBeUndefined();
  expect(report.traffic.judged).toBeGreaterThan(10);
  return report.findings.map(({ law }: { law: LawName }) => law);
}

describe('a mock of each document keeps it', () => {
  test.for(globSync('fixtures/specs/*.yaml', { cwd: ROOT }).sort())('%s', async (file) => {
    const document = join(ROOT, file);
    const mock = await createMock({ document });
    const options = { target: mock.url, document, apiKey: BUILT_IN_KEY, examples: 5 };
    const laws = await judged(file.replaceAll('/', '-'), options, []).finally(() => mock.close());
    expect(laws).toEqual([]);
  });
});

/** A sample: a gateway, a locale or an order that the document leaves open. */
const CORRECT = LOOKALIKES.filter((_, index) => index % 10 === 0);

test.for(CORRECT.map((one) => [one.name, one] as const))(
  'the correct service %s has no finding',
  async ([name, { start, document, options }]) => {
    const { url: target, apiKey, close } = await start();
    const checked = { target, apiKey, document, examples: 5, ...options };
    expect(await judged(name, checked, []).finally(close)).toEqual([]);
  },
);

/** The suite is the only client, and the services have no replicas. */
const ALONE = ['--exclusive', '--settle', '0'];

/**
 * Faults that a few hundred exchanges show, each with a rule that it violates. A service that stores nothing at all is
 * excluded: it issues one id again and again, and after concurrent creates with the same id the current record is
 * unknown.
 */
const FAULTS: readonly (readonly [mutant: string, law: LawName])[] = [
  ['auth-body-status', 'schema'],
  ['auth-html', 'content-type'],
  ['wire-cut', 'whole-json'],
  ['limit-ignored', 'page-size'],
  ['limit-default-all', 'page-default'],
  ['limit-bad-value-500', 'invalid-tolerated'],
  ['accepts-name-number', 'invalid-refused'],
  ['filter-inverted', 'filter'],
  ['list-duplicates', 'distinct-ids'],
  ['list-empty', 'created-is-listed'],
  ['list-other-name', 'created-is-listed'],
  ['read-rounded-category', 'exact-integers'],
  ['create-without-status', 'created-equals-sent'],
  ['stored-other-name', 'created-can-be-read'],
  ['path-zero-is-first', 'path-id'],
  ['path-word-500', 'unknown-id'],
  ['libraries-delete-not-done', 'removed-is-gone'],
  ['warehouse-location-of-another', 'location'],
  ['warehouse-location-without-number', 'header'],
  ['fleet-discriminator-created', 'discriminator'],
];

test.for(FAULTS)('the faulty service %s breaks "%s", for judge and proxy', async ([name, law]) => {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (!mutant) throw new Error(`there is no mutant ${name}`);
  const { document, options } = mutant;
  const service = await mutant.start();
  const { allowRefs } = options ?? {};
  const proxy = await createProxy({
    target: service.url,
    document,
    port: 0,
    exclusive: true,
    settle: 0,
    allowRefs,
  });
  try {
    const { apiKey } = service;
    const checked = { target: proxy.url, apiKey, document, examples: 5, settle: 120, ...options };
    expect(await judged(name, checked, ALONE)).toContain(law);
    expect(proxy.report().findings.map((finding) => finding.law)).toContain(law);
  } finally {
    await proxy.close();
    await service.close();
  }
});
