import type {
  Contract,
  Operation,
  ReadRequest,
  RequestReader,
  Requirement,
  Resource,
  RouteMatch,
  SessionCookie,
} from '#spec';
import type { Admission, Guard, Keys } from '../http/authenticate.ts';
import type { Refuse } from '../http/error-response.ts';
import type { Awaitable, MockRequest, ResponseContent } from '../http/exchange.ts';
import type { Outcome, Refusal } from '../http/refusal.ts';
import type { Finish } from '../http/response-headers.ts';
import type { Tokens } from '../http/tokens.ts';
import type { Trace } from '../http/trace.ts';
import type { AccountRoles } from '../records/account-roles.ts';
import type { Logins, Sender, Senders } from '../records/accounts.ts';
import type { Act, ActionName, Run, Task } from '../records/actions/action.ts';
import type { RecordCollection } from '../records/collection.ts';
import type { ForeignParent } from '../records/item.ts';
import type { Profiles } from '../records/profiles.ts';
import type { RelationsOf } from '../records/relations.ts';
import type { Role } from '../records/roles.ts';
import type { SeedValues } from '../records/seed/values.ts';
import type { compileStream } from '../records/streams/compile-stream.ts';
import type { Decided } from '../sessions/journal.ts';
import type { Source } from '../sessions/preferences/rules.ts';
import type { Session } from '../sessions/session.ts';
import type { Parts } from './parts.ts';

/** An operation with everything needed to respond to it, compiled once. */
export interface Endpoint {
  readonly operation: Operation;
  readonly action: ActionName;
  /** Why the action is `sample`. */
  readonly reason: string | undefined;
  /** What the operation does, and with which records. Undefined: it works on no collection. */
  readonly role: Role | undefined;
  /** The names of a request's steps, its action last. */
  readonly steps: () => readonly string[];
  /** Runs the operation, without checking who has sent the request. */
  readonly act: Act;
  /** Runs all steps of a request. */
  readonly respond: (visit: Visit) => Awaitable<Outcome>;
  readonly read: RequestReader;
  readonly refuse: Refuse;
  readonly finish: Finish;
}

/** What endpoints are compiled from. */
export interface EndpointContext {
  readonly contract: Contract;
  readonly parts: Parts;
  readonly keys: Keys;
  readonly seeds: SeedValues;
  /** Undefined: no response is a stream. */
  readonly compileStream: typeof compileStream | undefined;
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  readonly relationsOf: RelationsOf;
  readonly roles: ReadonlyMap<Operation, Role>;
  readonly tokens: Tokens;
  readonly logins: Logins;
  readonly accountRoles: AccountRoles;
  readonly profiles: Profiles;
  /** Undefined: the document has no session cookie. */
  readonly cookie: SessionCookie | undefined;
  /** The operation under its name in rules and the log. */
  readonly nameOperation: (operation: Operation) => Operation;
  /** Parents in other documents that a path names; called only after all documents are compiled. */
  readonly foreignParents: (operation: Operation) => readonly ForeignParent[];
  /** All credentials that operations of the document require. */
  readonly credentials: Requirement;
  /** Compiles what follows an operation, such as callbacks. Undefined: nothing. */
  readonly performed: (operation: Operation) => ((task: Task, response: ResponseContent) => void) | undefined;
  /** Compiles the user's code for an operation. Undefined: there is none. */
  readonly codeFor: (operation: Operation) => ((coded: { readonly refuse: Refuse }) => Run) | undefined;
  /** In bytes. */
  readonly maxBody: number;
  readonly hasUpstream: boolean;
  /** Receives undocumented names in a query. */
  readonly reportUnnamed: (operation: Operation, names: readonly string[]) => void;
}

/** What steps are compiled from. */
export interface StepContext extends EndpointContext {
  readonly operation: Operation;
  readonly action: ActionName;
  /** The records that the action works on. Undefined: none. */
  readonly collection: RecordCollection | undefined;
  readonly role: Role | undefined;
  /** Whether the action responds with an example or a sample. */
  readonly isSampled: boolean;
  readonly senders: Senders;
  /** Refuses requests whose token is no longer valid. */
  readonly guardOthers: Guard;
  readonly read: RequestReader;
  readonly refuse: Refuse;
}

/** Receives the explanation of a response before it is returned; not called for the mock's own paths. */
export type TakeTrace = (explained: Explained) => void;

/** Why a request got its response. */
export interface Explained {
  /** Whether the log line already tells everything. */
  readonly isPlain: boolean;
  readonly trace: () => Trace;
  /** The request within its session, as received, with its credentials. */
  readonly request: MockRequest;
}

/** A request that is being processed. */
export interface Running extends Admission {
  readonly request: MockRequest;
  readonly session: Session;
  /** Undefined: the document does not have the path. */
  readonly match: RouteMatch<Endpoint> | undefined;
  /** Undefined: the request matches no operation. */
  readonly endpoint: Endpoint | undefined;
  /** On the scale of `performance.now()`. */
  readonly begun: number;
  /** Undefined: the mock is in front of no real service. */
  readonly relay: Relay | undefined;
  /** The decisions so far. Undefined: none. */
  decided: Decided | undefined;
  /** The last step that has run. */
  step: string;
  /** The values of the request. Undefined: no step has read them. */
  values: ReadRequest | undefined;
  /** The id of the record that the operation works on. Undefined: none, or none yet. */
  record: string | undefined;
  /** Undefined: no explanation is needed. */
  readonly takeTrace: TakeTrace | undefined;
}

/** A request on its way to its operation, with what is known of it so far. */
export interface Visit extends Task {
  readonly running: Running;
  /** The sender, or why the token is refused; undefined: unknown. */
  who: Sender | Refusal | undefined | 'not asked';
  values: ReadRequest;
  sender: Sender | undefined;
  /** The source of the response was decided before: rules and preferences do not count again. */
  readonly isDecided: boolean;
}

export const NOTHING_READ: ReadRequest = {
  parameters: { path: {}, query: {}, header: {}, cookie: {} },
  body: undefined,
  violations: [],
};

/** Returns the request's decisions, for further ones. */
export function decidedFor(running: Running): Decided {
  running.decided ??= {};
  return running.decided;
}

/** The real service behind the mock, which responds to what it supports. */
export interface Relay {
  /** Who responds to a request, by rules, else by options. Without an operation: for an undocumented path. */
  sourceOf(
    operation: Operation | undefined,
    task: Task | undefined,
    session: Session,
    decided: Decided,
  ): Awaitable<Source>;
  /**
   * The real service's response; or the result of `mocked`, if the service lacks the operation and the source is `auto`.
   * Unsafe requests are never sent twice.
   */
  ask(asked: Asked, source: Source, mocked: () => Awaitable<Outcome>): Promise<Outcome>;
  /** Notes a response that the mock alone has made. */
  note(asked: Asked, outcome: Outcome): Awaitable<Outcome>;
}

/** A request that may be forwarded. */
export interface Asked {
  readonly request: MockRequest;
  /** Receives the decisions. */
  readonly decided: Decided;
  /** Undefined: the document does not have the path or method. */
  readonly matched: { readonly endpoint: Endpoint; readonly task: Task } | undefined;
}
