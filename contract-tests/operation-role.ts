import { type Action, type Contract, explicitStatuses, type Operation, type Resource } from '#spec';

/** The resource that an operation works on, and what it does there. */
export function roleOf(
  contract: Contract,
  operation: Operation,
): { resource: Resource; action: Action } | undefined {
  for (const resource of contract.resources) {
    for (const [action, candidate] of Object.entries(resource.actions)) {
      if (candidate === operation) return { resource, action: action as Action };
    }
  }
  return undefined;
}

/** The statuses of an operation that say that all went well. */
export function successStatuses(operation: Operation): number[] {
  return explicitStatuses(operation.responses).filter((status) => status >= 200 && status < 300);
}

/** The one status that the document names for invalid input: 400 before 422. */
export function invalidStatus(operation: Operation): number | undefined {
  const documented = explicitStatuses(operation.responses);
  return [400, 422].find((status) => documented.includes(status));
}
