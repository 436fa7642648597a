import type { Interface } from 'node:readline/promises';
import { printable } from './terminal.ts';
import { UsageError } from './usage-error.ts';

type Wants = (addition: { readonly text: string; readonly seen: number }) => Promise<boolean>;

/** Asks for each addition, until all others are wanted or none is. */
export async function openQuestions(): Promise<{ readonly wants: Wants; close(): void }> {
  const { createInterface } = await import('node:readline/promises');
  const terminal: Interface = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<never>((_, reject) => {
    terminal.once('close', () => reject(new UsageError('interrupted; nothing has been written')));
  });
  closed.catch(() => undefined);
  let answer: boolean | undefined;
  return {
    async wants({ text, seen }) {
      while (answer === undefined) {
        const times = Number.isFinite(seen) ? ` (${seen} exchanges)` : '';
        const question = terminal.question(
          printable(`${text}${times} [Y]es, [n]o, [a]ll, none of the [r]est: `),
        );
        const given = (await Promise.race([question, closed])).trim().toLowerCase();
        if (given === '' || given === 'y' || given === 'yes') return true;
        if (given === 'n' || given === 'no') return false;
        if (given === 'a' || given === 'all') answer = true;
        if (given === 'r' || given === 'rest') answer = false;
      }
      return answer;
    },
    close: () => terminal.close(),
  };
}
