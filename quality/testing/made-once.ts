import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Makes a folder once for all processes that need it: the first one makes it, and the others wait.
 * @param make fills the empty folder that it gets; when it throws, nothing is kept
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

/** Whether the lock is now ours. That of a process which has ended is removed. */
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
    // 0, the own process group, where the number is not written yet.
    return process.kill(Number(readFileSync(lock, 'utf8')), 0);
  } catch {
    return false;
  }
}
