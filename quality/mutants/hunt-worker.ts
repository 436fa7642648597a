import { parentPort, workerData } from 'node:worker_threads';
import { LOOKALIKES, MUTANTS } from './families.ts';
import { type Outcome, type Trial, tryLookalike, tryMutant } from './try-suspect.ts';

/** Shared by the threads of a hunt. */
export interface HuntTask {
  readonly trial: Trial;
  readonly names: readonly string[];
  /** The index of the next name to try. */
  readonly next: Int32Array;
}

/** Runs at the same time in one thread, since most of their time is waiting. */
const CONCURRENCY = 5;

const { trial, names, next } = workerData as HuntTask;

async function work(): Promise<void> {
  for (;;) {
    const name = names[Atomics.add(next, 0, 1)];
    if (name === undefined) return;
    parentPort?.postMessage(await tryOne(name));
  }
}

async function tryOne(name: string): Promise<Outcome> {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant) return tryMutant(mutant, trial);
  const lookalike = LOOKALIKES.find((one) => one.name === name);
  if (!lookalike) throw new Error(`there is no suspect "${name}"`);
  return tryLookalike(lookalike, trial);
}

await Promise.all(Array.from({ length: CONCURRENCY }, work));
