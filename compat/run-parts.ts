import { type Contract, type Operation, partOfContract } from '#spec';
import type { Break } from './break.ts';
import type { Needs } from './needs.ts';
import type { CompatProgress } from './pace.ts';
import { type Address, type Contracts, type Pair, sharedRecords } from './pair.ts';
import { requestBreaks } from './request-breaks.ts';
import {
  compileEvidence,
  emptySuite,
  type LostRecords,
  lostRecords,
  runSuite,
  type SuiteOptions,
  type SuiteRun,
} from './suite-breaks.ts';
import { openTwins, type Twins } from './twins.ts';

/** The results of running. */
export interface Ran {
  readonly breaks: readonly Break[];
  /** The ids of operations for which a request could be made. */
  readonly tried: ReadonlySet<string>;
  /** Those of which the mock of OLD accepted one. */
  readonly worked: ReadonlySet<string>;
  readonly suite: SuiteRun;
  readonly requests: number;
  readonly lost: LostRecords;
}

interface Running {
  /** The compiled parts of both documents. */
  readonly contracts: Contracts;
  readonly pairs: readonly Pair[];
  readonly needs: Needs;
  readonly address: Address;
  readonly suite: Omit<SuiteOptions, 'onProgress'>;
  readonly progress: (stage: CompatProgress['stage']) => (done: number, total: number, at: string) => void;
}

/** Runs what is needed: mocks are created only if a request is sent. */
export async function runParts(running: Running): Promise<Ran> {
  const { contracts, pairs, needs, address, suite, progress } = running;
  const report = progress('operations');
  const breaks: Break[] = [];
  const requests = pairs.filter(({ old }) => needs.isNeeded('requests', old.id));
  if (requests.length === 0)
    return {
      breaks,
      tried: new Set(),
      worked: new Set(),
      suite: await emptySuite(suite),
      requests: 0,
      lost: new Map(),
    };
  const twins = await openTwins(contracts.old, contracts.new, address);
  try {
    const [tried, worked] = [new Set<string>(), new Set<string>()];
    for (const [index, pair] of requests.entries()) {
      if (suite.pace.stopped()) break;
      report(index, requests.length, pair.old.id);
      const probe = await requestBreaks(
        twins,
        contracts,
        pair,
        needs.changesOf(pair.old.id),
        address,
        suite.pace,
      );
      breaks.push(...probe.breaks);
      if (probe.tried) tried.add(pair.old.id);
      if (probe.worked) worked.add(pair.old.id);
    }
    return { breaks, tried, worked, ...(await judged(twins, running)) };
  } finally {
    await twins.close();
  }
}

async function judged(twins: Twins, { contracts, pairs, address, suite, progress }: Running) {
  if (suite.affected.size === 0)
    return { suite: await emptySuite(suite), lost: new Map(), requests: twins.sent() };
  const run = await runSuite(twins, { ...suite, onProgress: progress('cases') });
  const lost = lostRecords(twins, contracts.old, pairs);
  const isEvidence = compileEvidence(contracts, pairs, lost, address);
  const breaks = run.breaks.filter(({ finding }) => isEvidence(finding));
  return { suite: { ...run, breaks }, lost, requests: twins.sent() };
}

/** Smaller documents are compiled completely. */
const SMALL = 40;

/** The parts of both documents to compile: the affected operations, and those that may be needed to reach their records. */
export async function partsOf(
  contracts: Contracts,
  pairs: readonly Pair[],
  needs: Needs,
  affected: ReadonlySet<string>,
): Promise<Contracts> {
  const compared = pairs.filter(({ old: { id } }) => needs.isNeeded('requests', id) || affected.has(id));
  if (compared.length === 0) return { old: await partOfContract(contracts.old, []), new: contracts.new };
  if (contracts.old.operations.length <= SMALL) return contracts;
  const part = (contract: Contract, operations: readonly Operation[]) =>
    partOfContract(contract, [...withNeeded(contract, new Set(operations))]);
  return {
    old: await part(
      contracts.old,
      compared.map(({ old }) => old),
    ),
    new: await part(
      contracts.new,
      compared.flatMap((pair) => pair.new ?? []),
    ),
  };
}

/** Adds the operations on the same records, and on their parents. */
function withNeeded(contract: Contract, operations: ReadonlySet<Operation>): Set<Operation> {
  const isAbove = (path: string) =>
    [...operations].some((operation) => operation.path.startsWith(`${path}/`));
  const needed = new Set([...operations, ...contract.operations.filter(({ path }) => isAbove(path))]);
  const groups = sharedRecords(contract).filter((group) => group.some((operation) => needed.has(operation)));
  return new Set([...needed, ...groups.flat()]);
}
