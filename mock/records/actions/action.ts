import type { Contract, FurtherRole, Operation, ReadRequest, Resource } from '#spec';
import type { Awaitable, MockRequest } from '../../http/exchange.ts';
import type { Outcome } from '../../http/refusal.ts';
import type { Store } from '../../store/port.ts';
import type { RecordEvents } from '../../store/record-events.ts';
import type { Sender } from '../accounts.ts';
import type { RecordCollection } from '../collection.ts';
import type { SeedValues } from '../seed/values.ts';

/** What an operation does with records; `sample`: it responds with a documented example or a sample; `code`: what code of the user's says. */
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
  /** Undefined: nobody that is known; the request bears no token of an account. */
  readonly sender?: Sender | undefined;
  /** Why records of a body that has several are refused by themselves, by their places. */
  readonly refused?: ReadonlyMap<number, string>;
  /** What happens to its records; undefined: nothing but what the task itself does. */
  readonly recordEvents?: RecordEvents;
  /** Takes the name of each step that it meets; undefined: nobody asks. */
  readonly met?: { step: string };
}

export type Act = (task: Task) => Awaitable<Outcome>;

/** One step on the way of a request: it responds by itself, or lets the next ones do it, and may change what comes of that. */
export type Run<T extends Task = Task> = (
  task: T,
  next: (task: T) => Awaitable<Outcome>,
) => Awaitable<Outcome>;

/** What is compiled from an operation, whether or not it works on records. */
export interface OperationContext {
  readonly contract: Contract;
  readonly operation: Operation;
  /** All that the document describes. */
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  readonly seeds: SeedValues;
}

/** What an action is compiled from. */
export interface ActionContext extends OperationContext {
  readonly collection: RecordCollection;
}

/** What stands around an action is compiled from. */
export interface AroundContext extends OperationContext {
  readonly action: ActionName;
  /** Undefined: it works on no records. */
  readonly collection: RecordCollection | undefined;
}

/** Compiles an action; undefined: the document does not allow it, and the operation responds with a sample. */
export type CompileAction = (context: ActionContext) => Act | undefined;
