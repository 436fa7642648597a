import { type ChildProcess, spawn } from 'node:child_process';

/** This project's mock in its own process: for the suite, a service like any other. */
export interface OwnMock {
  readonly url: string;
  /** Everything that it has printed so far. */
  readonly output: () => string;
  stop(): Promise<void>;
}

/** Starts `paddock mock` like a user, on a free port. */
export async function startOwnMock(...options: string[]): Promise<OwnMock> {
  const program = new URL('../../cli/paddock.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, 'mock', '--port', '0', ...options]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const url = await baseUrl(child, () => output);
  return {
    url,
    output: () => output,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}

function baseUrl(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [, url] = /base URL +(\S+)\n/.exec(output()) ?? [];
      if (url) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`the mock ended with exit code ${code}:\n${output()}`)));
  });
}
