import type { WriteStream } from 'node:tty';
import type { LogEntry } from '#mock';
import { printable } from './printable.ts';

const FLUSH_MS = 40;
const ROOM = 2 ** 18;

/** By the first digit of the status. */
const COLOURS: Readonly<Record<string, string>> = {
  2: '\x1b[32m',
  3: '\x1b[36m',
  4: '\x1b[33m',
  5: '\x1b[31m',
};

/**
 * Prints a line for each exchange. Lines are written together: a write for each would cost more than the response.
 * They are buffered as bytes, because the garbage collector copies strings that live for a while.
 */
export function createLogPrinter(stream: NodeJS.WriteStream | WriteStream) {
  const coloured = stream.isTTY && stream.hasColors();
  let waiting = Buffer.alloc(0);
  let filled = 0;

  function flush(): void {
    if (filled > 0) stream.write(waiting.subarray(0, filled));
    // A stream may write later what it was given: it keeps those bytes.
    waiting = waiting.subarray(filled);
    filled = 0;
  }

  function add(line: string): void {
    if (filled === 0) setTimeout(flush, FLUSH_MS);
    // A character of UTF-16 has at most three bytes in UTF-8.
    const longest = 3 * line.length + 1;
    if (filled + longest > waiting.length) {
      flush();
      waiting = Buffer.allocUnsafeSlow(Math.max(ROOM, longest));
    }
    filled += waiting.write(`${line}\n`, filled);
  }

  return {
    flush,
    /** Prints what is no exchange. */
    say: (text: string) => add(printable(text)),
    print({ method, target, status, ms, remark }: LogEntry): void {
      const shown = coloured ? `${COLOURS[Math.trunc(status / 100)] ?? ''}${status}\x1b[0m` : status;
      add(`${method} ${visible(target)} ${shown} ${tenths(ms)} ms${remark ? ` (${remark})` : ''}`);
    },
  };
}

/** `12.3`; `toFixed` is several times as slow. */
function tenths(value: number): string {
  const whole = Math.round(value * 10);
  return `${Math.trunc(whole / 10)}.${whole % 10}`;
}

/** What a client sends must not control the terminal. */
function visible(target: string): string {
  return /^[\x21-\x7e]*$/.test(target) ? target : encodeURI(target);
}
