import { type Cause, extentOf, gatingFirst, mostDifferent, type SeenStatus } from './cause.ts';
import type { Report } from './report.ts';
import type { ReportedFinding } from './reported-finding.ts';

/**
 * The causes of all shards, each once: what several have seen is shown as by the first of them whose own gates.
 * @param findings those of all shards
 */
export function joinCauses(
  shards: readonly Pick<Report, 'causes' | 'findings'>[],
  findings: readonly ReportedFinding[],
): Cause[] {
  const positions = new Map(findings.map((finding, index) => [finding, index]));
  const causes = shards.flatMap((shard) =>
    shard.causes.map((cause) => {
      const shown = shard.findings[cause.finding];
      return { ...cause, finding: (shown && positions.get(shown)) ?? -1 };
    }),
  );
  return gatingFirst([...Map.groupBy(causes, ({ key }) => key).values()].map(joined));
}

function joined(all: readonly Cause[]): Cause {
  const [shown] = gatingFirst(all) as [Cause];
  if (all.length === 1) return shown;
  const count = all.reduce((sum, one) => sum + one.count, 0);
  const operations = [...new Set(all.flatMap((one) => one.operations))];
  const title = shown.title.slice(0, shown.title.length - extentOf(shown).length);
  return {
    ...shown,
    title: `${title}${extentOf({ count, operations })}`,
    gates: all.some(({ gates }) => gates),
    knownUntil: all.map(({ knownUntil }) => knownUntil ?? '').sort()[0] || undefined,
    cases: [...new Set(all.flatMap(({ cases }) => cases))],
    instances: mostDifferent([shown, ...all.filter((one) => one !== shown)].flatMap((one) => one.instances)),
    count,
    operations,
    statuses: shown.statuses && joinStatuses(all.flatMap(({ statuses }) => statuses ?? [])),
    followUps: sums(
      all.flatMap(({ followUps }) => followUps),
      ({ key }) => key,
    ),
  };
}

function joinStatuses(all: readonly SeenStatus[]): SeenStatus[] {
  return sums(all, ({ operationId, status }) => `${operationId} ${status}`);
}

function sums<T extends { readonly count: number }>(all: readonly T[], nameOf: (one: T) => string): T[] {
  return [...Map.groupBy(all, nameOf).values()].flatMap(([first, ...others]) =>
    first ? { ...first, count: others.reduce((sum, { count }) => sum + count, first.count) } : [],
  );
}
