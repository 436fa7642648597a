import { execFile, spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHROMIUM } from './chromium.ts';

/** The root folder of the clone. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly output: string;
}

/**
 * Runs a program in a folder, with the clone's Node and tools on the path as npm does.
 * @param timeout in milliseconds, after which it is killed; 0: none
 */
export function run(
  folder: string,
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv = {},
  timeout = 0,
): Promise<Ended> {
  const options = { cwd: folder, env: environment(env), maxBuffer: 2 ** 26, timeout };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
  });
}

/** Starts a server and waits until its output matches. */
export async function start(
  folder: string,
  [program = '', ...args]: readonly string[],
  ready: RegExp,
  env: NodeJS.ProcessEnv = {},
) {
  // In its own process group, so that the children of npm and npx end with it.
  const child = spawn(program, args, { cwd: folder, env: environment(env), detached: true });
  let output = '';
  const readyMatch = await new Promise<RegExpExecArray>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
        const match = ready.exec(output);
        if (match) resolve(match);
      });
    child.once('exit', () => reject(new Error(`${program} ${args.join(' ')} ended:\n${output}`)));
  });
  const stop = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid);
  };
  return { found: readyMatch, stop };
}

function environment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const PATH = join(ROOT, 'node_modules', '.bin') + delimiter + process.env.PATH;
  return { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, CHROMIUM: CHROMIUM, PATH, ...more };
}
