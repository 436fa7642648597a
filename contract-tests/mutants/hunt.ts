import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { LOOKALIKES } from './all-lookalikes.ts';
import { MUTANTS } from './all-mutants.ts';
import type { HuntTask } from './hunt-worker.ts';
import type { Outcome } from './try-suspect.ts';

export interface HuntOptions {
  readonly seed: number;
  /** A regular expression over the names of the suspects. */
  readonly only?: string | undefined;
  /** Dredd and Prism are asked as well. */
  readonly judges?: boolean | undefined;
}

const MOST_THREADS = 4;

/** Runs the suite over every mutant and every lookalike, on all cores. Outcomes are in the order of the arrays. */
export async function hunt({ seed, only = '', judges = false }: HuntOptions): Promise<Outcome[]> {
  const chosen = new RegExp(only);
  const names = [...LOOKALIKES, ...MUTANTS].map(({ name }) => name).filter((name) => chosen.test(name));
  const task: HuntTask = { seed, names, judges, next: new Int32Array(new SharedArrayBuffer(4)) };
  const threads = Array.from({ length: Math.min(MOST_THREADS, availableParallelism()) }, () =>
    runThread(task),
  );
  const outcomes = (await Promise.all(threads)).flat();
  return [...MUTANTS, ...LOOKALIKES].flatMap(
    ({ name }) => outcomes.find((outcome) => outcome.name === name) ?? [],
  );
}

function runThread(workerData: HuntTask): Promise<Outcome[]> {
  return new Promise((resolve, reject) => {
    // A thread is Node as it is, whatever runs this one.
    const worker = new Worker(new URL('./hunt-worker.ts', import.meta.url), { workerData, execArgv: [] });
    worker.once('message', resolve).once('error', reject);
  });
}
