import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { addToConsumer, type Consumer, ConsumerFileError, textOf } from '#consumer';
import { fileBehind, replaceFile, tryReplacing } from '#whole-file';
import { UsageError } from './usage-error.ts';

/** Whether a consumer file can be added to, which stays as it is; a missing folder is made. @throws UsageError */
export function tryAdding(file: string, seen: Consumer): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const behind = fileBehind(file);
    if (behind === undefined) throw new Error(`${file} is no file: what is in it could not be kept`);
    addToConsumer(file, textOf(file), seen);
    tryReplacing(behind);
  } catch (error) {
    throw asUsageError(error);
  }
}

/** Adds what was seen to a consumer file. @throws UsageError */
export function addToFile(file: string, seen: Consumer): void {
  try {
    replaceFile(file, addToConsumer(file, textOf(file), seen));
  } catch (error) {
    if (!(error instanceof ConsumerFileError)) throw asUsageError(error);
    // Somebody has edited it meanwhile: neither that nor what was seen may get lost.
    const beside = `${file}.seen-${process.pid}`;
    replaceFile(beside, addToConsumer(beside, undefined, seen));
    throw new UsageError(`--consumer: ${error.message}; what was seen is in ${beside}`);
  }
}

function asUsageError(error: unknown): UsageError {
  return new UsageError(`--consumer: ${(error as Error).message}`);
}
