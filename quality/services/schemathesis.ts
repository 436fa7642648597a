import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './install.ts';
import { run } from './processes.ts';
import type { Place, Service } from './service.ts';
import { changedLines } from './state.ts';

/** What another tool makes of the same service. */
export interface Compared {
  /** Failures that it shows; undefined: it ended without a report. */
  readonly failures?: number;
  readonly requests?: number;
  readonly seconds: number;
  /** The limit of time has ended it. */
  readonly isLate: boolean;
  /** Lines of the state before that are not in the state after; undefined: the service no longer answers. */
  readonly changed?: number;
}

export const SCHEMATHESIS = '4.32.5';

/** Generated cases an operation, and seconds. Its default of 100 cases would take ten minutes and more. */
export const EXAMPLES = 10;
export const LIMIT_S = 180;

/** Runs it with its default checks against a service that is thrown away afterwards: it sends what the document has. */
export async function trySchemathesis(service: Service, place: Place, cache: string): Promise<Compared> {
  const folder = join(cache, 'schemathesis');
  await install({ pip: [`schemathesis==${SCHEMATHESIS}`] }, folder);
  const document = await service.document(place);
  await service.fill(place);
  const before = await service.state(place);
  const headers = Object.entries(service.headers?.(place) ?? {}).flatMap(([name, value]) => [
    '--header',
    `${name}: ${value}`,
  ]);
  const report = join(place.folder, 'schemathesis.json');
  const started = performance.now();
  const { isLate } = await run(
    place.folder,
    [
      join(folder, 'venv/bin/st'),
      ...['run', document, '--url', place.url, '--max-examples', String(EXAMPLES), '--seed', '1'],
      ...['--report', 'json', '--report-json-path', report, '--no-color', ...headers],
    ],
    LIMIT_S * 1000,
  );
  const seconds = (performance.now() - started) / 1000;
  const after = await service.state(place).catch(() => undefined);
  const changed = after && { changed: changedLines(before, after).length };
  return { ...(existsSync(report) ? countsOf(report) : {}), ...changed, seconds, isLate };
}

/** Of its JSON report. */
function countsOf(file: string): { failures: number; requests: number } {
  const { test_cases } = JSON.parse(readFileSync(file, 'utf8'));
  return { failures: test_cases.unique_failures, requests: test_cases.generated };
}
