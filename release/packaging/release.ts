import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../quality/testing/command.ts';
import { readChangeLog } from './change-log.ts';

/** A clone to release, and the folder for the files of the release. */
export interface Release {
  readonly root: string;
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly tarball: string;
  readonly sbom: string;
}

export function planRelease(root: string, folder = join(root, 'dist-release')): Release {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const file = join(folder, `${name}-${version}`);
  return { root, name, version, folder, tarball: `${file}.tgz`, sbom: `${file}.cdx.json` };
}

/** All reasons against releasing the checked-out commit, apart from what npm and the registry reject. */
export function objectionsTo({ root, version }: Release, isDryRun: boolean): string[] {
  const changes = outputOf(root, 'git', 'status', '--porcelain').trimEnd();
  const tags = outputOf(root, 'git', 'tag', '--points-at', 'HEAD').split('\n');
  const [unreleased, newest] = readChangeLog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  const objections: readonly (readonly [stands: boolean, objection: string])[] = [
    [changes !== '', `the work tree has changes: commit them\n${changes}`],
    [
      unreleased?.version !== 'Unreleased' || unreleased.lines.length > 0,
      `CHANGELOG.md does not begin with an empty "## [Unreleased]": move its lines to [${version}]`,
    ],
    [
      newest?.version !== version || Number.isNaN(Date.parse(`${newest.date}`)) || newest.lines.length === 0,
      `CHANGELOG.md has no "## [${version}] - YYYY-MM-DD" below [Unreleased], with what users get`,
    ],
    [
      !isDryRun && !tags.includes(`v${version}`),
      `the commit has no tag v${version}: push it, and the workflow publishes`,
    ],
  ];
  return objections.flatMap(([stands, objection]) => (stands ? [objection] : []));
}

/** Packages that the browser bundle contains copies of, unknown to npm. */
const COPIED = ['@noble/hashes'];

export function makeFiles({ root, name, folder, tarball, sbom }: Release): void {
  const [built, installed] = [join(folder, 'package'), join(folder, 'installed', name)];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  outputOf(root, 'npm', 'run', '--silent', 'build', '--', built);
  // The registry compares it with the provenance.
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  if (repository) outputOf(built, 'npm', 'pkg', 'set', `repository.url=git+${server}/${repository}.git`);
  outputOf(folder, 'npm', 'pack', '--silent', built);
  // npm names the component after its folder.
  outputOf(installed, 'tar', '-xzf', tarball, '--strip-components', '1');
  outputOf(installed, 'npm', 'install', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit');
  const described = JSON.parse(outputOf(installed, 'npm', 'sbom', '--sbom-format=cyclonedx', '--omit=dev'));
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const copied of COPIED) {
    const { version } = packages[`node_modules/${copied}`];
    const purl = `pkg:npm/${copied.replace('@', '%40')}@${version}`;
    described.components.push({ 'bom-ref': purl, type: 'library', name: copied, version, purl });
  }
  writeFileSync(sbom, JSON.stringify(described, undefined, 2));
  rmSync(join(folder, 'installed'), { recursive: true });
  const files = [tarball, sbom].map((file) => relative(folder, file));
  writeFileSync(join(folder, 'SHA256SUMS'), outputOf(folder, 'sha256sum', ...files));
  const [, newest] = readChangeLog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  writeFileSync(join(folder, 'release-notes.md'), `${newest?.text}\n`);
}

const env = { ...process.env, PATH: join(ROOT, 'node_modules', '.bin') + delimiter + process.env.PATH };

/** Runs a program with the clone's tools first on the path. @throws Error if it fails; the program has printed the reason */
function run(folder: string, more: NodeJS.ProcessEnv, program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd: folder, env: { ...env, ...more }, stdio: 'inherit' });
}

function outputOf(cwd: string, program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
}

/**
 * `npm run release -- [--dry-run]`: checks that this commit can be released, makes tarball, SBOM, checksums and notes
 * in dist-release/, tests the tarball, and runs `npm publish --provenance`, which only works in
 * .github/workflows/release.yml.
 */
if (import.meta.main) {
  const { 'dry-run': flag } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } }).values;
  // npm consumes the options before `--`.
  const isDryRun = flag ?? process.env.npm_config_dry_run === 'true';
  const plan = planRelease(ROOT);
  const objections = objectionsTo(plan, isDryRun);
  for (const objection of objections) process.stdout.write(`✗ ${objection}\n`);
  if (objections.length > 0) process.exit(1);
  run(ROOT, {}, 'vitest', 'run', 'release/packaging/interface.test.ts');
  makeFiles(plan);
  // In a release, no test of the tarball may be skipped because the registry is unreachable.
  const tests = ['--project', 'long', 'release/packaging/package.long.test.ts'];
  run(ROOT, { RELEASE_FOLDER: plan.folder }, 'vitest', 'run', ...tests);
  const options = isDryRun ? ['--dry-run', '--offline'] : ['--provenance'];
  run(plan.folder, {}, 'npm', 'publish', plan.tarball, '--access', 'public', ...options);
}
