import type { Contract, Operation } from '#spec';
import type { Pair } from './pair.ts';

/**
 * The operations of OLD that the suite has to try: those that have changed, and those that work on the same records. All
 * others are the same in both.
 */
export function affectedBy(pairs: readonly Pair[], contract: Contract): ReadonlySet<Operation> {
  const changed = new Set(pairs.flatMap(({ old, isChanged, isOver }) => (isChanged && !isOver ? [old] : [])));
  const related = sharedRecords(contract).filter((operations) => operations.some((one) => changed.has(one)));
  const gone = new Set(pairs.flatMap((pair) => (pair.new ? [] : [pair.old])));
  return new Set([...changed, ...related.flat()].filter((operation) => !gone.has(operation)));
}

/** The operations of each collection, and of each singleton. */
export function sharedRecords({ resources, singletons }: Contract): Operation[][] {
  return [
    ...resources.map(({ actions, further }) => [
      ...Object.values(actions),
      ...further.map(({ operation }) => operation),
    ]),
    ...singletons.map(({ actions }) => Object.values(actions)),
  ];
}
