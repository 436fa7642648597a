import { parentPort, workerData } from 'node:worker_threads';
import { LOOKALIKES, MUTANTS } from './families.ts';
import { openJudges } from './judges.ts';
import { type Outcome, type Trial, tryLookalike, tryMutant } from './try-suspect.ts';

/** Shared by the threads of one hunt. */
export interface HuntTask extends Pick<Trial, 'seed' | 'disposable'> {
  readonly names: readonly string[];
  readonly judges: boolean;
  /** The index of the next name to try. */
  readonly next: Int32Array;
}

/** What a thread says: each suspect that was tried, and all of them with what the judges say, when it ends. */
export type HuntMessage = { readonly tried: Outcome } | { readonly all: readonly Outcome[] };

/** Runs at the same time in one thread: most of the time they wait. */
const CONCURRENCY = 5;

const { seed, disposable, names, judges: withJudges, next } = workerData as HuntTask;
const outcomes: Outcome[] = [];
const judges = withJudges ? await openJudges() : undefined;
const trial = { seed, disposable, onRun: judges?.add };

async function work(): Promise<void> {
  for (;;) {
    const name = names[Atomics.add(next, 0, 1)];
    if (name === undefined) return;
    const outcome = await tryOne(name);
    outcomes.push(outcome);
    parentPort?.postMessage({ tried: outcome } satisfies HuntMessage);
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
const verdicts = await judges?.finish();
const all = outcomes.map((outcome) => ({ ...outcome, verdicts: verdicts?.get(outcome.name) }));
parentPort?.postMessage({ all } satisfies HuntMessage);
