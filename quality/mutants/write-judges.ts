import { readFile, writeFile } from 'node:fs/promises';
import { findJudge } from '../../contract-tests/opinions/find-judge.ts';
import { judgedRows } from './judged-row.ts';
import { readRows, renderJudges } from './judges-page.ts';
import type { Outcome } from './try-suspect.ts';

const PAGE = new URL('../../docs/judges.md', import.meta.url);

/** Rewrites the page; suspects that were not tried keep their rows. */
export async function writeJudges(outcomes: readonly Outcome[]): Promise<void> {
  const before = readRows(await readFile(PAGE, 'utf8').catch(() => ''));
  const rows = judgedRows(outcomes);
  const kept = before.filter(({ name }) => !rows.some((row) => row.name === name));
  const versions = [`Dredd ${findJudge('dredd').version}`, `Prism ${findJudge('prism').version}`];
  await writeFile(PAGE, renderJudges([...rows, ...kept], versions));
}

/** The first objection of each judge, for people. */
export function lineOfJudges({ verdicts }: Outcome): string {
  return Object.entries(verdicts ?? {})
    .map(
      ([
        judge,
        {
          judged,
          violations: [first = 'no objection'],
        },
      ]) => {
        return `\n    ${judge}: ${judged === 0 ? 'says nothing' : first}`;
      },
    )
    .join('');
}
