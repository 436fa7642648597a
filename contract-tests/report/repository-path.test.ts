import { expect, test } from 'vitest';
import { reportSaying } from '../testing/report-saying.ts';
import { renderGithub } from './github.ts';
import { renderSarif } from './sarif.ts';
import { repositoryPath } from './summary.ts';

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
