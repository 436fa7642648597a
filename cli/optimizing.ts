import { statSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

/** In bytes. To read a longer document takes longer than to compile what reads it. */
const LONG_DOCUMENT = 2 ** 17;

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

/** @param document path or URL of the document that is read first */
export function optimizeAfterStart(document: string): void {
  if (sizeOf(document) > LONG_DOCUMENT) optimizeFromNowOn();
  else setTimeout(optimizeFromNowOn, START_MS).unref();
}

/** Of what is no file here nobody knows. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
}
