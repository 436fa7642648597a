import { onTestFinished } from 'vitest';
import { listening, type PaddockProcess, startPaddock } from '../../quality/testing/paddock.ts';

/** Runs `paddock mock` with only these PADDOCK variables, at most until the test ends. */
export function run(options: readonly string[], env: Record<string, string> = {}): PaddockProcess {
  const mock = startPaddock(['mock', ...options], { env });
  onTestFinished(() => void mock.stop('SIGKILL'));
  return mock;
}

/** Waits until the mock has printed its start. */
export async function started(mock: PaddockProcess): Promise<{ out: string; url: string }> {
  const { url } = await listening(mock);
  return { out: mock.output().out, url };
}
