import type { Operation } from '#spec';
import { noteCreation } from './arrange/note-creation.ts';
import { type Ask, planRequest } from './arrange/plan.ts';
import type { Case, Exchange, Finding, Observation } from './case.ts';
import { knownUntilDay } from './known.ts';
import { judgeAnswer, judgeRefusal, judgeStatus } from './laws/answer.ts';
import type { Breach, Law } from './laws/law.ts';
import { isRemoved, removedReason } from './laws/removal.ts';
import { NotReached } from './not-reached.ts';
import type { Run } from './run.ts';
import { type Answer, decodeAnswer } from './send/answer.ts';

/** One case at work: what it sent, what it found. */
export class Trial {
  readonly run: Run;
  readonly case: Case;
  readonly findings: Finding[] = [];
  readonly notSpecified: Observation[] = [];
  readonly notices: Observation[] = [];
  covered = false;
  #last: Exchange | undefined;

  constructor(run: Run, one: Case) {
    this.run = run;
    this.case = one;
  }

  /** Sends one request; the answer is not judged yet. */
  async ask(operation: Operation, ask: Ask): Promise<Answer> {
    const request = planRequest(this.run.settings, operation, ask);
    const answer = decodeAnswer(await this.run.client.send(request));
    this.#last = { operation, request, answer };
    if (answer.cut) throw new NotReached('the answer is larger than 16 MiB; it was read no further');
    if (isRemoved(operation, answer)) throw new NotReached(removedReason(operation, this.case.operation));
    noteCreation(this, operation, ask, answer);
    this.run.witness({ operation, request, answer }, ask.presented === undefined);
    this.run.traffic?.note(this.case.id, { operation, request, answer });
    return answer;
  }

  /** Judges an answer that must bear this status. True: it does, and is all that the document says of it. */
  expect(answer: Answer, status: number, law: Law = 'status', exchange = this.#last): boolean {
    const { operation } = this.case;
    const wrong = judgeStatus(operation, answer, status, law);
    const breaches = wrong.length > 0 ? wrong : judgeAnswer(this.run.contract, operation, answer);
    this.blame(breaches, exchange);
    if (breaches.length === 0 && status === this.case.status) this.covered = true;
    return breaches.length === 0;
  }

  /** Judges an answer of another operation than the case's own, on the way to what the case is about. */
  expectOf(operation: Operation, answer: Answer, status: number): boolean {
    const wrong = judgeStatus(operation, answer, status);
    const breaches = wrong.length > 0 ? wrong : judgeAnswer(this.run.contract, operation, answer);
    this.blame(breaches);
    return breaches.length === 0;
  }

  /** Judges an answer that must be some 4xx with the documented error body. */
  expectRefusal(answer: Answer, law: Law): boolean {
    const breaches = judgeRefusal(this.run.contract, this.case.operation, answer, law);
    this.blame(breaches);
    if (breaches.length === 0 && answer.status === this.case.status) this.covered = true;
    return breaches.length === 0;
  }

  /** Makes breaches findings of this case, to be seen again by the exchange that showed them (the last one). */
  blame(breaches: readonly Breach[], exchange = this.#last): void {
    if (breaches.length === 0) return;
    if (!exchange) throw new Error('a breach needs an exchange that shows it');
    const { id: caseId, operation } = this.case;
    const shown = lighten(exchange);
    for (const breach of withoutRepeats(breaches)) {
      // A case that looks again and sees the same has found nothing more.
      if (this.findings.some((finding) => isSame(finding, breach))) continue;
      const knownUntil = knownUntilDay(this.run.settings, caseId, breach.law);
      this.findings.push({ ...breach, caseId, operationId: operation.id, exchange: shown, knownUntil });
    }
  }

  /** The exchange that was sent last. */
  last(): Exchange {
    if (!this.#last) throw new Error('nothing has been sent yet');
    return this.#last;
  }

  /** The document is silent here: what the target did is told, and judged by nobody. */
  leaveOpen(text: string): void {
    this.notSpecified.push({ caseId: this.case.id, operationId: this.case.operation.id, text });
  }

  notice(text: string): void {
    this.notices.push({ caseId: this.case.id, operationId: this.case.operation.id, text });
  }
}

/** An answer longer than this, in bytes, is kept by its beginning alone: hundreds of findings may come of such answers. */
const LONGEST_KEPT = 256 * 1024;
const BEGINNING = 4096;

function lighten(exchange: Exchange): Exchange {
  const { answer } = exchange;
  if (answer.body.length <= LONGEST_KEPT && (answer.text?.length ?? 0) <= LONGEST_KEPT) return exchange;
  // A copy: a part of a text, or of a buffer, would keep the whole of it.
  const text = answer.text && Buffer.from(answer.text.slice(0, BEGINNING)).toString();
  const body = Uint8Array.from(answer.body.subarray(0, BEGINNING));
  return { ...exchange, answer: { ...answer, body, text, json: { error: 'it is too long to be kept' } } };
}

function isSame(one: Breach, other: Breach): boolean {
  const told = ({ law, received, documented, at }: Breach) =>
    [law, received, documented, at.uri, at.line].join('\n');
  return told(one) === told(other);
}

/** One line of the document broken by every record of a list is one finding, and says how often. */
function withoutRepeats(breaches: readonly Breach[]): Breach[] {
  const groups = Map.groupBy(breaches, ({ law, at }) => `${law} ${at.uri}:${at.line}`);
  return [...groups.values()].map(([first, ...others]) => {
    const { received, about } = first as Breach;
    const more = others.length === 0 ? '' : ` (and ${others.length} more like it)`;
    const concerned = about && [...new Set([first, ...others].flatMap((breach) => breach?.about ?? []))];
    return {
      ...(first as Breach),
      received: received + more,
      ...(concerned && { about: concerned }),
    };
  });
}
