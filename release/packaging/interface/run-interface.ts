import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import packageJson from '../../../package.json' with { type: 'json' };
import { ROOT } from '../../../quality/testing/command.ts';
import { readChangeLog } from '../change-log.ts';
import { isSame } from './entries.ts';
import { inventory } from './inventory.ts';
import { renderReview } from './render-review.ts';
import { review } from './review.ts';
import type { Stored } from './stored.ts';

const HELP = `npm run interface [-- --check]

Writes the inventory of the stable interface into stable-interface.json: commands, options and exit codes, the JSON
report, /__admin, and what the package exports. It refuses while CHANGELOG.md does not name what has changed.

  --check  write nothing, and end with 1 if something differs
`;

const FILE = join(ROOT, 'stable-interface.json');
const { help, check } = parseArgs({
  options: { help: { type: 'boolean' }, check: { type: 'boolean' } },
}).values;
process.exitCode = help ? showHelp() : await run();

function showHelp(): number {
  process.stdout.write(HELP);
  return 0;
}

/** 0: what is stored is right, or was written. 1: it is not, or the change log lacks a line. */
async function run(): Promise<number> {
  // Variables of the user would be taken for defaults.
  for (const name of Object.keys(process.env)) if (name.startsWith('PADDOCK_')) delete process.env[name];
  const stored: Stored = JSON.parse(readFileSync(FILE, 'utf8'));
  const reviewed = review({
    stored,
    current: await inventory(),
    version: packageJson.version,
    changeLog: readChangeLog(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')),
    isReleased: (version) =>
      spawnSync('git', ['rev-parse', '--verify', `refs/tags/v${version}`], { cwd: ROOT }).status === 0,
  });
  const said = renderReview(reviewed);
  if (said) process.stdout.write(`${said}\n`);
  if (reviewed.unnamed.length > 0 || reviewed.refusal !== undefined) return 1;
  if (check) {
    const isRight = isSame(reviewed.differences) && stored.version === packageJson.version;
    if (!isRight) process.stdout.write('CHANGELOG.md names all of it: run `npm run interface`.\n');
    return isRight ? 0 : 1;
  }
  writeFileSync(FILE, `${JSON.stringify(reviewed.next, undefined, 2)}\n`);
  process.stdout.write('stable-interface.json is written.\n');
  return 0;
}
