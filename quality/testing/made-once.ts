import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Creates a folder once for all processes that need it: the first one creates it, and the others wait.
 * @param make fills the empty folder; if it throws, nothing is kept
 */
export async function madeOnce(folder: string, make: (empty: string) => Promise<void>): Promise<string> {
  const lock = `${folder}.lock`;
  while (!existsSync(folder)) {
    if (!takes(lock)) {
      await sleep(100);
      continue;
    }
    const unfinished = `${folder}.unfinished`;
    try {
      rmSync(unfinished, { recursive: true, force: true });
      mkdirSync(unfinished);
      await make(unfinished);
      renameSync(unfinished, folder);
    } finally {
      rmSync(lock);
    }
  }
  return folder;
}

/** Tries to take the lock, after removing that of a process that has ended. */
function takes(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (!isHeld(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function isHeld(lock: string): boolean {
  try {
    // Without a number yet this is 0, the process group of this process.
    return process.kill(Number(readFileSync(lock, 'utf8')), 0);
  } catch {
    return false;
  }
}
