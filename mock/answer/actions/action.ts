import type { Action, Contract, Operation, ReadRequest } from '#spec';
import type { SeedValues } from '../../seed/values.ts';
import type { Condition, Scalar, Store } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import type { Answer, Awaitable, MockRequest } from '../exchange.ts';
import type { Refusal } from '../refusal.ts';

/** What an operation does: something with the records of a resource, or a sample of what is documented. */
export type ActionName = Action | 'sample';

/** A valid request, and where the records are. */
export interface Task {
  readonly values: ReadRequest;
  readonly request: MockRequest;
  readonly store: Store;
}

export type Act = (task: Task) => Awaitable<Answer | Refusal>;

/** All that an action may be compiled from. */
export interface ActionContext {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly collection: RecordCollection;
  readonly seeds: SeedValues;
}

/** Compiles what an operation does; undefined: it cannot be done with this document, and a sample is answered. */
export type CompileAction = (context: ActionContext) => Act | undefined;

const NO_CONDITIONS: readonly Condition[] = [];

/** Compiles the conditions that the parameters of a nested collection's own path put on its records. */
export function compileScope({ resource }: RecordCollection): (values: ReadRequest) => readonly Condition[] {
  const { parents } = resource;
  if (parents.length === 0) return () => NO_CONDITIONS;
  return ({ parameters }) =>
    parents.map(({ parameter, property }) => ({
      key: property ?? `{${parameter}}`,
      anyOf: [parameters.path[parameter] as Scalar],
    }));
}
