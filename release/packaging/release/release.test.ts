import { appendFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, run } from '../../../quality/testing/command.ts';
import { checkTag, checkVersion, checkWorkTree, sectionOf } from './check-sources.ts';
import { summaryOf } from './make-package.ts';
import { publish, requireCi, writeChecksums, writeNotes } from './publish.ts';
import { planRelease, type Release, type Step } from './release.ts';
import { ReleaseError } from './release-error.ts';
import { runSteps } from './run-steps.ts';
import { STEPS } from './steps.ts';
import { validateSbom } from './validate-sbom.ts';

/** What stops a release, and what it makes; release.long.test.ts makes the real one. */
const LOG = `# Changelog

## [Unreleased]

## [1.1.0] - 2026-11-22

### Added

- \`--seed N\` of \`paddock mock\`,
  which repeats.

## [1.0.0] - 2026-11-01

[1.1.0]: https://example.org/1.1.0
`;
const TODAY = new Date('2026-11-23');

/** A repository with one commit, about to be released as 1.1.0. */
async function repository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  const version = '1.1.0';
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'example', version }));
  await writeFile(
    join(folder, 'package-lock.json'),
    JSON.stringify({ version, packages: { '': { version } } }),
  );
  await writeFile(join(folder, 'CHANGELOG.md'), LOG);
  for (const command of ['init -q', 'add -A', 'commit -q -m first']) await git(folder, command);
  return folder;
}

async function git(folder: string, command: string): Promise<void> {
  const user = ['-c', 'user.name=test', '-c', 'user.email=test@localhost'];
  expect(await run(folder, ['git', ...user, ...command.split(' ')])).toMatchObject({ code: 0 });
}

const plan = (root: string, isDryRun = true, env: NodeJS.ProcessEnv = {}) => planRelease(root, isDryRun, env);

test('a clean work tree is released, and no other', async () => {
  const folder = await repository();
  expect(await checkWorkTree(plan(folder))).toMatch(/^commit [0-9a-f]{7,}$/);
  await writeFile(join(folder, 'forgotten.ts'), '');
  await appendFile(join(folder, 'CHANGELOG.md'), '\n');
  await expect(checkWorkTree(plan(folder))).rejects.toMatchObject({
    message: 'the work tree has changes:\n M CHANGELOG.md\n?? forgotten.ts',
    remedy: expect.stringContaining('commit'),
  });
});

test('the change log tells of the version', async () => {
  const folder = await repository();
  expect(checkVersion(plan(folder))).toBe('1.1.0 of 2026-11-22, 1 lines in the change log');
  expect(sectionOf(plan(folder), TODAY).lines).toEqual([
    { kind: 'Added', text: '`--seed N` of `paddock mock`, which repeats.' },
  ]);
});

test.each<[string, [from: string, to: string], string]>([
  ['no section of the version', ['[1.1.0] - 2026-11-22', '[1.1.1] - 2026-11-22'], 'has no section for it'],
  ['no Unreleased', ['## [Unreleased]\n', ''], 'does not begin with [Unreleased]'],
  [
    'lines under Unreleased',
    ['[Unreleased]\n', '[Unreleased]\n\n### Fixed\n\n- x\n'],
    '[Unreleased] in CHANGELOG.md has lines',
  ],
  ['no day', ['[1.1.0] - 2026-11-22', '[1.1.0]'], 'has no day'],
  ['a day that does not exist', ['2026-11-22', '2026-11-31'], 'has the day 2026-11-31'],
  ['a day in the future', ['2026-11-22', '2026-11-24'], 'has the day 2026-11-24'],
  [
    'an empty section',
    ['- `--seed N` of `paddock mock`,\n  which repeats.\n', ''],
    '[1.1.0] in CHANGELOG.md is empty',
  ],
])('a change log with %s stops it', async (_, [from, to], reason) => {
  const folder = await repository();
  expect(LOG).toContain(from);
  await writeFile(join(folder, 'CHANGELOG.md'), LOG.replace(from, to));
  expect(() => sectionOf(plan(folder), TODAY)).toThrow(reason);
});

test('package.json and package-lock.json have the same version', async () => {
  const folder = await repository();
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'example', version: '1.2.0' }));
  expect(() => checkVersion(plan(folder))).toThrow(
    'package-lock.json has version 1.1.0, and package.json 1.2.0',
  );
});

test('a version is released once, and from its tag', async () => {
  const folder = await repository();
  expect(await checkTag(plan(folder))).toBe('v1.1.0 is free');
  await expect(checkTag(plan(folder, false))).rejects.toThrow('this commit has no tag v1.1.0');
  await git(folder, 'tag -a v1.1.0 -m 1.1.0');
  for (const isDryRun of [true, false])
    expect(await checkTag(plan(folder, isDryRun))).toBe('v1.1.0 is the tag of this commit');
  await git(folder, 'commit -q --allow-empty -m second');
  for (const isDryRun of [true, false])
    await expect(checkTag(plan(folder, isDryRun))).rejects.toMatchObject({
      message: expect.stringContaining('v1.1.0 is the tag of another commit'),
      remedy: expect.stringContaining('choose the next one'),
    });
});

test('only the workflow of the tag publishes', async () => {
  const folder = await repository();
  const workflow = { GITHUB_ACTIONS: 'true', ACTIONS_ID_TOKEN_REQUEST_URL: 'https://example.org' };
  const refusal = (env: NodeJS.ProcessEnv) => () => requireCi(plan(folder, false, env));
  expect(refusal({})).toThrow('published by .github/workflows/release.yml only');
  expect(refusal({ GITHUB_ACTIONS: 'true' })).toThrow('published by .github/workflows/release.yml only');
  expect(refusal({ ...workflow, GITHUB_REF: 'refs/heads/main' })).toThrow('runs for refs/heads/main');
  expect(refusal({ ...workflow, GITHUB_REF: 'refs/tags/v1.0.0' })).toThrow('runs for refs/tags/v1.0.0');
  expect(refusal({ ...workflow, GITHUB_REF: 'refs/tags/v1.1.0' })).not.toThrow();
  await expect(publish(plan(folder, false))).rejects.toThrow(ReleaseError);
  expect(await publish(plan(folder))).toBe('left out: --dry-run');
});

test('the first step that fails is the last, with its reason and what helps', async () => {
  let text = '';
  const steps: Step[] = [
    { title: 'first', run: () => 'two\nlines' },
    { title: 'second', run: () => Promise.reject(new ReleaseError('no\nreason', 'do this')) },
    { title: 'third', run: () => expect.unreachable() },
  ];
  const write = (more: string) => {
    text += more;
  };
  expect(await runSteps(steps, plan(ROOT), write)).toBe(false);
  expect(text.replace(/\d+\.\d s/g, 'N s')).toBe(
    '✓ first (N s)\n  two\n  lines\n✗ second (N s)\n  no\n  reason\n  → do this\n',
  );
  expect(await runSteps(steps.slice(0, 1), plan(ROOT), write)).toBe(true);
});

const NAMES = [
  'v22.13.0: mock and check run',
  'v24.21.0: mock and check run',
  'types for a user of nodenext',
  'publint has no suggestion',
  'are-the-types-wrong finds no problem',
];
type Result = Parameters<typeof summaryOf>[0]['testResults'][number]['assertionResults'][number];
const passed = (fullName: string): Result => ({ fullName, status: 'passed', failureMessages: [] });
const reported = (assertionResults: readonly Result[]) => ({
  testResults: [{ message: '', assertionResults }],
});

test('a tarball is released only if it was tested on each Node, its types too', () => {
  const all = NAMES.map(passed);
  expect(summaryOf(reported([...all, { ...passed('a browser'), status: 'skipped' }]), 0)).toBe(
    '5 passed, 1 skipped: 1 on Node 22, 1 on Node 24, 1 of types, 1 with publint, 1 with are-the-types-wrong',
  );
  for (const name of NAMES) {
    const others = all.filter(({ fullName }) => fullName !== name);
    expect(() => summaryOf(reported(others), 0)).toThrow('was run');
    const failed: Result = { fullName: name, status: 'failed', failureMessages: ['expected 1 to be 2'] };
    expect(() => summaryOf(reported([...others, failed]), 1)).toThrow(`${name}\nexpected 1 to be 2`);
  }
  expect(() => summaryOf(reported(all), 1)).toThrow(ReleaseError);
});

test('checksums are those that sha256sum checks, and the notes are the section', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  const release: Release = planRelease(await repository(), true, {}, folder);
  await writeFile(release.tarball, 'tarball');
  await writeFile(release.sbom, 'sbom');
  writeChecksums(release);
  const checked = await run(folder, ['sha256sum', '--check', '--strict', 'SHA256SUMS']);
  expect(checked).toEqual({ code: 0, output: 'example-1.1.0.tgz: OK\nexample-1.1.0.cdx.json: OK\n' });
  await writeFile(release.sbom, 'other');
  expect(await run(folder, ['sha256sum', '--check', 'SHA256SUMS'])).toMatchObject({ code: 1 });
  writeNotes(release);
  expect(await readFile(release.notes, 'utf8')).toBe(
    '### Added\n\n- `--seed N` of `paddock mock`,\n  which repeats.\n',
  );
});

test('an SBOM that breaks the schema of CycloneDX is not written', () => {
  const problemsOf = (component: object) => {
    const sbom = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components: [component] };
    return validateSbom(sbom);
  };
  const named = { type: 'library', name: 'ajv', version: '8.20.0' };
  expect(problemsOf({ ...named, licenses: [{ license: { id: 'MIT' } }] })).toEqual([]);
  expect(problemsOf({ name: 'ajv' })).toEqual(["/components/0 must have required property 'type'"]);
  expect(problemsOf({ ...named, licenses: [{ license: { id: 'MITT' } }] }).join()).toContain(
    '/components/0/licenses',
  );
});

test.each<[string[], Record<string, string>, number, string]>([
  [['--help'], {}, 0, 'Examples:\n  npm run release -- --dry-run\n'],
  [[], { GITHUB_ACTIONS: '' }, 2, '`npm run release -- --dry-run` does all the rest'],
  [[], { npm_config_dry_run: 'true' }, 2, 'npm took --dry-run for its own'],
  [['--dryrun'], {}, 2, "Unknown option '--dryrun'"],
])('the program with %j', async (options, env, code, said) => {
  const ended = await run(
    ROOT,
    [process.execPath, 'release/packaging/release/run-release.ts', ...options],
    env,
  );
  expect(ended.output).toContain(said);
  expect(ended.code).toBe(code);
  if (options.includes('--help')) for (const { title } of STEPS) expect(ended.output).toContain(title);
});
