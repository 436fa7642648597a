import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Contract, count, DocumentError, type LoadOptions, loadContract, type Problem } from '#spec';

/** Receives a changed document. */
export interface DocumentReader {
  readonly service: () => { readonly contract: Contract };
  changeDocument(contract: Contract): Promise<void>;
  refuseDocument(problems: readonly Problem[]): Promise<void>;
}

export interface DocumentWatchOptions extends LoadOptions {
  readonly notice: (text: string) => void;
  readonly onBug: (error: unknown) => void;
}

/** Many editors empty a file before writing it, which takes a while on a busy machine. */
const PATIENCE_MS = 250;

/**
 * Reloads a document when one of its files changes. An invalid one is reported, and the last valid one stays in use.
 * @param location the path or URL from which it was loaded
 */
export function watchDocument(
  location: string,
  reader: DocumentReader,
  { notice, onBug, ...load }: DocumentWatchOptions,
): FileWatch {
  const current = () => reader.service().contract;
  let refused: string | undefined;
  let isReading = false;
  let hasChanged = false;

  const watching = watchFiles(async () => {
    hasChanged = true;
    if (isReading) return;
    isReading = true;
    while (hasChanged) {
      hasChanged = false;
      await readOnce().catch(onBug);
    }
    isReading = false;
  });

  async function readOnce(): Promise<void> {
    // Most events in a folder do not concern the document.
    if (refused === undefined && (await isUnchanged(current()))) return;
    try {
      const next = await loadContract(location, { ...load, presumeResponses: true });
      // A partly written file may be valid, too; its next change is noticed.
      if (!(await isUnchanged(next))) return;
      if (sameText(next, current())) {
        if (refused !== undefined) {
          notice('the document is again what is served');
          await reader.refuseDocument([]);
        }
      } else {
        await reader.changeDocument(next);
        watching.follow(filesOf(next));
      }
      refused = undefined;
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      if (error.message !== refused) {
        await sleep(PATIENCE_MS);
        if (hasChanged || watching.isBusy()) return;
        notice(`the document was refused:\n${error.message}\nthe old document is still served`);
        await reader.refuseDocument(error.problems);
      }
      refused = error.message;
    }
  }

  const files = filesOf(current());
  watching.follow(files);
  if (files.length > 0) notice(`watching ${count(files.length, 'file')} of the document`);
  const urls = [...current().document.files.keys()].filter((url) => !url.startsWith('file:'));
  for (const url of urls) notice(`${url} is read once and not watched`);
  return watching;
}

function filesOf({ document }: Contract): string[] {
  return [...document.files.keys()].filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
}

/** Ignores a byte-order mark, as when documents are read. */
const DECODER = new TextDecoder();

async function isUnchanged({ document }: Contract): Promise<boolean> {
  for (const [url, { text }] of document.files) {
    if (!url.startsWith('file:')) continue;
    const now = await readFile(fileURLToPath(url)).catch(() => undefined);
    if (!now || DECODER.decode(now) !== text) return false;
  }
  return true;
}

function sameText(left: Contract, right: Contract): boolean {
  const [one, other] = [left.document.files, right.document.files];
  return one.size === other.size && [...one].every(([url, { text }]) => other.get(url)?.text === text);
}

export interface FileWatch {
  /** Watches these files instead of the earlier ones. */
  follow(files: readonly string[]): void;
  /** Whether an event is not reported yet. */
  isBusy(): boolean;
  close(): void;
}

/** Editors write in several steps, and some file systems report each more than once. */
const QUIET_MS = 50;
/** The longest wait for a file that is written without a pause. */
const LONGEST_MS = 400;

/**
 * Reports changes in the folders of files. The files themselves are not watched, since many editors replace them, which a
 * watch on the old file does not notice.
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
      // The folder was removed; it is looked up again with the next document.
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
      for (const watcher of watches.values()) watcher.close();
      watches.clear();
    },
  };
}
