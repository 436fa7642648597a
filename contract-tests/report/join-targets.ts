import { createHash } from 'node:crypto';
import { isRecord } from '#spec';
import { SettingsError } from '../settings/check-options.ts';
import { addNumbers, joinReports } from './merge-parts.ts';
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
  const all = <T>(of: (report: Report) => readonly T[]): T[] => reports.flatMap(of);
  const each = (of: (report: Report) => string) =>
    given.map(({ name, report }) => `${name}: ${of(report)}`).join(', ');
  const { verdict, reason } = judge(given);
  return {
    ...joinReports(reports),
    verdict,
    exitCode: EXIT_CODES[verdict],
    reason,
    target: each(({ target }) => target),
    document: [...new Set(reports.map((one) => one.document))].join(', '),
    documentInfo: {
      title: each(({ documentInfo: { title, version } }) => `${title} ${version}`.trim()),
      version: '',
      digest: digestOf(reports),
    },
    operations: all((one) => one.operations),
    cells: all((one) => one.cells),
    cases: all((one) => one.cases),
    coverage: joinCoverage(reports),
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
