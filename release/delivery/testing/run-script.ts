import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type Ended, run } from '../../../quality/testing/command.ts';

interface Script {
  /** Program and arguments that take the file of the script. */
  readonly shell: readonly string[];
  readonly script: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Variables of this machine that a job of a CI service has as well; all others stay out. */
const KEPT = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'];

/** Runs the lines of a job with this Node on the path, and none of this process's own variables. */
export function runScript({ shell, script, folder, env }: Script): Promise<Ended> {
  const file = join(mkdtempSync(join(tmpdir(), 'script-')), 'script.sh');
  writeFileSync(file, script);
  const foreign = Object.keys(process.env).filter((name) => !KEPT.includes(name));
  const PATH = [dirname(process.execPath), env.PATH ?? process.env.PATH].join(delimiter);
  return run(folder, [...shell, file], {
    ...Object.fromEntries(foreign.map((name) => [name, undefined])),
    ...env,
    PATH,
  });
}
