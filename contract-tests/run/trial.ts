import { explicitStatuses, isRecord, type Operation } from '#spec';
import type { Finding, Observation } from '../finding.ts';
import { knownUntilDay } from '../known.ts';
import { ALL_LAWS, type Judgement, judgeExchange, MESSAGE_ONLY, RACE_LAWS } from '../laws/all-laws.ts';
import { type Evidence, gatherEvidence } from '../laws/evidence.ts';
import type { Breach, Law } from '../laws/law.ts';
import { markIn } from '../laws/mark.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { createRecordModel } from '../laws/record-model.ts';
import { isRemoved, removedReason } from '../laws/removal.ts';
import type { Exchange } from '../send/exchange.ts';
import { FateUnknown, type PatientClient, SAFE_METHODS } from '../send/patience.ts';
import { planRequest, type RequestInput } from '../send/plan-request.ts';
import { decodeResponse, isSuccess } from '../send/response.ts';
import { lighten } from './lighten.ts';
import { NotReached } from './not-reached.ts';
import type { Run } from './run.ts';

/** What a trial is about. */
export interface TrialSubject {
  /** Stable from run to run: `OPERATION/STATUS/what-is-special`. */
  readonly id: string;
  readonly operation: Operation;
  /** The status of the cell that it produces. */
  readonly status: number;
}

/** An exchange that has been judged. */
export interface Judged extends Exchange {
  /** No law is broken. */
  readonly sound: boolean;
  readonly evidence: Evidence;
}

/** One of several requests that are sent at once. */
export interface RaceRequest {
  readonly operation: Operation;
  readonly input: RequestInput;
}

/** It was carried out, if at all, between two moments on the clock of `performance.now()`. */
export interface Raced extends RaceRequest {
  readonly began: number;
  /** Infinity: the request broke off, and it may be carried out at any later time. */
  readonly ended: number;
  readonly exchange: Exchange | undefined;
  readonly sound: boolean;
}

/** One case at work: it sends what the case asks for, and holds each exchange to every law that applies to it. */
export class Trial {
  readonly run: Run;
  readonly case: TrialSubject;
  readonly findings: Finding[] = [];
  readonly notSpecified: Observation[] = [];
  readonly notices: Observation[] = [];
  covered = false;
  /** The exchanges of the sequence at work. */
  #sequence: Evidence[] = [];
  /** Breaches that may pass when the sequence is repeated; undefined: no sequence is at work. */
  #pending: { judgements: readonly Judgement[]; exchange: Exchange }[] | undefined;

  constructor(run: Run, subject: TrialSubject) {
    this.run = run;
    this.case = subject;
  }

  /** Sends one request and judges the exchange. A safe one is repeated while a law is broken that may settle. */
  async send(operation: Operation, input: RequestInput): Promise<Judged> {
    if (this.#pending || !SAFE_METHODS.has(operation.method))
      return (await this.#sendOnce(operation, input)).judged;
    const { patience, model } = this.run;
    const { judged, judgements } = await patience.untilSettled(
      () => this.#sendOnce(operation, input),
      (seen) => breachesOf(seen.judgements.filter(({ law }) => law.settles === 'request')),
    );
    if (!judged.sound) model.observe(judged.evidence, true);
    this.#blame(
      judgements.filter(({ law }) => law.settles),
      judged,
    );
    return judged;
  }

  /** Sends a sequence of requests, again while a law is broken that may settle. The last round counts. */
  async settle<T>(drive: () => Promise<T>): Promise<T> {
    const { value, pending } = await this.run.patience.untilSettled(
      async () => {
        this.#sequence = [];
        this.#pending = [];
        try {
          const value = await drive();
          return { value, pending: this.#pending };
        } finally {
          this.#pending = undefined;
        }
      },
      (round) => round.pending.flatMap(({ judgements }) => breachesOf(judgements)),
    );
    for (const { judgements, exchange } of pending) this.#blame(judgements, exchange);
    return value;
  }

  /** The document is silent here: what the target did is reported, and judged by nobody. */
  leaveOpen(text: string): void {
    this.notSpecified.push({ caseId: this.case.id, operationId: this.case.operation.id, text });
  }

  notice(text: string): void {
    this.notices.push({ caseId: this.case.id, operationId: this.case.operation.id, text });
  }

  /**
   * Sends requests at once, each over a connection of its own. Each response is judged by itself; what they do to
   * records, and in which order, the run does not know, and the caller has to judge.
   */
  async race(requests: readonly RaceRequest[]): Promise<Raced[]> {
    const raced = await Promise.allSettled(
      requests.map(async ({ operation, input }, index): Promise<Raced> => {
        const began = performance.now();
        try {
          const exchange = await this.#exchange(this.run.connection(index), operation, input);
          const ended = performance.now();
          const { contract } = this.run;
          const evidence = gatherEvidence(exchange, { contract, model: createRecordModel(), earlier: [] });
          this.#noteCreation(evidence);
          const judgements = judgeExchange(evidence, RACE_LAWS);
          this.#blame(judgements, exchange);
          return { operation, input, began, ended, exchange, sound: judgements.length === 0 };
        } catch (error) {
          if (!(error instanceof FateUnknown)) throw error;
          return {
            operation,
            input,
            began,
            ended: Number.POSITIVE_INFINITY,
            exchange: undefined,
            sound: true,
          };
        }
      }),
    );
    return raced.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
  }

  /** Takes in what a raced exchange tells of a record, once its place in the order is known. */
  learn(exchange: Exchange): Evidence {
    const { contract, model } = this.run;
    const evidence = gatherEvidence(exchange, { contract, model, earlier: [] });
    model.observe(evidence, true);
    return evidence;
  }

  /** A breach that follows from several exchanges; the one given shows it best. */
  found(law: Law, breaches: readonly Breach[], exchange: Exchange): void {
    this.#blame(
      breaches.map((breach) => ({ law, breach })),
      exchange,
    );
  }

  async #exchange(client: PatientClient, operation: Operation, input: RequestInput): Promise<Exchange> {
    const { run } = this;
    const request = planRequest(run.settings, operation, input);
    const response = decodeResponse(await client.send(request));
    if (response.cut) throw new NotReached('the response is larger than 16 MiB; it was read no further');
    if (isRemoved(operation, response)) throw new NotReached(removedReason(operation, this.case.operation));
    const exchange: Exchange = { operation, input, request, response };
    run.witness(exchange);
    run.traffic?.note(this.case.id, exchange);
    return exchange;
  }

  async #sendOnce(operation: Operation, input: RequestInput) {
    const { run } = this;
    const exchange = await this.#exchange(run.client, operation, input);
    const { response } = exchange;
    const { contract, model } = run;
    const evidence = gatherEvidence(exchange, { contract, model, earlier: this.#sequence });
    this.#noteCreation(evidence);
    const judgements = judgeExchange(evidence, run.settings.stateless ? MESSAGE_ONLY : ALL_LAWS);
    this.#take(judgements, exchange);
    const sound = judgements.length === 0;
    model.observe(evidence, sound);
    this.#sequence = [...this.#sequence, evidence];
    if (sound && operation === this.case.operation && response.status === this.case.status)
      this.covered = true;
    return { judged: { ...exchange, sound, evidence } satisfies Judged, judgements };
  }

  /** A breach that cannot settle counts at once; of the others only those of the last round do. */
  #take(judgements: readonly Judgement[], exchange: Exchange): void {
    const isSafe = SAFE_METHODS.has(exchange.operation.method);
    const maySettle = ({ law }: Judgement) =>
      law.settles !== undefined && (this.#pending !== undefined || isSafe);
    const later = judgements.filter(maySettle);
    if (later.length > 0) this.#pending?.push({ judgements: later, exchange });
    this.#blame(
      judgements.filter((judgement) => !maySettle(judgement)),
      exchange,
    );
  }

  /** Makes breaches findings; one law broken at one line of the document is one finding of a case. */
  #blame(judgements: readonly Judgement[], exchange: Exchange): void {
    for (const { breach, law } of withoutRepeats(judgements)) {
      if (this.findings.some((finding) => finding.law === breach.law && isSamePlace(finding, breach)))
        continue;
      const shown = breach.shownBy ?? exchange;
      this.findings.push({
        ...breach,
        caseId: this.case.id,
        ...this.#cellOf(law, shown),
        exchange: lighten(shown),
        knownUntil: knownUntilDay(this.run.settings, this.case.id, breach.law),
      });
    }
  }

  #cellOf({ about }: Law, { operation, response }: Exchange): Pick<Finding, 'operationId' | 'status'> {
    const own = { operationId: this.case.operation.id, status: this.case.status };
    if (about === 'sequence' || operation === this.case.operation) return own;
    const isExplicit = explicitStatuses(operation.responses).includes(response.status);
    const status = isExplicit ? response.status : successStatuses(operation)[0];
    return status === undefined ? own : { operationId: operation.id, status };
  }

  /** Whatever a request was meant for: where a create succeeded, a record was made, and stands in the ledger. */
  #noteCreation({ role, operation, exchange, json }: Evidence): void {
    if (role?.action !== 'create' || !isSuccess(exchange.response)) return;
    const { request, input } = exchange;
    this.run.ledger.note({
      operationId: operation.id,
      caseId: this.case.id,
      mark: markIn(Buffer.from(request.body ?? []).toString(), this.run.marks.run),
      id: isRecord(json) ? json[role.resource.id?.property ?? ''] : undefined,
      path: input.path,
      certain: true,
    });
  }
}

function isSamePlace(one: Breach, other: Breach): boolean {
  return one.at.uri === other.at.uri && one.at.line === other.at.line;
}

function breachesOf(judgements: readonly Judgement[]): Breach[] {
  return judgements.map(({ breach }) => breach);
}

/** One line of the document broken by every record of a list is one breach, and says how often. */
function withoutRepeats(judgements: readonly Judgement[]): Judgement[] {
  const groups = Map.groupBy(judgements, ({ breach: { law, at } }) => `${law} ${at.uri}:${at.line}`);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return first ?? [];
    const { breach, law } = first;
    const about = breach.about && [...new Set([first, ...others].flatMap((one) => one.breach.about ?? []))];
    const received = `${breach.received} (and ${others.length} more like it)`;
    return [{ law, breach: { ...breach, received, ...(about && { about }) } }];
  });
}
