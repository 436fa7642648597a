import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { ROOT } from '../../../quality/testing/command.ts';

export interface Executed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in a folder, with the clone's Node and tools first on the path. */
export function execute(
  folder: string,
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Executed> {
  const PATH = join(ROOT, 'node_modules', '.bin') + delimiter + process.env.PATH;
  const options = { cwd: folder, env: { ...process.env, NO_COLOR: '1', PATH, ...env }, maxBuffer: 2 ** 28 };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}

/** What a program prints on standard output. @throws Error with the end of what it printed, if it fails */
export async function outputOf(folder: string, command: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await execute(folder, command);
  if (code === 0) return stdout;
  const printed = `${stdout}${stderr}`.trim().split('\n').slice(-20).join('\n');
  throw new Error(`${command.join(' ')} ended with ${code}:\n${printed}`);
}
