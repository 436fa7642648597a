import type { FuzzOutcome } from './fuzz.ts';
import type { Measure } from './probe.ts';

/** What a run has shown, for people. */
export function renderFuzz(outcome: FuzzOutcome, before: Measure, after: Measure, seconds: number): string {
  const total = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);
  const table = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  return [
    `${total(outcome.sent)} exchanges in ${seconds.toFixed(1)} s: ${table(outcome.sent)}`,
    `${total(outcome.answers)} answers: ${table(outcome.answers)}`,
    `${outcome.acknowledged.length} records acknowledged, ${outcome.faults.length} faults`,
    `heap ${mib(before.heap)} before, ${mib(after.heap)} after; rss ${mib(before.rss)} before, ${mib(after.rss)} after`,
    `event loop late by ${after.delay.mean.toFixed(1)} ms on average, ${after.delay.max.toFixed(0)} ms at most`,
    `handles ${JSON.stringify(before.handles)} before, ${JSON.stringify(after.handles)} after`,
    '',
  ].join('\n');
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
