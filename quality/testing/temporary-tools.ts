import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './command.ts';

/** A registry that does not answer must not hold a test up for longer. */
const TIMEOUT_MS = 180_000;

/**
 * Installs packages that one test or recipe needs into a temporary folder, from the npm registry, without their install
 * scripts. The folder is kept: the next run finds them there.
 * @param packages with exact versions: `name@1.2.3`
 * @returns their `node_modules`; undefined: the registry could not be reached in time
 */
export async function installTools(name: string, packages: readonly string[]): Promise<string | undefined> {
  const folder = join(tmpdir(), `paddock-tools-${[name, ...packages].join('-').replace(/[^\w.-]/g, '_')}`);
  const modules = join(folder, 'node_modules');
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return modules;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--fetch-retries=1'];
  const { code } = await run(folder, ['npm', 'install', ...flags, ...packages], {}, TIMEOUT_MS);
  if (code !== 0) return undefined;
  writeFileSync(complete, '');
  return modules;
}

/** Why a test is skipped that needs such a package. */
export const NO_REGISTRY = 'the npm registry cannot be reached';
