import { expect, test } from 'vitest';
import { createLatencyRecorder } from './recording.ts';

test('percentiles are of the nearest rank, and operations without a request are left out', () => {
  const latency = createLatencyRecorder(['list', 'read', 'never']);
  for (let ms = 100; ms >= 1; ms--) latency.note('list', ms);
  latency.note('read', 7.04);
  expect(latency.report()).toEqual([
    { operationId: 'list', requests: 100, p50: 50, p95: 95, max: 100 },
    { operationId: 'read', requests: 1, p50: 7, p95: 7, max: 7 },
  ]);
});
