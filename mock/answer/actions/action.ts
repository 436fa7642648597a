import type { Action, Contract, Operation, ReadRequest } from '#spec';
import type { SeedValues } from '../../seed/values.ts';
import type { Store } from '../../store/port.ts';
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
  /** Before every path of the document. */
  readonly basePath: string;
}

/** Compiles what an operation does; undefined: it cannot be done with this document, and a sample is answered. */
export type CompileAction = (context: ActionContext) => Act | undefined;
