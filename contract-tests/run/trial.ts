import { explicitStatuses, isRecord, type Operation } from '#spec';
import type { Finding, Observation } from '../finding.ts';
import { knownUntilDay } from '../known.ts';
import { ALL_LAWS, type Judgement, judgeExchange, MESSAGE_ONLY } from '../laws/all-laws.ts';
import { type Evidence, gatherEvidence } from '../laws/evidence.ts';
import type { Breach, Law } from '../laws/law.ts';
import { markIn } from '../laws/mark.ts';
import { roleOf, successStatuses } from '../laws/operation-role.ts';
import { parentsOf } from '../laws/own-record.ts';
import { isRemoved, removedReason } from '../laws/removal.ts';
import type { Exchange } from '../send/exchange.ts';
import { FateUnknown, SAFE_METHODS } from '../send/patience.ts';
import { planRequest, type RequestInput } from '../send/plan-request.ts';
import { decodeResponse, isSuccess } from '../send/response.ts';
import { lighten } from './lighten.ts';
import { NotProvoked, NotReached } from './not-reached.ts';
import { guessedParameters } from './path-values.ts';
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

/** One case at work: it sends what the case asks for, and holds each exchange to every law that applies to it. */
export class Trial {
  readonly run: Run;
  readonly case: TrialSubject;
  readonly findings: Finding[] = [];
  readonly notSpecified: Observation[] = [];
  readonly notices: Observation[] = [];
  /** The cells whose status was seen, with a response as documented, whatever operation the case is about. */
  readonly reached = new Set<string>();
  /** The exchanges of the sequence at work. */
  #sequence: Evidence[] = [];
  /** Breaches that may pass when the sequence is repeated; undefined: no sequence is at work. */
  #pending: { judgements: readonly Judgement[]; exchange: Exchange }[] | undefined;

  constructor(run: Run, subject: TrialSubject) {
    this.run = run;
    this.case = subject;
  }

  /** The cell of the case was seen. */
  get covered(): boolean {
    return this.reached.has(`${this.case.operation.id}/${this.case.status}`);
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

  /**
   * The document is silent here: what the target did is reported, and judged by nobody.
   *
   * @param about a question that other cases of the operation ask as well, and what came: reports show it once
   */
  leaveOpen(text: string, about: Pick<Observation, 'question' | 'answer'> = {}): void {
    this.notSpecified.push({ caseId: this.case.id, operationId: this.case.operation.id, text, ...about });
  }

  notice(text: string): void {
    this.notices.push({ caseId: this.case.id, operationId: this.case.operation.id, text });
  }

  async #sendOnce(operation: Operation, given: RequestInput) {
    const { run } = this;
    const guessed = given.path ? guessedParameters(run.contract, run.settings, operation) : [];
    const input = guessed.length > 0 && !given.provoked ? { ...given, guessed: true } : given;
    const request = planRequest(run.settings, operation, input);
    run.wireLog?.assign(request, this.case.id);
    const awaited = input.provoked ? this.case.status : input.expected?.status;
    const response = decodeResponse(
      await run.client.send(request, awaited).catch((error: unknown) => {
        if (error instanceof FateUnknown) this.#forget(operation, input);
        throw error;
      }),
    );
    if (response.cut) throw new NotReached('the response is larger than 16 MiB; it was read no further');
    if (isRemoved(operation, response)) throw new NotReached(removedReason(operation, this.case.operation));
    const exchange: Exchange = { operation, input, request, response };
    run.witness(exchange);
    run.traffic?.note(this.case.id, exchange);
    const { contract, model } = run;
    const evidence = gatherEvidence(exchange, { contract, model, earlier: this.#sequence });
    this.#noteCreation(evidence);
    const judgements = judgeExchange(evidence, run.settings.stateless ? MESSAGE_ONLY : ALL_LAWS);
    this.#take(judgements, exchange);
    const sound = judgements.length === 0;
    model.observe(evidence, sound);
    this.#sequence = [...this.#sequence, evidence];
    if (sound) this.reached.add(`${operation.id}/${response.status}`);
    if (sound && input.guessed && input.expected && !isSuccess(response))
      throw new NotProvoked(`no value of ${guessed.join(', ')} is known: say --value ${guessed[0]}=V`);
    return { judged: { ...exchange, sound, evidence } satisfies Judged, judgements };
  }

  /** A change broke off: what it was to change may have either value. */
  #forget(operation: Operation, { path }: RequestInput): void {
    const { resource, action } = roleOf(this.run.contract, operation) ?? {};
    const parameter = resource?.id?.parameter;
    if (!resource || action === 'create' || parameter === undefined) return;
    this.run.model.forget(resource, path?.[parameter], parentsOf(resource, path));
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

  /** The cell of the response; that of the case where a status was to come, or a sequence is judged. */
  #cellOf({ about, stage }: Law, { operation, response }: Exchange): Pick<Finding, 'operationId' | 'status'> {
    const own = { operationId: this.case.operation.id, status: this.case.status };
    const isOwn = operation === this.case.operation;
    if (about === 'sequence' || (isOwn && stage === 'status')) return own;
    const isExplicit = explicitStatuses(operation.responses).includes(response.status);
    if (isExplicit) return { operationId: operation.id, status: response.status };
    const status = isOwn ? undefined : successStatuses(operation)[0];
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
