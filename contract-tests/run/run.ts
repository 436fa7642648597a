import { type Contract, type Operation, type Resource, SAFE_METHODS } from '#spec';
import { createKeyring, type Keyring } from '../credentials/keyring.ts';
import type { Prepared } from '../hooks/hooks.ts';
import { compileUserCode, type UserCode } from '../hooks/user-code.ts';
import { isUsable } from '../laws/excused-status.ts';
import { createMarks, createRunMark, type Marks, markIn } from '../laws/mark.ts';
import { createRecordModel, type RecordModel } from '../laws/record-model.ts';
import { createPace, type Pace } from '../send/pace.ts';
import { type Connections, createConnections } from '../send/patience.ts';
import { type CallbackReceiver, createReceiver, type Mailbox } from '../send/receiver.ts';
import type { Exchange, Response } from '../send/response.ts';
import { createOrigins, type Origins } from '../send/trail.ts';
import { createTurns, NO_TURNS, type Turns } from '../send/turns.ts';
import type { UserCodeError } from '../send/wire.ts';
import type { Settings } from '../settings/settings.ts';
import { type Budget, createBudget, type Spender } from './budget.ts';
import { type CoverageRecorder, createCoverage } from './coverage.ts';
import { createHarvest, type Harvest } from './harvest.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { NotReached } from './not-reached.ts';
import { createOwnership, type Ownership } from './ownership.ts';
import { createPermissions, type Permissions } from './permissions.ts';
import { createLatencyRecorder, createWireLog, type LatencyRecorder, type WireLog } from './recording.ts';
import { createSchedule, divideIntoShards, reserveOf, type Schedule } from './schedule.ts';
import { createPatience, type Patience } from './settle.ts';
import type { Shared } from './shared-work.ts';
import {
  type Admission,
  createTargetWatch,
  noteRefusal,
  type SoleRefusal,
  type TargetWatch,
  type Unanswered,
} from './target-watch.ts';

/** The part of a run that is fixed before the first request. */
export interface Plan {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly userCode: UserCode;
  readonly permissions: Permissions;
  readonly budget: Budget;
  /** Whether this shard executes the cases of an operation. */
  inShard(operation: Operation): boolean;
  /** The cases that this shard executes. */
  readonly cases: readonly Spender[];
  /** The common part of all marks of the run. */
  readonly mark: string;
  readonly marks: Marks;
  readonly startedAt: Date;
}

/** What is known of the target and its records, and whether more may be sent. */
export interface Session {
  readonly connections: Connections;
  readonly keyring: Keyring;
  readonly pace: Pace;
  readonly schedule: Schedule;
  readonly ownership: Ownership;
  readonly model: RecordModel;
  readonly patience: Patience;
  readonly cache: RunCache;
  readonly harvest: Harvest;
  readonly watch: TargetWatch;
  /**
   * Opens a callback URL that responds with the status.
   * @throws NotReached if the target cannot reach the run
   */
  mailbox(status: number): Promise<Mailbox>;
  /** The target is gone: no further cases run. */
  giveUp(reason: string): void;
  readonly gaveUp: () => string | undefined;
  /** Another server than the service responds. */
  leave(): void;
  /** No credential is valid any more. */
  lockOut(reason: string): void;
  /** The user's code failed: the run ends at once, without a report. */
  fail(error: UserCodeError): void;
  readonly failure: () => UserCodeError | undefined;
  /** Ends the run at once, without waiting for requests in flight. The reason is that of the signal. */
  cut(reason: string): void;
  /** Aborted when the run ends at once. */
  readonly ended: AbortSignal;
  close(): void;
}

/** What was sent and received, for the report. */
export interface Log {
  readonly ledger: Ledger;
  readonly origins: Origins;
  readonly coverage: CoverageRecorder;
  /** Recorded only if a report shows it. */
  readonly wireLog: WireLog | undefined;
  readonly latency: LatencyRecorder;
  readonly seen: Seen;
  /** Requests whose connection the target closed without a response. */
  readonly unanswered: Unanswered[];
}

/** The state that all cases of a run share. */
export interface Run {
  readonly plan: Plan;
  readonly session: Session;
  readonly log: Log;
}

/** What cases of a run request or find out once, for all of them. */
export interface RunCache {
  readonly lists: Map<Resource, Shared<readonly Readonly<Record<string, unknown>>[]>>;
  /** Per resource, the id of a record that the run created and never changes. */
  readonly ownIds: Map<Resource, Shared<unknown>>;
  /** The id of a record that an operation without a main role changes, and that nothing else uses. */
  readonly spentIds: Map<Operation, Shared<unknown>>;
  /** Responses with links to parameters of other operations. */
  readonly linked: Map<Operation, Shared<Response>>;
  /** Values for path parameters without a known source. */
  readonly likely: Map<Operation, Shared<Readonly<Record<string, unknown>>>>;
  /** Values of required query parameters without a known source, with which the operation succeeded. */
  readonly queries: Map<Operation, Readonly<Record<string, unknown>>>;
  /** How to create records whose ordinary body the target rejects. */
  readonly climbs: Map<Operation, Shared<Climbed>>;
  /** The values that the user's code returned for safe requests of an operation. */
  readonly prepared: Map<Operation, Promise<Prepared>>;
  /** The operations that accepted an ordinary body. */
  readonly proven: Set<Operation>;
  /** The operations that rejected a value which another record had. */
  readonly varying: Set<Operation>;
  /** The ids that the run chose for new records. */
  readonly keys: Set<string>;
  /** Creates whose accepted work did not finish within the wait. */
  readonly unfinished: Set<Operation>;
}

export interface Seen {
  /** Whether no other server can respond in its place. */
  isTheService: boolean;
  /** The number of responses that were documented, well-typed and complete. */
  usable: number;
  /** Of these, all but 404: any server returns that. */
  certain: number;
  /** Responses that are not the service's, such as a page, or 404 where the path names no record. */
  foreign: number;
  readonly asked: Set<Operation>;
  /** For operations that reject all requests in the same way: the error and the number of requests. */
  readonly refused: Map<Operation, SoleRefusal>;
  /** Requests with the run's credential to operations that require one: how many were accepted and rejected. */
  readonly admission: Admission;
  /** The cases that the environment has blocked since the last response. */
  unreachable: number;
  /** Why no credential is valid any more: later responses say nothing of the contract. */
  lockedOut: string | undefined;
  /** Why the run ended before all cases ran: the service is gone, or rejects the credential. */
  ended: string | undefined;
}

/** Why no further case runs after each operation was called and the service never responded. */
export const NO_SERVICE = 'no response was one of the service';

/** Whether another server responds, and not the service. */
export function isElsewhere({ isTheService, certain, foreign }: Seen): boolean {
  return !isTheService && foreign > 0 && certain === 0;
}

/** @param cases all cases of the run: they determine each one's budget and shard */
export function makePlan(
  contract: Contract,
  settings: Settings,
  cases: readonly Spender[] = [],
  userCode = compileUserCode([settings.hooks]),
): Plan {
  const permissions = createPermissions(contract, settings);
  const sent = cases.filter((one) => (settings.writes || !one.unsafe) && !permissions.of(one.operation));
  const inShard = divideIntoShards(contract, settings.shard, sent);
  const mark = createRunMark();
  return {
    contract,
    settings,
    userCode,
    permissions,
    budget: createBudget(contract, permissions, settings, cases),
    inShard,
    cases: sent.filter((one) => inShard(one.operation)),
    mark,
    marks: createMarks(mark),
    startedAt: new Date(),
  };
}

/** What a run has before its plan: cases may send a nearly valid credential. */
export interface Access {
  readonly keyring: Keyring;
  readonly turns: Turns;
  /** When its cases end, on the clock of `performance.now()`. */
  readonly deadline: number;
}

/** @param begun when the run began, on the clock of `performance.now()` */
export function openAccess(contract: Contract, settings: Settings, begun = performance.now()): Access {
  // A target without state has nothing to lose.
  const turns = settings.disposable || settings.stateless ? NO_TURNS : createTurns(settings.timeout);
  const deadline = begun + settings.maxTime * 1000 - reserveOf(settings);
  return { keyring: createKeyring(contract, settings, turns), turns, deadline };
}

export function openRun(plan: Plan, access = openAccess(plan.contract, plan.settings)): Run {
  const log = createLog(plan);
  return { plan, log, session: openSession(plan, log, access) };
}

function createLog({ contract, settings }: Plan): Log {
  return {
    ledger: createLedger(),
    origins: createOrigins(),
    coverage: createCoverage(contract),
    wireLog: settings.recordExchanges ? createWireLog() : undefined,
    latency: createLatencyRecorder(contract.operations.map(({ id }) => id)),
    seen: {
      isTheService: false,
      usable: 0,
      certain: 0,
      foreign: 0,
      asked: new Set(),
      refused: new Map(),
      admission: { admitted: 0, refused: 0 },
      unreachable: 0,
      lockedOut: undefined,
      ended: undefined,
    },
    unanswered: [],
  };
}

function openSession(plan: Plan, { seen, wireLog }: Log, { keyring, turns, deadline }: Access): Session {
  const { contract, settings, permissions, mark } = plan;
  const { timeout, retries, onLoopback, rate, signal, tls, fetch } = settings;
  const pace = createPace({ rate, deadline, stop: signal, turns });
  const abort = signal && later(signal);
  const connections = createConnections(
    { timeout, retries, direct: onLoopback, sockets: SOCKETS, abort, tls, fetch, watch: wireLog?.watch },
    pace,
  );
  const receiver = createReceiver(settings);
  const ending = new AbortController();
  let gaveUp: string | undefined;
  let failure: UserCodeError | undefined;
  return {
    connections,
    keyring,
    pace,
    schedule: createSchedule(plan, plan.cases, pace),
    ownership: createOwnership(contract, permissions, settings),
    model: createRecordModel(),
    patience: createPatience(settings.settle, pace),
    cache: {
      lists: new Map(),
      ownIds: new Map(),
      spentIds: new Map(),
      linked: new Map(),
      likely: new Map(),
      queries: new Map(),
      climbs: new Map(),
      prepared: new Map(),
      proven: new Set(),
      varying: new Set(),
      keys: new Set(),
      unfinished: new Set(),
    },
    harvest: createHarvest(contract, (value) => markIn(String(value), mark) !== undefined),
    watch: createTargetWatch(seen.admission),
    mailbox: (status) => openMailbox(receiver, settings, status),
    giveUp: (reason) => {
      gaveUp ??= reason;
      seen.ended ??= reason;
    },
    gaveUp: () => gaveUp,
    lockOut: (reason) => {
      gaveUp ??= reason;
      seen.lockedOut ??= reason;
    },
    leave: () => {
      gaveUp ??= NO_SERVICE;
    },
    fail: (error) => {
      failure ??= error;
      ending.abort(error.message);
    },
    failure: () => failure,
    cut: (reason) => {
      seen.ended ??= reason;
      ending.abort(reason);
    },
    ended: ending.signal,
    close: () => {
      receiver.close();
      connections.close();
      keyring.close();
      turns.close();
    },
  };
}

/** Records a response for the statements about the run as a whole. */
export function witness({ plan, session, log }: Run, exchange: Exchange): void {
  const { operation, response } = exchange;
  const { seen } = log;
  log.coverage.witness(exchange);
  session.harvest.note(exchange);
  log.latency.note(operation.id, response.ms);
  const usable = isUsable(operation, response);
  if (usable) seen.usable += 1;
  if (usable && response.status !== 404) seen.certain += 1;
  if (!usable || (response.status === 404 && !operation.path.includes('{'))) seen.foreign += 1;
  seen.unreachable = 0;
  seen.asked.add(operation);
  noteRefusal(seen.refused, exchange);
  const { contract, settings, permissions } = plan;
  const mayAsk = (one: Operation) =>
    (settings.writes || SAFE_METHODS.has(one.method)) && !permissions.of(one);
  const isAsked = () => contract.operations.every((one) => seen.asked.has(one) || !mayAsk(one));
  if (isElsewhere(seen) && isAsked()) session.leave();
}

async function openMailbox(
  receiver: CallbackReceiver,
  { onLoopback, callbackUrl }: Settings,
  status: number,
): Promise<Mailbox> {
  if (!onLoopback && !callbackUrl) {
    const message = 'the target is not on this machine: --callback-url URL says where it can reach the run';
    throw new NotReached(message, 'out-of-reach');
  }
  try {
    return await receiver.mailbox(status);
  } catch (error) {
    throw new NotReached(`the run cannot listen for callbacks: ${(error as Error).message}`, 'out-of-reach');
  }
}

/** The maximum number of concurrent requests of a case, independent or racing. */
const SOCKETS = 8;

/** How long requests in flight may take to finish when the run stops, in milliseconds. */
const GRACE = 1000;

function later(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = () => void setTimeout(() => controller.abort(), GRACE).unref();
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return controller.signal;
}

export type Path = readonly string[];

/** The initial body of a create. */
export type Base =
  /** All members of the body's schema. */
  | 'all members'
  | 'required members'
  /** The documented example. */
  | 'the example'
  /** The user's file: `--body`. */
  | 'the file of --body';

/** How to make the bodies of a create: what to change after the target's errors. */
export interface Recipe {
  readonly base: Base;
  /** Whether all generated values differ in each body. */
  readonly varies: boolean;
  /** Whether dates are in the future, with beginnings before ends. */
  readonly ahead: boolean;
  /** The members to leave out. */
  readonly without: readonly Path[];
  /** The members to set, with their values. */
  readonly values: readonly Replacement[];
}

export interface Replacement {
  readonly path: Path;
  /** For the marked member, the form of its text. */
  readonly value: unknown;
}

/** The result of the attempts to create a first record. */
export interface Climbed {
  /** How further ones are created; undefined: the target accepted none. */
  readonly recipe?: Recipe | undefined;
  /** The attempts and the target's responses, one per line. */
  readonly refusals: readonly string[];
}
