import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { findJudge, type Installed } from '../../contract-tests/opinions/judge.ts';
import type { JudgeName } from '../../contract-tests/settings/check-options.ts';
import { installTools, NO_REGISTRY } from './temporary-tools.ts';

const PACKAGES = ['@stoplight/prism-cli@5.16.0', 'dredd@14.1.0'];

/** A folder that has Prism and Dredd as a user's project has them. Undefined: the registry cannot be reached. */
export async function installJudges(): Promise<string | undefined> {
  const modules = await installTools('judges', PACKAGES);
  return modules && dirname(modules);
}

/** @throws Error where the registry cannot be reached */
export async function installedJudge(judge: JudgeName): Promise<Installed> {
  const folder = await installJudges();
  if (folder === undefined) throw new Error(NO_REGISTRY);
  return findJudge(judge, folder);
}

/** `npm run prism` and `npm run dredd`: the judge's own program, with its own arguments. */
if (import.meta.main) {
  const [judge, ...args] = process.argv.slice(2);
  const { program } = await installedJudge(judge as JudgeName);
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
