import { openSuite } from '../../contract-tests/check.ts';
import type { Finding } from '../../contract-tests/laws/finding.ts';
import type { LawName } from '../../contract-tests/laws/law.ts';
import type { Report } from '../../contract-tests/report/report.ts';
import type { Lookalike, Mutant, Suspect } from './suspect.ts';

/** The suite's result for one suspect. Plain data, since it is posted between threads. */
export interface Outcome {
  readonly name: string;
  readonly says: string;
  readonly kind: 'mutant' | 'lookalike';
  readonly exitCode: number;
  /** The rules with findings; for a mutant only those that it names, if any. */
  readonly laws: readonly LawName[];
  /** The signs of the facts that its findings are about: `name+schema`; keywords and statuses are `said`. */
  readonly signs: readonly string[];
  /** How the suite failed; undefined: its verdict was right. */
  readonly fault: string | undefined;
  /** The first finding, for humans. */
  readonly because: string;
}

/** Mutants settle at once or never, and the fixed bodies must kill them. Lookalikes are checked with the defaults. */
const QUICK = { settle: 120, examples: 5 };

/** How a suspect is tried. */
export interface Trial {
  readonly seed: number;
  /** Whether the suite may break the service. Otherwise it gets the caution of a third-party service. */
  readonly disposable: boolean;
  /** `['presumed']`: presumed facts gate, too. */
  readonly strict?: readonly 'presumed'[];
}

export async function tryMutant(mutant: Mutant, trial: Trial): Promise<Outcome> {
  const { exitCode, ...outcome } = await check('mutant', mutant, trial, QUICK);
  const named = mutant.breaks.filter((law) => outcome.laws.includes(law));
  const laws = named.length > 0 ? named : outcome.laws;
  return { ...outcome, exitCode, laws, fault: faultWith(mutant, exitCode, named.length > 0, laws) };
}

function faultWith(mutant: Mutant, exitCode: number, isNamed: boolean, laws: readonly LawName[]) {
  if (exitCode === 0 && (mutant.exitCode !== 0 || laws.length === 0)) return 'survived';
  if (exitCode !== mutant.exitCode) return `exit ${exitCode} instead of ${mutant.exitCode}`;
  if (mutant.breaks.length === 0 || isNamed) return undefined;
  return `killed by ${laws.join(', ')}, not by ${mutant.breaks.join(' or ')}`;
}

export async function tryLookalike(lookalike: Lookalike, trial: Trial): Promise<Outcome> {
  const outcome = await check('lookalike', lookalike, trial);
  // With the default options a limit may omit cases; that is no accusation.
  const allowed = trial.disposable ? [lookalike.exitCode] : [lookalike.exitCode, 4];
  const isAccepted = allowed.includes(outcome.exitCode);
  return { ...outcome, fault: isAccepted ? undefined : `refused with exit ${outcome.exitCode}` };
}

/** Runs the suite against a suspect as a user does. */
async function check(
  kind: Outcome['kind'],
  { name, says, document, start, options: settings, ...suspect }: Suspect,
  trial: Trial,
  options?: typeof QUICK,
): Promise<Outcome> {
  const { url: target, apiKey, close } = await start();
  let report: Report;
  let allFindings: readonly Finding[];
  try {
    const { suite, settledResults } = await openSuite({
      target,
      apiKey,
      document,
      ...trial,
      ...options,
      ...settings,
    });
    for await (const _ of suite.executeAll());
    report = await suite.finish();
    allFindings = settledResults().flatMap((result) => result.findings);
  } finally {
    await close();
  }
  const { exitCode, findings, reason = '' } = report;
  const [first] = findings;
  const laws = [...new Set(findings.map(({ law }) => law))];
  const because = first ? `${first.caseId}: ${first.received}, documented ${first.documented}` : reason;
  const { breaks = [] } = suspect as Partial<Mutant>;
  const named = allFindings.filter(({ law }) => breaks.length === 0 || breaks.includes(law));
  const signs = [...new Set(named.map(signsOf))];
  return { name, says, kind, exitCode, laws, signs, fault: undefined, because };
}

function signsOf({ rests = [] }: Finding): string {
  const signs = new Set(rests.flatMap((fact) => fact?.signs ?? []));
  return signs.size === 0 ? 'said' : [...signs].sort().join('+');
}
