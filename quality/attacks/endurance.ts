import { check, type Report } from '#contract-tests';
import { parseJson } from '#spec';
import { resultOf } from '../testing/result-of.ts';
import { type FuzzOutcome, fuzz } from './fuzz.ts';
import type { Measure } from './probe.ts';
import type { MeasuredMock } from './processes.ts';
import { renderMeasures } from './processes.ts';

const DOCUMENT = new URL('../../spec/openapi.yaml', import.meta.url).pathname;

type Records = ReadonlyMap<unknown, unknown>;

export interface Endurance {
  readonly outcome: FuzzOutcome;
  /** Of the suite, run on the same process directly after the last exchange. */
  readonly report: Report;
  /** By id, as the mock's snapshot has them. */
  readonly records: { readonly before: Records; readonly after: Records };
  readonly memory: { readonly before: Measure; readonly after: Measure };
  /** What the run has shown, as text. */
  readonly summary: string;
}

/** Exchanges after which a process has its ordinary size: code is compiled, and the journal is full. */
const WARM_UP = 1000;

/** Sends malformed exchanges to a mock, then lets the suite judge it; nothing is restarted in between. */
export async function endure(mock: MeasuredMock, exchanges: number, seed: number): Promise<Endurance> {
  const { port, url: target } = mock;
  const runCheck = () =>
    resultOf(check({ target, document: DOCUMENT, apiKey: 'paddock-dev-key', settle: 200 }));
  await fuzz({ port, exchanges: WARM_UP, seed: seed + exchanges });
  await runCheck();
  await mock.reset();
  const [recordsBefore, before] = [await recordsOf(target), await mock.measure()];
  const begun = performance.now();
  const outcome = await fuzz({ port, exchanges, seed });
  const seconds = (performance.now() - begun) / 1000;
  const recordsAfter = await recordsOf(target);
  const report = await runCheck();
  // Records stay until the reset; only then can the memory be as it was.
  await mock.reset();
  const memory = { before, after: await mock.measure() };
  return {
    outcome,
    report,
    records: { before: recordsBefore, after: recordsAfter },
    memory,
    summary: summaryOf(outcome, seconds) + renderMeasures(memory),
  };
}

async function recordsOf(url: string): Promise<Records> {
  const response = await fetch(new URL('/__admin/state', url), { headers: { connection: 'close' } });
  const { records } = parseJson(await response.text()) as {
    records: Record<string, readonly { readonly id: unknown }[]>;
  };
  return new Map((records['/pets'] ?? []).map((record) => [record.id, record]));
}

function summaryOf({ sent, statuses, acknowledged, faults }: FuzzOutcome, seconds: number): string {
  return [
    `${total(sent)} exchanges in ${seconds.toFixed(1)} s: ${list(sent)}`,
    `${total(statuses)} responses: ${list(statuses)}`,
    `${acknowledged.length} records acknowledged, ${faults.length} faults\n`,
  ].join('\n');
}

type Counts = Readonly<Record<string, number>>;

function total(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function list(counts: Counts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
