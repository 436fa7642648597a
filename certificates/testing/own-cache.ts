import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A cache folder for one test, so that the user's is not changed. */
export async function ownCache(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'cache-')));
  const { XDG_CACHE_HOME: before } = process.env;
  process.env.XDG_CACHE_HOME = folder;
  onTestFinished(async () => {
    if (before === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = before;
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}
