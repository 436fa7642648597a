import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// What tests, and what they start, put into the system's folder for temporary files goes into one that is removed.
let folder: string;

export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'paddock-tests-'));
  // A database server runs as a user of its own, and must come through.
  chmodSync(folder, 0o711);
  // Compiled code may stay for the next run.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
  process.env.TMPDIR = folder;
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
