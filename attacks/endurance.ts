import { check, type Report } from '#contract-tests';
import { parseJson } from '#spec';
import { type FuzzOutcome, fuzz } from './fuzz.ts';
import type { MockProcess } from './mock-process.ts';
import type { Measure } from './probe.ts';

const DOCUMENT = new URL('../spec/openapi.yaml', import.meta.url).pathname;
const KEY = 'paddock-dev-key';

type Records = ReadonlyMap<unknown, unknown>;

export interface Endurance {
  readonly outcome: FuzzOutcome;
  readonly seconds: number;
  /** Of the suite, run on the same process directly after the last exchange. */
  readonly report: Report;
  /** By id, as the mock's own snapshot has them. */
  readonly records: { readonly before: Records; readonly after: Records };
  readonly memory: { readonly before: Measure; readonly after: Measure };
}

/** Exchanges that bring a process to its ordinary size: code is compiled, and the log of requests is full. */
const WARM_UP = 1000;

/** Throws malformed exchanges at a mock, then lets the suite judge it; nothing is started anew in between. */
export async function endure(mock: MockProcess, exchanges: number, seed: number): Promise<Endurance> {
  await fuzz({ port: mock.port, exchanges: WARM_UP, seed: seed + exchanges });
  await checked(mock);
  await reset(mock);
  const before = { records: await recordsOf(mock), memory: await mock.measure() };
  const begun = performance.now();
  const outcome = await fuzz({ port: mock.port, exchanges, seed });
  const seconds = (performance.now() - begun) / 1000;
  const records = await recordsOf(mock);
  const report = await checked(mock);
  // What was made is kept until it is told to go; only then can the memory be as it was.
  await reset(mock);
  const memory = await mock.measure();
  return {
    outcome,
    seconds,
    report,
    records: { before: before.records, after: records },
    memory: { before: before.memory, after: memory },
  };
}

/** A connection that is kept open would be counted as a handle. */
const ALONE = { headers: { connection: 'close' } };

async function checked({ url }: MockProcess): Promise<Report> {
  const events = check({ target: url, document: DOCUMENT, apiKey: KEY, settle: 200 });
  for (;;) {
    const { value, done } = await events.next();
    if (done) return value;
  }
}

async function reset({ url }: MockProcess): Promise<void> {
  await fetch(new URL('/__admin/reset', url), { method: 'POST', ...ALONE });
}

async function recordsOf({ url }: MockProcess): Promise<Records> {
  const text = await (await fetch(new URL('/__admin/state', url), ALONE)).text();
  const { records } = parseJson(text) as { records: Record<string, readonly { readonly id: unknown }[]> };
  return new Map((records['/pets'] ?? []).map((record) => [record.id, record]));
}
