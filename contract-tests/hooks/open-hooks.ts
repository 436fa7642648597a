import type { UserCodeError } from '../send/wire.ts';
import { startHookProcess } from './hook-process.ts';
import type { Hooks, LeftBehind, RunOutcome } from './hooks.ts';
import { compileUserCode, type UserCode } from './user-code.ts';

/** What a run has to say of itself when its hooks are ended. */
interface EndedRun {
  readonly ledger: { readonly records: LeftBehind['created'] };
  readonly failure: () => UserCodeError | undefined;
}

/** The user's code around a run. */
export interface OpenHooks {
  readonly userCode: UserCode;
  /** When all is sent. @throws UserCodeError, also where it had failed before */
  tidy(run: EndedRun): Promise<void>;
  end(report: RunOutcome): Promise<void>;
  /** There is no run. */
  close(): Promise<void>;
}

interface HookSettings {
  readonly base: URL;
  readonly document: string;
  readonly seed: number;
  readonly plan: boolean;
  readonly hooks: Hooks;
  readonly hook: string | undefined;
  readonly maxTime: number;
  readonly signal: AbortSignal | undefined;
}

/** Starts what has the hooks, and tells it that a run begins; nothing of that where nothing is sent. `begun`: on the clock of `performance.now()`. @throws UserCodeError */
export async function openHooks(
  { base, document, seed, plan, hooks, hook, maxTime, signal }: HookSettings,
  begun: number,
): Promise<OpenHooks> {
  const deadline = begun + maxTime * 1000;
  const other = hook === undefined || plan ? undefined : await startHookProcess(hook, deadline, signal);
  const userCode = compileUserCode([hooks, ...(other ? [other.hooks] : [])]);
  async function closing<T>(work: () => Promise<T>, isLast: boolean): Promise<T> {
    try {
      const done = await work();
      if (isLast) await other?.close();
      return done;
    } catch (error) {
      await other?.close();
      throw error;
    }
  }
  if (!plan) await closing(() => userCode.begin({ target: base.href, document, seed }), false);
  return {
    userCode,
    tidy: ({ ledger, failure }) =>
      closing(async () => {
        const failed = failure();
        const created = ledger.records.map(({ operationId, id }) => ({ operationId, id }));
        await userCode.tidy(created).catch((error: unknown) => {
          throw failed ?? error;
        });
        if (failed) throw failed;
      }, false),
    end: (report) => closing(() => userCode.end(report), true),
    close: async () => other?.close(),
  };
}
