import {
  type Action,
  type Contract,
  explicitStatuses,
  type Further,
  type Operation,
  type Resource,
  recordNamedBy,
  upsertOf,
} from '#spec';

/** The resource that an operation works on, and what it does there. */
export interface Role {
  readonly resource: Resource;
  readonly action: Action;
}

export function roleOf(contract: Contract, operation: Operation): Role | undefined {
  return rolesOf(contract).get(operation);
}

const rolesOf = perContract(({ resources }): ReadonlyMap<Operation, Role> => {
  const pairs = resources.flatMap((resource) =>
    Object.entries(resource.actions).map(([action, operation]): [Operation, Role] => [
      operation,
      { resource, action: action as Action },
    ]),
  );
  // The first resource that names an operation has it.
  return new Map(pairs.reverse());
});

/** The documented 2xx statuses of an operation, in ascending order; of a range the usual one. */
export function successStatuses({ method, responses }: Operation): number[] {
  const explicit = explicitStatuses(responses).filter((status) => status >= 200 && status < 300);
  if (explicit.length > 0) return explicit;
  return responses.some(({ key }) => key === '2XX') ? [method === 'POST' ? 201 : 200] : [];
}

/** Whether neither a success nor a redirection is documented: with which one it responds is not promised then. */
export function leavesStatusOpen({ responses }: Operation): boolean {
  return responses.every(({ key }) => /^(?:[145]|default)/.test(key));
}

/** The statuses that the document names for invalid input. Where it names both, it does not say which is for what. */
export function invalidStatuses(operation: Operation): number[] {
  const documented = explicitStatuses(operation.responses);
  return [400, 422].filter((status) => documented.includes(status));
}

/** The status that stands for all of them: 400 before 422. */
export function invalidStatus(operation: Operation): number | undefined {
  return invalidStatuses(operation)[0];
}

/**
 * The collection whose records a path parameter identifies, where they can be listed or created. By its place in the
 * path: the parameter of `/owners/{id}` has another name in `/owners/{ownerId}/pets`.
 */
export function ownerOf({ resources }: Contract, operation: Operation, name: string): Resource | undefined {
  const owner = recordNamedBy(resources, operation, name);
  return owner?.actions.list || owner?.actions.create ? owner : undefined;
}

/** What follows from a contract, made with the first call for it. */
export function perContract<T>(make: (contract: Contract) => T): (contract: Contract) => T {
  const made = new WeakMap<Contract, { readonly value: T }>();
  return (contract) => {
    const known = made.get(contract) ?? { value: make(contract) };
    made.set(contract, known);
    return known.value;
  };
}

/** What an operation does beside the main ones of a resource: mostly inferred, so that no law holds a service to it. */
interface FurtherRole {
  readonly resource: Resource;
  readonly further: Further;
}

export function furtherRoleOf(contract: Contract, operation: Operation): FurtherRole | undefined {
  return furtherRolesOf(contract).get(operation);
}

/** The resource that an operation works on, in whichever role. */
export function resourceOf(contract: Contract, operation: Operation): Resource | undefined {
  return (roleOf(contract, operation) ?? furtherRoleOf(contract, operation))?.resource;
}

/**
 * The operation that adds a record to a collection: on another path where its own has none, or the PUT that makes what is
 * not there, where a read shows that it is not.
 */
export function creatorOf({ actions, further }: Resource): Operation | undefined {
  return (
    actions.create ??
    further.find(({ role }) => role === 'create')?.operation ??
    (actions.read && createsAtPath(actions.replace) ? actions.replace : undefined)
  );
}

/** Whether an operation is promised to make the record that its path names, where there is none. */
export function createsAtPath(operation: Operation | undefined): boolean {
  return operation?.method === 'PUT' && upsertOf(operation)?.certainty === 'promised';
}

/** The role of a request. @param creates it is to make the record that its path names, or says that it has done so */
export function roleOfRequest(contract: Contract, operation: Operation, creates: boolean): Role | undefined {
  const role = roleOf(contract, operation);
  const isCreate = creates && role?.action === 'replace' && createsAtPath(operation);
  return isCreate ? { resource: role.resource, action: 'create' } : role;
}

const furtherRolesOf = perContract(({ resources }): ReadonlyMap<Operation, FurtherRole> => {
  const pairs = resources.flatMap((resource) =>
    resource.further.map((further) => [further.operation, { resource, further }] as const),
  );
  return new Map(pairs);
});
