import { expect, test } from 'vitest';
import { openSuite } from '../../contract-tests/check.ts';
import { judgeWithDredd } from '../../contract-tests/opinions/dredd.ts';
import type { RecordedRun } from '../../contract-tests/opinions/judge.ts';
import { judgeWithPrism } from '../../contract-tests/opinions/prism.ts';
import { JUDGES } from '../../contract-tests/settings/check-options.ts';
import { installedJudge, installJudges } from '../testing/judges.ts';
import { MUTANTS } from './families.ts';
import { openJudges, verdictOf } from './judges.ts';

/** One that both judges see, one whose responses end Prism, and one that neither sees. */
const SUSPECTS = ['missing-200-null', 'wire-garbled', 'id-by-body'];

async function record(name: string): Promise<RecordedRun> {
  const suspect = MUTANTS.find((one) => one.name === name);
  if (!suspect) throw new Error(`there is no ${name}`);
  const { url: target, apiKey, close } = await suspect.start();
  const options = { target, apiKey, document: suspect.document, opinions: JUDGES, settle: 120, examples: 0 };
  const { suite, run } = await openSuite(options, { project: await installJudges() });
  const results = [];
  for (const one of suite.cases) results.push(await suite.execute(one));
  await suite.finish();
  await close();
  return { ...run, results };
}

test('judges that are started once give each run the verdict that they give it alone', async () => {
  const judges = await openJudges();
  const alone = new Map<string, unknown>();
  for (const name of SUSPECTS) {
    const run = await record(name);
    await judges.add(name, run, run.results);
    const [dredd] = await judgeWithDredd(run.contract, [run], await installedJudge('dredd'));
    const [prism] = await judgeWithPrism(run.contract, [run], await installedJudge('prism'));
    alone.set(name, {
      dredd: verdictOf(dredd?.judgements ?? []),
      prism: verdictOf(prism?.judgements ?? []),
    });
  }
  expect(await judges.finish()).toEqual(alone);
  expect(alone.get('missing-200-null')).toMatchObject({
    dredd: { violations: expect.arrayContaining([expect.any(String)]) },
    prism: { violations: expect.arrayContaining([expect.any(String)]) },
  });
  expect(alone.get('id-by-body')).toMatchObject({ dredd: { violations: [] }, prism: { violations: [] } });
  expect(alone.get('wire-garbled')).toMatchObject({ prism: { judged: 0 } });
});
