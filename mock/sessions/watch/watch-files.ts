import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';

export interface FileWatch {
  /** Watches these files, and no others. */
  follow(files: readonly string[]): void;
  /** Whether something happened that is not reported yet. */
  isBusy(): boolean;
  close(): void;
}

/** Editors write in several steps, and some file systems report each more than once. */
const QUIET_MS = 50;
/** The longest wait for a file that is written without a pause. */
const LONGEST_MS = 400;

/**
 * Reports changes in the folders of files. The files themselves are not watched: many editors replace a file by a new
 * one, of which a watch on the old one reports nothing.
 */
export function watchFiles(changed: () => void): FileWatch {
  const watches = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let first = 0;

  function notice(): void {
    if (timer === undefined) first = performance.now();
    clearTimeout(timer);
    const wait = Math.min(QUIET_MS, Math.max(0, first + LONGEST_MS - performance.now()));
    timer = setTimeout(() => {
      timer = undefined;
      changed();
    }, wait);
  }

  function open(folder: string): FSWatcher {
    return watch(folder, notice).on('error', () => {
      // The folder itself is gone; it is looked for again with the next document.
      watches.get(folder)?.close();
      watches.delete(folder);
      notice();
    });
  }

  return {
    follow(files) {
      const folders = new Set(files.map((file) => dirname(file)));
      for (const [folder, old] of watches) {
        if (folders.has(folder)) continue;
        old.close();
        watches.delete(folder);
      }
      for (const folder of folders) if (!watches.has(folder)) watches.set(folder, open(folder));
    },
    isBusy: () => timer !== undefined,
    close() {
      clearTimeout(timer);
      for (const one of watches.values()) one.close();
      watches.clear();
    },
  };
}
