import { type Operation, pathParameters, recordPath, SAFE_METHODS } from '#spec';
import {
  ALL_LAWS,
  isPresumed,
  type Judgement,
  judgeExchange,
  MESSAGE_ONLY,
  RACE_LAWS,
} from '../laws/all-laws.ts';
import { type Evidence, gatherEvidence } from '../laws/evidence.ts';
import { isRemoved } from '../laws/excused-status.ts';
import {
  type CasePlace,
  type KnownRecords,
  type Maker,
  roleOf,
  roleOfRequest,
} from '../laws/operation-role.ts';
import { unsaidIn } from '../laws/unsaid.ts';
import { missingSchemes } from '../send/credentials.ts';
import type { PatientClient } from '../send/patience.ts';
import { type Condition, type RequestInput, requiredQuery } from '../send/plan-request.ts';
import { decodeResponse, type Exchange, isSuccess } from '../send/response.ts';
import { placeOfId, type SentStep, type Trail } from '../send/trail.ts';
import {
  FateUnknown,
  TimeIsOver,
  UNAUTHORISED,
  Unreachable,
  type WireRequest,
  type WireResponse,
} from '../send/wire.ts';
import type { Room } from './budget.ts';
import type { TrialSubject } from './case-log.ts';

import { NoInput, NotProvoked, NotReached } from './not-reached.ts';
import { makingOf, noteInLedger, noteUncertain } from './note-made.ts';
import {
  anyVersion,
  asInPath,
  ask,
  isRenewed,
  needsCondition,
  outgoing,
  sendOutgoing,
  type Version,
  Versions,
} from './outgoing.ts';
import type { Fate } from './ownership.ts';
import { guessedValues } from './path-values.ts';
import { type Plan, type Run, witness } from './run.ts';

/** A judged exchange. */
export interface Judged extends Exchange {
  /** Whether no rule is broken. */
  readonly sound: boolean;
  readonly evidence: Evidence;
}

/** A judged exchange with its breaches. */
export interface Ruling {
  readonly judged: Judged;
  readonly judgements: readonly Judgement[];
}

/** The size of a large body in bytes. */
const LARGE = 2 ** 20;

/** The sender: a case, a part of it, or shared work. */
interface Worker extends Run {
  readonly case: TrialSubject;
  readonly place: CasePlace;
  readonly client: PatientClient;
  readonly room: Room;
  readonly trail: Trail;
}

/** Sends the requests of a case one by one, and judges each exchange by the rules. The caller reports breaches. */
export class Sender {
  readonly #for: Worker;
  readonly #versions: Versions;
  /** The exchanges of the current sequence. */
  #sequence: Evidence[] = [];

  constructor(worker: Worker) {
    this.#for = worker;
    this.#versions = new Versions(worker.plan.contract);
  }

  /** Starts a new sequence without earlier requests. */
  beginSequence(): void {
    this.#sequence = [];
  }

  /**
   * Sends a request, and judges the exchange by every rule that applies.
   * @param since when the first attempt began, for a repeated request
   */
  async send(operation: Operation, draft: RequestInput, since: number | undefined): Promise<Ruling> {
    const { contract, settings } = this.#for.plan;
    const guessed = guessedValues(contract, settings, operation, draft);
    const input = guessed.length > 0 && !draft.provoked ? { ...draft, guessed: true } : draft;
    const missing = guessed.length > 0 ? guessed : pathParameters(operation.path).slice(0, 1);
    const endRoom = await this.#takeRoom(operation, input);
    let isMade = false;
    const work = this.#exchange(operation, input, { since }, (exchange, evidence) => {
      const isRefused = !isSuccess(exchange.response);
      isMade = !isRefused;
      const ruling = this.#judge(exchange, evidence);
      if (!ruling.judged.sound || !isRefused || !input.expected) return ruling;
      if (input.guessed) throw new NoInput(`no value of ${missing.join(', ')} is known`, { values: missing });
      const isOwed = !input.expected.or4xx && input.expected.status < 300 && !input.provoked;
      const unsaid = isOwed ? unsaidIn(evidence) : undefined;
      if (unsaid !== undefined) throw new NotProvoked(unsaid);
      const unfit = evidence.request.violations.find((violation) => violation.in === 'path');
      if (unfit)
        throw new NoInput(`no record has a ${unfit.name} as the path describes it`, { values: [unfit.name] });
      return ruling;
    });
    return work
      .catch((error: unknown) => {
        if (error instanceof FateUnknown) isMade = true;
        throw error;
      })
      .finally(() => endRoom(isMade));
  }

  /**
   * Sends one of several concurrent requests. Only the response itself is judged: the order of the requests and their
   * effects on records are unknown.
   */
  sendAmongOthers(operation: Operation, input: RequestInput): Promise<Ruling> {
    const { settings } = this.#for.plan;
    const { pace } = this.#for.session;
    return this.#exchange(operation, input, { amongOthers: true }, (exchange, evidence) => {
      const judgements = judgeExchange(evidence, [...RACE_LAWS, ...settings.laws], pace.deadline);
      return { judged: { ...exchange, sound: judgements.every(isPresumed), evidence }, judgements };
    });
  }

  /** Takes in the effect of a concurrent exchange on a record, once its order is known. */
  learn(exchange: Exchange): Evidence {
    const { contract } = this.#for.plan;
    const { model } = this.#for.session;
    const view = model.begin(undefined, exchange.input, undefined, this.#viewer);
    const evidence = gatherEvidence(exchange, { contract, model: view, earlier: [] });
    model.observe(evidence, true);
    return evidence;
  }

  /** The maker whose records responses are compared with. */
  get #viewer(): Maker {
    return this.#for.case.looksBack ? undefined : this.#for.place;
  }

  /**
   * Reserves room for a request that may create a record, if that was not done before.
   * @throws NoRoom
   */
  async #takeRoom(operation: Operation, input: RequestInput): Promise<(made: boolean) => void> {
    const { room } = this.#for;
    const role = roleOfRequest(this.#for.plan.contract, operation, input.creates === true);
    const isOpen = input.reserved || input.provoked || this.#for.plan.settings.stateless;
    const making = isOpen ? undefined : makingOf(this.#for, operation, input, role);
    if (!making) return () => undefined;
    const { refused, duplicated, unknownId, madeUp, rawBody, contentType } = input;
    const isBroken = rawBody !== undefined && contentType === undefined;
    const isRefused = [refused, duplicated, unknownId, madeUp].some(Boolean) || isBroken;
    return room.take(making.resource, { refused: isRefused });
  }

  /** @param judge takes in the response before other requests of the run continue */
  async #exchange(
    operation: Operation,
    draft: RequestInput,
    how: { since?: number | undefined; amongOthers?: boolean; isRenewed?: boolean },
    judge: (exchange: Exchange, evidence: Evidence) => Ruling,
  ): Promise<Ruling> {
    const { since, amongOthers = false, isRenewed: wasRenewed = false } = how;
    const { plan, session, log, case: subject, client, trail } = this.#for;
    // A request of the user is sent without additions.
    const input = draft.provoked ? draft : this.#complete(operation, draft);
    const version = await this.#versionFor(operation, input);
    demandKeys(operation, input, plan);
    session.ownership.demand(operation, input);
    if (!plan.budget.takeRequest())
      throw new NotReached('the run has sent as many requests as were planned', 'no-requests');
    const sent = await outgoing(this.#for, operation, input, version?.tag);
    const { request } = sent;
    const endTurn = await this.#turnFor(operation, input, request);
    log.wireLog?.assign(request, subject.id);
    const awaited = input.provoked ? subject.status : input.expected?.status;
    const role = roleOfRequest(plan.contract, operation, input.creates === true);
    const view = session.model.begin(role, input, since, this.#viewer);
    const versionOf = version?.shownTo;
    const step = trail.begin({
      number: log.origins.next(),
      operation,
      input,
      request,
      amongOthers,
      versionOf,
    });
    let answered = false;
    try {
      const work = sendOutgoing(plan, client, operation, sent, { input, awaited });
      const wire = await this.#sent(work, { operation, input, request, endTurn });
      const isLate = performance.now() > session.pace.deadline;
      // Reading and judging it would take seconds more.
      if (isLate && wire.body.length > LARGE && SAFE_METHODS.has(request.method)) throw new TimeIsOver();
      if (wasRenewed) session.keyring.note(operation, wire.status === UNAUTHORISED);
      if (wasRenewed || !(await isRenewed(session, operation, input, sent, wire))) {
        const response = decodeResponse(wire, operation);
        answered = true;
        step.status = response.status;
        const exchange: Exchange = { operation, input, request, response };
        this.#versions.note(exchange, step);
        if (session.watch.note(exchange)) await this.#demandAdmission(exchange);
        return judge(exchange, this.#takeIn(exchange, view, step));
      }
    } catch (error) {
      if (error instanceof Unreachable && error.tries.closed > 0) {
        const { tries } = error;
        const before = trail.upTo(request).filter((one) => one !== step && !one.amongOthers);
        const steps = [...before, { ...step, amongOthers: false }];
        log.unanswered.push({ subject, operation, input, request, steps, tries });
      }
      throw error;
    } finally {
      if (!answered) trail.drop(request);
      view.end(answered);
    }
    // It was not carried out.
    return this.#exchange(operation, draft, { ...how, isRenewed: true }, judge);
  }

  /**
   * An operation that is called once waits for the previous request.
   * @returns ends its turn
   */
  async #turnFor(
    operation: Operation,
    input: RequestInput,
    request: WireRequest,
  ): Promise<(fate: Fate) => void> {
    if (input.provoked || !this.#for.plan.permissions.isSentOnce(operation)) return () => undefined;
    return this.#for.session.ownership.takeTurn(operation, request.faulty !== undefined);
  }

  /** A request without a response may have created something. */
  async #sent(
    work: Promise<WireResponse>,
    {
      endTurn,
      ...sent
    }: Pick<Exchange, 'operation' | 'input' | 'request'> & { readonly endTurn: (fate: Fate) => void },
  ): Promise<WireResponse> {
    const { case: subject, place } = this.#for;
    try {
      const wire = await work;
      const isRefused = wire.status >= 300 && wire.status < 500;
      endTurn(wire.status === UNAUTHORISED ? 'not carried out' : isRefused ? 'refused' : 'taken');
      return wire;
    } catch (error) {
      const isUnknown = error instanceof FateUnknown;
      endTurn(isUnknown ? 'taken' : 'not carried out');
      if (isUnknown) noteUncertain(this.#for, sent, { caseId: subject.id, place }, !error.declined);
      throw error;
    }
  }

  #complete(operation: Operation, draft: RequestInput): RequestInput {
    const { contract, settings } = this.#for.plan;
    const { cache } = this.#for.session;
    const query = { ...requiredQuery(operation, settings), ...cache.queries.get(operation), ...draft.query };
    if (draft.leavesOut !== undefined) delete query[draft.leavesOut];
    const condition = draft.condition ?? this.#usualCondition(operation, draft);
    return { ...asInPath(contract, operation, draft), query, ...(condition && { condition }) };
  }

  /** A required condition names the current version, unless the user sets it. */
  #usualCondition(operation: Operation, { headers = [] }: RequestInput): Condition | undefined {
    const { contract, settings } = this.#for.plan;
    const names = [...headers, ...settings.headers, ...Object.entries(settings.values)].map(([name]) => name);
    const isGiven = names.some((name) => name.toLowerCase() === 'if-match');
    if (isGiven || !needsCondition(contract, operation)) return undefined;
    return { header: 'If-Match', version: 'current' };
  }

  /**
   * The version for a condition; the record is read if it is unknown.
   * @throws NotProvoked
   */
  async #versionFor(operation: Operation, input: RequestInput): Promise<Version | undefined> {
    const { condition, path = {} } = input;
    if (!condition || condition === 'none') return undefined;
    const { contract, permissions } = this.#for.plan;
    const find = () => this.#versions.find(operation, input, condition.version);
    const version = find();
    if (version) return version;
    if (condition.version === 'former') throw new NotProvoked('the target shows no ETag of a former version');
    const read = roleOf(contract, operation)?.resource.actions.read;
    // A request that must be rejected for another reason reaches no record.
    const isRefused = input.refused || input.unknownId || input.madeUp;
    const mayRead = read && !permissions.of(read) && pathParameters(read.path).every((name) => name in path);
    if (mayRead && !isRefused) await this.#exchange(read, { path }, {}, (...seen) => this.#judge(...seen));
    return find() ?? { tag: anyVersion(contract, operation), shownTo: undefined };
  }

  /** @throws NotReached if the run has ended: an error now breaks no promise */
  async #demandAdmission(exchange: Exchange): Promise<void> {
    const { client } = this.#for;
    const over = await this.#for.session.watch.admits(exchange, (one) => ask(this.#for, client, one));
    if (over === undefined) return;
    this.#for.session.giveUp(over);
    throw new NotReached(over, 'gave-up');
  }

  /** Records an exchange for the run, and gathers the evidence for the rules. */
  #takeIn(exchange: Exchange, view: KnownRecords, step: SentStep): Evidence {
    const { case: subject, place } = this.#for;
    const { operation, response } = exchange;
    if (response.cut) throw new NotReached('the response is larger than 16 MiB; it was read no further');
    if (isRemoved(operation, response)) throw removed(operation, subject.operation);
    witness(this.#for, exchange);
    const context = { contract: this.#for.plan.contract, model: view, earlier: this.#sequence };
    const evidence = gatherEvidence(exchange, context);
    const made = noteInLedger(this.#for, evidence, { caseId: subject.id, place });
    if (made) {
      const likely = [...recordPath(made.resource, operation), made.resource.id?.property ?? ''];
      step.created = { ...made, at: placeOfId(response, made.id, likely) };
      this.#for.log.origins.note(step);
    }
    return evidence;
  }

  #judge(exchange: Exchange, evidence: Evidence): Ruling {
    // Another credential may see other records.
    const isOther = exchange.input.presented !== undefined;
    const ours = this.#for.plan.settings.stateless || isOther ? MESSAGE_ONLY : ALL_LAWS;
    const judgements = judgeExchange(
      evidence,
      [...ours, ...this.#for.plan.settings.laws],
      this.#for.session.pace.deadline,
    );
    const sound = judgements.every(isPresumed);
    if (!isOther) this.#for.session.model.observe(evidence, sound);
    this.#sequence = [...this.#sequence, evidence];
    return { judged: { ...exchange, sound, evidence }, judgements };
  }
}

/**
 * Without the credential, which the user has not supplied, a request would only be rejected.
 * @throws NotReached
 */
function demandKeys(operation: Operation, input: RequestInput, { settings }: Plan): void {
  if (input.refused || input.presented) return;
  const [scheme] = missingSchemes(operation, settings);
  if (scheme === undefined) return;
  throw new NotReached(`${operation.id} needs a credential for ${scheme}: say --credential ${scheme}=VALUE`);
}

/** The removal of another operation does not remove the case's own cell. */
function removed(gone: Operation, subject: Operation): NotReached {
  return gone === subject
    ? new NotReached('removed', 'removed')
    : new NotReached(`removed: ${gone.id}`, 'needs-removed');
}
