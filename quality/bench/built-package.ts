import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/** Builds the package in a clone, and returns its folder: what users start is measured, not the sources. */
export function buildPackage(clone: string): string {
  process.stderr.write(`building the package of ${clone}\n`);
  execFileSync(process.execPath, ['release/packaging/build.ts'], { cwd: resolve(clone), stdio: 'ignore' });
  return join(resolve(clone), 'dist');
}
