import type { CaseResult } from '../cases/case.ts';
import { openSuite } from '../check.ts';
import { JUDGES } from '../check-options.ts';
import type { LawName as Law } from '../laws/law.ts';
import type { Report } from '../report/report.ts';
import type { Run } from '../run/run.ts';
import type { Statements } from './jury.ts';
import type { Lookalike, Mutant, Suspect } from './suspect.ts';

/** How the suite did with one suspect. Plain data: it crosses from one thread to another. */
export interface Outcome {
  readonly name: string;
  readonly says: string;
  readonly kind: 'mutant' | 'lookalike';
  readonly exitCode: number;
  /** The laws that were found broken; of a mutant those that it names, if there are any. */
  readonly laws: readonly Law[];
  /** What is wrong with the suite; undefined: it was right. */
  readonly fault: string | undefined;
  /** The first finding, for people. */
  readonly because: string;
  readonly requests: number;
  /** Undefined: no other judge was asked. */
  readonly statements?: Statements | undefined;
}

/** Gets to see the run when it is over. */
export type Onlooker = (name: string, run: Run, results: readonly CaseResult[]) => Promise<void>;

/**
 * What no mutant settles in this time it does not settle at all: where a fault has a delay, that is longer than the
 * suite's own patience. Generated bodies come on top of the fixed ones, which must do. Lookalikes get all that users
 * have.
 */
const QUICK = { settle: 120, examples: 5 };

export async function tryMutant(mutant: Mutant, seed: number, onlooker?: Onlooker): Promise<Outcome> {
  const report = await judge(mutant, { seed, ...QUICK }, onlooker);
  const outcome = outcomeOf('mutant', mutant, report);
  const named = mutant.breaks.filter((law) => outcome.laws.includes(law));
  const laws = named.length > 0 ? named : outcome.laws;
  return { ...outcome, laws, fault: faultWith(mutant, report.exitCode, named.length > 0, laws) };
}

function faultWith(
  mutant: Mutant,
  exitCode: number,
  isNamed: boolean,
  laws: readonly Law[],
): string | undefined {
  if (exitCode === 0) return 'survived';
  if (exitCode !== mutant.exitCode) return `exit ${exitCode} instead of ${mutant.exitCode}`;
  if (mutant.breaks.length === 0 || isNamed) return undefined;
  return `killed by ${laws.join(', ')}, not by ${mutant.breaks.join(' or ')}`;
}

export async function tryLookalike(
  lookalike: Lookalike,
  seed: number,
  onlooker?: Onlooker,
): Promise<Outcome> {
  const report = await judge(lookalike, { seed }, onlooker);
  const fault = report.exitCode === 0 ? undefined : `refused with exit ${report.exitCode}`;
  return { ...outcomeOf('lookalike', lookalike, report), fault };
}

/** Runs the suite over a suspect as a user does. */
async function judge(
  { name, document, start, options: own }: Suspect,
  options: { seed: number; settle?: number },
  onlooker: Onlooker | undefined,
): Promise<Report> {
  const { url: target, apiKey, close } = await start();
  const results: CaseResult[] = [];
  // With judges in sight a run keeps what it sends and receives.
  const opinions = onlooker ? JUDGES : [];
  try {
    const { suite, run } = await openSuite({ target, apiKey, document, opinions, ...options, ...own });
    for (const one of suite.cases) results.push(await suite.execute(one));
    const report = await suite.finish();
    await onlooker?.(name, run, results);
    return report;
  } finally {
    await close();
  }
}

function outcomeOf(kind: Outcome['kind'], { name, says }: Suspect, report: Report): Omit<Outcome, 'fault'> {
  const { exitCode, findings, totals, reason = '' } = report;
  const [first] = findings;
  const laws = [...new Set(findings.map(({ law }) => law))];
  const because = first ? `${first.caseId}: ${first.received}, documented ${first.documented}` : reason;
  return { name, says, kind, exitCode, laws, because, requests: totals.requests };
}
