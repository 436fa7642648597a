import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChangeLogSection, readChangeLog } from '../change-log.ts';
import { execute, outputOf } from './execute.ts';
import type { Release } from './release.ts';
import { ReleaseError } from './release-error.ts';

/** Everything that is released is committed. */
export async function checkWorkTree({ root }: Release): Promise<string> {
  const changes = (await outputOf(root, ['git', 'status', '--porcelain'])).trimEnd();
  if (changes)
    throw new ReleaseError(
      `the work tree has changes:\n${changes}`,
      'commit them, or `git stash --include-untracked`',
    );
  return `commit ${(await outputOf(root, ['git', 'rev-parse', '--short', 'HEAD'])).trim()}`;
}

/** The section of the version. @throws ReleaseError where the change log is not that of this release */
export function sectionOf({ root, version }: Release, today = new Date()): ChangeLogSection {
  const [unreleased, newest] = readChangeLog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  if (unreleased?.version !== 'Unreleased')
    throw new ReleaseError(
      'CHANGELOG.md does not begin with [Unreleased]',
      'add an empty section "## [Unreleased]"',
    );
  if (newest?.version !== version)
    throw new ReleaseError(
      `package.json has version ${version}, and CHANGELOG.md has no section for it below [Unreleased]`,
      `rename [Unreleased] to "[${version}] - ${day(today)}", and put an empty [Unreleased] above it`,
    );
  if (unreleased.lines.length > 0)
    throw new ReleaseError(
      `[Unreleased] in CHANGELOG.md has lines, and all of this commit is released`,
      `move them to [${version}]`,
    );
  if (!newest.date || day(new Date(newest.date)) !== newest.date || newest.date > day(today))
    throw new ReleaseError(
      `[${version}] in CHANGELOG.md has ${newest.date ? `the day ${newest.date}` : 'no day'}`,
      `write "## [${version}] - ${day(today)}"`,
    );
  if (newest.lines.length === 0)
    throw new ReleaseError(`[${version}] in CHANGELOG.md is empty`, 'say what users get');
  return newest;
}

/** `2026-11-22`; another text for what is no day. */
function day(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'no day' : date.toISOString().slice(0, 10);
}

/** The version is the same everywhere, and the change log tells of it. */
export function checkVersion(release: Release): string {
  const { root, version } = release;
  if (!/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version))
    throw new ReleaseError(
      `${version} is no version`,
      'choose one as Semantic Versioning has them, such as 1.0.0',
    );
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  if (lock.version !== version || lock.packages[''].version !== version)
    throw new ReleaseError(
      `package-lock.json has version ${lock.version}, and package.json ${version}`,
      `npm version --no-git-tag-version --allow-same-version ${version}`,
    );
  const { date, lines } = sectionOf(release);
  return `${version} of ${date}, ${lines.length} lines in the change log`;
}

/** A version is released once. */
export async function checkTag({ root, version, isDryRun }: Release): Promise<string> {
  const tag = `v${version}`;
  const tagged = await execute(root, [
    'git',
    'rev-parse',
    '--verify',
    '--quiet',
    `refs/tags/${tag}^{commit}`,
  ]);
  const head = await outputOf(root, ['git', 'rev-parse', 'HEAD']);
  if (tagged.code === 0 && tagged.stdout !== head)
    throw new ReleaseError(
      `${tag} is the tag of another commit, ${tagged.stdout.slice(0, 10)}`,
      'a version is released once: choose the next one',
    );
  if (tagged.code === 0) return `${tag} is the tag of this commit`;
  if (!isDryRun)
    throw new ReleaseError(
      `this commit has no tag ${tag}`,
      `git tag --annotate ${tag} && git push origin ${tag}`,
    );
  return `${tag} is free`;
}

/** What users rely on is as the change log says. */
export async function checkInterface({ root }: Release): Promise<string> {
  const { code, stdout, stderr } = await execute(root, [
    process.execPath,
    'release/packaging/interface.ts',
    '--check',
  ]);
  if (code !== 0)
    throw new ReleaseError(`${stdout}${stderr}`.trim(), 'see "The stable interface" in CONTRIBUTING.md');
  return 'as stored in stable-interface.txt';
}
