import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './command.ts';
import { madeOnce } from './made-once.ts';

/** The longest wait for a registry that does not respond. */
const TIMEOUT_MS = 180_000;

class RegistryUnreachable extends Error {}

/**
 * Installs packages that one test or recipe needs from the npm registry into a temporary folder, without their install
 * scripts. The folder is kept for later runs.
 * @param packages with exact versions: `name@1.2.3`
 * @returns their `node_modules`; undefined: the registry could not be reached in time
 */
export async function installTools(name: string, packages: readonly string[]): Promise<string | undefined> {
  // In tests, the default temporary folder is removed at the end of a run.
  const home = process.env.TEMPORARY_TOOLS ?? tmpdir();
  const folder = join(home, `paddock-tools-${[name, ...packages].join('-').replace(/[^\w.-]/g, '_')}`);
  try {
    return join(await madeOnce(folder, (empty) => install(empty, packages)), 'node_modules');
  } catch (error) {
    if (error instanceof RegistryUnreachable) return undefined;
    throw error;
  }
}

async function install(folder: string, packages: readonly string[]): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--fetch-retries=1'];
  const { code } = await run(folder, ['npm', 'install', ...flags, ...packages], {}, TIMEOUT_MS);
  if (code !== 0) throw new RegistryUnreachable();
}

/** Mock Service Worker, with which the mock responds in a page or a test process. */
export const installMsw = () => installTools('msw', ['msw@3.0.5']);

/** The reason for skipping a test that needs such a package. */
export const NO_REGISTRY = 'the npm registry cannot be reached';
