import { constants } from 'node:os';

/** The user's wish to end the program, by Ctrl-C or otherwise. */
export interface Interrupts {
  readonly signal: AbortSignal;
  /** The exit code of the signal; undefined: none has come. */
  readonly exitCode: () => number | undefined;
  close(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** The first signal ends what is under way in order, the second one ends the program. */
export function listenForInterrupts(notice: () => void): Interrupts {
  const controller = new AbortController();
  let exitCode: number | undefined;

  function interrupt(name: (typeof SIGNALS)[number]): void {
    // POSIX: 128 and the number of the signal.
    const code = 128 + constants.signals[name];
    if (exitCode !== undefined) process.exit(code);
    exitCode = code;
    notice();
    controller.abort();
  }

  for (const name of SIGNALS) process.on(name, interrupt);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    close: () => SIGNALS.forEach((name) => void process.off(name, interrupt)),
  };
}
