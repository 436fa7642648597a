import type { WriteStream } from 'node:tty';
import type { LogEntry } from '#mock';

const FLUSH_MS = 40;

/** By the first digit of the status. */
const COLOURS: Readonly<Record<string, string>> = {
  2: '\x1b[32m',
  3: '\x1b[36m',
  4: '\x1b[33m',
  5: '\x1b[31m',
};

/** Prints a line for each exchange. Lines are written together: a write for each would cost more than the answer. */
export function createLogPrinter(stream: NodeJS.WriteStream | WriteStream) {
  const coloured = stream.isTTY && stream.hasColors();
  let lines = '';

  const flush = () => {
    if (lines !== '') stream.write(lines);
    lines = '';
  };
  const add = (line: string) => {
    if (lines === '') setTimeout(flush, FLUSH_MS);
    lines += `${line}\n`;
  };
  return {
    flush,
    /** What is no exchange. */
    say: add,
    print({ method, target, status, ms, remark }: LogEntry): void {
      const shown = coloured ? `${COLOURS[Math.trunc(status / 100)] ?? ''}${status}\x1b[0m` : status;
      add(`${method} ${visible(target)} ${shown} ${ms.toFixed(1)} ms${remark ? ` (${remark})` : ''}`);
    },
  };
}

/** What a client sends must not steer the terminal. */
function visible(target: string): string {
  return /^[\x21-\x7e]*$/.test(target) ? target : encodeURI(target);
}
