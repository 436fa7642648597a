import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** A program that runs on a pseudo-terminal. */
export interface Terminal {
  /** Sends what a user types. */
  type(text: string): void;
  /** Waits until the output since the last call matches. @throws Error if the program ends before */
  see(wanted: RegExp): Promise<string>;
  /** The complete output. */
  output(): string;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  /** Ends the program if it is still running. */
  close(): void;
}

/** `script` of util-linux opens pseudo-terminals; that of other systems takes other arguments. */
export const HAS_TERMINAL = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes(
  'util-linux',
);

/** Starts a shell command line on a pseudo-terminal. */
export function openTerminal(command: string, cwd: string, env: NodeJS.ProcessEnv = {}): Terminal {
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd,
    env: { ...process.env, TERM: 'dumb', ...env },
  });
  let all = '';
  let seen = 0;
  let news = Promise.withResolvers<void>();
  const tell = () => {
    news.resolve();
    news = Promise.withResolvers();
  };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      all += text;
      tell();
    });
  let hasEnded = false;
  const ended = once(child, 'close').then(([code]) => {
    hasEnded = true;
    tell();
    return code as number | null;
  });
  return {
    type: (text) => void child.stdin.write(text),
    async see(wanted) {
      for (;;) {
        const match = wanted.exec(all.slice(seen));
        if (match) {
          seen += match.index + match[0].length;
          return match[0];
        }
        if (hasEnded) throw new Error(`the program has ended, and ${wanted} was not seen: ${all}`);
        await news.promise;
      }
    },
    output: () => all,
    ended,
    close: () => void child.kill(),
  };
}
