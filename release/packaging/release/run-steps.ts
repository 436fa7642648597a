import type { Release, Step } from './release.ts';
import { ReleaseError } from './release-error.ts';

/** Runs steps one after the other, and tells of each. @returns whether all went well; the first that does not is the last */
export async function runSteps(
  steps: readonly Step[],
  release: Release,
  write: (text: string) => void,
): Promise<boolean> {
  for (const { title, run } of steps) {
    const startedAt = performance.now();
    const head = () => `${title} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`;
    try {
      const found = await run(release);
      write(`✓ ${head()}\n${indented(found)}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const remedy = error instanceof ReleaseError ? indented(`→ ${error.remedy}`) : '';
      write(`✗ ${head()}\n${indented(reason)}${remedy}`);
      return false;
    }
  }
  return true;
}

function indented(text: string): string {
  return text === '' ? '' : `${text.replace(/^(?=.)/gm, '  ')}\n`;
}
