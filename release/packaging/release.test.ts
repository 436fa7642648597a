import { appendFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, run } from '../../quality/testing/command.ts';
import { objectionsTo, planRelease } from './release.ts';

/** What stops a release; release.long.test.ts makes the files of the real one. */
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

const objections = (root: string, isDryRun = true) => objectionsTo(planRelease(root), isDryRun, TODAY);

async function replaceIn(folder: string, file: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(folder, file), 'utf8');
  expect(text).toContain(from);
  await writeFile(join(folder, file), text.replaceAll(from, to));
  await git(folder, 'commit -q -a -m changed');
}

test('a clean work tree is released, and no other', async () => {
  const folder = await repository();
  expect(objections(folder)).toEqual([]);
  await writeFile(join(folder, 'forgotten.ts'), '');
  await appendFile(join(folder, 'CHANGELOG.md'), '\n');
  expect(objections(folder)).toEqual([
    'the work tree has changes: commit them\n M CHANGELOG.md\n?? forgotten.ts',
  ]);
});

test.each<[string, [from: string, to: string], string]>([
  [
    'no section of the version',
    ['[1.1.0] - 2026-11-22', '[1.1.1] - 2026-11-22'],
    'no "## [1.1.0] - 2026-11-23"',
  ],
  ['no Unreleased', ['## [Unreleased]\n', ''], 'does not begin with an empty "## [Unreleased]"'],
  [
    'lines under Unreleased',
    ['[Unreleased]\n', '[Unreleased]\n\n### Fixed\n\n- x\n'],
    '[Unreleased] in CHANGELOG.md has lines',
  ],
  ['no day', ['[1.1.0] - 2026-11-22', '[1.1.0]'], 'has no day'],
  ['a day that does not exist', ['2026-11-22', '2026-11-31'], 'has 2026-11-31'],
  ['a day in the future', ['2026-11-22', '2026-11-24'], 'has 2026-11-24'],
  [
    'an empty section',
    ['- `--seed N` of `paddock mock`,\n  which repeats.\n', ''],
    '[1.1.0] in CHANGELOG.md is empty',
  ],
])('a change log with %s stops it', async (_, [from, to], reason) => {
  const folder = await repository();
  await replaceIn(folder, 'CHANGELOG.md', from, to);
  expect(objections(folder).join('\n')).toContain(reason);
});

test.each([
  ['1.2.0', 'package-lock.json has version 1.1.0'],
  ['latest', 'latest is no version of Semantic Versioning'],
])('package.json with version %s stops it', async (version, reason) => {
  const folder = await repository();
  await replaceIn(folder, 'package.json', '1.1.0', version);
  expect(objections(folder).join('\n')).toContain(reason);
});

test('a version is released once, and from its tag', async () => {
  const folder = await repository();
  expect(objections(folder, true)).toEqual([]);
  expect(objections(folder, false)).toEqual([expect.stringContaining('there is no tag v1.1.0')]);
  await git(folder, 'tag -a v1.1.0 -m 1.1.0');
  for (const isDryRun of [true, false]) expect(objections(folder, isDryRun)).toEqual([]);
  await git(folder, 'commit -q --allow-empty -m second');
  for (const isDryRun of [true, false])
    expect(objections(folder, isDryRun)).toEqual([
      'v1.1.0 is the tag of another commit: choose the next version',
    ]);
  await git(folder, 'tag -d v1.1.0');
  await git(folder, 'tag v1.1.0');
  expect(objections(folder, false)).toEqual([]);
});

test.each<[string[], Record<string, string>, number, string]>([
  [['--help'], {}, 0, 'Examples:\n  npm run release -- --dry-run\n'],
  [[], { npm_config_dry_run: 'true' }, 2, 'npm run release -- --dry-run'],
  [['--dryrun'], {}, 2, "Unknown option '--dryrun'"],
])('the program with %j', async (options, env, code, said) => {
  const ended = await run(ROOT, [process.execPath, 'release/packaging/release.ts', ...options], env);
  expect(ended.output).toContain(said);
  expect(ended.code).toBe(code);
});
