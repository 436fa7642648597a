import type { Contract, FurtherRole, Operation, ReadRequest, Resource } from '#spec';
import type { Awaitable, MockRequest } from '../../http/exchange.ts';
import type { Outcome } from '../../http/refusal.ts';
import type { Store } from '../../store/port.ts';
import type { RecordEvents } from '../../store/record-events.ts';
import type { Sender } from '../accounts.ts';
import type { RecordCollection } from '../collection.ts';
import type { SeedValues } from '../seed/values.ts';

/**
 * What an operation does with records. `sample`: it responds with a documented example or a sample; `code`: the user's code
 * responds.
 */
export type ActionName = FurtherRole | 'sample' | 'code';

/** A valid request, and the store of its session. */
export interface Task {
  readonly values: ReadRequest;
  readonly request: MockRequest;
  readonly store: Store;
  /** The clock of the session: milliseconds since 1970. */
  readonly time: () => number;
  /** The name of the session. */
  readonly session: string;
  /** The account of the request's token. Undefined: the request has no token of an account. */
  readonly sender?: Sender | undefined;
  /** Why records of a body with several are refused individually, by index. */
  readonly refused?: ReadonlyMap<number, string>;
  /** What happens to records, for callbacks and streams. Undefined: only this task changes them. */
  readonly recordEvents?: RecordEvents;
  /** Receives the name of each step that runs, and the id of the record. Undefined: the request is not traced. */
  readonly met?: { step: string; record: string | undefined };
}

export type Act = (task: Task) => Awaitable<Outcome>;

/** One step of the pipeline: it responds itself, or calls the next step and may change its outcome. */
export type Run<T extends Task = Task> = (
  task: T,
  next: (task: T) => Awaitable<Outcome>,
) => Awaitable<Outcome>;

/** What is known of an operation when it is compiled, whether or not it works on records. */
export interface OperationContext {
  readonly contract: Contract;
  readonly operation: Operation;
  /** All collections of the document. */
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  readonly seeds: SeedValues;
}

/** What an action is compiled from. */
export interface ActionContext extends OperationContext {
  readonly collection: RecordCollection;
}

/** What steps around an action are compiled from. */
export interface AroundContext extends OperationContext {
  readonly action: ActionName;
  /** Undefined: the action works on no records. */
  readonly collection: RecordCollection | undefined;
}

/** Compiles an action. Undefined: the document does not support it, and the operation responds with a sample. */
export type CompileAction = (context: ActionContext) => Act | undefined;
