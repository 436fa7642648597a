import { createHash } from 'node:crypto';
import { isRecord } from '#spec';
import { NOT_IN_SHARD } from '../run/not-reached.ts';
import { SettingsError } from '../settings/check-options.ts';
import { type Cause, extentOf, gatingFirst, knownUntilOf, mostDifferent } from './cause.ts';
import { withoutRepeats } from './make-report.ts';
import type { Report } from './report.ts';
import type { ReportedFinding } from './reported-finding.ts';
import { EXIT_CODES, type Verdict } from './verdict.ts';

/** A report with a name: the file of a shard, or the target of a whole run. */
export interface ShardReport {
  readonly name: string;
  readonly report: Report;
}

/**
 * Combines several reports of shards or targets, without duplicates. Percentiles cannot be combined: they are those of the
 * report with most requests of an operation. Milliseconds and requests are summed.
 * @param findings those of all reports, in their final order
 */
export function joinReports(
  reports: readonly Report[],
  findings: readonly ReportedFinding[] = reports.flatMap((report) => report.findings),
): Report {
  const [first] = reports as [Report];
  const { shard: _, plan: __, traffic: ___, ...common } = first;
  const all = <T>(of: (report: Report) => readonly T[]): T[] => reports.flatMap(of);
  const plans = all(({ plan }) => (plan ? [plan] : []));
  const planned = byOperation(plans.flatMap(({ operations }) => operations)).map(
    (same) => same.find(({ reason }) => reason !== NOT_IN_SHARD) ?? same[0],
  );
  const traffic = all((report) => (report.traffic ? [report.traffic] : []));
  const exchanges = all((report) => (report.exchanges ? [report.exchanges] : []));
  return {
    ...common,
    startedAt: reports.map((report) => report.startedAt).sort()[0] ?? first.startedAt,
    findings,
    causes: joinCauses(reports, findings),
    notSpecified: all((report) => report.notSpecified),
    notices: withoutRepeats(all((report) => report.notices)),
    created: all((report) => report.created),
    withheld: byOperation(all((report) => report.withheld)).map(([operation]) => operation),
    excluded: byOperation(all((report) => report.excluded)).map(([operation]) => operation),
    latency: byOperation(all((report) => report.latency)).map((same) => {
      const [most = same[0]] = same.toSorted((left, right) => right.requests - left.requests);
      const requests = same.reduce((sum, latency) => sum + latency.requests, 0);
      return { ...most, requests, max: Math.max(...same.map(({ max }) => max)) };
    }),
    totals: addNumbers(reports.map(({ totals }) => totals)),
    ...(plans.length > 0 && {
      plan: {
        operations: planned,
        requests: planned.reduce((sum, plannedOperation) => sum + plannedOperation.requests, 0),
        records: plans.reduce((sum, { records }) => sum + records, 0),
        // Shards run one after another if the target must not get concurrent unsafe requests.
        seconds: plans.reduce((sum, { seconds }) => sum + seconds, 0),
      },
    }),
    ...(traffic.length > 0 && { traffic: addNumbers(traffic) }),
    exchanges:
      exchanges.length < reports.length
        ? undefined
        : {
            entries: exchanges.flatMap(({ entries }) => entries),
            dropped: exchanges.reduce((sum, { dropped }) => sum + dropped, 0),
          },
  };
}

/** Groups by operation, in order of first occurrence. */
function byOperation<T extends { readonly operationId: string }>(all: readonly T[]): [T, ...T[]][] {
  return [...Map.groupBy(all, ({ operationId }) => operationId).values()] as [T, ...T[]][];
}

function addNumbers<T extends object>(all: readonly T[]): T {
  const [first] = all as [T];
  const sumOf = (key: keyof T) => all.reduce((total, one) => total + Number(one[key]), 0);
  return Object.fromEntries((Object.keys(first) as (keyof T)[]).map((key) => [key, sumOf(key)])) as T;
}

/**
 * The causes of all shards, each once: if several report one, the first whose own finding gates is shown.
 * @param findings those of all shards
 */
function joinCauses(
  shards: readonly Pick<Report, 'causes' | 'findings'>[],
  findings: readonly ReportedFinding[],
): Cause[] {
  const positions = new Map(findings.map((finding, index) => [finding, index]));
  const causes = shards.flatMap((shard) =>
    shard.causes.map((cause) => {
      const finding = shard.findings[cause.finding];
      return { ...cause, finding: (finding && positions.get(finding)) ?? -1 };
    }),
  );
  return gatingFirst([...Map.groupBy(causes, ({ key }) => key).values()].map(joined));
}

function joined(all: readonly Cause[]): Cause {
  const [first] = gatingFirst(all) as [Cause];
  if (all.length === 1) return first;
  const count = all.reduce((sum, cause) => sum + cause.count, 0);
  const operations = [...new Set(all.flatMap((cause) => cause.operations))];
  const title = first.title.slice(0, first.title.length - extentOf(first).length);
  return {
    ...first,
    title: `${title}${extentOf({ count, operations })}`,
    gates: all.some(({ gates }) => gates),
    knownUntil: knownUntilOf(all),
    cases: [...new Set(all.flatMap(({ cases }) => cases))],
    instances: mostDifferent(
      [first, ...all.filter((cause) => cause !== first)].flatMap((cause) => cause.instances),
    ),
    count,
    operations,
    statuses:
      first.statuses &&
      sums(
        all.flatMap(({ statuses }) => statuses ?? []),
        ({ operationId, status }) => `${operationId} ${status}`,
      ),
    followUps: sums(
      all.flatMap(({ followUps }) => followUps),
      ({ key }) => key,
    ),
  };
}

function sums<T extends { readonly count: number }>(all: readonly T[], nameOf: (one: T) => string): T[] {
  return [...Map.groupBy(all, nameOf).values()].flatMap(([first, ...others]) =>
    first ? { ...first, count: others.reduce((sum, { count }) => sum + count, first.count) } : [],
  );
}

/**
 * Combines the runs on several targets, each with its own document: one verdict, one exit code. Operations and cases get
 * their target's name: `users:getUser/200/schema`. Causes with the same root are merged.
 * @throws SettingsError if there are none
 */
export function joinTargets(targets: readonly ShardReport[]): Report {
  const [only] = targets;
  if (!only) throw new SettingsError('there is no target');
  const reports = targets.map(({ name, report }) => withNames(report, name));
  const all = <T>(of: (report: Report) => readonly T[]): T[] => reports.flatMap(of);
  const each = (of: (report: Report) => string) =>
    targets.map(({ name, report }) => `${name}: ${of(report)}`).join(', ');
  const { verdict, reason } = judge(targets);
  return {
    ...joinReports(reports),
    verdict,
    exitCode: EXIT_CODES[verdict],
    reason,
    target: each(({ target }) => target),
    document: [...new Set(reports.map((report) => report.document))].join(', '),
    documentInfo: {
      title: each(({ documentInfo: { title, version } }) => `${title} ${version}`.trim()),
      version: '',
      digest: digestOf(reports),
    },
    operations: all((report) => report.operations),
    cells: all((report) => report.cells),
    cases: all((report) => report.cases),
    coverage: joinCoverage(reports),
  };
}

/** Prefixes the names of operations and cases with their target. */
function withNames(report: Report, target: string): Report {
  const named = (id: string) => (id === '' ? id : `${target}:${id}`);
  const rename = (value: unknown, member: string): unknown => {
    if (typeof value === 'string') return NAMES.has(member) ? named(value) : value;
    if (Array.isArray(value)) return value.map((item) => rename(item, member));
    if (!isRecord(value) || member === 'body') return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, rename(part, name)]));
  };
  const renamed = rename(report, '') as Report;
  return { ...renamed, cases: renamed.cases.map((one) => ({ ...one, id: named(one.id) })) };
}

/** Members that contain operation or case names: one, or a list of them. */
const NAMES: ReadonlySet<string> = new Set(['operationId', 'caseId', 'cases', 'operations', 'missing']);

type Coverage = Report['coverage'];
type Part = Coverage[keyof Coverage];

function joinCoverage(reports: readonly Report[]): Coverage {
  const kinds = Object.keys(reports[0]?.coverage ?? {}) as (keyof Coverage)[];
  const join = (kind: keyof Coverage): Part => {
    const parts = reports.map(({ coverage }) => coverage[kind]);
    return { ...addNumbers(parts), missing: parts.flatMap(({ missing }) => missing) };
  };
  return Object.fromEntries(kinds.map((kind) => [kind, join(kind)])) as unknown as Coverage;
}

/**
 * The combined verdict, with the targets that it is due to. A promise that one target breaks is broken; a target without a
 * verdict makes the result incomplete.
 */
function judge(targets: readonly ShardReport[]): { verdict: Verdict; reason: string | undefined } {
  const because = (verdict: Verdict, sources: readonly ShardReport[]) => {
    const reasons = sources.map(({ name, report }) => `${name}: ${report.reason ?? report.verdict}`);
    return { verdict, reason: reasons.join('; ') };
  };
  const {
    planned = [],
    broken = [],
    'no verdict': none = [],
    incomplete = [],
  } = Object.groupBy(targets, ({ report }) => report.verdict);
  if (planned.length > 0) return because('planned', planned);
  if (broken.length > 0) return because('broken', [...broken, ...none, ...incomplete]);
  if (none.length === targets.length) return because('no verdict', none);
  if (none.length + incomplete.length > 0) return because('incomplete', [...none, ...incomplete]);
  return { verdict: 'holds', reason: undefined };
}

function digestOf(reports: readonly Report[]): string {
  const digests = reports.map(({ documentInfo }) => documentInfo.digest).join('');
  return `sha256:${createHash('sha256').update(digests).digest('hex')}`;
}
