import type { Contract, Further, Operation, Resource } from '#spec';
import { perContract } from './per-contract.ts';

/** What an operation does beside the main ones of a resource: mostly inferred, so that no law holds a service to it. */
interface FurtherRole {
  readonly resource: Resource;
  readonly further: Further;
}

export function furtherRoleOf(contract: Contract, operation: Operation): FurtherRole | undefined {
  return furtherRolesOf(contract).get(operation);
}

/** The operation that adds a record to a collection, on another path where its own has none. */
export function creatorOf({ actions, further }: Resource): Operation | undefined {
  return actions.create ?? further.find(({ role }) => role === 'create')?.operation;
}

const furtherRolesOf = perContract(({ resources }): ReadonlyMap<Operation, FurtherRole> => {
  const pairs = resources.flatMap((resource) =>
    resource.further.map((further) => [further.operation, { resource, further }] as const),
  );
  return new Map(pairs);
});
