import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { startOwnMock } from './own-mock.ts';
import { runCheck } from './run-check.ts';

/** Starts a second process that creates 100 records a second; returns a function that ends it and returns their number. */
function startStranger(url: string, apiKey: string): () => Promise<number> {
  const program = fileURLToPath(new URL('stranger.ts', import.meta.url));
  const body = JSON.stringify({ name: 'stranger', categoryId: 3, status: 'sold' });
  const child = spawn(process.execPath, [program, `${url}/pets`, apiKey, body]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return () =>
    new Promise((resolve, reject) => {
      child.once('close', () => {
        const [, written, ms] = /^(\d+) in (\d+) ms$/m.exec(output) ?? [];
        if (ms === undefined) reject(new Error(`the stranger broke down:\n${output}`));
        else resolve((Number(written) / Number(ms)) * 1000);
      });
      child.kill();
    });
}

const apiKey = 'paddock-dev-key';

/** Expects a number of consecutive runs with different seeds to hold while another client writes. */
export async function expectRunsToHold(count: number): Promise<void> {
  const mock = await startOwnMock('--log=quiet');
  try {
    const stop = startStranger(mock.url, apiKey);
    const seeds = Array.from({ length: count }, () => randomInt(2 ** 31));
    for (const seed of seeds) {
      const { findings, exitCode } = await runCheck({ target: mock.url, apiKey, seed, jobs: 8 });
      expect({ seed, findings, exitCode }).toEqual({ seed, findings: [], exitCode: 0 });
    }
    // 100 are intended; a busy machine may delay some of them.
    expect(await stop()).toBeGreaterThan(50);
  } finally {
    await mock.stop();
  }
}
