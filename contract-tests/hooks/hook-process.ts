import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord, tryJson } from '#spec';
import { UserCodeError } from '../send/wire.ts';
import type { Hooks, Prepared, RequestChange, ResponseChange } from './hooks.ts';

/** Hooks in another language, and their process. */
export interface HookProcess {
  readonly hooks: Hooks;
  close(): Promise<void>;
}

/** The maximum wait for a reply, in milliseconds; and the minimum, if the run has less time left or is interrupted. */
const LONGEST_REPLY = 60_000;
const SHORTEST_REPLY = 5000;
/** How much of its output is shown. */
const LONGEST_TOLD = 2000;
/** How long the process has to end by itself, in milliseconds. */
const GRACE = 2000;
/** How long its last output is awaited after its end, in milliseconds. */
const LAST_WORDS = 1000;

/** The events that a process may subscribe to; by default it receives none. */
const EVENTS = ['before', 'beforeRequest', 'afterResponse', 'after', 'cleanup'] as const;

/**
 * Starts a command that communicates by JSON lines: each event is `{ "id", "event", ... }`, each reply has the same `id`.
 * Its first reply names the `events` that it handles, and the operations that it can `prepare`.
 * @param deadline of the run, on the clock of `performance.now()`
 * @param stop aborted when the run is interrupted
 * @throws UserCodeError if it ends, does not reply or writes something else
 */
export async function startHookProcess(
  command: string,
  deadline: number,
  stop: AbortSignal | undefined,
): Promise<HookProcess> {
  const group = startGroup(command);
  const { child } = group;
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  let told = '';
  let failure: UserCodeError | undefined;
  let isClosing = false;
  let last = 0;

  function fail(what: string): void {
    if (isClosing) return;
    const wrote =
      told.trim() === '' ? ', and wrote nothing' : `; it wrote:\n${told.trim().slice(-LONGEST_TOLD)}`;
    failure ??= new UserCodeError(`--hook ${command}`, `${what}${wrote}`);
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
    void group.end(0);
  }

  child.stderr.on('data', (chunk: Buffer) => {
    told = `${told}${chunk}`.slice(-LONGEST_TOLD);
    process.stderr.write(chunk);
  });
  child.on('error', (error) => fail(error.message));
  const ended = (code: number | null, signal: NodeJS.Signals | null) =>
    fail(`its process ended (${signal ?? `exit code ${code}`})`);
  child.on('close', ended);
  // Its child processes may keep its output open.
  child.on('exit', (...how) => {
    const late = setTimeout(() => ended(...how), LAST_WORDS);
    child.on('close', () => clearTimeout(late));
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply = tryJson(line);
    const one = isRecord(reply) && waiting.get(Number(reply.id));
    if (!isRecord(reply) || !one) {
      told = line;
      return fail(
        isRecord(reply)
          ? 'its reply has the id of no event'
          : 'a line of its standard output is no JSON object',
      );
    }
    waiting.delete(Number(reply.id));
    one.resolve(reply);
  });

  async function ask(event: string, data: object): Promise<Record<string, unknown>> {
    if (failure) throw failure;
    const id = ++last;
    const reply = Promise.withResolvers<Record<string, unknown>>();
    waiting.set(id, reply);
    child.stdin.write(`${JSON.stringify({ id, event, ...data })}\n`);
    const isSilentFor = (ms: number) =>
      setTimeout(() => fail(`no reply to ${event} within ${Math.round(ms / 1000)} s`), ms);
    const left = stop?.aborted ? 0 : deadline - performance.now();
    const late = isSilentFor(Math.min(LONGEST_REPLY, Math.max(SHORTEST_REPLY, left)));
    let soon: NodeJS.Timeout | undefined;
    const hurry = () => {
      soon = isSilentFor(SHORTEST_REPLY);
    };
    stop?.addEventListener('abort', hurry);
    try {
      const { error, id: _, ...content } = await reply.promise;
      if (error !== undefined) throw new UserCodeError(`--hook ${command}: ${event}`, error);
      return content;
    } finally {
      stop?.removeEventListener('abort', hurry);
      clearTimeout(late);
      clearTimeout(soon);
    }
  }

  async function start(): Promise<HookProcess> {
    const { events, prepare } = await ask('start', { version: 1 });
    const takes = new Set<unknown>(Array.isArray(events) ? events : EVENTS);
    for (const name of takes)
      if (!EVENTS.some((one) => one === name)) {
        fail(`there is no event ${JSON.stringify(name)}: there are ${EVENTS.join(', ')}`);
        throw failure;
      }
    const names = Array.isArray(prepare) ? prepare.map(String) : [];
    const when = <T>(event: string, hook: T): T | undefined => (takes.has(event) ? hook : undefined);
    return {
      hooks: {
        before: when('before', (run) => ask('before', { run })),
        beforeRequest: when(
          'beforeRequest',
          (request) => ask('beforeRequest', { request }) as Promise<RequestChange>,
        ),
        afterResponse: when(
          'afterResponse',
          (exchange) => ask('afterResponse', exchange) as Promise<ResponseChange>,
        ),
        prepare: Object.fromEntries(
          names.map((name) => [name, (about) => ask('prepare', { about }) as Promise<Prepared>]),
        ),
        cleanup: when('cleanup', (left) => ask('cleanup', { left })),
        after: when('after', ({ verdict, exitCode, reason, findings }) =>
          ask('after', { report: { verdict, exitCode, reason, findings } }),
        ),
      },
      close,
    };
  }

  function close(): Promise<void> {
    isClosing = true;
    return group.end(GRACE);
  }

  try {
    return await start();
  } catch (error) {
    await close();
    throw error;
  }
}

/** A command of the user, with all processes that it starts. */
export interface ProcessGroup {
  readonly child: ChildProcessWithoutNullStreams;
  /** Closes its input, waits so many milliseconds for its end, and then kills what is left. Never rejects. */
  end(grace: number): Promise<void>;
}

/** How long a process has to end after SIGTERM, in milliseconds. */
const TERM_MS = 2000;
const POLL_MS = 20;

/**
 * Starts a command in a shell. Its processes form a group (POSIX setsid(2)), since a signal to the shell alone would leave
 * its children; on Windows, which has no groups, the descendants of the shell are ended. It never outlives this process,
 * unless that is killed.
 */
function startGroup(command: string): ProcessGroup {
  const hasGroup = process.platform !== 'win32';
  const child = spawn(command, { shell: true, detached: hasGroup, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'exit').catch(() => undefined);
  let ending: Promise<void> | undefined;

  /** False: no process is left. */
  function signal(name: NodeJS.Signals | 0): boolean {
    if (child.pid === undefined) return false;
    if (!hasGroup) {
      if (child.exitCode !== null || child.signalCode !== null) return false;
      if (name !== 0) spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
      return true;
    }
    try {
      return process.kill(-child.pid, name);
    } catch {
      return false;
    }
  }

  const kill = () => void signal('SIGKILL');
  process.once('exit', kill);

  async function isGoneWithin(ms: number): Promise<boolean> {
    for (const limit = performance.now() + ms; signal(0); await sleep(POLL_MS))
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
    // A process that has left the group may still have the other ends open.
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
