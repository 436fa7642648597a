import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// All temporary files of the tests, and of processes they start, are in one folder that is removed.
let folder: string;

export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'paddock-tests-'));
  // The database server runs as another user, who must be able to enter.
  chmodSync(folder, 0o711);
  // The compile cache is kept for the next run.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
  // So are third-party tools.
  process.env.TEMPORARY_TOOLS ??= tmpdir();
  process.env.TMPDIR = folder;
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
