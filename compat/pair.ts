import type { Contract, Operation } from '#spec';
import { type Address, formOf } from './address.ts';
import { isSame } from './same-schema.ts';

/** An operation of OLD, and the one of NEW that has the same method and path. */
export interface Pair {
  readonly old: Operation;
  /** Undefined: NEW does not have it. */
  readonly new: Operation | undefined;
  /** The documents promise something else, if not about the request or the response, then about both. */
  readonly isChanged: boolean;
  /** OLD has said when it ends, and that day has come: nobody may rely on it any more. */
  readonly isOver: boolean;
}

/** Pairs the operations by method and path. */
export function pairOperations(old: Contract, next: Contract, { toNew }: Address): Pair[] {
  const byForm = new Map(next.operations.map((operation) => [formOf(operation), operation]));
  return old.operations.map((operation) => {
    const { method, path } = operation;
    const twin = byForm.get(formOf({ method, path: toNew(path) }));
    return {
      old: operation,
      new: twin,
      isChanged: twin === undefined || !isUnchanged(operation, twin),
      isOver: twin === undefined && isAnnounced(operation),
    };
  });
}

function isAnnounced({ deprecated, sunset }: Operation): boolean {
  return deprecated && sunset !== undefined && Date.parse(sunset) <= Date.now();
}

/** With all that it inherits. */
function isUnchanged(old: Operation, next: Operation): boolean {
  return (
    isSame(old.spot, next.spot) &&
    old.parameters.length === next.parameters.length &&
    old.parameters.every((parameter, index) => isSame(parameter.spot, next.parameters[index]?.spot)) &&
    JSON.stringify(old.security.map(schemesOf)) === JSON.stringify(next.security.map(schemesOf))
  );
}

function schemesOf(requirement: Operation['security'][number]): unknown[] {
  return requirement.map(({ kind, in: place, name }) => [kind, place, name]);
}
