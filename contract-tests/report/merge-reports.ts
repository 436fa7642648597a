import { NOT_IN_SHARD } from '../run/not-reached.ts';
import { INTERRUPTED } from '../send/wire.ts';
import { SettingsError } from '../settings/check-options.ts';
import { joinReports, type ShardReport } from './join-reports.ts';
import { countCovered, countOutcomes, withoutRepeats } from './make-report.ts';
import type { Report, ReportedCase, Shard } from './report.ts';
import { judgeStanding } from './run-verdict.ts';
import { type Cell, EXIT_CODES, type OperationStanding, type Verdict } from './verdict.ts';

type Sharded = Report & { readonly shard: Shard };

/**
 * The report of the whole run, from the JSON reports of its shards (`--shard K/N`): cells, findings, causes and verdict
 * follow the same rules. A missing shard makes it incomplete. Milliseconds and requests are summed; the percentiles of an
 * operation are those of the shard with most requests of it.
 * @throws SettingsError if the reports are not shards of one run: another document, seed or division, or one twice
 */
export function mergeReports(reports: readonly ShardReport[]): Report {
  const shards = inOrder(reports);
  const [first] = shards as [Sharded];
  const cases = joinCases(shards);
  const position = new Map(cases.map(({ id }, index) => [id, index]));
  const byCase = <T extends { readonly caseId: string }>(list: readonly T[]): T[] =>
    list.toSorted((left, right) => (position.get(left.caseId) ?? 0) - (position.get(right.caseId) ?? 0));
  const findings = byCase(shards.flatMap((shard) => shard.findings));
  const joined = joinReports(shards, findings);
  const cells = first.cells.map((_, index) => joinCell(shards, index, findings));
  const operations = first.operations.map((_, index) => joinOperation(shards, index));
  const { verdict, reason } = judge(shards, cells, operations);
  return {
    ...joined,
    verdict,
    exitCode: EXIT_CODES[verdict],
    reason,
    target: [...new Set(shards.map((shard) => shard.target))].join(', '),
    operations,
    cells,
    notSpecified: byCase(joined.notSpecified),
    notices: withoutRepeats(byCase(shards.flatMap((shard) => shard.notices))),
    created: byCase(joined.created),
    cases,
    coverage: joinCoverage(shards),
    totals: { ...joined.totals, ...countOutcomes(cases), ...countCovered({ operations, cells }) },
    ...(joined.plan && {
      plan: { ...joined.plan, records: Math.max(...shards.map(({ plan }) => plan?.records ?? 0)) },
    }),
    exchanges: undefined,
  };
}

/** The combined coverage of the shards. */
function joinCoverage(shards: readonly Sharded[]): Report['coverage'] {
  const [{ coverage: first }, ...others] = shards as [Sharded, ...Sharded[]];
  const kinds = Object.keys(first) as (keyof typeof first)[];
  const partOf = (kind: keyof typeof first) => {
    const { total, missing } = first[kind];
    const left = missing.filter((name) => others.every((one) => one.coverage[kind].missing.includes(name)));
    return [kind, { seen: total - left.length, total, missing: left }] as const;
  };
  return Object.fromEntries(kinds.map(partOf)) as unknown as Report['coverage'];
}

/** @throws SettingsError */
function inOrder(reports: readonly ShardReport[]): Sharded[] {
  const [first] = reports;
  if (!first) throw new SettingsError('there is no report to merge');
  const names = new Map<number, string>();
  const shards = reports.map(({ name, report }) => {
    const { shard } = report;
    if (!shard)
      throw new SettingsError(
        `${name} is the report of a whole run: only those of --shard K/N can be merged`,
      );
    const differs = (what: string, value: unknown, other: unknown) => {
      if (value !== other)
        throw new SettingsError(
          `${name} is of another run than ${first.name}: ${what} ${value}, not ${other}`,
        );
    };
    differs('document', report.documentInfo.digest, first.report.documentInfo.digest);
    differs('number of shards', shard.of, first.report.shard?.of);
    differs('seed', report.seed, first.report.seed);
    const twin = names.get(shard.number);
    if (twin !== undefined)
      throw new SettingsError(`shard ${shard.number}/${shard.of} is given twice: ${twin} and ${name}`);
    names.set(shard.number, name);
    return { ...report, shard };
  });
  return shards.sort((left, right) => left.shard.number - right.shard.number);
}

/**
 * Takes each case from the shard that executed it.
 * @throws SettingsError if the shards have different cases, or one case twice
 */
function joinCases(shards: readonly Sharded[]): ReportedCase[] {
  const [first] = shards as [Sharded];
  return first.cases.map((one, index) => {
    const all = shards.map((shard) => shard.cases[index]);
    if (
      all.some((other) => other?.id !== one.id) ||
      shards.some((shard) => shard.cases.length !== first.cases.length)
    )
      throw new SettingsError('the shards do not have the same cases: were they run with the same options?');
    const [result, second] = all.filter((other) => other && !isElsewhere(other));
    if (second)
      throw new SettingsError(`two shards have the case ${one.id}: were they run with the same options?`);
    return result ?? one;
  });
}

function isElsewhere({ reason }: Pick<ReportedCase | Cell, 'reason'>): boolean {
  return reason === NOT_IN_SHARD;
}

/** The cell of its own shard, with what other shards observed of it when they prepared their cases. */
function joinCell(shards: readonly Sharded[], index: number, findings: Report['findings']): Cell {
  const all = shards.flatMap(({ cells }) => cells[index] ?? []);
  const [first] = all as [Cell];
  const standing = all.filter((cell) => !isElsewhere(cell));
  const violated = standing.filter(({ verdict }) => verdict === 'violated');
  // If another shard observed the breach, none of the cell's cases ran there.
  const base =
    standing.find(({ verdict }) => verdict !== 'violated') ??
    violated.toSorted((left, right) => right.of - left.of)[0] ??
    first;
  const [broken] = violated;
  if (broken) {
    const reasons = new Set(violated.map(({ reason }) => reason));
    const finding = findings.find((one) => one.operationId === base.operationId && reasons.has(one.received));
    return { ...broken, ran: base.ran, of: base.of, reason: finding?.received ?? broken.reason };
  }
  const id = `${base.operationId}/${base.status}`;
  const isReached = shards.some(({ shard }) => shard.reached.includes(id));
  return base.verdict === 'not reached' && base.cases.length === 0 && isReached
    ? { ...base, verdict: 'covered', reason: undefined, gates: all.some(({ gates }) => gates) }
    : base;
}

/** The result of an operation in any shard that called it, else in its own shard. */
function joinOperation(shards: readonly Sharded[], index: number): OperationStanding {
  const all = shards.flatMap(({ operations }) => operations[index] ?? []);
  const [first] = all as [OperationStanding];
  const seen = (verdict: OperationStanding['verdict']) =>
    all.find((operationStanding) => operationStanding.verdict === verdict);
  return (
    seen('violated') ??
    seen('covered') ??
    all.find((operationStanding) => !isElsewhere(operationStanding)) ??
    first
  );
}

/** The combined verdict, by the same order as for a whole run. */
function judge(
  shards: readonly Sharded[],
  cells: readonly Cell[],
  operations: readonly OperationStanding[],
): { verdict: Verdict; reason: string | undefined } {
  const shardWith = (verdict: Verdict) => shards.find((shard) => shard.verdict === verdict);
  if (shardWith('planned')) return { verdict: 'planned', reason: missing(shards) };
  if (shards.some(({ reason }) => reason === INTERRUPTED))
    return { verdict: 'incomplete', reason: INTERRUPTED };
  // A shard without executed cases is ignored.
  const executed = shards.filter(
    (shard) => shard.totals.skipped + shard.totals.withheld < shard.totals.cases,
  );
  if (executed.length === 0) {
    const reason = missing(shards) ?? shardWith('incomplete')?.reason;
    return { verdict: 'incomplete', reason };
  }
  if (executed.every(({ verdict }) => verdict === 'no verdict'))
    return { verdict: 'no verdict', reason: executed[0]?.reason };
  const ended = shards.find((shard) => shard.shard.ended !== undefined)?.shard.ended ?? missing(shards);
  const isBroken = shards.some(({ findings }) => findings.some(({ gates }) => gates));
  const standing = judgeStanding(cells, operations, isBroken, ended);
  const unsaid = standing.verdict === 'holds' ? shardWith('no verdict') : undefined;
  return unsaid ? { verdict: 'incomplete', reason: unsaid.reason } : standing;
}

function missing(shards: readonly Sharded[]): string | undefined {
  const [first] = shards as [Sharded];
  const there = new Set(shards.map(({ shard }) => shard.number));
  const numbers = Array.from({ length: first.shard.of }, (_, index) => index + 1);
  const absent = numbers.filter((one) => !there.has(one));
  if (absent.length === 0) return undefined;
  const [names, are] = absent.length === 1 ? ['shard', 'is'] : ['shards', 'are'];
  return `${names} ${absent.join(', ')} of ${first.shard.of} ${are} missing`;
}
