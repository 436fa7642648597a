import type { CheckEvent, Report } from '#contract-tests';
import { printable } from './terminal.ts';

/** The output of progress, and its clock. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** On a terminal, the interval for rewriting the line; elsewhere for adding one, in milliseconds. */
const REWRITTEN_EVERY = 100;
const ADDED_EVERY = 10_000;

type Progress = Extract<CheckEvent, { type: 'progress' }>;

/** Shows the progress of a run: on a terminal one line that is rewritten, else a line every ten seconds. */
export async function showProgress(
  events: AsyncGenerator<CheckEvent, Report>,
  { show }: ProgressLine = createProgressLine(),
): Promise<Report> {
  const started = performance.now();
  // Making the cases of a large document takes seconds.
  let status: string | undefined = 'reading the document and making its cases';
  let latest: Progress | undefined;
  const close = show(() => {
    if (latest) status = lineOf(latest, performance.now() - started);
    return status;
  });
  try {
    for (;;) {
      const { value: event, done } = await events.next();
      if (done) return event;
      if (event.type === 'progress') latest = event;
      else if (event.type !== 'case') latest = undefined;
      if (event.type === 'started') status = undefined;
      if (event.type === 'confirming') status = `trying reproductions, ${event.done} of ${event.total}`;
    }
  } finally {
    close();
  }
}

/** Shows the current work from time to time, with messages in between. */
export interface ProgressLine {
  /**
   * @param line undefined: there is nothing to show yet
   * @returns a function that ends it, and clears the line on a terminal
   */
  show(line: () => string | undefined): () => void;
  /** Prints a text on its own lines. */
  say(text: string): void;
}

export function createProgressLine(output: ProgressOutput = process.stderr): ProgressLine {
  let isShown = false;
  const erase = () => {
    if (output.isTTY && isShown) output.write('\r\x1b[K');
    isShown = false;
  };
  return {
    show(line) {
      const add = () => {
        const text = line();
        if (text === undefined) return;
        if (output.isTTY) output.write(`\r\x1b[K${inBrief(text, (output.columns ?? 80) - 1)}`);
        else output.write(`${text}\n`);
        isShown = true;
      };
      const timer = setInterval(add, output.isTTY ? REWRITTEN_EVERY : ADDED_EVERY).unref();
      return () => {
        clearInterval(timer);
        erase();
      };
    },
    say(text) {
      erase();
      output.write(`${text}\n`);
    },
  };
}

/** Shortens a text between two words. */
function inBrief(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const space = cut.lastIndexOf(' ');
  return `${space > 0 ? cut.slice(0, space) : cut}…`;
}

/** `57 of 190 cases, 2 failed, 12 s, about 28 s left: createPet/201/ordinary` */
function lineOf({ done, failed, total, share, atWork }: Progress, elapsed: number): string {
  const left = done === 0 ? '' : `, about ${seconds((elapsed / share) * (1 - share))} left`;
  const [oldest] = atWork;
  const name = oldest ? `: ${printable(oldest.id).replace(/\s+/g, ' ')}` : '';
  return `${done} of ${total} cases, ${failed} failed, ${seconds(elapsed)}${left}${name}`;
}

function seconds(ms: number): string {
  const whole = Math.round(ms / 1000);
  return whole < 120 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
