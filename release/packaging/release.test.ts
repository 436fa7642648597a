import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../quality/testing/command.ts';
import { objectionsTo, planRelease } from './release.ts';

/** Tests what stops a release; release.nightly.test.ts makes the files of a real one. */
const LOG = `# Changelog

## [Unreleased]

## [1.1.0] - 2026-11-22

### Added

- \`--seed N\` of \`paddock mock\`.

## [1.0.0] - 2026-11-01

[1.1.0]: https://example.org/1.1.0
`;

async function git(folder: string, command: string): Promise<void> {
  const user = ['-c', 'user.name=test', '-c', 'user.email=test@localhost'];
  expect(await run(folder, ['git', ...user, ...command.split(' ')])).toMatchObject({ code: 0 });
}

/** A repository with one commit, ready for release as 1.1.0. */
async function repository(log = LOG): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  await writeFile(join(folder, 'package.json'), '{"name":"example","version":"1.1.0"}');
  await writeFile(join(folder, 'CHANGELOG.md'), log);
  for (const command of ['init -q', 'add -A', 'commit -q -m first']) await git(folder, command);
  return folder;
}

const objections = (root: string, isDryRun = true) => objectionsTo(planRelease(root), isDryRun);

test('a clean work tree is released, and no other', async () => {
  const folder = await repository();
  expect(objections(folder)).toEqual([]);
  await writeFile(join(folder, 'forgotten.ts'), '');
  expect(objections(folder)).toEqual(['the work tree has changes: commit them\n?? forgotten.ts']);
});

const [NO_UNRELEASED, NO_SECTION] = [
  'does not begin with an empty "## [Unreleased]"',
  'no "## [1.1.0] - YYYY-MM-DD"',
];

test.each([
  ['no section of the version', '[1.1.0] - 2026-11-22', '[1.1.1] - 2026-11-22', NO_SECTION],
  ['no day', '[1.1.0] - 2026-11-22', '[1.1.0]', NO_SECTION],
  ['an empty section', '- `--seed N` of `paddock mock`.\n', '', NO_SECTION],
  ['no Unreleased', '## [Unreleased]\n', '', NO_UNRELEASED],
  ['lines under Unreleased', '[Unreleased]\n', '[Unreleased]\n\n### Fixed\n\n- x\n', NO_UNRELEASED],
])('a change log with %s stops it', async (_, from, to, reason) => {
  expect(objections(await repository(LOG.replace(from, to))).join('\n')).toContain(reason);
});

test('a version is published from its tag', async () => {
  const folder = await repository();
  expect(objections(folder, false)).toEqual([expect.stringContaining('the commit has no tag v1.1.0')]);
  await git(folder, 'tag -a v1.1.0 -m 1.1.0');
  expect(objections(folder, false)).toEqual([]);
  await git(folder, 'commit -q --allow-empty -m second');
  expect(objections(folder, false)).toHaveLength(1);
});
