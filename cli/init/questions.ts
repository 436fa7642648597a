import type { Interface } from 'node:readline/promises';
import { UsageError } from '../usage-error.ts';

/** Asks on a terminal until an answer can be used. */
export interface Questions {
  /**
   * @param usual for an empty answer
   * @param read gives the value of an answer; an Error says why it is none
   */
  ask<T>(
    question: string,
    usual: string,
    read: (answer: string) => T | Error | Promise<T | Error>,
  ): Promise<T>;
}

export function createQuestions(terminal: Interface, say: (text: string) => void): Questions {
  // The end of the input, as Ctrl-D, would leave the question open forever.
  const closed = new Promise<never>((_, reject) => {
    terminal.once('close', () => reject(new UsageError('interrupted; nothing has been written')));
  });
  closed.catch(() => undefined);
  return {
    async ask(question, usual, read) {
      for (;;) {
        const asked = terminal.question(`${question}${usual && ` [${usual}]`}: `);
        const answer = (await Promise.race([asked, closed])).trim() || usual;
        const value = await read(answer);
        if (!(value instanceof Error)) return value;
        say(`  ${value.message}`);
      }
    },
  };
}
