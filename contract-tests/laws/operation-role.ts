import { type Action, type Contract, explicitStatuses, type Operation, type Resource } from '#spec';

/** The resource that an operation works on, and what it does there. */
export interface Role {
  readonly resource: Resource;
  readonly action: Action;
}

const roles = new WeakMap<Contract, ReadonlyMap<Operation, Role>>();

export function roleOf(contract: Contract, operation: Operation): Role | undefined {
  const known = roles.get(contract) ?? listRoles(contract);
  roles.set(contract, known);
  return known.get(operation);
}

function listRoles({ resources }: Contract): Map<Operation, Role> {
  const pairs = resources.flatMap((resource) =>
    Object.entries(resource.actions).map(([action, operation]): [Operation, Role] => [
      operation,
      { resource, action: action as Action },
    ]),
  );
  // The first resource that names an operation has it.
  return new Map(pairs.reverse());
}

/** The documented 2xx statuses of an operation, in ascending order. */
export function successStatuses(operation: Operation): number[] {
  return explicitStatuses(operation.responses).filter((status) => status >= 200 && status < 300);
}

/** The statuses that the document names for invalid input. */
export function invalidStatuses(operation: Operation): number[] {
  const documented = explicitStatuses(operation.responses);
  return [400, 422].filter((status) => documented.includes(status));
}

/** The first of them: 400 before 422. */
export function invalidStatus(operation: Operation): number | undefined {
  return invalidStatuses(operation)[0];
}
