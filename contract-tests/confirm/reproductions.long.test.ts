import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { MUTANTS } from '../../quality/mutants/families.ts';
import type { Target } from '../../quality/mutants/suspect.ts';
import type { Report } from '../report/report.ts';
import { reproductionOf } from '../report/reported-finding.ts';
import { runCheck } from '../testing/run-check.ts';

const hasJq = (() => {
  try {
    execFileSync('sh', ['-c', 'command -v jq curl']);
    return true;
  } catch {
    return false;
  }
})();

/** Runs the lines as a user does who has copied them, on a new instance of the service. */
async function runInShell(lines: string, first: string, { url, apiKey }: Target): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  try {
    const file = join(folder, 'reproduction.sh');
    await writeFile(file, lines.replaceAll(new URL(first).host, new URL(url).host));
    const env = { ...process.env, PADDOCK_API_KEY: apiKey };
    return (await promisify(execFile)('sh', ['-e', file], { env })).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What the shell must see at least once in what the reproductions of a faulty service print. */
const FAULTS: readonly [mutant: string, sees: RegExp, only?: string][] = [
  ['create-204', /HTTP\/1\.1 204/],
  ['list-last-status-upper-case', /"status":"[A-Z]+"/],
  ['libraries-order-old-returns', /HTTP\/1\.1 200/, 'Book/201/sequences'],
  ['fleet-read-only-patched-id', /HTTP\/1\.1 200/],
  ['bookings-invalid-gets-500', /HTTP\/1\.1 500/],
  ['wiki-stale-put', /HTTP\/1\.1 200/, 'rewritePage/412/'],
  ['wiki-always-304', /HTTP\/1\.1 304/, 'readPage/304/'],
];

test.skipIf(!hasJq).for(FAULTS)('a shell sees what is printed of %s', async ([name, sees, only]) => {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (!mutant) throw new Error(`there is no ${name}`);
  const { document, options, start } = mutant;
  const faulty = await start();
  const { url: target, apiKey } = faulty;
  const report = await runCheck({
    target,
    apiKey,
    document,
    settle: 120,
    examples: 5,
    allow: ['all'],
    ...options,
    only,
  });
  await faulty.close();

  const confirmed = report.causes.filter(({ confirmation }) => confirmation?.outcome === 'confirmed');
  expect(confirmed.length).toBeGreaterThan(0);
  const seen: string[] = [];
  for (const cause of confirmed) {
    // From nothing: each has a service of its own.
    const fresh = await start();
    try {
      const printed = await runInShell(reproductionOf(cause), target, fresh);
      expect({ key: cause.key, status: lastStatus(printed) }).toEqual({
        key: cause.key,
        status: statusOf(report, cause),
      });
      seen.push(printed);
    } finally {
      await fresh.close();
    }
  }
  expect(seen.join('\n')).toMatch(sees);
});

/** A body may end without a line end. */
function lastStatus(printed: string): string | undefined {
  return [...printed.matchAll(/HTTP\/1\.1 (\d+)/g)].at(-1)?.[1];
}

function statusOf({ findings }: Report, { finding }: Report['causes'][number]): string | undefined {
  return /^HTTP (\d+)/.exec(findings[finding]?.response ?? '')?.[1];
}
