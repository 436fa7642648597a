import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { sectionOf } from './check-sources.ts';
import { outputOf } from './execute.ts';
import type { Release } from './release.ts';
import { ReleaseError } from './release-error.ts';

/** In the form of `sha256sum --check`. */
export function writeChecksums({ tarball, sbom, checksums }: Release): string {
  const lines = [tarball, sbom].map((file) => {
    const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
    return `${digest}  ${basename(file)}`;
  });
  writeFileSync(checksums, `${lines.join('\n')}\n`);
  return lines.join('\n');
}

/** Of what `npm publish --json` prints. */
interface Published {
  readonly id: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly unknown[];
}

/** Asks npm what it would publish; nothing is sent. */
export async function previewPublish({ folder, tarball, name }: Release): Promise<string> {
  const options = ['--dry-run', '--offline', '--json', '--access', 'public'];
  const told = JSON.parse(await outputOf(folder, ['npm', 'publish', tarball, ...options]));
  // npm 11 tells of each package by its name.
  const { id, size, unpackedSize, files }: Published = told[name] ?? told;
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;
  return `${id}, public: ${files.length} files, ${mb(size)} packed, ${mb(unpackedSize)} unpacked`;
}

/** The section of the change log, as the text of the release. */
export function writeNotes(release: Release): string {
  const { text } = sectionOf(release);
  writeFileSync(release.notes, `${text}\n`);
  return text;
}

/** Only a workflow that can say where the package comes from publishes. @throws ReleaseError elsewhere */
export function requireCi({ isDryRun, env, version }: Release): void {
  if (isDryRun) return;
  const isWorkflow = env.GITHUB_ACTIONS === 'true' && Boolean(env.ACTIONS_ID_TOKEN_REQUEST_URL);
  if (!isWorkflow)
    throw new ReleaseError(
      'a release is published by .github/workflows/release.yml only, which proves where it comes from',
      `push the tag v${version}; here, \`npm run release -- --dry-run\` does all the rest`,
    );
  if (env.GITHUB_REF !== `refs/tags/v${version}`)
    throw new ReleaseError(
      `the workflow runs for ${env.GITHUB_REF}, and package.json has version ${version}`,
      `push the tag v${version} of this commit`,
    );
}

/** Publishes the tarball that was tested, with provenance. */
export async function publish(release: Release): Promise<string> {
  const { isDryRun, folder, tarball } = release;
  if (isDryRun) return 'left out: --dry-run';
  requireCi(release);
  await outputOf(folder, ['npm', 'publish', tarball, '--provenance', '--access', 'public']);
  return 'published with provenance';
}
