import type { Contract, Operation } from '#spec';

/** An operation of OLD, and the one of NEW that has the same method and path. */
export interface Pair {
  readonly old: Operation;
  /** Undefined: NEW does not have it. */
  readonly new: Operation | undefined;
}

/** Pairs the operations by method and path; what the parameters of a path are called, no request shows. */
export function pairOperations(old: Contract, next: Contract): Pair[] {
  const byForm = new Map(next.operations.map((operation) => [formOf(operation), operation]));
  return old.operations.map((operation) => ({ old: operation, new: byForm.get(formOf(operation)) }));
}

function formOf({ method, path }: Operation): string {
  return `${method} ${path.replace(/\{[^}]+\}/g, '{}')}`;
}
