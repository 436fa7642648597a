import type {
  ConsumerTouch,
  DocumentChange,
  Observation,
  Report,
  ReportedFinding,
  VersionStep,
} from '#contract-tests';
import { groupByCause, isAbout, type KnownFinding, knownUntilDay } from '#report-parts';
import { explicitStatuses, leftOutReason, type Operation, showPlace } from '#spec';
import type { Compared } from './compare.ts';
import type { Contracts } from './pair.ts';
import { reportBreak, reportLaw } from './report-break.ts';
import { tellChanges } from './tell-changes.ts';

/**
 * The result of a comparison, in the form of the suite's report: `target` is NEW, findings are breaking changes, notices
 * are warnings.
 * @param waivers breaking changes that are waived temporarily
 */
export function makeReport(compared: Compared, newName: string, waivers: readonly KnownFinding[]): Report {
  const { warnings, run, requests, contracts } = compared;
  const told = tellChanges(compared);
  const all = withKnown(
    [
      ...told.findings,
      ...compared.proven.others.map((one) => reportBreak(compared, one)),
      ...compared.proven.otherLaws.flatMap((otherLaw) => reportLaw(compared, otherLaw)),
    ],
    waivers,
  );
  const findings = touchedFirst(all);
  const { verdict, reason } = judge(compared, findings);
  const lone = casesOfLone(run.report.cases, findings);
  const { totals } = run.report;
  const sentences = new Map(told.changes.map(({ key, subject, text }) => [key, `${subject}: ${text}`]));
  return {
    ...run.report,
    verdict,
    exitCode: EXIT_CODES[verdict],
    reason,
    target: newName,
    cells: cellsOf(compared, findings),
    cases: [...run.report.cases, ...lone],
    findings,
    causes: groupByCause(findings).map((cause) => ({
      ...cause,
      title: `${sentences.get(cause.key) ?? cause.title}${touchText(findings[cause.finding])}`,
    })),
    notSpecified: [],
    notices: [
      ...told.warnings,
      ...warnings.map(({ operation, text, at }) => ({
        caseId: `${operation.id}/compat`,
        operationId: operation.id,
        text: `${text} (${showPlace(at)})`,
      })),
      // Without a complete comparison no entry is known to be fixed.
      ...(compared.stopped === undefined ? judgeEntries(findings, waivers) : []),
    ],
    changes: touchedFirst(told.changes),
    semanticVersion: semanticVersion(contracts, told.changes, findings.length > 0),
    totals: {
      ...totals,
      cases: totals.cases + lone.length,
      failed: totals.failed + lone.length,
      requests: totals.requests + requests,
    },
  };
}

/** A failed case for each finding without a case of the suite: CI reports consist of cases. */
function casesOfLone(cases: Report['cases'], findings: readonly ReportedFinding[]): Report['cases'] {
  const caseIds = new Set(cases.map(({ id }) => id));
  const lone = new Map(
    findings.filter(({ caseId }) => !caseIds.has(caseId)).map((finding) => [finding.caseId, finding]),
  );
  return [...lone.values()].map(({ caseId: id, operationId, received: title }) => {
    const status = Number(id.split('/').at(-2));
    return { id, title, operationId, status, outcome: 'failed', reason: undefined, ms: 0 };
  });
}

/** Why the suite did not test an operation: it is unchanged, and so are all others that work on its records. */
const SAME = 'it is the same in both documents';

/** Why nothing of a changed operation is tested. */
const UNSHOWN = 'what has changed breaks no client, or the documents alone show it';

const EXIT_CODES = { holds: 0, broken: 1, incomplete: 4 } as const;

function judge(
  { stopped, untried: [first], unread: [hidden] }: Compared,
  findings: readonly ReportedFinding[],
): { readonly verdict: keyof typeof EXIT_CODES; readonly reason: string | undefined } {
  if (findings.some(({ gates }) => gates)) return { verdict: 'broken', reason: stopped };
  if (stopped !== undefined) return { verdict: 'incomplete', reason: stopped };
  if (hidden)
    return { verdict: 'incomplete', reason: `${hidden.name} was not compared: ${leftOutReason(hidden)}` };
  if (first !== undefined)
    return { verdict: 'incomplete', reason: `no request to ${first} succeeded, and it has changed` };
  return { verdict: 'holds', reason: undefined };
}

type Touched = { readonly consumers?: readonly ConsumerTouch[] };

/** Sorts changes that affect a named client first, then those that may, then the rest. */
function touchedFirst<T extends Touched & { readonly class?: DocumentChange['class'] }>(
  all: readonly T[],
): T[] {
  const rank = ({ consumers = [], class: severity }: T) => {
    const touch = consumers.some(({ touched }) => touched === 'yes') ? 0 : consumers.length > 0 ? 1 : 2;
    return CLASS_ORDER.indexOf(severity ?? 'breaking') * 3 + touch;
  };
  return all.toSorted((left, right) => rank(left) - rank(right));
}

const CLASS_ORDER: readonly DocumentChange['class'][] = ['breaking', 'warning', 'safe', 'note'];

/** ` (touches web; may touch app)` */
function touchText({ consumers }: Touched = {}): string {
  if (!consumers) return '';
  const named = (touched: ConsumerTouch['touched']) =>
    consumers.flatMap((consumer) => (consumer.touched === touched ? [consumer.consumer] : [])).join(', ');
  const [certain, possible] = [named('yes'), named('maybe')];
  const parts = [certain && `touches ${certain}`, possible && `may touch ${possible}`].filter(Boolean);
  return ` (${parts.length > 0 ? parts.join('; ') : 'touches no named client'})`;
}

/** The cells of successes, which clients rely on. */
function cellsOf(
  { run: { report }, affected, contracts, unread }: Compared,
  findings: readonly ReportedFinding[],
): Report['cells'] {
  const broken = Map.groupBy(
    findings.filter(({ gates }) => gates),
    ({ operationId }) => operationId,
  );
  const operationIds = new Set(report.cells.map(({ operationId }) => operationId));
  type Unjudged = Pick<Report['cells'][number], 'verdict' | 'gates' | 'reason'>;
  const cellsAs = ({ id, responses }: Operation, stands: Unjudged) =>
    explicitStatuses(responses).map((status) => {
      return { operationId: id, status, ...stands, ran: 0, of: 0, cases: [] };
    });
  const hidden = unread.flatMap((leftOut) => {
    const reason = leftOutReason(leftOut);
    return leftOut.operations.flatMap((operation) =>
      cellsAs(operation, { verdict: 'not reached', gates: true, reason }),
    );
  });
  const isHidden = new Set(hidden.map(({ operationId }) => operationId));
  const others = contracts.old.operations
    .filter(({ id }) => !operationIds.has(id) && !isHidden.has(id))
    .flatMap((operation) => {
      const reason = affected.has(operation.id) ? UNSHOWN : SAME;
      return cellsAs(operation, { verdict: 'skipped', gates: false, reason });
    });
  return [...report.cells.filter(({ operationId }) => !isHidden.has(operationId)), ...others, ...hidden]
    .filter(({ status }) => status < 400)
    .map((cell) => {
      if (isHidden.has(cell.operationId)) return cell;
      const [finding] = broken.get(cell.operationId) ?? [];
      if (finding) return { ...cell, gates: true, verdict: 'violated' as const, reason: finding.received };
      if (!affected.has(cell.operationId)) return { ...cell, verdict: 'skipped' as const, reason: SAME };
      return cell.verdict === 'violated' ? { ...cell, verdict: 'covered' as const, reason: undefined } : cell;
    });
}

/** Findings with the last day of their waiver. */
function withKnown(
  findings: readonly ReportedFinding[],
  waivers: readonly KnownFinding[],
): ReportedFinding[] {
  return findings.map((finding) => {
    const knownUntil = knownUntilDay({ known: waivers }, finding);
    return knownUntil === undefined ? finding : { ...finding, knownUntil, gates: false };
  });
}

/** Notices about entries whose break is gone, and expired ones. */
function judgeEntries(findings: readonly ReportedFinding[], waivers: readonly KnownFinding[]): Observation[] {
  return waivers.flatMap((entry) => {
    const { key, case: caseId = '', until } = entry;
    const matches = findings.filter((finding) => isAbout(entry, finding));
    const [first] = matches;
    const observe = (text: string) => [
      { caseId, operationId: first?.operationId ?? '', text: `${key ?? caseId} (--known): ${text}` },
    ];
    if (!first) return observe('there is no such break any more; remove the entry');
    return matches.every(({ knownUntil }) => knownUntil === undefined)
      ? observe(`the entry expired on ${until}; the break counts again`)
      : [];
  });
}

/**
 * The version that NEW must have after OLD.
 * @param isBroken something breaks, whether waived or not
 */
function semanticVersion(
  { old, new: next }: Contracts,
  changes: readonly DocumentChange[],
  isBroken: boolean,
): VersionStep {
  const isGrowth = changes.some((change) => change.class !== 'note');
  const follows = isBroken ? 'major' : isGrowth ? 'minor' : changes.length > 0 ? 'patch' : 'none';
  const [mine, theirs] = [partsOf(old.version), partsOf(next.version)];
  const expected = mine && grown(mine, follows);
  return {
    follows,
    old: old.version,
    new: next.version,
    expected: expected?.join('.'),
    isEnough: expected && theirs && compareParts(theirs, expected) >= 0,
  };
}

type Parts = readonly [major: number, minor: number, patch: number];

function partsOf(version: string): Parts | undefined {
  const [, ...parts] = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?:[-+].*)?$/.exec(version) ?? [];
  const [major, minor, patch = '0'] = parts;
  return major === undefined || minor === undefined
    ? undefined
    : [Number(major), Number(minor), Number(patch)];
}

function grown([major, minor, patch]: Parts, follows: VersionStep['follows']): Parts {
  if (follows === 'major') return [major + 1, 0, 0];
  if (follows === 'minor') return [major, minor + 1, 0];
  return follows === 'patch' ? [major, minor, patch + 1] : [major, minor, patch];
}

function compareParts(one: Parts, other: Parts): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
