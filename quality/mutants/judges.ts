import type { CaseResult } from '../../contract-tests/cases/case.ts';
import { judgeWithDredd } from '../../contract-tests/opinions/dredd.ts';
import type { Judgement, RecordedRun } from '../../contract-tests/opinions/judge.ts';
import { judgeWithPrism } from '../../contract-tests/opinions/prism.ts';
import type { JudgeName } from '../../contract-tests/settings/check-options.ts';
import { installedJudge } from '../testing/judges.ts';

/** What a judge says of one suspect. */
export interface JudgeVerdict {
  /** Of how many responses it says anything. */
  readonly judged: number;
  readonly violations: readonly string[];
}

export type JudgeVerdicts = Readonly<Record<JudgeName, JudgeVerdict>>;

/** The outside judges for all suspects of a thread: a start of a judge takes longer than many runs. */
export interface Judges {
  add(name: string, run: Omit<RecordedRun, 'results'>, results: readonly CaseResult[]): Promise<void>;
  finish(): Promise<ReadonlyMap<string, JudgeVerdicts>>;
}

type Batch = Map<string, RecordedRun>;

/** So many runs are kept in memory and judged at one start. */
const BATCH = 40;
/** In milliseconds: on busy cores Prism must not seem to be silent. */
const PRISM_TIMEOUT = 30_000;

export async function openJudges(): Promise<Judges> {
  const [prism, dredd] = [await installedJudge('prism'), await installedJudge('dredd')];
  const verdicts = new Map<string, JudgeVerdicts>();
  const batches = new Map<string, Batch>();
  let last: Promise<void> = Promise.resolve();

  async function judge(batch: Batch): Promise<void> {
    const runs = [...batch.values()];
    const [{ contract }] = runs as [RecordedRun];
    const byPrism = await judgeWithPrism(contract, runs, prism, PRISM_TIMEOUT);
    const failure = byPrism.find((result) => result.failure !== undefined)?.failure;
    if (failure !== undefined) throw new Error(failure);
    const byDredd = await judgeWithDredd(contract, runs, dredd);
    for (const [index, name] of [...batch.keys()].entries()) {
      verdicts.set(name, {
        dredd: verdictOf(byDredd[index]?.judgements ?? []),
        prism: verdictOf(byPrism[index]?.judgements ?? []),
      });
    }
  }

  /** One batch at a time. */
  function judgeNext(document: string, batch: Batch): Promise<void> {
    batches.delete(document);
    last = last.then(() => judge(batch));
    return last;
  }

  return {
    async add(name, { contract, settings, traffic }, results) {
      const document = contract.document.root.file.uri;
      const batch = batches.get(document) ?? new Map();
      batches.set(document, batch.set(name, { contract, settings, traffic, results }));
      if (batch.size >= BATCH) await judgeNext(document, batch);
    },
    async finish() {
      for (const [document, batch] of batches) await judgeNext(document, batch);
      await last;
      return verdicts;
    },
  };
}

/** Each violation once. */
export function verdictOf(judgements: readonly Judgement[]): JudgeVerdict {
  const violations = judgements.flatMap(({ exchange: { operation, response }, violations: texts }) =>
    texts.map((text) => `${operation.id} answered ${response.status}: ${text}`),
  );
  return { judged: judgements.length, violations: [...new Set(violations)] };
}
