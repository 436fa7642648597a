import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { LOOKALIKES, MUTANTS } from './families.ts';
import type { HuntTask } from './hunt-worker.ts';
import type { Outcome, Trial } from './try-suspect.ts';

export interface HuntOptions extends Trial {
  /** A regular expression for the names of suspects. */
  readonly only?: string | undefined;
  /** Called after each suspect; `total` is their number. */
  readonly onTried?: ((outcome: Outcome, total: number) => void) | undefined;
}

const MAX_THREADS = 4;

/** Runs the suite against every mutant and lookalike, on all cores. Outcomes keep the order of the arrays. */
export async function hunt({ only = '', onTried, ...trial }: HuntOptions): Promise<Outcome[]> {
  const chosen = new RegExp(only);
  const names = [...LOOKALIKES, ...MUTANTS].map(({ name }) => name).filter((name) => chosen.test(name));
  const first = await tryAll(trial, names, onTried);
  // Suspects share threads, so those that got no response in time are tried again when few others run.
  const unanswered = first.filter(isUnanswered).map(({ name }) => name);
  const again = unanswered.length > 0 ? await tryAll(trial, unanswered, onTried) : [];
  const outcomes = [...again, ...first];
  return [...MUTANTS, ...LOOKALIKES].flatMap(
    ({ name }) => outcomes.find((outcome) => outcome.name === name) ?? [],
  );
}

/** Whether the suite made no statement about the contract although it should have. */
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
