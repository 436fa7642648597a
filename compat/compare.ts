import { type LoadOptions, loadContract, type Problem } from '#spec';
import type { Break, Warning } from './break.ts';
import { createPace, type Pace } from './pace.ts';
import { type Address, addressOf, affectedBy, type Contracts, type Pair, pairOperations } from './pair.ts';
import { requestBreaks } from './request-breaks.ts';
import { responseBreaks } from './response-breaks.ts';
import {
  compileEvidence,
  freshBreaks,
  lostRecords,
  lostRecordWarnings,
  runSuite,
  type SuiteBreak,
  type SuiteRun,
} from './suite-breaks.ts';
import { openTwins, type Twins } from './twins.ts';
import { warningsOf } from './warnings.ts';

/** Where a document of a comparison is, and how it is read. */
export interface Version {
  /** Path or http(s) URL. */
  readonly location: string;
  readonly reading: LoadOptions;
}

export interface CompareOptions {
  /** Seed of the generated inputs: 0 to 2,147,483,647; the same one repeats a comparison. Default: 1. */
  readonly seed?: number | undefined;
  /** How many inputs are generated for each operation in the suite of OLD: 0 to 1,000. Default: 10. */
  readonly examples?: number | undefined;
  /** Seconds for the whole comparison; what is not tried by then makes it incomplete. Up to 86,400. Default: 600. */
  readonly maxTime?: number | undefined;
  /** Whether operations that OLD marks `x-stability: experimental` or `beta` gate, too. Default: false. */
  readonly strictStability?: boolean | undefined;
  /** Ends the comparison early when it aborts; the report says what was found until then. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Hears, once, what is odd in the documents and how they are read all the same. */
  readonly onWarnings?: ((warnings: readonly Problem[]) => void) | undefined;
  /** Hears what is at work now. */
  readonly onProgress?: ((progress: CompatProgress) => void) | undefined;
}

/** How far a comparison is: first changed operations are tried, then the cases of OLD's suite. */
export interface CompatProgress {
  readonly stage: 'operations' | 'cases';
  readonly done: number;
  readonly total: number;
  /** The id of the operation or of the case at work. */
  readonly at: string;
}

/** What came of a comparison, before it is reported. */
export interface Compared {
  readonly contracts: Contracts;
  readonly address: Address;
  readonly breaks: readonly Break[];
  readonly suiteBreaks: readonly SuiteBreak[];
  readonly warnings: readonly Warning[];
  readonly run: SuiteRun;
  /** How many requests were sent beside those of the suite. */
  readonly requests: number;
  readonly strictStability: boolean;
  /** The ids of the operations that the suite had to try. */
  readonly affected: ReadonlySet<string>;
  /** Operations that changed, and of which no request succeeded. */
  readonly untried: readonly string[];
  /** Why the comparison has not come to its end. */
  readonly stopped: string | undefined;
}

/**
 * Compares two versions of a document by running them: what clients of OLD send goes to a mock of NEW, and what NEW
 * allows in responses is judged by OLD.
 * @throws DocumentError for a document that cannot be read or used
 * @throws SettingsError for a number that is out of its range
 */
export async function compare(old: Version, next: Version, options: CompareOptions = {}): Promise<Compared> {
  const { seed = 1, examples = 10, maxTime = 600, strictStability = false, signal } = options;
  const { onWarnings, onProgress } = options;
  const pace = createPace(maxTime, signal);
  const contracts = {
    old: await loadContract(old.location, old.reading),
    new: await loadContract(next.location, next.reading),
  };
  onWarnings?.([...contracts.old.warnings, ...contracts.new.warnings]);
  const address = addressOf(contracts.old, contracts.new);
  const pairs = pairOperations(contracts.old, contracts.new, address);
  const twins = await openTwins(contracts.old, contracts.new, address);
  try {
    const report = (stage: CompatProgress['stage']) => (done: number, total: number, at: string) =>
      onProgress?.({ stage, done, total, at });
    const { breaks, tried } = await tryOperations(twins, {
      contracts,
      pairs,
      address,
      pace,
      onProgress: report('operations'),
    });
    const affected = new Set([...affectedBy(pairs, contracts.old)].map(({ id }) => id));
    const run = await runSuite(twins, {
      document: old.location,
      reading: old.reading,
      seed,
      examples,
      strictStability,
      signal,
      affected,
      pace,
      onProgress: report('cases'),
    });
    const lost = lostRecords(twins, contracts.old, pairs);
    const isEvidence = compileEvidence(contracts, pairs, lost, address);
    const found = run.breaks.filter(({ finding }) => isEvidence(finding));
    return {
      contracts,
      address,
      breaks,
      suiteBreaks: freshBreaks(found, breaks),
      warnings: [...warningsOf(contracts, pairs, address), ...lostRecordWarnings(lost, pairs)],
      run,
      requests: twins.sent(),
      strictStability,
      affected,
      untried: untriedOf(pairs, run).filter((id) => !tried.has(id)),
      stopped: pace.stopped(),
    };
  } finally {
    await twins.close();
  }
}

/** What generated values show of each operation that has changed. */
async function tryOperations(
  twins: Twins,
  given: {
    readonly contracts: Contracts;
    readonly pairs: readonly Pair[];
    readonly address: Address;
    readonly pace: Pace;
    readonly onProgress: (done: number, total: number, at: string) => void;
  },
) {
  const { contracts, pairs, address, pace, onProgress } = given;
  const breaks: Break[] = [];
  const tried = new Set<string>();
  const changed = pairs.filter(({ isChanged, isOver }) => isChanged && !isOver);
  for (const [index, pair] of changed.entries()) {
    if (pace.stopped()) break;
    onProgress(index, changed.length, pair.old.id);
    if (pair.new) breaks.push(...(await responseBreaks(contracts, pair.old, pair.new, pace)));
    const probe = await requestBreaks(twins, contracts, pair, address, pace);
    breaks.push(...probe.breaks);
    if (probe.tried) tried.add(pair.old.id);
  }
  return { breaks, tried };
}

/** As in a check, what the document does not say how to reach decides nothing. */
function untriedOf(pairs: readonly Pair[], { report, results }: SuiteRun): string[] {
  const reached = new Set(results.flatMap((result) => result.reached));
  const changed = pairs.filter((pair) => pair.new !== undefined && pair.isChanged);
  return changed.flatMap(({ old: { id } }) => {
    const successes = report.cells.filter(({ operationId, status }) => operationId === id && status < 400);
    const isReached = successes.some(({ status }) => reached.has(`${id}/${status}`));
    return !isReached && successes.some(({ gates }) => gates) ? [id] : [];
  });
}
