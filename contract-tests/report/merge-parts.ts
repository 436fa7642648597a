import type { Plan, PlannedOperation } from '../cases/plan.ts';
import type { Coverage, Part } from '../run/coverage.ts';
import type { Latency } from '../run/latency.ts';
import { NOT_IN_SHARD } from '../run/not-reached.ts';
import type { Report } from './report.ts';

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
