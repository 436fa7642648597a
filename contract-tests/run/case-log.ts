import { type Contract, explicitStatuses, type Operation } from '#spec';
import type { Judgement } from '../laws/all-laws.ts';
import { type Finding, findingKey, isHeld, type Observation } from '../laws/finding.ts';
import { presumedIn, type Traits } from '../laws/law.ts';
import { successStatuses } from '../laws/operation-role.ts';
import type { Exchange } from '../send/response.ts';
import type { SentStep } from '../send/trail.ts';
import { knownUntilDay } from '../settings/known.ts';
import type { Settings } from '../settings/settings.ts';

/** What a trial is about. */
export interface TrialSubject {
  /** Stable from run to run: `OPERATION/STATUS/what-is-special`. */
  readonly id: string;
  readonly operation: Operation;
  /** The status of the cell that it produces. */
  readonly status: number;
  /**
   * No case makes records any more: it judges those of all cases.
   * @experimental
   */
  readonly looksBack?: boolean;
}

/** What a case has to report. */
export class CaseLog {
  readonly case: TrialSubject;
  readonly findings: Finding[] = [];
  readonly notSpecified: Observation[] = [];
  readonly notices: Observation[] = [];
  /** The cells whose status was seen, with a response as documented, whatever operation the case is about. */
  readonly reached = new Set<string>();
  readonly #about: { readonly contract: Contract; readonly settings: Settings };

  constructor(subject: TrialSubject, about: { readonly contract: Contract; readonly settings: Settings }) {
    this.case = subject;
    this.#about = about;
  }

  /** The cell of the case was seen. */
  get covered(): boolean {
    return this.reached.has(`${this.case.operation.id}/${this.case.status}`);
  }

  /**
   * The document is silent here: what the target did is reported, and judged by nobody.
   *
   * @param about a question that other cases of the operation ask as well, and what came: reports show it once
   */
  leaveOpen(text: string, about: Pick<Observation, 'question' | 'answer'> = {}): void {
    this.notSpecified.push({ ...this.#subject(), text, ...about });
  }

  notice(text: string): void {
    this.notices.push({ ...this.#subject(), text });
  }

  /** A cell, as `OPERATIONID/STATUS`, was seen that no response shows. */
  reach(cell: string): void {
    this.reached.add(cell);
  }

  /** Makes breaches findings; those with one key are one finding of a case. */
  blame(judgements: readonly Judgement[], exchange: Exchange): void {
    const { contract } = this.#about;
    const groups = Map.groupBy(judgements, ({ breach }) => findingKey(contract, breach));
    const trail = groups.size > 0 ? this.sentUpTo(exchange).slice(-LONGEST_TRAIL) : [];
    for (const [key, group] of groups) {
      const { breach, law } = asOne(group);
      const shown = breach.shownBy ?? exchange;
      this.#add({ ...breach, key, ...this.#cellOf(law, shown), exchange: lighten(shown), trail });
    }
  }

  /** The requests of the case up to an exchange. */
  protected sentUpTo(_: Exchange): readonly SentStep[] {
    return [];
  }

  /** What a part of the case has to report is the case's. */
  takePart(part: CaseLog): void {
    for (const finding of part.findings) this.#add(finding);
    this.notSpecified.push(...part.notSpecified);
    this.notices.push(...part.notices);
    for (const cell of part.reached) this.reached.add(cell);
  }

  /** What work has shown that the case has built on: it comes first, and is said of this case. */
  takeShared(logs: readonly CaseLog[]): void {
    const caseId = this.case.id;
    const own = this.findings.splice(0);
    for (const finding of [...logs.flatMap(({ findings }) => findings), ...own]) this.#add(finding);
    const named = (observations: readonly Observation[]) => observations.map((one) => ({ ...one, caseId }));
    this.notSpecified.unshift(...named(logs.flatMap(({ notSpecified }) => notSpecified)));
    this.notices.unshift(...named(logs.flatMap(({ notices }) => notices)));
    for (const { reached } of logs) for (const cell of reached) this.reached.add(cell);
  }

  #subject(): Pick<Observation, 'caseId' | 'operationId'> {
    return { caseId: this.case.id, operationId: this.case.operation.id };
  }

  #add(found: Omit<Finding, 'caseId' | 'knownUntil'>): void {
    if (this.findings.some(({ key }) => key === found.key)) return;
    const { settings } = this.#about;
    const finding = { ...found, caseId: this.case.id };
    const fact = presumedIn(finding);
    const worthALook = fact !== undefined && !isHeld(fact, settings);
    this.findings.push({ ...finding, worthALook, knownUntil: knownUntilDay(settings, finding) });
  }

  /** The cell of the response; that of the case where a status was to come, or a sequence is judged. */
  #cellOf(
    { about, stage }: Traits,
    { operation, response }: Exchange,
  ): Pick<Finding, 'operationId' | 'status'> {
    const own = { operationId: this.case.operation.id, status: this.case.status };
    const isOwn = operation === this.case.operation;
    if (about === 'sequence' || (isOwn && stage === 'status')) return own;
    const isExplicit = explicitStatuses(operation.responses).includes(response.status);
    if (isExplicit) return { operationId: operation.id, status: response.status };
    const status = isOwn ? undefined : successStatuses(operation)[0];
    return status === undefined ? own : { operationId: operation.id, status };
  }
}

/** What was sent longer ago has nothing to do with it. */
const LONGEST_TRAIL = 200;

/** What every record of a list breaks in the same way is one breach, and says how often. */
function asOne([first, ...others]: readonly Judgement[]): Judgement {
  const { breach, law } = first as Judgement;
  if (others.length === 0) return { breach, law };
  const about = breach.about && [
    ...new Set([...breach.about, ...others.flatMap((one) => one.breach.about ?? [])]),
  ];
  const received = `${breach.received} (and ${others.length} more like it)`;
  return { law, breach: { ...breach, received, ...(about && { about }) } };
}

/** A response longer than this, in bytes, is kept by its beginning alone: hundreds of findings may show such responses. */
const LONGEST_KEPT = 256 * 1024;
const BEGINNING = 4096;

/** So many findings of one key show the exchange in full; of the others the beginning of the response is kept. */
const SHOWN_IN_FULL = 20;

/** Bounds what findings keep of a run: one fault may show in thousands of cases. Asked for each result, in their order. */
export function boundExchanges(): (findings: readonly Finding[]) => readonly Finding[] {
  const counts = new Map<string, number>();
  return (findings) =>
    findings.map((finding) => {
      const count = (counts.get(finding.key) ?? 0) + 1;
      counts.set(finding.key, count);
      return count <= SHOWN_IN_FULL ? finding : { ...finding, exchange: shorten(finding.exchange) };
    });
}

/** Without what the laws have made of it. */
function lighten({ operation, input, request, response }: Exchange): Exchange {
  const exchange = { operation, input, request, response };
  const isShort = response.body.length <= LONGEST_KEPT && (response.text?.length ?? 0) <= LONGEST_KEPT;
  return isShort ? exchange : shorten(exchange);
}

function shorten(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (response.body.length <= BEGINNING && (response.text?.length ?? 0) <= BEGINNING) return exchange;
  // A copy: a part of a text, or of a buffer, would keep the whole of it.
  const text = response.text && Buffer.from(response.text.slice(0, BEGINNING)).toString();
  const body = Uint8Array.from(response.body.subarray(0, BEGINNING));
  return { ...exchange, response: { ...response, body, text, json: { error: 'it is too long to be kept' } } };
}
