import { expect, test } from 'vitest';
import { reportOn } from '../testing/report-on.ts';
import { reportSaying } from '../testing/report-saying.ts';
import { renderGithub, repositoryPath } from './annotations.ts';
import type { Cause } from './cause.ts';
import { renderSarif } from './sarif.ts';
import { renderTerminal } from './terminal.ts';
import { asSentence, brokenInWords, groupObservations } from './words.ts';

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

function cause(title: string, more: Partial<Cause> = {}): Cause {
  const operations = [title.split(' ').slice(0, 2).join(' ')];
  return { key: 'schema/type#/a', title, law: 'schema', gates: true, operations, ...more } as Cause;
}

const lost = cause('POST /pets does not keep tags', {
  key: 'created/lost/createPet',
  law: 'created-equals-sent',
});
const body = (path: string) => cause(`GET ${path} answers 200 without the required name`);

test.each<[name: string, causes: readonly Cause[], want: string | undefined]>([
  ['nothing', [], undefined],
  ['what does not gate', [{ ...lost, gates: false }], undefined],
  ['one cause by its title', [lost], 'POST /pets does not keep tags'],
  [
    'one cause without its extent',
    [cause('errors are {message}: 141 requests, 3 operations')],
    'errors are {message}',
  ],
  [
    'several of one kind by their operations, and another one by its title',
    [body('/a'), body('/b'), body('/c'), lost],
    '3 operations answer with bodies that are not as documented; POST /pets does not keep tags',
  ],
  [
    'several of one operation',
    [body('/a'), cause('GET /a answers 200 with null in /b, which the schema does not allow')],
    'GET /a answers with bodies that are not as documented',
  ],
  [
    'a server error by its key, whichever law has seen it',
    [
      cause('GET /a answers 500 to a valid request', { key: 'server-error/500/a', law: 'invalid-refused' }),
      cause('GET /b answers 500 to a valid request', { key: 'server-error/500/b', law: 'status' }),
    ],
    '2 operations fail with a 5xx',
  ],
  [
    'many kinds',
    [
      body('/a'),
      body('/b'),
      lost,
      cause('GET /c ignores ?limit', { law: 'page-size', key: 'page-size#/a' }),
      cause('GET /d ignores ?sort', { law: 'header', key: 'header#/a' }),
      cause('GET /e answers 200 without a valid credential', {
        law: 'unauthorised-first',
        key: 'unauthorised-first/accepted',
      }),
    ],
    '2 operations answer with bodies that are not as documented; POST /pets does not keep tags; GET /c ignores ?limit; 2 more problems',
  ],
  [
    'a rule of the user',
    [
      cause('GET /a does not keep "prices are even"', { law: 'even-prices' as never, key: 'even-prices#/a' }),
      cause('GET /b does not keep "prices are even"', { law: 'even-prices' as never, key: 'even-prices#/b' }),
    ],
    '2 operations violate even-prices',
  ],
])('says what is broken: %s', (_, causes, want) => {
  expect(brokenInWords({ causes })).toBe(want);
});
