import { check } from '../check.ts';
import type { Law } from '../laws/law.ts';
import type { Report } from '../report/report.ts';
import { LOOKALIKES } from './all-lookalikes.ts';
import { MUTANTS } from './all-mutants.ts';
import type { Lookalike, Mutant, Suspect } from './suspect.ts';

export interface HuntOptions {
  readonly seed: number;
  /** Over the names of the suspects. */
  readonly only?: RegExp;
  readonly told?: (outcome: Outcome) => void;
}

/** How the suite did with one suspect. */
export interface Outcome {
  readonly suspect: Suspect;
  readonly kind: 'mutant' | 'lookalike';
  readonly exitCode: number;
  /** The laws that were found broken, those that the mutant names first. */
  readonly laws: readonly Law[];
  /** What is wrong with the suite; undefined: it was right. */
  readonly fault: string | undefined;
  /** Its first finding, for people. */
  readonly because: string;
  readonly requests: number;
  readonly ms: number;
}

/** At work at the same time: most of a run is waiting for reads to settle. */
const AT_ONCE = 6;

/** Runs the suite, as a user does, over every mutant and every lookalike. Outcomes are in the order of the arrays. */
export async function hunt({ seed, only, told }: HuntOptions): Promise<Outcome[]> {
  const tasks = [
    ...MUTANTS.map((mutant) => ({ suspect: mutant, work: () => tryMutant(mutant, seed) })),
    ...LOOKALIKES.map((lookalike) => ({ suspect: lookalike, work: () => tryLookalike(lookalike, seed) })),
  ].filter(({ suspect }) => only === undefined || only.test(suspect.name));
  const outcomes: Outcome[] = [];
  const queue = tasks.entries();
  const worker = async () => {
    for (const [index, { work }] of queue) {
      const outcome = await work();
      outcomes[index] = outcome;
      told?.(outcome);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return outcomes;
}

async function tryMutant(mutant: Mutant, seed: number): Promise<Outcome> {
  const report = await judge(mutant, { seed, ...QUICK });
  const outcome = outcomeOf('mutant', mutant, report);
  const named = outcome.laws.filter((law) => mutant.breaks.includes(law));
  const laws = [...named, ...outcome.laws.filter((law) => !named.includes(law))];
  return { ...outcome, laws, fault: faultWith(mutant, report.exitCode, named.length, laws) };
}

function faultWith(
  mutant: Mutant,
  exitCode: number,
  named: number,
  laws: readonly Law[],
): string | undefined {
  if (exitCode === 0) return 'survived';
  if (exitCode !== mutant.exitCode) return `exit ${exitCode} instead of ${mutant.exitCode}`;
  if (mutant.breaks.length === 0 || named > 0) return undefined;
  return `killed by ${laws.join(', ')}, not by ${mutant.breaks.join(' or ')}`;
}

async function tryLookalike(lookalike: Lookalike, seed: number): Promise<Outcome> {
  const report = await judge(lookalike, { seed });
  const outcome = outcomeOf('lookalike', lookalike, report);
  return { ...outcome, fault: report.exitCode === 0 ? undefined : `refused with exit ${report.exitCode}` };
}

/** What no mutant settles in this time it does not settle at all: the delays of the faults are longer than the default, too. */
const QUICK = { settle: 120 };

async function judge(suspect: Suspect, options: { seed: number; settle?: number }): Promise<Report> {
  const target = await suspect.start();
  try {
    const { url, apiKey } = target;
    const events = check({ target: url, apiKey, document: suspect.document, ...options, ...suspect.options });
    for (;;) {
      const { value, done } = await events.next();
      if (done) return value;
    }
  } finally {
    await target.close();
  }
}

function outcomeOf(kind: Outcome['kind'], suspect: Suspect, report: Report): Omit<Outcome, 'fault'> {
  const [first] = report.findings;
  return {
    suspect,
    kind,
    exitCode: report.exitCode,
    laws: [...new Set(report.findings.map(({ law }) => law))],
    because: first
      ? `${first.caseId}: ${first.received}, documented ${first.documented}`
      : (report.reason ?? ''),
    requests: report.totals.requests,
    ms: report.totals.ms,
  };
}
