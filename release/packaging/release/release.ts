import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A release that is about to be made, and where its files are. */
export interface Release {
  /** The clone. */
  readonly root: string;
  readonly name: string;
  readonly version: string;
  readonly isDryRun: boolean;
  /** The environment, which says where in CI it runs. */
  readonly env: NodeJS.ProcessEnv;
  /** What is made for it; all of it but `package/` is attached to the release. */
  readonly folder: string;
  /** The package before it is packed. */
  readonly built: string;
  readonly tarball: string;
  readonly sbom: string;
  readonly checksums: string;
  readonly notes: string;
}

export function planRelease(
  root: string,
  isDryRun: boolean,
  env: NodeJS.ProcessEnv,
  folder = join(root, 'dist-release'),
): Release {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const file = join(folder, `${name}-${version}`);
  return {
    ...{ root, name, version, isDryRun, env, folder },
    built: join(folder, 'package'),
    tarball: `${file}.tgz`,
    sbom: `${file}.cdx.json`,
    checksums: join(folder, 'SHA256SUMS'),
    notes: join(folder, 'release-notes.md'),
  };
}

/** One step of a release. */
export interface Step {
  readonly title: string;
  /** Resolves with what it has found, in a few lines. @throws ReleaseError where there can be no release */
  readonly run: (release: Release) => Promise<string> | string;
}
