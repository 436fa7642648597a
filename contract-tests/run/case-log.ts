import { type Contract, explicitStatuses, type Operation } from '#spec';
import type { Judgement } from '../laws/all-laws.ts';
import { type Finding, findingKey, isHeld, type Observation } from '../laws/finding.ts';
import { presumedIn, type Traits } from '../laws/law.ts';
import { successStatuses } from '../laws/operation-role.ts';
import type { Exchange } from '../send/response.ts';
import type { SentStep } from '../send/trail.ts';
import { knownUntilDay } from '../settings/known.ts';
import type { Settings } from '../settings/settings.ts';

/** The subject of a trial. */
export interface TrialSubject {
  /** Stable from run to run: `OPERATION/STATUS/what-is-special`. */
  readonly id: string;
  readonly operation: Operation;
  /** The status of the cell that it tests. */
  readonly status: number;
  /**
   * It runs after all cases that create records, and judges the records of all.
   * @experimental
   */
  readonly looksBack?: boolean;
}

/** Collects the results of a case. */
export class CaseLog {
  readonly case: TrialSubject;
  readonly findings: Finding[] = [];
  readonly notSpecified: Observation[] = [];
  readonly notices: Observation[] = [];
  /** The cells whose status was returned with a valid response, of any operation. */
  readonly reached = new Set<string>();
  readonly #about: { readonly contract: Contract; readonly settings: Settings };

  constructor(subject: TrialSubject, about: { readonly contract: Contract; readonly settings: Settings }) {
    this.case = subject;
    this.#about = about;
  }

  /** Whether the cell of the case was reached. */
  get covered(): boolean {
    return this.reached.has(`${this.case.operation.id}/${this.case.status}`);
  }

  /**
   * Reports a behaviour of the target that the document leaves undefined.
   *
   * @param about the question, which other cases of the operation may share, and the answer: reports show it once
   */
  leaveOpen(text: string, about: Pick<Observation, 'question' | 'answer'> = {}): void {
    this.notSpecified.push({ ...this.#subject(), text, ...about });
  }

  notice(text: string): void {
    this.notices.push({ ...this.#subject(), text });
  }

  /** Marks a cell, as `OPERATIONID/STATUS`, as reached that no response shows. */
  reach(cell: string): void {
    this.reached.add(cell);
  }

  /** Turns breaches into findings; those with the same key are one finding of a case. */
  blame(judgements: readonly Judgement[], exchange: Exchange): void {
    const { contract } = this.#about;
    const groups = Map.groupBy(judgements, ({ breach }) => findingKey(contract, breach));
    const trail = groups.size > 0 ? this.sentUpTo(exchange).slice(-LONGEST_TRAIL) : [];
    for (const [key, group] of groups) {
      const { breach, law } = asOne(group);
      const witness = breach.shownBy ?? exchange;
      this.#add({ ...breach, key, ...this.#cellOf(law, witness), exchange: lighten(witness), trail });
    }
  }

  /** The requests of the case up to an exchange. */
  protected sentUpTo(_: Exchange): readonly SentStep[] {
    return [];
  }

  /** Adds the results of a part of the case. */
  takePart(part: CaseLog): void {
    for (const finding of part.findings) this.#add(finding);
    this.notSpecified.push(...part.notSpecified);
    this.notices.push(...part.notices);
    for (const cell of part.reached) this.reached.add(cell);
  }

  /** Adds the results of shared work that the case relies on: they come first, under the case's id. */
  takeShared(logs: readonly CaseLog[]): void {
    const caseId = this.case.id;
    const caseFindings = this.findings.splice(0);
    for (const finding of [...logs.flatMap(({ findings }) => findings), ...caseFindings]) this.#add(finding);
    const named = (observations: readonly Observation[]) =>
      observations.map((observation) => ({ ...observation, caseId }));
    this.notSpecified.unshift(...named(logs.flatMap(({ notSpecified }) => notSpecified)));
    this.notices.unshift(...named(logs.flatMap(({ notices }) => notices)));
    for (const { reached } of logs) for (const cell of reached) this.reached.add(cell);
  }

  #subject(): Pick<Observation, 'caseId' | 'operationId'> {
    return { caseId: this.case.id, operationId: this.case.operation.id };
  }

  #add(draft: Omit<Finding, 'caseId' | 'knownUntil'>): void {
    if (this.findings.some(({ key }) => key === draft.key)) return;
    const { settings } = this.#about;
    const finding = { ...draft, caseId: this.case.id };
    const fact = presumedIn(finding);
    const worthALook = fact !== undefined && !isHeld(fact, settings);
    this.findings.push({ ...finding, worthALook, knownUntil: knownUntilDay(settings, finding) });
  }

  /** The cell of the response, or that of the case, if the rule is about the status or a sequence. */
  #cellOf(
    { about, stage }: Traits,
    { operation, response }: Exchange,
  ): Pick<Finding, 'operationId' | 'status'> {
    const cell = { operationId: this.case.operation.id, status: this.case.status };
    const isOwn = operation === this.case.operation;
    if (about === 'sequence' || (isOwn && stage === 'status')) return cell;
    const isExplicit = explicitStatuses(operation.responses).includes(response.status);
    if (isExplicit) return { operationId: operation.id, status: response.status };
    const status = isOwn ? undefined : successStatuses(operation)[0];
    return status === undefined ? cell : { operationId: operation.id, status };
  }
}

/** Earlier requests have no influence. */
const LONGEST_TRAIL = 200;

/** Merges the same breach in several records of a list into one, with the count. */
function asOne([first, ...others]: readonly Judgement[]): Judgement {
  const { breach, law } = first as Judgement;
  if (others.length === 0) return { breach, law };
  const about = breach.about && [
    ...new Set([...breach.about, ...others.flatMap((judgement) => judgement.breach.about ?? [])]),
  ];
  const received = `${breach.received} (and ${others.length} more like it)`;
  return { law, breach: { ...breach, received, ...(about && { about }) } };
}

/** Of a longer response, in bytes, only the beginning is kept: hundreds of findings may have such responses. */
const LONGEST_KEPT = 256 * 1024;
const BEGINNING = 4096;

/** The number of findings with one key that keep the whole exchange; the others keep the beginning of the response. */
const SHOWN_IN_FULL = 20;

/** Limits the memory for findings: one fault may occur in thousands of cases. Call it for each result, in order. */
export function boundExchanges(): (findings: readonly Finding[]) => readonly Finding[] {
  const counts = new Map<string, number>();
  return (findings) =>
    findings.map((finding) => {
      const count = (counts.get(finding.key) ?? 0) + 1;
      counts.set(finding.key, count);
      return count <= SHOWN_IN_FULL ? finding : { ...finding, exchange: shorten(finding.exchange) };
    });
}

/** Drops cached evidence, and shortens a long response. */
function lighten({ operation, input, request, response }: Exchange): Exchange {
  const exchange = { operation, input, request, response };
  const isShort = response.body.length <= LONGEST_KEPT && (response.text?.length ?? 0) <= LONGEST_KEPT;
  return isShort ? exchange : shorten(exchange);
}

function shorten(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (response.body.length <= BEGINNING && (response.text?.length ?? 0) <= BEGINNING) return exchange;
  // Copied: a slice of a text or buffer would keep the whole of it in memory.
  const text = response.text && Buffer.from(response.text.slice(0, BEGINNING)).toString();
  const body = Uint8Array.from(response.body.subarray(0, BEGINNING));
  return { ...exchange, response: { ...response, body, text, json: { error: 'it is too long to be kept' } } };
}
