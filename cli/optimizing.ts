import { statSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

/** In bytes. To read more takes longer than to compile what reads it. */
const LONG_READ = 2 ** 17;
const MANY_RECORDS = 10_000;

/** In milliseconds. */
const START_MS = 1000;

/**
 * Turns V8's optimizing compilers on, which `cli/paddock.js` has turned off: a start is over before they pay, and they take
 * an eighth of a mock's memory. Does nothing where they are on already.
 */
export function optimizeFromNowOn(): void {
  // Code in the cache holds for the flags under which it was compiled.
  flushCompileCache();
  setFlagsFromString('--opt');
  setFlagsFromString('--maglev');
}

/**
 * @param files paths and URLs of all that is read first
 * @param records how many are made for each collection
 */
export function optimizeAfterStart(files: readonly string[], records: number): void {
  const bytes = files.map(sizeOf).reduce((sum, size) => sum + size, 0);
  if (bytes > LONG_READ || records > MANY_RECORDS) optimizeFromNowOn();
  else setTimeout(optimizeFromNowOn, START_MS).unref();
}

/** Of what is no file here nobody knows. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
}
