import { type LeftOut, type LoadOptions, loadContract, type Problem } from '#spec';
import type { Warning } from './break.ts';
import type { Change } from './changes/change.ts';
import { changesOf } from './changes/changes-of.ts';
import { compileTouches, readConsumers, type Touches } from './consumers.ts';
import { needsOf } from './needs.ts';
import { type CompatProgress, createPace } from './pace.ts';
import {
  type Address,
  addressOf,
  affectedBy,
  type Contracts,
  type Pair,
  pairOperations,
  placedAsNew,
  unreadOperations,
} from './pair.ts';
import { type Proven, prove } from './prove.ts';
import { partsOf, runParts } from './run-parts.ts';
import { lostRecordWarnings, type SuiteRun } from './suite-breaks.ts';

/** A document of a comparison, and how to read it. */
export interface Version {
  /** Path or http(s) URL. */
  readonly location: string;
  readonly reading: LoadOptions;
}

export interface CompareOptions {
  /** Clients with their recorded traffic, `NAME=FILE.har`: breaks that affect one of them come first. Default: none. */
  readonly consumers?: readonly string[] | undefined;
  /**
   * The minimum number of days from today until NEW removes what it deprecates: an earlier removal, or none with a date,
   * is breaking. 0 to 36,500. Default: 0, any number.
   */
  readonly deprecationDays?: number | undefined;
  /** Seed of the generated inputs: 0 to 2,147,483,647; the same seed repeats a comparison. Default: 1. */
  readonly seed?: number | undefined;
  /** Number of generated inputs for each operation in the suite of OLD: 0 to 1,000. Default: 10. */
  readonly examples?: number | undefined;
  /** Time limit in seconds, up to 86,400; what is not tried by then makes the comparison incomplete. Default: 600. */
  readonly maxTime?: number | undefined;
  /** `stability`, or `all`: operations whose `x-stability` in OLD is below `stable` gate, too. Default: none. */
  readonly strict?: readonly ('stability' | 'all')[] | undefined;
  /** Aborting it ends the comparison; the report contains the results so far. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Receives, once, the warnings about documents and recorded traffic. */
  readonly onWarnings?: ((warnings: readonly Problem[]) => void) | undefined;
  /** Receives the progress. */
  readonly onProgress?: ((progress: CompatProgress) => void) | undefined;
}

/** The result of a comparison, before it is reported. */
export interface Compared {
  readonly contracts: Contracts;
  readonly address: Address;
  /** The changes in the documents. */
  readonly changes: readonly Change[];
  /** What running has proven. */
  readonly proven: Proven;
  readonly warnings: readonly Warning[];
  readonly run: SuiteRun;
  /** The number of requests beside those of the suite. */
  readonly requests: number;
  readonly strictStability: boolean;
  /** Undefined: no client is named. */
  readonly touches: Touches | undefined;
  /** The ids of the operations that the suite had to test. */
  readonly affected: ReadonlySet<string>;
  /** Changed operations without a successful request. */
  readonly untried: readonly string[];
  /** Operations of OLD that cannot be compared, since a reference cannot be resolved. */
  readonly unread: readonly LeftOut[];
  /** Why the comparison is incomplete. */
  readonly stopped: string | undefined;
}

/**
 * Compares two versions of a document: first their content, then, for the differences, what clients of OLD send to a mock
 * of NEW, and what NEW allows in responses.
 * @throws DocumentError for a document that cannot be read or used
 * @throws SettingsError for a number out of range
 */
export async function compare(old: Version, next: Version, options: CompareOptions = {}): Promise<Compared> {
  const { seed = 1, examples = 10, maxTime = 600, strict = [], signal } = options;
  const strictStability = strict.length > 0;
  const { deprecationDays = 0, consumers = [] } = options;
  const { onWarnings, onProgress } = options;
  const pace = createPace(maxTime, signal);
  const contracts = {
    old: await loadContract(old.location, old.reading),
    new: await loadContract(next.location, next.reading),
  };
  const clients = await readConsumers(consumers, contracts.old);
  onWarnings?.([...contracts.old.warnings, ...contracts.new.warnings, ...clients.warnings]);
  const address = addressOf(contracts.old, contracts.new);
  const all = pairOperations(contracts.old, contracts.new, address);
  const changes = changesOf(contracts, all, { deprecationDays });
  const needs = needsOf(all, changes);
  const affected = new Set([...affectedBy(needs.of('suite'), all, contracts.old)].map(({ id }) => id));
  const parts = placedAsNew(await partsOf(contracts, all, needs, affected), address);
  const compared = new Set(all.map(({ old: { id } }) => id));
  const pairs = pairOperations(parts.old, parts.new, address).filter((pair) => compared.has(pair.old.id));
  const document = { document: old.location, reading: old.reading };
  const suite = { seed, examples, strictStability, signal, affected, pace, contract: parts.old, ...document };
  const progress = (stage: CompatProgress['stage']) => (done: number, total: number, at: string) =>
    onProgress?.({ stage, done, total, at });
  const ran = await runParts({ contracts: parts, pairs, needs, address, suite, progress });
  const proven = await prove(
    contracts,
    changes,
    { breaks: ran.breaks, laws: ran.suite.breaks },
    (id) => ran.tried.has(id),
    pace,
  );
  return {
    contracts,
    address,
    changes,
    proven,
    warnings: lostRecordWarnings(ran.lost, pairs),
    run: ran.suite,
    requests: ran.requests,
    strictStability,
    touches: consumers.length > 0 ? compileTouches(clients.consumers, contracts) : undefined,
    // Compared operations that differ count as changed as well.
    affected: new Set([...affected, ...all.flatMap((pair) => (pair.isChanged ? [pair.old.id] : []))]),
    untried: untriedOf(needs.of('requests'), ran.suite).filter(
      // The behaviour of the service is tested only if it accepted a request.
      (id) => !(needs.isNeeded('suite', id) ? ran.worked : ran.tried).has(id),
    ),
    unread: unreadOperations(contracts, address),
    stopped: pace.stopped(),
  };
}

/** As in a check, statuses without a known trigger do not gate. */
function untriedOf(pairs: readonly Pair[], { report, results }: SuiteRun): string[] {
  const reached = new Set(results.flatMap((result) => result.reached));
  const changed = pairs.filter((pair) => pair.new !== undefined);
  return changed.flatMap(({ old: { id } }) => {
    const successes = report.cells.filter(({ operationId, status }) => operationId === id && status < 400);
    const isReached = successes.some(({ status }) => reached.has(`${id}/${status}`));
    return !isReached && successes.some(({ gates }) => gates) ? [id] : [];
  });
}
