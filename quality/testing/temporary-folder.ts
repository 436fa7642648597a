import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Temporary files of the tests, and of the processes that they start, go into one folder that is removed.
let folder: string;

export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'paddock-tests-'));
  // The database server runs as another user, and must be able to enter.
  chmodSync(folder, 0o711);
  // The compile cache may stay for the next run.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
  // So may the tools of others.
  process.env.TEMPORARY_TOOLS ??= tmpdir();
  process.env.TMPDIR = folder;
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
