import { createHash } from 'node:crypto';
import { isRecord } from '#spec';
import { SettingsError } from '../settings/check-options.ts';
import { joinCauses } from './merge-parts.ts';
import type { ShardReport } from './merge-reports.ts';
import type { Report } from './report.ts';
import { EXIT_CODES, type Verdict } from './verdict.ts';

/**
 * One report of the runs on several targets, each with a document of its own: one verdict, one exit code. Operations and cases are
 * named after their target: `users:getUser/200/schema`. What has one root in several of them is one cause.
 * @throws SettingsError where there is none
 */
export function joinTargets(given: readonly ShardReport[]): Report {
  const [only] = given;
  if (!only) throw new SettingsError('there is no target');
  const reports = given.map(({ name, report }) => withNames(report, name));
  const [first] = reports as [Report];
  const findings = reports.flatMap((one) => one.findings);
  const all = <T>(of: (report: Report) => readonly T[]): T[] => reports.flatMap(of);
  const sum = (of: (report: Report) => number) => reports.reduce((total, one) => total + of(one), 0);
  const each = (of: (report: Report) => string) =>
    given.map(({ name, report }) => `${name}: ${of(report)}`).join(', ');
  const { verdict, reason } = judge(given);
  const { shard: _, plan: __, traffic: ___, ...common } = first;
  const plans = reports.flatMap(({ plan }) => plan ?? []);
  const traffic = reports.flatMap((one) => one.traffic ?? []);
  return {
    ...common,
    verdict,
    exitCode: EXIT_CODES[verdict],
    reason,
    startedAt: reports.map((one) => one.startedAt).sort()[0] ?? first.startedAt,
    target: each(({ target }) => target),
    document: [...new Set(reports.map((one) => one.document))].join(', '),
    documentInfo: {
      title: each(({ documentInfo: { title, version } }) => `${title} ${version}`.trim()),
      version: '',
      digest: digestOf(reports),
    },
    operations: all((one) => one.operations),
    cells: all((one) => one.cells),
    findings,
    causes: joinCauses(reports, findings),
    notSpecified: all((one) => one.notSpecified),
    notices: all((one) => one.notices),
    created: all((one) => one.created),
    withheld: all((one) => one.withheld),
    excluded: all((one) => one.excluded),
    cases: all((one) => one.cases),
    coverage: joinCoverage(reports),
    latency: all((one) => one.latency),
    totals: addNumbers(reports.map(({ totals }) => totals)),
    exchanges: reports.every(({ exchanges }) => exchanges)
      ? {
          entries: all(({ exchanges }) => exchanges?.entries ?? []),
          dropped: sum(({ exchanges }) => exchanges?.dropped ?? 0),
        }
      : undefined,
    ...(plans.length > 0 && {
      plan: {
        operations: plans.flatMap(({ operations }) => operations),
        requests: plans.reduce((total, { requests }) => total + requests, 0),
        records: plans.reduce((total, { records }) => total + records, 0),
        seconds: plans.reduce((total, { seconds }) => total + seconds, 0),
      },
    }),
    ...(traffic.length > 0 && { traffic: addNumbers(traffic) }),
  };
}

/** Names of what the document has, and of cases, are those of one target. */
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

/** Members that name operations or cases: one, or a list of them. */
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

function addNumbers<T extends object>(all: readonly T[]): T {
  const [first] = all as [T];
  const keys = Object.keys(first) as (keyof T)[];
  const sumOf = (key: keyof T) => all.reduce((total, one) => total + Number(one[key]), 0);
  return Object.fromEntries(keys.map((key) => [key, sumOf(key)])) as T;
}

/**
 * A promise that one target breaks is broken; what cannot be judged on one of them is missing. The first that applies, with the
 * targets that it is said of.
 */
function judge(given: readonly ShardReport[]): { verdict: Verdict; reason: string | undefined } {
  const said = (verdict: Verdict) => given.filter(({ report }) => report.verdict === verdict);
  const because = (verdict: Verdict, own: readonly ShardReport[]) => {
    const reasons = own.map(({ name, report }) => `${name}: ${report.reason ?? report.verdict}`);
    return { verdict, reason: reasons.join('; ') };
  };
  const [planned, broken, none, incomplete] = [
    said('planned'),
    said('broken'),
    said('no verdict'),
    said('incomplete'),
  ];
  if (planned.length > 0) return because('planned', planned);
  if (broken.length > 0) return because('broken', [...broken, ...none, ...incomplete]);
  if (none.length === given.length) return because('no verdict', none);
  if (none.length + incomplete.length > 0) return because('incomplete', [...none, ...incomplete]);
  return { verdict: 'holds', reason: undefined };
}

function digestOf(reports: readonly Report[]): string {
  const hash = createHash('sha256');
  for (const { documentInfo } of reports) hash.update(documentInfo.digest);
  return `sha256:${hash.digest('hex')}`;
}
