import { expect, test } from 'vitest';
import { type Job, runSideBySide } from './schedule.ts';

interface Named extends Job {
  readonly name: string;
}

const safe = (name: string, phase = 0): Named => ({ name, phase, unsafe: false });
const unsafe = (name: string, phase = 0): Named => ({ name, phase, unsafe: true });
const quiet = (name: string): Named => ({ name, unsafe: true, quiet: true });

/** The names of the jobs that are at work whenever one begins; they end one after another, in that order. */
async function beginnings(jobs: readonly Named[], most: number): Promise<string[]> {
  const atWork = new Set<string>();
  const seen: string[] = [];
  await runSideBySide(jobs, most, async ({ name }) => {
    atWork.add(name);
    seen.push([...atWork].join(' '));
    await new Promise(setImmediate);
    atWork.delete(name);
  });
  return seen;
}

test('one at a time, in the order of phases and jobs', async () => {
  const jobs = [unsafe('c', 1), safe('a'), unsafe('b'), safe('d', 1)];
  expect(await beginnings(jobs, 1)).toEqual(['a', 'b', 'c', 'd']);
});

test('a phase begins when the one before is over, though there is room', async () => {
  expect(await beginnings([safe('a'), safe('b'), safe('c', 1), safe('d', 1)], 3)).toEqual([
    'a',
    'a b',
    'c',
    'c d',
  ]);
});

test('a quiet job waits for unsafe ones, safe ones overtake it, and unsafe ones wait for it', async () => {
  const jobs = [unsafe('a'), quiet('q'), unsafe('b'), safe('c'), safe('d')];
  expect(await beginnings(jobs, 2)).toEqual(['a', 'a c', 'c q', 'q d', 'd b']);
});

test('a failure ends the run when what is under way is over, and nothing else begins', async () => {
  const begun: string[] = [];
  const run = runSideBySide([safe('a'), safe('b'), safe('c')], 2, async ({ name }) => {
    begun.push(name);
    await new Promise(setImmediate);
    if (name === 'a') throw new Error('no luck');
  });
  await expect(run).rejects.toThrow('no luck');
  expect(begun).toEqual(['a', 'b']);
});
