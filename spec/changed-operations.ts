import type { Contract } from './contract.ts';
import type { Operation } from './operation.ts';
import type { Resource, Singleton } from './resources/resource.ts';

/** The same contract with other operations. Its objects are copies, which relations may change. */
export function withOperations(
  contract: Contract,
  change: (operation: Operation) => Partial<Operation>,
): Contract {
  const copies = new Map<Operation, Operation>();
  const changed = (operation: Operation) => {
    const one = copies.get(operation) ?? { ...operation, ...change(operation) };
    copies.set(operation, one);
    return one;
  };
  const mapped = <T extends Resource | Singleton>(one: T): T => ({
    ...one,
    actions: Object.fromEntries(
      Object.entries(one.actions).map(([action, operation]) => [action, changed(operation as Operation)]),
    ),
    further: one.further.map((role) => ({ ...role, operation: changed(role.operation) })),
  });
  return {
    ...contract,
    operations: contract.operations.map(changed),
    outgoing: contract.outgoing.map((operation) => ({
      ...operation,
      owner: operation.owner && changed(operation.owner),
    })),
    resources: contract.resources.map(mapped),
    singletons: contract.singletons.map(mapped),
    leftOut: contract.leftOut.map((leftOut) => ({ ...leftOut, operations: leftOut.operations.map(changed) })),
  };
}

/** The same contract at another path, with or without the paths of its servers. */
export function placedAt(contract: Contract, at: string, keepsBasePaths: boolean): Contract {
  const below = (basePaths: readonly string[]) =>
    keepsBasePaths ? basePaths.map((basePath) => at + basePath) : [at];
  const placed = withOperations(contract, ({ basePaths }) => ({ basePaths: below(basePaths) }));
  const basePaths = below(contract.basePaths);
  return { ...placed, basePaths, basePath: basePaths[0] ?? '' };
}
