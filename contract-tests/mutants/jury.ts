import type { Contract } from '#spec';
import type { CaseResult } from '../cases/case.ts';
import type { JudgeName } from '../check-options.ts';
import { chooseRows, type Sheet } from '../opinions/dredd-rows.ts';
import { findJudge } from '../opinions/find-judge.ts';
import type { Remark } from '../opinions/opinion.ts';
import type { Run } from '../run/run.ts';
import { hearDreddOn } from './dredd-hearing.ts';
import { openPrismHearing } from './prism-hearing.ts';

/** What a judge says of one suspect. */
export interface Statement {
  /** Of how many answers it says anything. */
  readonly judged: number;
  readonly objections: readonly string[];
}

export type Statements = Readonly<Record<JudgeName, Statement>>;

/** The outside judges, for all suspects of a thread. */
export interface Jury {
  hear(name: string, run: Run, results: readonly CaseResult[]): Promise<void>;
  /** Dredd is asked last, about all that was heard. Ends the judges' programs. */
  close(): Promise<ReadonlyMap<string, Statements>>;
}

interface Heard {
  readonly contract: Contract;
  readonly sheet: Sheet;
  readonly prism: Statement;
}

export function openJury(): Jury {
  const heard = new Map<string, Heard>();
  const dredd = findJudge('dredd');
  const prism = openPrismHearing(findJudge('prism'));
  return {
    async hear(name, run, results) {
      const { contract } = run;
      const said = state(await prism.hear(run, results));
      heard.set(name, { contract, sheet: chooseRows(run, results), prism: said });
    },
    async close() {
      await prism.close();
      const statements = new Map<string, Statements>();
      const documents = Map.groupBy(heard, ([, { contract }]) => contract.document.root.file.uri);
      for (const group of documents.values()) {
        const sheets = group.map(([, { sheet }]) => sheet);
        const said = await hearDreddOn((group[0] as [string, Heard])[1].contract, sheets, dredd);
        for (const [index, [name, one]] of group.entries())
          statements.set(name, { dredd: state(said[index] ?? []), prism: one.prism });
      }
      return statements;
    },
  };
}

/** Each objection once. */
export function state(remarks: readonly Remark[]): Statement {
  const objections = remarks.flatMap(({ entry: { operation, response: answer }, objections: texts }) =>
    texts.map((text) => `${operation.id} answered ${answer.status}: ${text}`),
  );
  return { judged: remarks.length, objections: [...new Set(objections)] };
}
