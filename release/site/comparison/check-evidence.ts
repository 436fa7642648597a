import { run } from '../../../quality/testing/command.ts';
import { ROOT } from '../places.ts';
import { commandIn, type DocumentedRow } from './documented.ts';

/**
 * Runs the commands of documented rows whose programs are there.
 * @returns how many were run, and those whose output is not as the row says
 */
export async function checkEvidence(
  rows: readonly DocumentedRow[],
  available: ReadonlyMap<string, readonly string[]>,
): Promise<{ readonly count: number; readonly wrong: readonly string[] }> {
  const outputs = new Map<string, string>();
  const wrong: string[] = [];
  let count = 0;
  for (const { title, cells } of rows) {
    for (const [tool, [, evidence]] of Object.entries(cells)) {
      const command = commandIn(evidence);
      const [name = '', ...args] = command?.words ?? [];
      const program = available.get(name);
      if (!command || !program) continue;
      count += 1;
      const key = command.words.join(' ');
      const output = outputs.get(key) ?? (await run(ROOT, [...program, ...args], WIDE)).output;
      outputs.set(key, output);
      const hasText = output.toLowerCase().includes(command.text.toLowerCase());
      // A command that fails prints nothing of what it should have, and would prove any "no".
      if (output.length < SHORTEST_HELP || hasText !== command.isThere)
        wrong.push(`${title}, ${tool}: ${evidence}`);
    }
  }
  return { count, wrong };
}

/** Help that is not wrapped. */
const WIDE = { COLUMNS: '500' };
const SHORTEST_HELP = 200;
