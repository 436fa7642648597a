import { type Contract, explicitStatuses, leftOutReason, type Operation } from '#spec';
import type { CaseResult } from '../cases/case.ts';
import type { Finding } from '../laws/finding.ts';
import { REPORTED_ONLY } from '../laws/law.ts';
import { invalidStatuses, successStatuses } from '../laws/operation-role.ts';
import { isSilentRefusal } from '../laws/unsaid.ts';
import { NOT_IN_SHARD, optionFor, type ReasonCode } from '../run/not-reached.ts';
import type { Refusal } from '../run/permissions.ts';
import type { Plan } from '../run/run.ts';
import { CONFLICT } from '../send/wire.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * `covered`: the status was returned as documented. `partly covered`: it was, and a limit of the run left cases out.
 * `violated`: a finding without a waiver. `withheld`: the request would change records that the run did not create.
 * `planned`: nothing was sent (`--plan`). Otherwise see the cell's reason.
 */
export type CellVerdict =
  | 'covered'
  | 'partly covered'
  | 'violated'
  | 'not reached'
  | 'skipped'
  | 'withheld'
  | 'planned';

/** The verdict on one operation and one explicitly documented status. */
export interface Cell {
  readonly operationId: string;
  readonly status: number;
  readonly verdict: CellVerdict;
  /** False: it does not affect the verdict (unstable operations; statuses without a trigger in the document). */
  readonly gates: boolean;
  /** Why it is not covered; undefined: it is. */
  readonly reason: string | undefined;
  /** The line that would reach it, if it was not tried: an option, or a key of a file. Undefined: none is known. */
  readonly remedy?: string | undefined;
  /** The number of its completed cases, and of those that the options and the document permit. */
  readonly ran: number;
  readonly of: number;
  /** Ids of its executed cases. */
  readonly cases: readonly string[];
}

/** The verdict on one operation, whichever responses it documents. */
export interface OperationStanding {
  readonly operationId: string;
  /** `covered`: a valid request got a documented response. Otherwise as for a cell. */
  readonly verdict: Exclude<CellVerdict, 'partly covered'>;
  /** True: a missing result makes the run incomplete. */
  readonly gates: boolean;
  /** Why it is not covered; undefined: it is. */
  readonly reason: string | undefined;
}

/** The verdict of a whole run; the exit codes are 0, 1, 4, 3 and, for a plan, 0. */
export type Verdict = 'holds' | 'broken' | 'incomplete' | 'no verdict' | 'planned';

export const EXIT_CODES: Readonly<Record<Verdict, number>> = {
  holds: 0,
  broken: 1,
  'no verdict': 3,
  incomplete: 4,
  planned: 0,
};

const UNSTABLE = new Set(['draft', 'experimental', 'alpha', 'beta']);

/** Whether the document marks an operation as subject to change. */
export function isUnstable({ stability = '' }: Operation): boolean {
  return UNSTABLE.has(stability);
}

export function gates(operation: Operation, settings: Settings): boolean {
  return settings.strict.has('stability') || !isUnstable(operation);
}

/**
 * @param refusals the operations that the run did not call
 * @param run whether the cases of an operation were executed here (default: all were), and whether the requests were sent
 * by others
 */
export function judgeCells(
  contract: Contract,
  settings: Settings,
  results: readonly CaseResult[],
  refusals: readonly Refusal[],
  {
    inShard = () => true,
    isObserved = false,
  }: Partial<Pick<Plan, 'inShard'>> & { readonly isObserved?: boolean },
): Cell[] {
  const refused = new Map(refusals.map((refusal) => [refusal.operation, refusal]));
  const gone = results.filter(({ code }) => code === 'removed');
  const removed = new Set(gone.map((result) => result.case.operation));
  const reached = new Set(results.flatMap((result) => result.reached));
  const ofCell = Map.groupBy(results, (result) => cellOf(result.case.operation, result.case.status));
  const findingsOfCell = Map.groupBy(
    results.flatMap((result) => result.findings),
    ({ operationId, status }) => cellOf({ id: operationId }, status),
  );
  const cells = contract.operations.flatMap((operation) =>
    explicitStatuses(operation.responses).map((status): Cell => {
      const id = cellOf(operation, status);
      const results = ofCell.get(id) ?? [];
      const findings = findingsOfCell.get(id) ?? [];
      const finding = findings.find((one) => counts(one, settings));
      const outside = inShard(operation) ? (removed.has(operation) ? 'removed' : undefined) : NOT_IN_SHARD;
      const stands: Standing = finding
        ? { verdict: 'violated', reason: finding.received }
        : outside !== undefined
          ? { verdict: 'skipped', reason: outside }
          : judgeCell(
              { operation, status, results, findings, reached, refusal: refused.get(operation) },
              settings,
            );
      const isProvoked = settings.strict.has('cells') || !stands.unprovoked;
      return makeCell(operation.id, status, stands, gates(operation, settings) && isProvoked, results);
    }),
  );
  return [
    ...cells,
    ...leftOutCells(contract, settings, isObserved),
    ...callbackCells(contract, results, reached),
  ];
}

/** The cells of operations that cannot be read, and so not called. In observed traffic they need no requests. */
function leftOutCells({ leftOut }: Contract, settings: Settings, isObserved: boolean): Cell[] {
  return leftOut.flatMap((one) =>
    one.operations.flatMap((operation) =>
      explicitStatuses(operation.responses).map((status): Cell => {
        const excluded = exclusionOf(operation, status, settings);
        const stands: Standing = excluded
          ? { verdict: 'skipped', reason: excluded }
          : { verdict: 'not reached', reason: leftOutReason(one) };
        const isGating = gates(operation, settings) && (settings.strict.has('cells') || !isObserved);
        return makeCell(operation.id, status, stands, isGating);
      }),
    ),
  );
}

function makeCell(
  operationId: string,
  status: number,
  { verdict, reason, remedy }: Standing,
  isGating: boolean,
  results: readonly CaseResult[] = [],
): Cell {
  return {
    operationId,
    status,
    verdict,
    reason,
    ...(remedy !== undefined && { remedy }),
    gates: isGating && verdict !== 'withheld',
    ran: results.filter(hasRun).length,
    of: results.filter(isDue).length,
    cases: results.map((result) => result.case.id),
  };
}

/** Whether the user includes the operation. */
export function isAsked(id: string, { isChosen, exclude }: Settings): boolean {
  return !exclude.has(id) && isChosen(`${id}/`);
}

/** The option by which the user excludes a cell. */
function exclusionOf({ id }: Operation, status: number, { isChosen, exclude }: Settings): string | undefined {
  if (exclude.has(id)) return '--exclude';
  return isChosen(`${id}/${status}/`) ? undefined : '--only';
}

/** The cells of callbacks, by the run's response. The service decides when it sends them: no such cell must be reached. */
function callbackCells(
  { outgoing }: Contract,
  results: readonly CaseResult[],
  reached: ReadonlySet<string>,
): Cell[] {
  const ofCell = Map.groupBy(results, ({ case: { callback } }) =>
    callback ? cellOf(callback.operation, callback.status) : '',
  );
  return outgoing
    .filter(({ kind }) => kind === 'callback')
    .flatMap(({ id, responses }) =>
      explicitStatuses(responses).map((status): Cell => {
        const cell = cellOf({ id }, status);
        const results = ofCell.get(cell) ?? [];
        return makeCell(id, status, judgeCallbackCell(results, reached.has(cell)), false, results);
      }),
    );
}

function judgeCallbackCell(results: readonly CaseResult[], isReached: boolean): Standing {
  const finding = results.flatMap(({ findings }) => findings).find(({ law }) => law === 'callback');
  if (finding) return { verdict: 'violated', reason: finding.received };
  if (isReached) return { verdict: 'covered', reason: undefined };
  const [first] = results;
  if (!first)
    return { verdict: 'not reached', reason: 'no request of the run can hold the URL that it is sent to' };
  const { outcome, reason } = first;
  return outcome === 'skipped' || outcome === 'withheld' || outcome === 'planned'
    ? { verdict: outcome, reason }
    : { verdict: 'not reached', reason: reason ?? 'it did not come in time' };
}

const cellOf = ({ id }: Pick<Operation, 'id'>, status: number) => `${id}/${status}`;

interface CellResults {
  readonly operation: Operation;
  readonly status: number;
  readonly results: readonly CaseResult[];
  readonly findings: readonly Finding[];
  readonly reached: ReadonlySet<string>;
  readonly refusal: Refusal | undefined;
}

interface Standing {
  readonly verdict: CellVerdict;
  readonly reason: string | undefined;
  readonly remedy?: string | undefined;
  /** No client can trigger it from the document alone. */
  readonly unprovoked?: boolean;
}

const missed = (reason: string | undefined, more: Partial<Standing>): Standing => ({
  verdict: 'not reached',
  reason,
  ...more,
});

function judgeCell(cell: CellResults, settings: Settings): Standing {
  const { results, findings, reached, operation, status, refusal } = cell;
  // A known finding has the status; that its response is invalid is waived.
  const held = findings.filter(
    ({ worthALook, confirmation }) => !worthALook && confirmation?.outcome !== 'not seen again',
  );
  const accepted = held.filter((one) => !isSilentRefusal(one) || one.knownUntil !== undefined);
  // Beside an undocumented error, the case may have received its status.
  const isSeen = reached.has(cellOf(operation, status)) && (findings.length > 0 || results.length === 0);
  if (isSeen || accepted.length > 0 || results.some((result) => result.covered)) return covered(results);
  const remedy = triggerOf(operation, status);
  if (results.length === 0) {
    if (refusal) return { ...ofRefused(refusal), remedy: remedyOf(refusal) };
    const excluded = exclusionOf(operation, status, settings);
    return excluded === undefined
      ? missed(NO_REQUEST, { unprovoked: true, remedy })
      : { verdict: 'skipped', reason: excluded, remedy: `without ${excluded}` };
  }
  const first = (outcome: CaseResult['outcome']) => results.find((result) => result.outcome === outcome);
  if (first('planned')) return { verdict: 'planned', reason: undefined };
  const stopped = results.filter(({ outcome }) => outcome === 'not reached');
  const amiss = stopped.find(({ code }) => code !== 'unprovoked');
  if (amiss) return missed(amiss.reason, { remedy: amiss.remedy });
  const withheld = first('withheld');
  if (withheld) {
    const option = withheld.remedy ?? optionFor('--allow', operation.id);
    return { verdict: 'withheld', reason: withheld.reason, remedy: option };
  }
  const [open] = stopped;
  if (open) return missed(open.reason, { unprovoked: true, remedy: open.remedy ?? remedy });
  const skipped = first('skipped');
  if (skipped) {
    const option = skipped.code === 'read-only' ? 'without --read-only' : undefined;
    return { verdict: 'skipped', reason: skipped.reason, remedy: option };
  }
  const other = alternatives(cell).find((alternative) => reached.has(cellOf(operation, alternative)));
  return other === undefined
    ? missed('never returned', {
        unprovoked: results.every((result) => result.case.demands === false),
        remedy,
      })
    : missed(`${other}, documented as well, came instead`, { unprovoked: true, remedy });
}

const hasRun = ({ outcome }: CaseResult) => outcome === 'passed' || outcome === 'failed';

/** Whether neither the user nor the document excludes a case. */
const isDue = (result: CaseResult) =>
  hasRun(result) || (result.outcome === 'not reached' && result.code !== 'unprovoked');

/** Limits of a run, which must not make a cell look better tested than it is. */
const BOUNDS: ReadonlySet<ReasonCode | undefined> = new Set([
  'no-room',
  'no-requests',
  'time-is-over',
  'gave-up',
  'bug',
]);

function covered(results: readonly CaseResult[]): Standing {
  const missed = results.filter(isDue).filter((result) => !hasRun(result));
  const bound = missed.find(({ code }) => BOUNDS.has(code));
  // Single requests may be lost, but not most of them.
  const lost = missed.filter(({ code }) => code === 'unreachable');
  const because = bound ?? (2 * lost.length > results.length ? lost[0] : undefined);
  if (!because) return { verdict: 'covered', reason: undefined };
  const ran = results.filter(hasRun).length;
  const reason = `${ran} of ${ran + missed.length} cases ran: ${because.reason}`;
  return { verdict: 'partly covered', reason };
}

export function ofRefused({ code, reason }: Refusal): { verdict: 'skipped' | 'withheld'; reason: string } {
  return { verdict: code === 'excluded' ? 'skipped' : 'withheld', reason };
}

const remedyOf = ({ code, operation: { id } }: Refusal) =>
  code === 'excluded' ? 'without --exclude' : optionFor('--allow', id);

/** How to trigger a status that the document gives no trigger for: a request in `provoke`, or a meaning in `x-paddock`. */
function triggerOf({ method }: Operation, status: number): string {
  const provoke = 'check.provoke: FILE with OPERATION/STATUS: { path, query, headers, body }';
  return status === CONFLICT && method !== 'DELETE'
    ? `x-paddock: { unique: [MEMBER] } at the schema of the record, or ${provoke}`
    : provoke;
}

const NO_REQUEST = 'no known trigger; the key provoke of the configuration file can name one';

/** The statuses that are documented for the same outcome; which of them a request gets is open. */
function alternatives({ operation, status }: CellResults): number[] {
  const kinds = [successStatuses(operation), invalidStatuses(operation)];
  const alike = kinds.find((statuses) => statuses.includes(status)) ?? [];
  return alike.filter((one) => one !== status);
}

/**
 * Whether a finding gates: it has no waiver, was reproduced, and breaks a promise. Undocumented errors count with `strict:
 * statuses` only, and so do findings of some rules.
 */
export function counts(finding: Finding, { strict }: Settings): boolean {
  const { law, knownUntil, confirmation, worthALook } = finding;
  const isOpen = REPORTED_ONLY.has(law) || isSilentRefusal(finding);
  if (isOpen ? !strict.has('statuses') : worthALook) return false;
  if (confirmation?.outcome === 'not seen again') return false;
  return knownUntil === undefined;
}
