import type { Contract, Further, Operation, Resource } from '#spec';

/** What an operation does beside the main ones of a resource: mostly inferred, so that no law holds a service to it. */
interface FurtherRole {
  readonly resource: Resource;
  readonly further: Further;
}

const roles = new WeakMap<Contract, ReadonlyMap<Operation, FurtherRole>>();

export function furtherRoleOf(contract: Contract, operation: Operation): FurtherRole | undefined {
  const known = roles.get(contract) ?? listRoles(contract);
  roles.set(contract, known);
  return known.get(operation);
}

/** The operation that adds a record to a collection, on another path where its own has none. */
export function creatorOf({ actions, further }: Resource): Operation | undefined {
  return actions.create ?? further.find(({ role }) => role === 'create')?.operation;
}

function listRoles({ resources }: Contract): Map<Operation, FurtherRole> {
  return new Map(
    resources.flatMap((resource) =>
      resource.further.map((further) => [further.operation, { resource, further }] as const),
    ),
  );
}
