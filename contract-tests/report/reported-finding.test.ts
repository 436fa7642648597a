import { expect, test } from 'vitest';
import type { Behaviour } from '../../quality/mutants/by-hand/behaviour.ts';
import { stock } from '../../quality/mutants/by-hand/pet.ts';
import type { LawName } from '../laws/law.ts';
import { reportOn } from '../testing/report-on.ts';
import { renderGithub } from './annotations.ts';
import { groupByCause } from './cause.ts';
import { renderMarkdown } from './markdown.ts';
import type { ReportedFinding } from './reported-finding.ts';
import { renderTerminal } from './terminal.ts';

const RECORDS = 31;
const wrongTypeAt = (index: number): Behaviour['stock'] => {
  return () => stock(RECORDS).map((record, at) => (at === index ? { ...record, name: 17 } : record));
};

/** Numbers of the records that a response in a report shows, and what it says of the others. */
function shown(response: string | undefined): { ids: number[]; rest: string } {
  const [, body = ''] = response?.split('\n\n') ?? [];
  const ids = [...body.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
  return { ids, rest: /….*$/.exec(body)?.[0] ?? '' };
}

test.for<
  [string, { behaviour: Partial<Behaviour>; only: string; law: LawName; ids: number[]; rest: string }]
>([
  [
    'the record that does not fit its schema',
    {
      behaviour: { stock: wrongTypeAt(17) },
      only: 'distinct-ids',
      law: 'schema',
      ids: [218],
      rest: '… (1 concerned, of 31 records in all)',
    },
  ],
  [
    'some of those that a filter should have held back',
    {
      behaviour: { matches: () => true },
      only: 'listPets/200/status-sold$',
      law: 'filter',
      ids: [201, 202, 204],
      rest: '… (15 concerned, of 20 records in all)',
    },
  ],
  [
    'some of those beyond the limit',
    {
      behaviour: { page: (records) => records },
      only: 'limit-least',
      law: 'page-size',
      ids: [202, 203, 204],
      rest: '… (30 concerned, of 31 records in all)',
    },
  ],
])('of a list a report keeps %s', async ([, { behaviour, only, law, ids, rest }]) => {
  const { findings } = await reportOn(behaviour, { only });
  expect(shown(findings.find((one) => one.law === law)?.response)).toEqual({ ids, rest });
});

test('a list of which every record is concerned is reported whole', async () => {
  const two: Behaviour['stock'] = () => stock(2).map((record) => ({ ...record, name: 17 }));
  const { findings } = await reportOn({ stock: two }, { only: 'distinct-ids' });
  expect(shown(findings[0]?.response)).toEqual({ ids: [201, 202], rest: '' });
});

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

test('findings with one key are one cause, shown by the first of them', () => {
  const causes = groupByCause([
    finding({ caseId: 'a', curl: 'curl long-line' }),
    finding({ caseId: 'b', curl: 'c', steps: ['x', 'y'] }),
    finding({ caseId: 'c', curl: 'curl short' }),
    finding({ caseId: 'c', curl: 'curl short again' }),
    finding({ caseId: 'd', law: 'schema' }),
    finding({ caseId: 'e', at: 'a.yaml:4' }),
  ]);
  expect(causes).toMatchObject([
    { law: 'filter', at: 'a.yaml:3', finding: 0, curl: 'curl long-line', cases: ['a', 'b', 'c'] },
    { law: 'schema', cases: ['d'] },
    { at: 'a.yaml:4', cases: ['e'] },
  ]);
});

test('what gates is shown before what does not', () => {
  const sequence = { caseId: 'a', curl: 'curl y', steps: ['curl x', 'curl y'] };
  const single = { caseId: 'b', curl: 'curl a-rather-long-request' };
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

test('a cause is told once, with all of its cases; what is broken stands first, and the verdict last', async () => {
  const report = await reportOn({ matches: () => true });
  const cause = report.causes.find(({ law, cases }) => law === 'filter' && cases.length > 2);
  expect(cause).toBeDefined();
  expect(report.findings.length).toBeGreaterThan(report.causes.length);

  const terminal = renderTerminal(report, false).split('\n');
  expect([terminal[0], terminal.at(-1)]).toEqual([
    'Broken: GET /pets ignores ?status',
    'The contract is broken. (exit 1)',
  ]);
  expect(terminal.filter((line) => line.startsWith('   reproduce'))).toHaveLength(report.causes.length);
  const [shown] = cause?.instances ?? [];
  const more = (cause?.cases.length ?? 0) - 1;
  const isTitle = (line: string) => line.endsWith(`${cause?.title} (${shown?.caseId} and ${more} more)`);
  expect(terminal.filter(isTitle)).toHaveLength(1);
  const verbose = renderTerminal(report, false, { verbose: true });
  for (const id of cause?.cases ?? []) expect(verbose).toContain(id);

  const markdown = renderMarkdown(report).trim().split('\n');
  expect(markdown[0]).toBe('## The contract is broken. (exit 1)');
  expect(markdown.at(-1)).toBe('**The contract is broken. (exit 1)**');
  expect(markdown.filter((line) => line.startsWith('- documented '))).toHaveLength(report.causes.length);

  const commands = renderGithub(report).trim().split('\n');
  expect(commands).toHaveLength(report.causes.length + 1);
  expect(commands[0]).toBe('::error title=Paddock::The contract is broken. (exit 1)');
});

test('the reason for no verdict stands first and last', async () => {
  const report = await reportOn({ answer: () => ({ status: 200 }) }, { only: '/ordinary$', retries: 0 });
  const sentence = /^No verdict: .*\. No operation gave a usable answer.* \(exit 3\)$/;
  const lines = renderTerminal(report, false).split('\n');
  expect(lines[0]).toMatch(sentence);
  expect(lines.at(-1)).toMatch(sentence);
  expect(renderGithub(report)).toMatch(/^::error title=Paddock::No verdict: .*usable answer/);
});
