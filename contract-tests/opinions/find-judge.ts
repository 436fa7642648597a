import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { JudgeName } from '../settings/check-options.ts';
import { SettingsError } from '../settings/settings-error.ts';

/** A judge's program, as it is installed in the user's project. */
export interface Installed {
  readonly judge: JudgeName;
  readonly version: string;
  /** To be run by Node. */
  readonly program: string;
}

const PACKAGES: Readonly<Record<JudgeName, string>> = { prism: '@stoplight/prism-cli', dredd: 'dredd' };

/**
 * Looks for a judge from the working directory up, as Node does.
 * @throws SettingsError with the line that installs it
 */
export function findJudge(judge: JudgeName, folder: string = process.cwd()): Installed {
  const name = PACKAGES[judge];
  try {
    const manifest = createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`);
    const { version, bin } = JSON.parse(readFileSync(manifest, 'utf8'));
    const program = typeof bin === 'string' ? bin : bin[judge];
    return { judge, version: String(version), program: join(dirname(manifest), program) };
  } catch {
    throw new SettingsError(
      `--opinion ${judge}: it is not installed in this project; this installs it: npm install --save-dev ${name}`,
    );
  }
}
