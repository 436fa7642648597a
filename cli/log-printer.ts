import type { WriteStream } from 'node:tty';
import type { LogEntry } from '#mock-server';
import { hasColours } from './colours.ts';
import { compileTextLine, jsonLine } from './log-line.ts';
import { printable } from './printable.ts';

/** Lines for people, or an object of JSON on each line. */
export type LogForm = 'text' | 'json';

const FLUSH_MS = 40;
const ROOM = 2 ** 18;

/**
 * Prints a line for each exchange. Lines are written together: a write for each would cost more than the response.
 * They are buffered as bytes, because the garbage collector copies strings that live for a while.
 */
export function createLogPrinter(stream: NodeJS.WriteStream | WriteStream, form: LogForm) {
  const lineOf = form === 'json' ? jsonLine : compileTextLine(hasColours(stream));
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
    say(text: string): void {
      if (form === 'json')
        add(JSON.stringify({ type: 'notice', at: new Date().toISOString(), message: text }));
      else add(printable(text));
    },
    /** Prints a line that is made already: text as it may be shown, or JSON. */
    line: add,
    print(entry: LogEntry): void {
      add(lineOf(entry));
    },
  };
}
