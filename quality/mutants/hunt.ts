import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { LOOKALIKES, MUTANTS } from './families.ts';
import type { HuntTask } from './hunt-worker.ts';
import type { Outcome, Trial } from './try-suspect.ts';

export interface HuntOptions extends Trial {
  /** A regular expression over the names of the suspects. */
  readonly only?: string | undefined;
  /** Called for each suspect that was tried, of `total`. */
  readonly onTried?: ((outcome: Outcome, total: number) => void) | undefined;
}

const MAX_THREADS = 4;

/** Runs the suite against every mutant and lookalike, on all cores; outcomes keep the order of the arrays. */
export async function hunt({ only = '', onTried, ...trial }: HuntOptions): Promise<Outcome[]> {
  const chosen = new RegExp(only);
  const names = [...LOOKALIKES, ...MUTANTS].map(({ name }) => name).filter((name) => chosen.test(name));
  const first = await tryAll(trial, names, onTried);
  // Suspects share threads: whoever waited in vain for an answer is tried again, when few others are.
  const unanswered = first.filter(isUnanswered).map(({ name }) => name);
  const again = unanswered.length > 0 ? await tryAll(trial, unanswered, onTried) : [];
  const outcomes = [...again, ...first];
  return [...MUTANTS, ...LOOKALIKES].flatMap(
    ({ name }) => outcomes.find((outcome) => outcome.name === name) ?? [],
  );
}

/** Nothing was said of the contract, where something should have been. */
function isUnanswered({ fault, exitCode }: Outcome): boolean {
  return fault !== undefined && (exitCode === 3 || exitCode === 4);
}

async function tryAll(
  trial: Trial,
  names: readonly string[],
  onTried: HuntOptions['onTried'],
): Promise<Outcome[]> {
  const workerData: HuntTask = { trial, names, next: new Int32Array(new SharedArrayBuffer(4)) };
  const outcomes: Outcome[] = [];
  const runThread = () =>
    new Promise<void>((resolve, reject) => {
      // Without the arguments of a test runner.
      const worker = new Worker(new URL('./hunt-worker.ts', import.meta.url), { workerData, execArgv: [] });
      worker.on('message', (outcome: Outcome) => {
        outcomes.push(outcome);
        onTried?.(outcome, names.length);
      });
      worker.once('error', reject);
      worker.once('exit', () => resolve());
    });
  await Promise.all(Array.from({ length: Math.min(MAX_THREADS, availableParallelism()) }, runThread));
  return outcomes;
}
