import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { startOwnMock } from './own-mock.ts';
import { runCheck } from './run-check.ts';
import { startStranger } from './start-stranger.ts';

const apiKey = 'paddock-dev-key';

/** Expects so many runs in a row, with other seeds each, to hold while somebody else writes. */
export async function expectRunsToHold(count: number): Promise<void> {
  const mock = await startOwnMock('--no-log');
  try {
    const stop = startStranger(mock.url, apiKey);
    const seeds = Array.from({ length: count }, () => randomInt(2 ** 31));
    for (const seed of seeds) {
      const { findings, exitCode } = await runCheck({ target: mock.url, apiKey, seed, jobs: 8 });
      expect({ seed, findings, exitCode }).toEqual({ seed, findings: [], exitCode: 0 });
    }
    // 100 are meant; a busy machine may hold some of them up.
    expect(await stop()).toBeGreaterThan(50);
  } finally {
    await mock.stop();
  }
}
