import {
  type Data,
  explicitStatuses,
  ownEntry,
  refusedFor,
  type Shape,
  saidOfRecord,
  transitionsOf,
} from '#spec';
import type { Refusal } from '../../http/refusal.ts';
import type { ActionContext } from './action.ts';

/**
 * Compiles refusing a change of state that `x-paddock` does not allow, with its status, else the document's 409 or 422; and
 * one that a description allows only from other states, where a status is documented.
 */
export function compileTransitions({
  operation,
  collection,
}: ActionContext): (before: Data, after: Data) => Refusal | undefined {
  const states = statesOf(collection.resource.shape);
  const documented = explicitStatuses(operation.responses);
  const usual = [409, 422].find((one) => documented.includes(one)) ?? 409;
  const status = refusedFor(operation, 'state') ?? usual;
  const move = moveOf({ operation, collection });
  return (before, after) => {
    const state = move && String(before[move.property]);
    if (move?.refusal !== undefined && state !== undefined && move.others.includes(state)) {
      const message = `${move.property} is ${state}, and must be ${move.from.join(' or ')}`;
      return { refuse: 'conflict', status: move.refusal, message };
    }
    for (const { name, transitions, values } of states) {
      const [from, to] = [String(before[name]), String(after[name])];
      // A state without transitions is final; an unknown one is not restricted.
      const next = ownEntry(transitions, from) ?? (values.has(from) ? [] : [to]);
      if (from === to || next.includes(to)) continue;
      const may = next.length === 0 ? 'it is ended' : `it may become ${next.join(' or ')}`;
      const change = name in after ? `become ${to}` : 'be removed';
      return { refuse: 'conflict', status, message: `${name} cannot ${change}: it is ${from}, ${may}` };
    }
    return undefined;
  };
}

/** What an operation does to the state of a record. */
export const moveOf = ({ operation, collection }: Pick<ActionContext, 'operation' | 'collection'>) =>
  transitionsOf(collection.resource).find((transition) => transition.operation === operation);

/** The members of a record with transitions in `x-paddock`. */
export function statesOf(shape: Shape) {
  const { members = {} } = saidOfRecord(shape).facts;
  return Object.entries(members).flatMap(([name, { transitions }]) =>
    transitions ? [{ name, transitions, values: new Set(Object.values(transitions).flat()) }] : [],
  );
}

export const only = (names: readonly string[], members: Data): Data =>
  Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));

export const without = (names: ReadonlySet<string>, members: Data): Data =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.has(name)));
