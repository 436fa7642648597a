import { isRecord, type Operation, type Resource } from '#spec';
import { ALL_LAWS, type Judgement, judgeExchange, MESSAGE_ONLY, RACE_LAWS } from '../laws/all-laws.ts';
import { type Evidence, gatherEvidence } from '../laws/evidence.ts';
import type { Breach, Law } from '../laws/law.ts';
import type { Marks } from '../laws/mark.ts';
import { roleOf, successStatuses } from '../laws/operation-role.ts';
import type { KnownRecords, Maker } from '../laws/own-record.ts';
import { isRemoved } from '../laws/protocol-status.ts';
import type { PatientClient } from '../send/patience.ts';
import { planRequest, type RequestInput, requiredQuery } from '../send/plan-request.ts';
import { decodeResponse, type Exchange, isSuccess } from '../send/response.ts';
import { SAFE_METHODS } from '../send/wire.ts';
import { asInPath } from './as-in-path.ts';
import { type Allowance, SHARED } from './budget.ts';
import { CaseLog, type TrialSubject } from './case-log.ts';
import { demandKeys } from './demand-keys.ts';
import { NoRoom, NotProvoked, NotReached } from './not-reached.ts';
import { noteInLedger } from './note-in-ledger.ts';
import { guessedParameters } from './path-values.ts';
import type { Run } from './run.ts';
import { adoptShared, type Shared, type SharedWork, type SharingLog, waitsFor } from './shared-work.ts';

/** An exchange that has been judged. */
export interface Judged extends Exchange {
  /** No law is broken. */
  readonly sound: boolean;
  readonly evidence: Evidence;
}

/** Where a trial stands in the run. */
export interface TrialPlace {
  /** The number of its case among all cases. */
  readonly order: number;
  readonly client: PatientClient;
}

/** One case at work: it sends what the case asks for, and holds each exchange to every law that applies to it. */
export class Trial extends CaseLog implements SharingLog {
  readonly run: Run;
  readonly order: number;
  readonly client: PatientClient;
  readonly marks: Marks;
  readonly shared = new Set<SharedWork>();
  /** The resources of which it works with the record that the run has made for all cases. */
  readonly amongOwn = new Set<Resource>();
  #allowance: Allowance;
  /** The shared work that this trial does; undefined: it is a case's. */
  #work: SharedWork | undefined;
  /** The exchanges of the sequence at work. */
  #sequence: Evidence[] = [];
  /** Breaches that may pass when the sequence is repeated; undefined: no sequence is at work. */
  #pending: { judgements: readonly Judgement[]; exchange: Exchange }[] | undefined;
  /** When the first round of a sequence began that is repeated. */
  #since: number | undefined;

  constructor(run: Run, subject: TrialSubject, { order, client }: TrialPlace, marks?: Marks) {
    super(subject, run);
    this.run = run;
    this.order = order;
    this.client = client;
    this.#allowance = run.budget.allowanceOf(order);
    this.marks = marks ?? run.marks.of(`${order + 1}c`);
  }

  /** Whose records its requests are held against. */
  get #viewer(): Maker {
    return this.case.looksBack ? undefined : this.order;
  }

  /** Sends one request and judges the exchange. A safe one is repeated while a law is broken that may settle. */
  async send(operation: Operation, input: RequestInput): Promise<Judged> {
    if (this.#pending || !SAFE_METHODS.has(operation.method))
      return (await this.#sendOnce(operation, input)).judged;
    const { patience, model } = this.run;
    const began = model.now();
    const { judged, judgements } = await patience.untilSettled(
      () => this.#sendOnce(operation, input, began),
      (seen) => breachesOf(seen.judgements.filter(({ law }) => law.settles === 'request')),
      this.client.alone,
    );
    if (!judged.sound && !input.presented) model.observe(judged.evidence, true);
    this.blame(
      judgements.filter(({ law }) => law.settles),
      judged,
    );
    return judged;
  }

  /** Sends a sequence of requests, again while a law is broken that may settle. The last round counts. */
  async settle<T>(drive: () => Promise<T>): Promise<T> {
    let began: number | undefined;
    const { value, pending } = await this.run.patience.untilSettled(
      async () => {
        this.#since = began;
        began ??= this.run.model.now();
        this.#sequence = [];
        this.#pending = [];
        try {
          const value = await drive();
          return { value, pending: this.#pending };
        } finally {
          this.#since = undefined;
          this.#pending = undefined;
        }
      },
      (round) => round.pending.flatMap(({ judgements }) => breachesOf(judgements)),
      this.client.alone,
    );
    for (const { judgements, exchange } of pending) this.blame(judgements, exchange);
    return value;
  }

  /** Work that is done once, for all cases; where it fails, the next case does it again. */
  async share<Key extends Resource | Operation, T>(
    known: Map<Key, Shared<T>>,
    key: Key,
    work: (trial: Trial) => Promise<T>,
  ): Promise<T> {
    const shared = known.get(key) ?? this.#beginShared(key, work);
    known.set(key, shared);
    this.shared.add(shared.work);
    const own = this.#work;
    if (own && waitsFor(shared.work, own))
      throw new NotProvoked('the values that it needs depend on each other');
    shared.value.catch(() => known.get(key) === shared && known.delete(key));
    own?.awaited.add(shared.work);
    try {
      // What is done over one's own connection nobody holds up.
      const isOthers = shared.work.client !== this.client && !shared.work.over;
      return await (isOthers ? this.client.aside(() => shared.value) : shared.value);
    } finally {
      own?.awaited.delete(shared.work);
    }
  }

  /**
   * Room for so many records; undefined: there is none. It is to be given back where none was made.
   * @param refused the request must be refused: it costs nothing
   */
  reserve(resource: Resource, count = 1, refused = false): (() => void) | undefined {
    const { budget, ledger } = this.run;
    if (budget.isFull(ledger.lasting)) return undefined;
    if (refused || budget.isRemovable(resource)) return () => undefined;
    if (this.#allowance.left < count) return undefined;
    this.#allowance.left -= count;
    return () => {
      this.#allowance.left += count;
    };
  }

  #beginShared<T>(key: Resource | Operation, work: (trial: Trial) => Promise<T>): Shared<T> {
    const { run, client } = this;
    const { resources, operations } = run.contract;
    const id = `shared ${'method' in key ? key.id : key.path}`;
    const operation = 'method' in key ? key : (key.actions.list ?? key.actions.create ?? this.case.operation);
    const [status = this.case.status] = successStatuses(operation);
    const index = 'method' in key ? resources.length + operations.indexOf(key) : resources.indexOf(key);
    const log = new Trial(
      run,
      { id, operation, status },
      { order: SHARED, client },
      run.marks.of(`${index}s`),
    );
    const begun: SharedWork = { id, log, client, awaited: new Set(), over: false, adopted: false };
    log.#work = begun;
    // Once it is known, so that it finds itself among the work that it waits for.
    const value = Promise.resolve().then(() => work(log));
    const end = () => {
      begun.over = true;
    };
    value.then(end, end);
    return { work: begun, value };
  }

  /** Takes over what shared work has shown that no case before this one has used. */
  adoptShared(): void {
    const { ledger, traffic, wireLog } = this.run;
    const caseId = this.case.id;
    const adopted = adoptShared(this, ({ id }) => {
      ledger.rename(id, caseId);
      traffic?.rename(id, caseId);
      wireLog?.rename(id, caseId);
    });
    this.takeShared(adopted);
  }

  /**
   * Parts of a case that do not depend on each other: where cases run side by side, they do so, too. What they show
   * is taken in their order.
   * @param creates how many records each of them makes at most; undefined: they share what the case may make
   */
  async together(drives: readonly ((part: Trial) => Promise<unknown>)[], creates?: number): Promise<void> {
    const parts: Promise<{ part: Trial; failed: { error: unknown } | undefined }>[] = [];
    for (const [index, drive] of drives.entries()) {
      parts.push(this.#runPart(drive, index + 1, creates));
      if (this.run.settings.jobs === 1) await parts.at(-1);
    }
    for (const { part, failed } of await Promise.all(parts)) {
      this.takePart(part);
      for (const work of part.shared) this.shared.add(work);
      for (const resource of part.amongOwn) this.amongOwn.add(resource);
      if (failed) throw failed.error;
    }
  }

  async #runPart(drive: (part: Trial) => Promise<unknown>, number: number, creates: number | undefined) {
    const order = this.order + number / 1000;
    const part = new Trial(this.run, this.case, { order, client: this.client }, this.marks.of(`${number}p`));
    part.#work = this.#work;
    for (const resource of this.amongOwn) part.amongOwn.add(resource);
    const left = Math.min(creates ?? 0, this.#allowance.left);
    this.#allowance.left -= left;
    part.#allowance = creates === undefined ? this.#allowance : { left };
    const failed = await drive(part).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (creates !== undefined) this.#allowance.left += part.#allowance.left;
    return { part, failed };
  }

  /**
   * Sends one of several requests that are sent at once. The response is judged by itself: what the requests do to
   * records, and in which order, the run does not know.
   */
  sendAmongOthers(operation: Operation, input: RequestInput): Promise<Judged> {
    return this.#exchange(operation, input, undefined, (exchange, evidence) => {
      const judgements = judgeExchange(evidence, RACE_LAWS);
      this.blame(judgements, exchange);
      return { ...exchange, sound: judgements.length === 0, evidence };
    });
  }

  /** The run knows what an exchange among others has done to a record, once its place in the order is known. */
  learn(exchange: Exchange): Evidence {
    const { contract, model } = this.run;
    const view = model.begin(undefined, exchange.input, undefined, this.#viewer);
    const evidence = gatherEvidence(exchange, { contract, model: view, earlier: [] });
    model.observe(evidence, true);
    return evidence;
  }

  /** A breach that follows from several exchanges; the one given shows it best. */
  found(law: Law, breaches: readonly Breach[], exchange: Exchange): void {
    this.blame(
      breaches.map((breach) => ({ law, breach })),
      exchange,
    );
  }

  #sendOnce(operation: Operation, given: RequestInput, since = this.#since) {
    const { contract, settings } = this.run;
    const guessed = given.path ? guessedParameters(contract, settings, operation) : [];
    const input = guessed.length > 0 && !given.provoked ? { ...given, guessed: true } : given;
    const giveBack = this.#reserveFor(operation, input);
    return this.#exchange(operation, input, since, (exchange, evidence) => {
      if (!isSuccess(exchange.response)) giveBack();
      const judged = this.#judge(exchange, evidence);
      if (judged.judged.sound && input.guessed && input.expected && !isSuccess(exchange.response))
        throw new NotProvoked(`no value of ${guessed.join(', ')} is known: say --value ${guessed[0]}=V`);
      const [unfit] = evidence.request.violations.filter((one) => one.in === 'path');
      if (judged.judged.sound && unfit && input.expected && !isSuccess(exchange.response))
        throw new NotProvoked(`no record has a ${unfit.name} as the path describes it`);
      return judged;
    });
  }

  /** A request that may make a record, for which no room was reserved before. @throws NoRoom */
  #reserveFor(operation: Operation, input: RequestInput): () => void {
    const { contract, settings, budget } = this.run;
    const role = roleOf(contract, operation);
    const isOpen = input.reserved || input.provoked || settings.stateless;
    if (isOpen || role?.action !== 'create') return () => undefined;
    const { refused, duplicated, unknownId, madeUp, rawBody, contentType } = input;
    const isBroken = rawBody !== undefined && contentType === undefined;
    const isRefused = [refused, duplicated, unknownId, madeUp].some(Boolean) || isBroken;
    const giveBack = this.reserve(role.resource, 1, isRefused);
    if (!giveBack) throw new NoRoom(budget.most);
    return giveBack;
  }

  /** @param judge is to take in what the response shows before other requests of the run go on */
  async #exchange<T>(
    operation: Operation,
    given: RequestInput,
    since: number | undefined,
    judge: (exchange: Exchange, evidence: Evidence) => T,
  ): Promise<T> {
    const { contract, model, settings, wireLog } = this.run;
    // What the user has said of a request is all of it.
    const input = given.provoked ? given : this.#complete(operation, given);
    demandKeys(operation, input, settings);
    this.run.own.demand(operation, input);
    if (!this.run.budget.takeRequest())
      throw new NotReached('the run has sent as many requests as were planned', 'no-requests');
    const request = planRequest(settings, operation, input);
    wireLog?.assign(request, this.case.id);
    const awaited = input.provoked ? this.case.status : input.expected?.status;
    const view = model.begin(roleOf(contract, operation), input, since, this.#viewer);
    let answered = false;
    try {
      const response = decodeResponse(await this.client.send(request, operation.id, awaited));
      answered = true;
      const exchange: Exchange = { operation, input, request, response };
      if (this.run.watch.note(exchange)) await this.#demandAdmission(exchange);
      return judge(exchange, this.#takeIn(exchange, view));
    } finally {
      view.end(answered);
    }
  }

  /** @throws NotReached where the run is over: what is refused now breaks no promise. */
  async #demandAdmission(exchange: Exchange): Promise<void> {
    const { run, client } = this;
    const over = await run.watch.admits(exchange, client);
    if (over === undefined) return;
    run.giveUp(over);
    throw new NotReached(over, 'gave-up');
  }

  #complete(operation: Operation, given: RequestInput): RequestInput {
    const { contract, settings } = this.run;
    const query = { ...requiredQuery(operation, settings), ...given.query };
    const role = roleOf(contract, operation);
    if (!role || !isRecord(given.body) || !given.path) return { ...given, query };
    return { ...given, query, body: asInPath(given.body, operation, role.resource, given.path) };
  }

  #takeIn(exchange: Exchange, view: KnownRecords): Evidence {
    const { run } = this;
    const { operation, response } = exchange;
    if (response.cut) throw new NotReached('the response is larger than 16 MiB; it was read no further');
    if (isRemoved(operation, response)) throw removed(operation, this.case.operation);
    run.witness(exchange);
    run.traffic?.note(this.case.id, exchange);
    const context = { contract: run.contract, model: view, earlier: this.#sequence };
    const evidence = gatherEvidence(exchange, context);
    noteInLedger(run, evidence, { caseId: this.case.id, order: this.order });
    return evidence;
  }

  #judge(exchange: Exchange, evidence: Evidence) {
    const { run } = this;
    // Who has another credential may see other records.
    const isOther = exchange.input.presented !== undefined;
    const judgements = judgeExchange(evidence, run.settings.stateless || isOther ? MESSAGE_ONLY : ALL_LAWS);
    this.#take(judgements, exchange);
    const sound = judgements.length === 0;
    if (!isOther) run.model.observe(evidence, sound);
    this.#sequence = [...this.#sequence, evidence];
    if (sound) this.reached.add(`${exchange.operation.id}/${exchange.response.status}`);
    return { judged: { ...exchange, sound, evidence } satisfies Judged, judgements };
  }

  /** A breach that cannot settle counts at once; of the others only those of the last round do. */
  #take(judgements: readonly Judgement[], exchange: Exchange): void {
    const isSafe = SAFE_METHODS.has(exchange.operation.method);
    const maySettle = ({ law }: Judgement) =>
      law.settles !== undefined && (this.#pending !== undefined || isSafe);
    const later = judgements.filter(maySettle);
    if (later.length > 0) this.#pending?.push({ judgements: later, exchange });
    this.blame(
      judgements.filter((judgement) => !maySettle(judgement)),
      exchange,
    );
  }
}

/** Another operation's removal takes no cell away from the case's own. */
function removed(gone: Operation, own: Operation): NotReached {
  return gone === own
    ? new NotReached('removed', 'removed')
    : new NotReached(`removed: ${gone.id}`, 'needs-removed');
}

function breachesOf(judgements: readonly Judgement[]): Breach[] {
  return judgements.map(({ breach }) => breach);
}
