import type { Contract, Operation, Resource } from '#spec';
import { resourceOf } from '../laws/operation-role.ts';
import type { Settings } from '../settings/settings.ts';

/** What a case says of how much it does. */
interface Weighed {
  readonly operation: Operation;
  readonly requests?: number;
}

/** Of an ordinary case, in requests; the others say it themselves. */
const ORDINARY = 4;

/**
 * The operations whose cases a shard of a run executes. Those of one resource stay together, since they work on the same
 * records. The heaviest go first, each to the shard that has least: whoever divides the same cases gets the same shards.
 *
 * @returns whether an operation is in the shard that the settings name; without one, all are
 */
export function divideIntoShards(
  contract: Contract,
  shard: Settings['shard'],
  cases: readonly Weighed[],
): (operation: Operation) => boolean {
  if (!shard) return () => true;
  const own = new Set<Resource | Operation>();
  const loads = Array.from({ length: shard.of }, () => 0);
  const groupOf = (operation: Operation) => resourceOf(contract, operation) ?? operation;
  const weights = new Map(contract.operations.map((one) => [groupOf(one), 0]));
  for (const { operation, requests = ORDINARY } of cases)
    weights.set(groupOf(operation), (weights.get(groupOf(operation)) ?? 0) + requests);
  // Equal ones stay in the order of the document.
  for (const [group, weight] of [...weights].sort(([, one], [, other]) => other - one)) {
    const lightest = loads.indexOf(Math.min(...loads));
    loads[lightest] = (loads[lightest] ?? 0) + weight;
    if (lightest + 1 === shard.number) own.add(group);
  }
  return (operation) => own.has(groupOf(operation));
}
