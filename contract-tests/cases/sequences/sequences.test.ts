import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { MUTANTS } from '../../../quality/mutants/families.ts';
import type { Mutant, Target } from '../../../quality/mutants/suspect.ts';
import { check, type Report, renderMarkdown, renderTerminal } from '../../index.ts';

function mutantNamed(name: string): Mutant {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (!mutant) throw new Error(`there is no ${name}`);
  return mutant;
}

async function reportOn({ document, options }: Mutant, target: Target, only: string): Promise<Report> {
  const { url, apiKey } = target;
  const events = check({ target: url, apiKey, document, settle: 120, ...options, only });
  for (;;) {
    const { value, done } = await events.next();
    if (done) return value;
  }
}

const hasJq = (() => {
  try {
    execFileSync('sh', ['-c', 'command -v jq']);
    return true;
  } catch {
    return false;
  }
})();

test('a failing sequence is shrunk to a few requests, which all reports show', async () => {
  const mutant = mutantNamed('libraries-order-old-returns');
  const target = await mutant.start();
  try {
    const report = await reportOn(mutant, target, 'Book/201/sequences');
    const [finding] = report.findings;
    const methods = finding?.steps?.map(
      (line) => /-X (\w+)/.exec(line)?.[1] ?? (line.includes('--data') ? 'POST' : 'GET'),
    );
    // The library that the book belongs to is created, too: the script begins with nothing.
    expect(methods?.slice(0, 4)).toEqual(['POST', 'POST', expect.stringMatching(/PUT|PATCH/), 'DELETE']);
    expect(methods).toHaveLength(5);
    expect(finding?.steps?.slice(1).join()).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(renderTerminal(report, false)).toContain('reproduce   1.  ID1=$(curl');
    expect(renderMarkdown(report)).toMatch(/```sh\nID1=\$\(curl [\s\S]*\ncurl -i -X DELETE [\s\S]*\n```/);
  } finally {
    await target.close();
  }
});

test.skipIf(!hasJq)('its lines reproduce the fault from nothing, in a new service', async () => {
  const mutant = mutantNamed('libraries-order-old-returns');
  const first = await mutant.start();
  const report = await reportOn(mutant, first, 'Book/201/sequences');
  await first.close();
  const second = await mutant.start();
  try {
    const lines = (report.findings[0]?.steps ?? []).map((line) =>
      line.replaceAll(new URL(first.url).host, new URL(second.url).host),
    );
    const env = { ...process.env, PADDOCK_API_KEY: second.apiKey };
    const { stdout } = await promisify(execFile)('sh', ['-c', lines.join('\n')], { env });
    // The last request reads or lists what has been removed.
    expect(stdout.slice(stdout.lastIndexOf('HTTP/1.1'))).toContain('200');
  } finally {
    await second.close();
  }
});

test('one seed gives one sequence', async () => {
  const mutant = mutantNamed('libraries-order-old-returns');
  const told: (readonly string[] | undefined)[] = [];
  for (let run = 0; run < 2; run++) {
    const target = await mutant.start();
    const report = await reportOn(mutant, target, '/sequences');
    await target.close();
    told.push(
      report.findings[0]?.steps?.map((line) => line.replace(/paddock-\w+-\w+|127\.0\.0\.1:\d+/g, '…')),
    );
  }
  expect(told[0]).toBeDefined();
  expect(told[1]).toEqual(told[0]);
});
