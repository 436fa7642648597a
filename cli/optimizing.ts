import { statSync } from 'node:fs';

/** In bytes. To read more takes longer than to compile what reads it. */
const LONG_READ = 2 ** 17;
const MANY_RECORDS = 10_000;

/** In milliseconds. */
const START_MS = 1000;

/** Turns V8's optimizing compilers on; `cli/paddock.js` has turned them off, and says how. */
let optimize = () => {};

export function optimizeBy(turnOn: () => void): void {
  optimize = turnOn;
}

export function optimizeFromNowOn(): void {
  optimize();
}

/**
 * A start is over before optimizing compilers pay, and they take a seventh of a mock's memory.
 * @param files paths and URLs of all that is read first
 * @param records how many are made for each collection
 */
export function optimizeAfterStart(files: readonly string[], records: number): void {
  const bytes = files.map(sizeOf).reduce((sum, size) => sum + size, 0);
  if (bytes > LONG_READ || records > MANY_RECORDS) optimize();
  else setTimeout(optimize, START_MS).unref();
}

/** Of what is no file here nobody knows; who reads it says why. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
