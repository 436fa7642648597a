import { readFileSync } from 'node:fs';
import { basename, join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../../quality/testing/command.ts';
import { planRelease } from './release.ts';

/**
 * Checks that .github/workflows/release.yml does what `npm run release` and CONTRIBUTING.md expect, and that
 * nightly.yml runs the remaining tests.
 */
const textOf = (name: string) => readFileSync(join(ROOT, '.github/workflows', name), 'utf8');
const text = textOf('release.yml');
const workflow = parse(text);
const nightly = textOf('nightly.yml');
const pullRequest = textOf('pull-request.yml');
const { check, publish } = workflow.jobs;
const commandsOf = (job: { steps: { run?: string }[] }) => job.steps.flatMap(({ run }) => run ?? []);

test('it runs for tags of versions only', () => {
  expect(workflow.on).toEqual({ push: { tags: ['v*'] } });
});

test('it publishes after all checks, in an environment, with no more rights than that needs', () => {
  expect(commandsOf(check)).toEqual(['.ci/run']);
  expect(publish.needs).toBe('check');
  expect(publish.environment.name).toBe('npm');
  expect([workflow.permissions, check.permissions, publish.permissions]).toEqual([
    {},
    { contents: 'read' },
    { contents: 'write', 'id-token': 'write' },
  ]);
  expect(commandsOf(publish).slice(0, 2)).toEqual(['npm ci', 'npm run release']);
});

test('each action is pinned to a commit, and says which version that is', () => {
  const used = [...(text + nightly + pullRequest).matchAll(/uses: (\S+)(.*)/g)];
  expect(used.length).toBeGreaterThan(5);
  for (const [, action, comment] of used) {
    expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    expect(comment).toMatch(/^ # v\d+\.\d+\.\d+$/);
  }
});

test('the nightly tests run at a time, and may only read', () => {
  const { on, permissions, jobs } = parse(nightly);
  expect(on.schedule).toHaveLength(1);
  expect([permissions, jobs.nightly.permissions]).toEqual([{}, { contents: 'read' }]);
  expect(commandsOf(jobs.nightly)).toEqual(['npm ci', 'npm run test:nightly']);
});

test('a pull request runs what .ci/run runs, and the unit tests on Windows', () => {
  const { jobs } = parse(pullRequest);
  expect(commandsOf(jobs.check)).toEqual(['.ci/run']);
  expect(jobs.windows['runs-on']).toBe('windows-latest');
  expect(commandsOf(jobs.windows)).toEqual(['npm ci', 'npm run test:unit']);
});

test('it attaches each file that a release makes', () => {
  const { tarball, sbom } = planRelease(ROOT);
  const [attach = ''] = commandsOf(publish).filter((command) => command.startsWith('gh release create'));
  const [, , , ...files] = attach.split(' ').filter((word) => !word.startsWith('--'));
  const named = files.filter((file) => file.startsWith('dist-release/')).map((file) => basename(file));
  for (const file of [tarball, sbom, 'SHA256SUMS', 'release-notes.md'])
    expect(named.filter((pattern) => matchesGlob(basename(file), pattern))).toHaveLength(1);
  expect(named).toHaveLength(4);
});
