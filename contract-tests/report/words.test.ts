import { expect, test } from 'vitest';
import { reportOn } from '../testing/report-on.ts';
import { reportSaying } from '../testing/report-saying.ts';
import { renderGithub, repositoryPath } from './annotations.ts';
import { renderSarif } from './sarif.ts';
import { renderTerminal } from './terminal.ts';
import { asSentence, groupObservations } from './words.ts';

const about = (operationId: string, text: string, question?: string, answer?: string) => ({
  caseId: `${operationId}/200/a`,
  operationId,
  text,
  ...(question !== undefined && { question }),
  ...(answer !== undefined && { answer }),
});

test('observations that answer one question of an operation are one line, with each answer counted', () => {
  const groups = groupObservations([
    about('read', 'a word: 404', 'a malformed id', '404'),
    about('read', 'a fraction: 400', 'a malformed id', '400'),
    about('list', 'a word: 404', 'a malformed id', '404'),
    about('read', 'a space: 404', 'a malformed id', '404'),
    about('read', 'the list is empty'),
    about('list', 'no record'),
    about('list', 'no record'),
  ]);
  expect(groups).toEqual([
    { name: 'read', text: 'a malformed id: 404 (2 cases), 400 (1 case), such as a word: 404' },
    { name: 'list', text: 'a word: 404' },
    { name: 'read', text: 'the list is empty' },
    { name: 'list', text: 'no record (2 cases)' },
  ]);
});

test('a terminal counts the cells that were not reached, and lists them when it is asked to', async () => {
  const report = await reportSaying('word');
  const listed = /^word +200 +not reached/m;
  expect(renderTerminal(report, false)).toContain('Not reached: 1 response: 1 word\n');
  expect(renderTerminal(report, false)).not.toMatch(listed);
  const verbose = renderTerminal(report, false, { verbose: true });
  expect(verbose).toMatch(listed);
  expect(verbose).not.toContain('Not reached:');
});

test('a report tells of malformed ids in one line, and its data keeps each of them', async () => {
  const report = await reportOn({}, { only: 'getPet/404' });
  expect(report.notSpecified.filter(({ question }) => question === 'a malformed petId')).toHaveLength(8);
  expect(renderTerminal(report, false).match(/a malformed petId/g)).toHaveLength(1);
});

test.each([
  ['git:refs/remotes/origin/main:api/openapi.yaml', 'api/openapi.yaml'],
  ['git:main:./openapi.yaml', 'openapi.yaml'],
  ['git:HEAD~1:a:b.yaml', 'a:b.yaml'],
  ['api/openapi.yaml', 'api/openapi.yaml'],
  ['https://api.example/git:main:x', 'https://api.example/git:main:x'],
])('%s', (place, path) => {
  expect(repositoryPath(place)).toBe(path);
});

test('annotations and SARIF name a file of the repository', async () => {
  const report = await reportSaying('word');
  const findings = report.findings.map((finding) => ({
    ...finding,
    place: { ...finding.place, uri: 'git:main:api/openapi.yaml' },
  }));
  const [, ...commands] = renderGithub({ ...report, findings })
    .trim()
    .split('\n');
  for (const command of commands) expect(command).toContain(' file=api/openapi.yaml,line=');
  const [run] = JSON.parse(renderSarif({ ...report, findings })).runs;
  for (const { locations } of run.results)
    expect(locations[0].physicalLocation.artifactLocation).toEqual({ uri: 'api/openapi.yaml' });
  expect([commands.length, run.results.length]).toEqual([2, 2]);
});

test.each([
  ['no operation gave a usable answer', 'No operation gave a usable answer'],
  ['interrupted', 'Interrupted'],
  ['unsteady, 1 of 3', 'Unsteady, 1 of 3'],
  ['traffic.har is not complete', 'traffic.har is not complete'],
  ['showBox needs a credential', 'showBox needs a credential'],
  ['--max-time 9 is over', '--max-time 9 is over'],
  ['', ''],
])('what follows a full stop begins with a capital, unless it is a name: %s', (given, want) => {
  expect(asSentence(given)).toBe(want);
});
