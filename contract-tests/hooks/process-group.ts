import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

/** A command of the user's, with all processes that it starts. */
export interface ProcessGroup {
  readonly child: ChildProcessWithoutNullStreams;
  /** Closes its input, waits so many milliseconds for its end, and ends what is left of it then. Never rejects. */
  end(grace: number): Promise<void>;
}

/** So long a process has to end by itself that was told to (SIGTERM), in milliseconds. */
const TERM_MS = 2000;
const POLL_MS = 20;

/**
 * Starts a command in a shell. Its processes are a group (POSIX setsid(2)), since a signal to the shell alone would leave those
 * that it waits for; on Windows, which has no groups, only the shell is ended. It never outlives this process, unless that is killed.
 */
export function startGroup(command: string): ProcessGroup {
  const hasGroup = process.platform !== 'win32';
  const child = spawn(command, { shell: true, detached: hasGroup, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'exit').catch(() => undefined);
  let ending: Promise<void> | undefined;

  /** False: no process is left. */
  function signal(name: NodeJS.Signals | 0): boolean {
    if (child.pid === undefined) return false;
    if (!hasGroup) return child.exitCode === null && child.signalCode === null && child.kill(name);
    try {
      return process.kill(-child.pid, name);
    } catch {
      return false;
    }
  }

  const kill = () => void signal('SIGKILL');
  process.once('exit', kill);

  async function isGoneWithin(ms: number): Promise<boolean> {
    for (const limit = performance.now() + ms; signal(0); await setTimeout(POLL_MS))
      if (performance.now() > limit) return false;
    return true;
  }

  async function endNow(grace: number): Promise<void> {
    child.stdin.end();
    if (!(await isGoneWithin(grace))) {
      signal('SIGTERM');
      if (!(await isGoneWithin(TERM_MS))) kill();
    }
    if (child.pid !== undefined) await ended;
    process.off('exit', kill);
    // A process that has left the group may still hold the other ends.
    child.stdout.destroy();
    child.stderr.destroy();
  }

  child.stdin.on('error', () => undefined);
  return {
    child,
    end(grace) {
      ending ??= endNow(grace);
      return ending;
    },
  };
}
