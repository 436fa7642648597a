import { expect, test } from 'vitest';
import type { CaseResult } from '../cases/case.ts';
import { openSuite } from '../check.ts';
import { JUDGES } from '../check-options.ts';
import { hearDredd } from '../opinions/dredd.ts';
import { findJudge } from '../opinions/find-judge.ts';
import { hearPrism } from '../opinions/prism.ts';
import type { Run } from '../run/run.ts';
import { MUTANTS } from './all-mutants.ts';
import { openJury, state } from './jury.ts';

/** One that both judges see, one that neither does, and one of which Prism can read no answer. */
const SUSPECTS = ['missing-200-null', 'id-by-body', 'wire-garbled-type'];

async function judge(name: string): Promise<{ run: Run; results: readonly CaseResult[] }> {
  const suspect = MUTANTS.find((one) => one.name === name);
  if (!suspect) throw new Error(`there is no ${name}`);
  const { url: target, apiKey, close } = await suspect.start();
  const options = { target, apiKey, document: suspect.document, opinions: JUDGES, settle: 120, examples: 0 };
  const { suite, run } = await openSuite(options);
  const results: CaseResult[] = [];
  for (const one of suite.cases) results.push(await suite.execute(one));
  await suite.finish();
  await close();
  return { run, results };
}

test('judges that are started once say of many suspects what they say of each by itself', async () => {
  const jury = openJury();
  const alone = new Map<string, unknown>();
  for (const name of SUSPECTS) {
    const { run, results } = await judge(name);
    await jury.hear(name, run, results);
    const dredd = await hearDredd(run, results, findJudge('dredd'));
    const prism = await hearPrism(run, results, findJudge('prism'));
    alone.set(name, { dredd: state(dredd.remarks), prism: state(prism.remarks) });
  }
  expect(await jury.close()).toEqual(alone);
  expect(alone.get('missing-200-null')).toMatchObject({
    dredd: { objections: [expect.any(String)] },
    prism: { objections: expect.arrayContaining([expect.any(String)]) },
  });
  expect(alone.get('id-by-body')).toMatchObject({ dredd: { objections: [] }, prism: { objections: [] } });
  expect(alone.get('wire-garbled-type')).toMatchObject({ prism: { judged: 0 } });
});
