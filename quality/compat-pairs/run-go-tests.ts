import { execFile } from 'node:child_process';
import { relative } from 'node:path';
import { promisify } from 'node:util';
import { compat } from '#compat';
import { DocumentError } from '#spec';
import { readArguments, refuse } from '../arguments.ts';
import { renderTable } from '../table.ts';
import { testPairs } from './go-tests.ts';

const HELP = `npm run --silent lab -- oasdiff CHECKOUT [PATH-OF-OASDIFF]

Compares the documents that the tests of oasdiff's checker open with paddock compat and with oasdiff: how often both say
that clients break, and each pair on which they disagree. CHECKOUT is a folder with a copy of oasdiff's repository. A test
that changes its documents beforehand is compared without that change. A crash ends the program.
`;

const {
  positionals: [checkout = refuse('name the folder with a copy of oasdiff'), oasdiff = 'oasdiff'],
} = readArguments(HELP, {});

type Verdict = 'breaking' | 'safe' | 'incomplete' | 'refused';

interface Judged {
  readonly verdict: Verdict;
  /** The first reason. */
  readonly reason: string;
}

async function judgedByPaddock(old: string, next: string): Promise<Judged> {
  try {
    const {
      exitCode,
      findings,
      notices,
      reason = '',
    } = await compat(old, next, {
      examples: 1,
      allowRefs: [checkout],
    });
    if (exitCode === 1) return { verdict: 'breaking', reason: findings[0]?.received ?? '' };
    if (exitCode > 1) return { verdict: 'incomplete', reason };
    return { verdict: 'safe', reason: notices[0]?.text ?? '' };
  } catch (error) {
    if (error instanceof DocumentError) return { verdict: 'refused', reason: error.message };
    throw error;
  }
}

async function judgedByOasdiff(old: string, next: string): Promise<Judged> {
  try {
    const { stdout } = await promisify(execFile)(oasdiff, ['breaking', '--format', 'json', old, next]);
    const breaks = JSON.parse(stdout || '[]') as readonly { id: string; level: number; text: string }[];
    const first = breaks.find(({ level, id }) => level === 3 && !id.startsWith('api-version'));
    return first
      ? { verdict: 'breaking', reason: `${first.id}: ${first.text}` }
      : { verdict: 'safe', reason: '' };
  } catch (error) {
    return { verdict: 'refused', reason: String((error as { stderr?: string }).stderr ?? error) };
  }
}

const counts = new Map<string, number>();
const others: string[][] = [];
for (const { test, old, new: next } of await testPairs(checkout)) {
  const [ours, theirs] = [await judgedByPaddock(old, next), await judgedByOasdiff(old, next)];
  const key = `${theirs.verdict} ${ours.verdict}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  if (ours.verdict !== theirs.verdict)
    others.push([
      test,
      `${relative(checkout, old)} ${relative(checkout, next)}`,
      `${theirs.verdict} ${theirs.reason}`.slice(0, 160),
      `${ours.verdict} ${ours.reason}`.slice(0, 160),
    ]);
}
const rows = [...counts].sort().map(([key, count]) => [...key.split(' '), String(count)]);
process.stdout.write(`${renderTable(['oasdiff', 'paddock', 'pairs'], rows)}\n\n`);
process.stdout.write(`${renderTable(['test', 'documents', 'oasdiff', 'paddock'], others)}\n`);
