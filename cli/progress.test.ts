import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CheckEvent, Report } from '#contract-tests';
import { createProgressLine, showProgress } from './progress.ts';

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'performance'] }),
);
afterEach(() => void vi.useRealTimers());

const REPORT = { verdict: 'holds' } as Report;

/** A run of 100 cases, one a second. */
async function* run(): AsyncGenerator<CheckEvent, Report> {
  for (let done = 0; done < 100; done++) {
    const atWork = [{ id: `case-${done}\u001b[31m` }];
    yield {
      type: 'progress',
      done,
      failed: done > 20 ? 1 : 0,
      total: 100,
      share: done / 100,
      atWork,
    } as unknown as CheckEvent;
    await vi.advanceTimersByTimeAsync(1000);
  }
  return REPORT;
}

async function shown(output: { isTTY: boolean; columns?: number }): Promise<string[]> {
  const written: string[] = [];
  const line = createProgressLine({ ...output, write: (text) => written.push(text) });
  const report = await showProgress(run(), line);
  expect(report).toBe(REPORT);
  return written;
}

test('without a terminal there is a line every ten seconds', async () => {
  const lines = await shown({ isTTY: false });
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe('9 of 100 cases, 0 failed, 10 s, about 101 s left: case-9\ufffd[31m\n');
  expect(lines[4]).toBe('49 of 100 cases, 1 failed, 50 s, about 52 s left: case-49\ufffd[31m\n');
});

test('on a terminal one line is rewritten, is no longer than the terminal, and is gone in the end', async () => {
  const lines = await shown({ isTTY: true, columns: 40 });
  expect(lines.length).toBeGreaterThan(500);
  expect(lines.every((line) => line.startsWith('\r\x1b[K') && line.length < 40 + 4)).toBe(true);
  expect(lines[43]?.replace('\r\x1b[K', '')).toBe('4 of 100 cases, 0 failed, 4 s, about…');
  expect(lines.at(-1)).toBe('\r\x1b[K');
});

test('what is said meanwhile stands on a line of its own', async () => {
  const written: string[] = [];
  const line = createProgressLine({ isTTY: true, write: (text) => written.push(text) });
  const close = line.show(() => 'reading the document and making its cases');
  await vi.advanceTimersByTimeAsync(100);
  line.say('withheld: DELETE /pets');
  close();
  expect(written.join('')).toBe(
    '\r\x1b[Kreading the document and making its cases\r\x1b[Kwithheld: DELETE /pets\n',
  );
});
