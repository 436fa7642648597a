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

/** One operation with everything needed to respond to it, compiled once. */
export interface Endpoint {
  readonly operation: Operation;
  readonly action: ActionName;
  /** Why the action is `sample`. */
  readonly reason: string | undefined;
  /** What the operation does with which records; undefined: nothing that the document describes. */
  readonly role: Role | undefined;
  /** The names of the steps of a request, its action last. */
  readonly steps: () => readonly string[];
  /** Carries out a request, whoever has sent it. */
  readonly act: Act;
  /** The whole way of a request. */
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
  /** Undefined: the document knows of no cookie of a login. */
  readonly cookie: SessionCookie | undefined;
  /** An operation as rules and the log name it. */
  readonly shown: (operation: Operation) => Operation;
  /** The records of other documents that a path names; asked for only when all documents are compiled. */
  readonly foreignParents: (operation: Operation) => readonly ForeignParent[];
  /** All that operations of the document ask for. */
  readonly credentials: Requirement;
  /** What follows when an operation has been carried out; undefined: nothing. */
  readonly performed: (operation: Operation) => ((task: Task, response: ResponseContent) => void) | undefined;
  /** Compiles the code of the user's for an operation; undefined: there is none. */
  readonly codeFor: (operation: Operation) => ((coded: { readonly refuse: Refuse }) => Run) | undefined;
  /** In bytes. */
  readonly maxBody: number;
  readonly hasUpstream: boolean;
  /** Takes names in the query of a request that the document does not have. */
  readonly reportUnnamed: (operation: Operation, names: readonly string[]) => void;
}

/** What steps are compiled from, and choose by. */
export interface StepContext extends EndpointContext {
  readonly operation: Operation;
  readonly action: ActionName;
  /** Whose records the action works on; undefined: on none. */
  readonly collection: RecordCollection | undefined;
  readonly role: Role | undefined;
  /** The action responds with what the document shows, or with a sample. */
  readonly isSampled: boolean;
  readonly senders: Senders;
  /** For requests whose token is good for nothing any more. */
  readonly guardOthers: Guard;
  readonly read: RequestReader;
  readonly refuse: Refuse;
}

/** Gets what explains a response, before that is returned; never for requests of the mock's own paths. */
export type TakeTrace = (explained: Explained) => void;

/** Why a request got its response. */
export interface Explained {
  /** Whether there is nothing in it that a reader of the log would miss. */
  readonly isPlain: boolean;
  readonly trace: () => Trace;
  /** The request within its session, as it came: with its credentials. */
  readonly request: MockRequest;
}

/** A request whose response is being made. */
export interface Running extends Admission {
  readonly request: MockRequest;
  readonly session: Session;
  /** Undefined: the document does not have the path. */
  readonly match: RouteMatch<Endpoint> | undefined;
  /** Undefined: the request matches no operation. */
  readonly endpoint: Endpoint | undefined;
  /** On the scale of `performance.now()`. */
  readonly begun: number;
  /** Undefined: no real service is behind the mock. */
  readonly relay: Relay | undefined;
  /** What was decided so far; undefined: nothing. */
  decided: Decided | undefined;
  /** The last step that it has met. */
  step: string;
  /** Undefined: nobody asks. */
  readonly takeTrace: TakeTrace | undefined;
}

/** A request on its way to what its operation does: what is known of it so far. */
export interface Visit extends Task {
  readonly running: Running;
  /** Who has sent it, or why nobody may; undefined: nobody that is known. */
  who: Sender | Refusal | undefined | 'not asked';
  values: ReadRequest;
  sender: Sender | undefined;
  /** Who responds was decided before: a rule and a preference do not count again. */
  readonly isDecided: boolean;
}

export const NOTHING_READ: ReadRequest = {
  parameters: { path: {}, query: {}, header: {}, cookie: {} },
  body: undefined,
  violations: [],
};

/** Takes what is decided of a request from now on. */
export function decidedFor(running: Running): Decided {
  running.decided ??= {};
  return running.decided;
}

/** A real service behind the mock, which responds to what it has. */
export interface Relay {
  /** Who responds to a request: as a rule says, else as the options do. Without an operation: of a path that the document does not have. */
  sourceOf(
    operation: Operation | undefined,
    task: Task | undefined,
    session: Session,
    decided: Decided,
  ): Awaitable<Source>;
  /**
   * The response of the real service; or what `mocked` gives, where the service lacks the operation and the source is `auto`.
   * No unsafe request is sent twice.
   */
  ask(asked: Asked, source: Source, mocked: () => Awaitable<Outcome>): Promise<Outcome>;
  /** Takes note of what the mock alone has responded. */
  note(asked: Asked, outcome: Outcome): Awaitable<Outcome>;
}

/** A request that may be sent on. */
export interface Asked {
  readonly request: MockRequest;
  /** Takes what was decided. */
  readonly decided: Decided;
  /** Undefined: of a path or method that the document does not have. */
  readonly matched: { readonly endpoint: Endpoint; readonly task: Task } | undefined;
}
