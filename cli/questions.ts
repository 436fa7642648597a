import type { Interface } from 'node:readline/promises';
import { printable } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface Addition {
  readonly text: string;
  readonly seen: number;
  readonly kind?: 'adds' | 'loosens';
}

const KEYS =
  'y or Enter takes it, n leaves it out; a takes all that follow, r leaves the rest out; Ctrl-C writes nothing';

/** Asks for each addition, until all others are wanted or none is. */
export async function openQuestions(): Promise<{
  wants(addition: Addition): Promise<boolean>;
  close(): void;
}> {
  const { createInterface } = await import('node:readline/promises');
  const terminal: Interface = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<never>((_, reject) => {
    terminal.once('close', () => {
      process.stderr.write('\n');
      reject(new UsageError('interrupted; nothing has been written'));
    });
  });
  closed.catch(() => undefined);
  const say = (text: string) => process.stderr.write(printable(`${text}\n`));
  let answer: boolean | undefined;
  let isFirst = true;
  return {
    async wants({ text, seen, kind }) {
      if (answer !== undefined) return answer;
      if (isFirst) say(`${KEYS}\n`);
      isFirst = false;
      const times = Number.isFinite(seen) ? ` (${seen} ${seen === 1 ? 'exchange' : 'exchanges'})` : '';
      // A line of its own: a prompt that is longer than the terminal is wide is drawn wrongly.
      say(`${kind === undefined ? '' : `${kind} `}${text}${times}`);
      for (;;) {
        const given = await Promise.race([terminal.question('  [Y/n/a/r] '), closed]);
        const key = given.trim().toLowerCase();
        if (['', 'y', 'yes'].includes(key)) return true;
        if (['n', 'no'].includes(key)) return false;
        if (['a', 'all'].includes(key)) answer = true;
        if (['r', 'rest'].includes(key)) answer = false;
        if (answer !== undefined) return answer;
        say(`  ${KEYS}`);
      }
    },
    close() {
      terminal.removeAllListeners('close');
      terminal.close();
    },
  };
}
