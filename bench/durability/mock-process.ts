import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../cli/paddock.js', import.meta.url));

/** A mock in a process of its own, so that it can be killed. */
export interface MockProcess {
  /** Base URL, with the path prefix. */
  readonly url: string;
  readonly child: ChildProcess;
  /** With SIGKILL: nothing in the process learns of it. Resolves when it is gone. */
  kill(): Promise<void>;
  /** With SIGTERM, as an operator does. Resolves when it is gone. */
  stop(): Promise<void>;
}

/** Resolves when the mock has said where it is. The store is told by the environment, where no password is seen. */
export async function startMock(store: string, options: readonly string[] = []): Promise<MockProcess> {
  const child = spawn(process.execPath, [PROGRAM, 'mock', '--port', '0', '--no-log', ...options], {
    env: { ...process.env, PADDOCK_STORE: store },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const found = /base URL\s+(\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', () => reject(new Error(`the mock ended: ${output}`)));
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return { url, child, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}
