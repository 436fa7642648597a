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
import { type Admission, createTargetWatch, type TargetWatch, type Unanswered } from './target-watch.ts';

/** What is fixed before the first request. */
export interface Plan {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly userCode: UserCode;
  readonly permissions: Permissions;
  readonly budget: Budget;
  /** Whether the cases of an operation are executed here, and not by another shard of the run. */
  inShard(operation: Operation): boolean;
  /** The cases that are executed here. */
  readonly cases: readonly Spender[];
  /** The part that all marks of the run share. */
  readonly mark: string;
  readonly marks: Marks;
  readonly startedAt: Date;
}

/** What is known of the target and its records, and whether anything may still be sent. */
export interface Session {
  readonly connections: Connections;
  readonly keyring: Keyring;
  readonly pace: Pace;
  readonly schedule: Schedule;
  readonly own: Ownership;
  readonly model: RecordModel;
  readonly patience: Patience;
  readonly found: FoundRecords;
  readonly harvest: Harvest;
  readonly watch: TargetWatch;
  /**
   * An address of its own for callbacks, which are answered with the status.
   * @throws NotReached where the target cannot reach the run
   */
  mailbox(status: number): Promise<Mailbox>;
  /** The target is gone: no further case is run. */
  giveUp(reason: string): void;
  readonly gaveUp: () => string | undefined;
  /** Something else than the service answers. */
  leave(): void;
  /** No credential can be had any more. */
  lockOut(reason: string): void;
  /** The user's code has failed: the run is ended at once, without a report. */
  fail(error: UserCodeError): void;
  readonly failure: () => UserCodeError | undefined;
  /** Ends the run at once: what is under way is not waited for. The reason is that of the signal. */
  cut(reason: string): void;
  /** The run is ended at once. */
  readonly ended: AbortSignal;
  close(): void;
}

/** What was sent and seen, for the report. */
export interface Log {
  readonly ledger: Ledger;
  readonly origins: Origins;
  readonly coverage: CoverageRecorder;
  /** Kept only where a report is to show it. */
  readonly wireLog: WireLog | undefined;
  readonly latency: LatencyRecorder;
  readonly seen: Seen;
  /** Requests whose connection the target has closed without a response. */
  readonly unanswered: Unanswered[];
}

/** What all cases of one run share. */
export interface Run {
  readonly plan: Plan;
  readonly session: Session;
  readonly log: Log;
}

/** Records of the target that cases work with, asked for once. */
export interface FoundRecords {
  readonly lists: Map<Resource, Shared<readonly Readonly<Record<string, unknown>>[]>>;
  /** The id of one record of each resource that the run has made, and never changes. */
  readonly ownIds: Map<Resource, Shared<unknown>>;
  /** The id of a record that an operation without a main role changes, and that nothing else is done with. */
  readonly spentIds: Map<Operation, Shared<unknown>>;
  /** Responses whose links say what parameters of other operations are. */
  readonly linked: Map<Operation, Shared<Response>>;
  /** Values for the parameters of a path of which nothing says which ones are good. */
  readonly likely: Map<Operation, Shared<Readonly<Record<string, unknown>>>>;
  /** Values of required parameters of a query of which nothing says more, with which the operation has succeeded. */
  readonly queries: Map<Operation, Readonly<Record<string, unknown>>>;
  /** How records are made whose ordinary body the target has refused. */
  readonly climbs: Map<Operation, Shared<Climbed>>;
  /** What the user's code has given for the requests of an operation that change nothing. */
  readonly prepared: Map<Operation, Promise<Prepared>>;
  /** The operations that have taken an ordinary body. */
  readonly proven: Set<Operation>;
  /** Those that have refused a value that another record had already. */
  readonly varying: Set<Operation>;
  /** The keys that the run has chosen for new records. */
  readonly keys: Set<string>;
  /** Creates that accept what is not done while the run waits for it. */
  readonly unfinished: Set<Operation>;
}

export interface Seen {
  /** Nothing else can answer in its place. */
  isTheService: boolean;
  /** Responses of any operation that were documented, typed and whole. */
  usable: number;
  /** Of these all but 404: any server says that. */
  own: number;
  /** Responses that are none of the service, such as a page, or 404 where the path names no record. */
  foreign: number;
  readonly asked: Set<Operation>;
  /** Requests with the run's own key, to operations that need one: how many were let in, and kept out. */
  readonly admission: Admission;
  /** Cases that the environment did not let through since the last response. */
  unreachable: number;
  /** Why no credential can be had any more: nothing is said of the contract. */
  lockedOut: string | undefined;
  /** Why the run ended before all cases were run: the service is gone, or lets the run in no longer. */
  ended: string | undefined;
}

/** Why no further case is run, when each operation was asked and the service has never answered. */
export const NO_SERVICE = 'no response was one of the service';

/** Something answers, and it is not the service. */
export function isElsewhere({ isTheService, own, foreign }: Seen): boolean {
  return !isTheService && foreign > 0 && own === 0;
}

/** @param cases all of the run: what each may leave behind, and which shard executes it, follows from them */
export function makePlan(
  contract: Contract,
  settings: Settings,
  cases: readonly Spender[] = [],
  userCode = compileUserCode([settings.hooks]),
): Plan {
  const permissions = createPermissions(contract, settings);
  const sent = cases.filter((one) => (settings.writes || !one.unsafe) && !permissions.of(one.operation));
  const inShard = divideIntoShards(contract, settings.shard, sent);
  const mark = createRunMark(Date.now());
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

/** What a run has before its plan is made: cases send what is almost a credential. */
export interface Access {
  readonly keyring: Keyring;
  readonly turns: Turns;
  /** When its cases end, on the clock of `performance.now()`. */
  readonly deadline: number;
}

/** @param begun when the time of the run began, on the clock of `performance.now()` */
export function openAccess(contract: Contract, settings: Settings, begun = performance.now()): Access {
  // What keeps no state has nothing to lose.
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
      own: 0,
      foreign: 0,
      asked: new Set(),
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
    own: createOwnership(contract, permissions, settings),
    model: createRecordModel(),
    patience: createPatience(settings.settle, pace),
    found: {
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

/** Takes note of a response, for what is said of the run as a whole. */
export function witness({ plan, session, log }: Run, exchange: Exchange): void {
  const { operation, response } = exchange;
  const { seen } = log;
  log.coverage.witness(exchange);
  session.harvest.note(exchange);
  log.latency.note(operation.id, response.ms);
  const usable = isUsable(operation, response);
  if (usable) seen.usable += 1;
  if (usable && response.status !== 404) seen.own += 1;
  if (!usable || (response.status === 404 && !operation.path.includes('{'))) seen.foreign += 1;
  seen.unreachable = 0;
  seen.asked.add(operation);
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

/** So many requests of one case that do not depend on each other, or race, are under way at the same time. */
const SOCKETS = 8;

/** What is under way when the run is to stop may still end by itself for so long, in milliseconds. */
const GRACE = 1000;

function later(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = () => void setTimeout(() => controller.abort(), GRACE).unref();
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return controller.signal;
}

export type Path = readonly string[];

/** What the bodies of a create begin with. */
export type Base =
  /** All members that the schema of the body has. */
  | 'all members'
  | 'required members'
  /** What the document shows. */
  | 'the example'
  /** What the user has given: `--body`. */
  | 'the file of --body';

/** How the bodies of a create are made: what the target has refused so far says what is done otherwise. */
export interface Recipe {
  readonly base: Base;
  /** Each body has other values, in all members whose values are made up. */
  readonly varies: boolean;
  /** Dates lie ahead, those that begin something before those that end it. */
  readonly ahead: boolean;
  /** Members that are left out. */
  readonly without: readonly Path[];
  /** Members that are there, with values of their own. */
  readonly values: readonly Replacement[];
}

export interface Replacement {
  readonly path: Path;
  /** In the member that bears the mark, the form of its text. */
  readonly value: unknown;
}

/** What has become of the tries to make the first record. */
export interface Climbed {
  /** How all further ones are made; undefined: the target has taken none. */
  readonly recipe?: Recipe | undefined;
  /** What was tried, and what the target answered: a line each. */
  readonly refusals: readonly string[];
}
