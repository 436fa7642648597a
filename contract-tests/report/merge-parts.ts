import type { Plan, PlannedOperation } from '../cases/plan.ts';
import type { Coverage, Part } from '../run/coverage.ts';
import { NOT_IN_SHARD } from '../run/not-reached.ts';
import type { Latency } from '../run/recording.ts';
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

/** What any of the shards has seen. */
export function joinCoverage(all: readonly Coverage[]): Coverage {
  const [first] = all as [Coverage];
  const part = (kind: keyof Coverage): Part => {
    const { total, missing } = first[kind];
    const others = all.slice(1).map((one) => new Set(one[kind].missing));
    const left = missing.filter((name) => others.every((own) => own.has(name)));
    return { seen: total - left.length, total, missing: left };
  };
  const kinds = Object.keys(first) as (keyof Coverage)[];
  return Object.fromEntries(kinds.map((kind) => [kind, part(kind)])) as Record<keyof Coverage, Part>;
}

/** In the order of the document. Percentiles cannot be joined: they are those of the shard that asked most often. */
export function joinLatency(shards: readonly Pick<Report, 'latency' | 'cells'>[]): Latency[] {
  const ofOperation = Map.groupBy(
    shards.flatMap(({ latency }) => latency),
    ({ operationId }) => operationId,
  );
  const named = [...(shards[0]?.cells ?? []).map(({ operationId }) => operationId), ...ofOperation.keys()];
  return [...new Set(named)].flatMap((operationId) => {
    const all = ofOperation.get(operationId) ?? [];
    const [most] = all.toSorted((one, other) => other.requests - one.requests);
    if (!most) return [];
    const requests = all.reduce((sum, one) => sum + one.requests, 0);
    return [{ ...most, requests, max: Math.max(...all.map(({ max }) => max)) }];
  });
}

/** Each operation as in its own shard. */
export function joinPlans(all: readonly Plan[]): Plan {
  const ofOperation = Map.groupBy(
    all.flatMap((one) => one.operations),
    ({ operationId }) => operationId,
  );
  const operations = [...ofOperation.values()].flatMap((own): PlannedOperation[] => {
    const planned = own.find(({ reason }) => reason !== NOT_IN_SHARD) ?? own[0];
    return planned ? [planned] : [];
  });
  return {
    operations,
    requests: operations.reduce((sum, one) => sum + one.requests, 0),
    records: Math.max(0, ...all.map(({ records }) => records)),
    // Shards run one after another, where the target must not get several unsafe requests.
    seconds: all.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}
