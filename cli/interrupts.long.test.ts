import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createMock, type Mock, type MockOptions } from '#mock';

/** The program is interrupted as by a shell or CI. */
const PROGRAM = fileURLToPath(new URL('paddock.js', import.meta.url));
const WAREHOUSE = fileURLToPath(new URL('../fixtures/specs/warehouse.yaml', import.meta.url));
const KEY = 'paddock-dev-key';

async function startMock(options: Partial<MockOptions>): Promise<Mock> {
  const mock = await createMock({ document: WAREHOUSE, port: 0, apiKeys: [KEY], ...options });
  onTestFinished(() => mock.close());
  return mock;
}

interface Interrupted {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** How long the program ran after the first signal, in milliseconds. */
  readonly ms: number;
  readonly report: Record<string, unknown> & { readonly created: readonly { readonly certain: boolean }[] };
}

/** Runs a check, and sends these signals one after another once the mock has received the first creates. */
async function interrupt(mock: Mock, ...signals: NodeJS.Signals[]): Promise<Interrupted> {
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'report.json');
  const args = [PROGRAM, 'check', mock.url, WAREHOUSE, '--api-key', KEY, '--report', `json=${file}`];
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH } });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const closed = once(child, 'close');
  await mustCreate(mock, child);
  const began = performance.now();
  for (const [index, signal] of signals.entries()) {
    if (index > 0)
      while (!err.includes('interrupted')) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill(signal);
  }
  const [code] = await closed;
  // An unwritten report does not exist.
  const text = await readFile(file, 'utf8').catch(() => '');
  return { code, out, err, ms: performance.now() - began, report: text === '' ? {} : JSON.parse(text) };
}

async function mustCreate(mock: Mock, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const requests = await mock.requests();
    if (requests.filter(({ method, status }) => method === 'POST' && status === 201).length > 3) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the check ended before it was interrupted');
}

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends the run with a report, without what it made, and with exit code %i',
  async ([signal, code]) => {
    const mock = await startMock({ latency: { low: 50, high: 50 } });
    const before = await recordsOf(mock);
    const ended = await interrupt(mock, signal);
    expect(ended).toMatchObject({
      code,
      report: { verdict: 'incomplete', reason: 'interrupted', exitCode: code },
    });
    expect(ended.out).toContain(`Interrupted (exit ${code})`);
    expect(ended.err).toContain('interrupted');
    expect(ended.report.created.filter(({ certain }) => certain)).toEqual([]);
    expect(await recordsOf(mock)).toEqual(before);
    expect(ended.ms).toBeLessThan(10_000);
  },
);

async function recordsOf(mock: Mock) {
  const { records } = await mock.state();
  return Object.fromEntries(Object.entries(records).map(([path, all]) => [path, all.length]));
}

test('a second signal ends the run at once, without a report', async () => {
  const mock = await startMock({ latency: { low: 700, high: 700 } });
  const { code, report, ms } = await interrupt(mock, 'SIGINT', 'SIGINT');
  expect(code).toBe(130);
  expect(report).toEqual({});
  expect(ms).toBeLessThan(5000);
});
