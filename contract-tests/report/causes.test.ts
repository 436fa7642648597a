import { expect, test } from 'vitest';
import { reportOn } from '../testing/report-on.ts';
import { renderGithub } from './github.ts';
import { renderMarkdown } from './markdown.ts';
import { groupByCause, type ReportedFinding } from './reported-finding.ts';
import { renderTerminal } from './terminal.ts';

function finding(part: Partial<ReportedFinding>): ReportedFinding {
  const { law = 'filter', at = 'a.yaml:3' } = part;
  return {
    key: `${law}#${at}`,
    caseId: 'list/200/a',
    law,
    at,
    gates: true,
    curl: 'curl',
    ...part,
  } as ReportedFinding;
}

test('findings with one key are one cause, shown by the shortest reproduction', () => {
  const causes = groupByCause([
    finding({ caseId: 'a', curl: 'curl long-line' }),
    finding({ caseId: 'b', curl: 'c', steps: ['x', 'y'] }),
    finding({ caseId: 'c', curl: 'curl short' }),
    finding({ caseId: 'c', curl: 'curl short again' }),
    finding({ caseId: 'd', law: 'schema' }),
    finding({ caseId: 'e', at: 'a.yaml:4' }),
  ]);
  expect(causes).toMatchObject([
    { law: 'filter', at: 'a.yaml:3', finding: 2, curl: 'curl short', cases: ['a', 'b', 'c'] },
    { law: 'schema', cases: ['d'] },
    { at: 'a.yaml:4', cases: ['e'] },
  ]);
});

test('fewer requests are shorter than a shorter text, and what gates is shown before what does not', () => {
  const sequence = { caseId: 'a', curl: 'curl y', steps: ['curl x', 'curl y'] };
  const single = { caseId: 'b', curl: 'curl a-rather-long-request' };
  expect(groupByCause([finding(sequence), finding(single)])).toMatchObject([{ finding: 1 }]);
  const known = { gates: false, knownUntil: '2031-01-31' };
  const causes = groupByCause([
    finding({ ...single, ...known, law: 'schema' }),
    finding({ ...single, ...known }),
    finding(sequence),
  ]);
  expect(causes).toMatchObject([
    { law: 'filter', gates: true, knownUntil: undefined, finding: 2 },
    { law: 'schema', gates: false, knownUntil: '2031-01-31' },
  ]);
});

test('a cause is told once, with all of its cases; the verdict stands first and last', async () => {
  const report = await reportOn({ matches: () => true });
  const cause = report.causes.find(({ law, cases }) => law === 'filter' && cases.length > 2);
  expect(cause).toBeDefined();
  expect(report.findings.length).toBeGreaterThan(report.causes.length);

  const terminal = renderTerminal(report, false).split('\n');
  expect([terminal[0], terminal.at(-1)]).toEqual(Array(2).fill('The contract is broken. (exit 1)'));
  expect(terminal.filter((line) => line.startsWith('   reproduce'))).toHaveLength(report.causes.length);
  expect(terminal).toContain(`   cases       ${cause?.cases.length}: ${cause?.cases.join(', ')}`);

  const markdown = renderMarkdown(report).trim().split('\n');
  expect(markdown[0]).toBe('## The contract is broken. (exit 1)');
  expect(markdown.at(-1)).toBe('**The contract is broken. (exit 1)**');
  expect(markdown.filter((line) => line.startsWith('- at '))).toHaveLength(report.causes.length);

  const commands = renderGithub(report).trim().split('\n');
  expect(commands).toHaveLength(report.causes.length + 1);
  expect(commands[0]).toBe('::error title=Paddock::The contract is broken. (exit 1)');
});

test('the reason for no verdict stands first and last', async () => {
  const report = await reportOn({ answer: () => ({ status: 200 }) }, { only: '/ordinary$', retries: 0 });
  const sentence = /^No verdict: .*no operation gave a usable answer.* \(exit 3\)$/;
  const lines = renderTerminal(report, false).split('\n');
  expect(lines[0]).toMatch(sentence);
  expect(lines.at(-1)).toMatch(sentence);
  expect(renderGithub(report)).toMatch(/^::error title=Paddock::No verdict: .*usable answer/);
});
