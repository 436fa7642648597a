import { type Contract, loadContract } from '#spec';
import type { Break, Warning } from './break.ts';
import { type Pair, pairOperations } from './pair.ts';
import { requestBreaks } from './request-breaks.ts';
import { responseBreaks } from './response-breaks.ts';
import { isSame } from './same-schema.ts';
import { runSuite, type SuiteBreak, type SuiteRun } from './suite-breaks.ts';
import { openTwins } from './twins.ts';
import { warningsOf } from './warnings.ts';

/** Where a document of a comparison is. */
export interface Version {
  /** Path or http(s) URL. */
  readonly location: string;
  /** What its `$ref`s may name beyond its own folder or host. Default: nothing. */
  readonly allowRefs?: readonly string[] | undefined;
}

export interface CompareOptions {
  /** Of the generated inputs. Default: 1. */
  readonly seed?: number | undefined;
  /** Generated inputs for each operation. Default: 10. */
  readonly examples?: number | undefined;
  /** Seconds for the whole comparison. Default: 600. */
  readonly maxTime?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came of a comparison, before it is reported. */
export interface Compared {
  readonly contracts: { readonly old: Contract; readonly new: Contract };
  readonly breaks: readonly Break[];
  readonly suiteBreaks: readonly SuiteBreak[];
  readonly warnings: readonly Warning[];
  readonly run: SuiteRun;
  /** Operations that changed, and of which no request succeeded. */
  readonly untried: readonly string[];
  /** Why the comparison has not come to its end. */
  readonly stopped: string | undefined;
}

/**
 * Compares two versions of a document by running them: what clients of OLD send goes to a mock of NEW, and what NEW
 * allows in responses is judged by OLD.
 * @throws DocumentError for a document that cannot be read or used
 */
export async function compare(
  old: Version,
  next: Version,
  { seed = 1, examples = 10, maxTime = 600, signal }: CompareOptions = {},
): Promise<Compared> {
  const deadline = performance.now() + maxTime * 1000;
  const load = ({ location, allowRefs = [] }: Version) => loadContract(location, { allowRefs });
  const contracts = { old: await load(old), new: await load(next) };
  const pairs = pairOperations(contracts.old, contracts.new);
  const twins = await openTwins(contracts.old, contracts.new);
  try {
    const breaks: Break[] = [];
    const tried = new Set<string>();
    const announced = new Set(pairs.filter(isAnnounced).map(({ old: { id } }) => id));
    let stopped: string | undefined;
    for (const pair of pairs) {
      if (isUnchanged(pair) || announced.has(pair.old.id)) continue;
      if (signal?.aborted) stopped = 'interrupted';
      else if (performance.now() > deadline) stopped = `--max-time ${maxTime} is over`;
      if (stopped !== undefined) break;
      if (pair.new) breaks.push(...responseBreaks(contracts, pair.old, pair.new));
      const probe = await requestBreaks(twins, contracts, pair);
      breaks.push(...probe.breaks);
      if (probe.tried) tried.add(pair.old.id);
    }
    const left = Math.max(1, Math.ceil((deadline - performance.now()) / 1000));
    const run = await runSuite({ document: old.location, allowRefs: old.allowRefs ?? [] }, twins, {
      seed,
      examples,
      maxTime: left,
      signal,
    });
    return {
      contracts,
      breaks,
      suiteBreaks: withoutTold(
        run.breaks.filter(({ finding }) => !announced.has(finding.exchange.operation.id)),
        breaks,
      ),
      warnings: warningsOf(contracts.old, contracts.new, pairs),
      run,
      untried: untriedOf(pairs, run).filter((id) => !tried.has(id)),
      stopped: stopped ?? (run.report.reason === 'interrupted' ? run.report.reason : undefined),
    };
  } finally {
    await twins.close();
  }
}

/** OLD has said when it ends, and that day has come: nobody may rely on it any more. */
function isAnnounced({ old, new: next }: Pair): boolean {
  return (
    next === undefined && old.deprecated && old.sunset !== undefined && Date.parse(old.sunset) <= Date.now()
  );
}

/** A document is the same for an operation that is the same, with what it inherits. */
function isUnchanged({ old, new: next }: Pair): boolean {
  return (
    next !== undefined &&
    isSame(old.spot, next.spot) &&
    old.parameters.length === next.parameters.length &&
    old.parameters.every((parameter, index) => isSame(parameter.spot, next.parameters[index]?.spot)) &&
    JSON.stringify(old.security.map(schemesOf)) === JSON.stringify(next.security.map(schemesOf))
  );
}

function schemesOf(requirement: Pair['old']['security'][number]): unknown[] {
  return requirement.map(({ kind, in: place, name }) => [kind, place, name]);
}

const OF_STATUS = new Set(['status', 'example-accepted', 'created-equals-sent']);
const OF_BODY = new Set(['schema', 'content-type', 'discriminator', 'header', 'whole-json']);

/** What generated values have shown already, in fewer requests; one of each cause. */
function withoutTold(found: readonly SuiteBreak[], told: readonly Break[]): SuiteBreak[] {
  const refused = new Set(told.filter(({ law }) => law === 'status').map(({ operation }) => operation.id));
  const bodies = new Set(told.filter(({ law }) => law !== 'status').map(({ operation }) => operation.id));
  const fresh = found.filter(({ finding: { law, exchange } }) => {
    const { id } = exchange.operation;
    if (refused.has(id) && exchange.response.status >= 400) return false;
    if (refused.has(id) && OF_STATUS.has(law)) return false;
    return !(bodies.has(id) && OF_BODY.has(law));
  });
  const groups = Map.groupBy(
    fresh,
    ({ finding: { operationId, law, at } }) => `${operationId} ${law} ${at.uri}:${at.line}:${at.column}`,
  );
  return [...groups.values()].map((group) => shortest(group));
}

function shortest(group: readonly SuiteBreak[]): SuiteBreak {
  const cost = ({ reported, finding }: SuiteBreak) =>
    (finding.steps?.length ?? 1) * 100_000 + (reported?.steps?.join('') ?? reported?.curl ?? '').length;
  return group.toSorted((one, other) => cost(one) - cost(other))[0] as SuiteBreak;
}

/** As in a check, what the document does not say how to reach decides nothing. */
function untriedOf(pairs: readonly Pair[], { report, results }: SuiteRun): string[] {
  const reached = new Set(results.flatMap((result) => result.reached));
  const changed = pairs.filter((pair) => pair.new !== undefined && !isUnchanged(pair));
  return changed.flatMap(({ old: { id } }) => {
    const successes = report.cells.filter(({ operationId, status }) => operationId === id && status < 400);
    const isReached = successes.some(({ status }) => reached.has(`${id}/${status}`));
    return !isReached && successes.some(({ gates }) => gates) ? [id] : [];
  });
}
