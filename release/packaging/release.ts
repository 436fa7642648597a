import { execFileSync, type StdioOptions } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../quality/testing/command.ts';
import { readChangeLog } from './change-log.ts';

const HELP = `npm run release -- [--dry-run]

Checks that this commit can be released, makes tarball, SBOM, checksums and notes in dist-release/, tests the tarball, and
runs \`npm publish --provenance\`, which works in .github/workflows/release.yml only.

Options:
  --dry-run  everything but publishing: npm says what it would publish
  --help     this text

Exit codes:
  0  released, or with --dry-run: could be
  1  something stands against it, or a command failed
  2  invalid option

Examples:
  npm run release -- --dry-run
  git tag --annotate v1.0.0 && git push origin v1.0.0   # the workflow does the rest
`;

/** A clone that is about to be released, and where the files of the release are. */
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

/** All that stands against releasing the commit that is checked out, each with what to do. */
export function objectionsTo({ root, version }: Release, isDryRun: boolean, today = new Date()): string[] {
  const git = (...args: string[]) => outputOf(root, ['git', ...args]).trimEnd();
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const [unreleased, newest] = readChangeLog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  const changes = git('status', '--porcelain');
  const tag = `v${version}`;
  const tagged = git('tag', '--list', '--format=%(*objectname)%(objectname)', tag).slice(0, 40);
  const day = today.toISOString().slice(0, 10);
  const objections: readonly (readonly [stands: boolean, objection: string])[] = [
    [changes !== '', `the work tree has changes: commit them\n${changes}`],
    [!/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version), `${version} is no version of Semantic Versioning`],
    [
      lock.version !== version || lock.packages[''].version !== version,
      `package-lock.json has version ${lock.version}: npm version --no-git-tag-version --allow-same-version ${version}`,
    ],
    [unreleased?.version !== 'Unreleased', 'CHANGELOG.md does not begin with an empty "## [Unreleased]"'],
    [newest?.version !== version, `CHANGELOG.md has no "## [${version}] - ${day}" below [Unreleased]`],
    [
      (unreleased?.lines.length ?? 0) > 0,
      `[Unreleased] in CHANGELOG.md has lines: move them to [${version}]`,
    ],
    [
      !isPast(newest?.date, day),
      `[${version}] in CHANGELOG.md has ${newest?.date ?? 'no day'}: write ${day}`,
    ],
    [newest?.lines.length === 0, `[${version}] in CHANGELOG.md is empty: say what users get`],
    [
      tagged === '' && !isDryRun,
      `there is no tag ${tag}: git tag --annotate ${tag} && git push origin ${tag}`,
    ],
    [
      tagged !== '' && tagged !== git('rev-parse', 'HEAD'),
      `${tag} is the tag of another commit: choose the next version`,
    ],
  ];
  return objections.flatMap(([stands, objection]) => (stands ? [objection] : []));
}

/** Whether this is a day, such as 2026-11-22, and not in the future. */
function isPast(date: string | undefined, today: string): boolean {
  const time = Date.parse(`${date}`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(`${date}`) && `${date}` <= today;
}

/** Makes the files of the release. */
export function makeFiles({ root, name, folder, tarball, sbom }: Release): void {
  const [built, installed] = [join(folder, 'package'), join(folder, 'installed', name)];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  outputOf(root, [process.execPath, 'release/packaging/build.ts', built]);
  // The registry compares it with what the provenance says.
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  if (repository) outputOf(built, ['npm', 'pkg', 'set', `repository.url=git+${server}/${repository}.git`]);
  outputOf(folder, ['npm', 'pack', '--silent', built]);
  // npm names what it describes after its folder.
  outputOf(installed, ['tar', '-xzf', tarball, '--strip-components', '1']);
  const options = ['--omit', 'dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  outputOf(installed, ['npm', 'install', ...options]);
  const format = ['--sbom-format', 'cyclonedx', '--sbom-type', 'library', '--omit', 'dev'];
  const described = JSON.parse(outputOf(installed, ['npm', 'sbom', ...format]));
  writeFileSync(sbom, JSON.stringify(withCopies(described, installed), undefined, 2));
  rmSync(join(folder, 'installed'), { recursive: true });
  const files = [tarball, sbom].map((file) => relative(folder, file));
  writeFileSync(join(folder, 'SHA256SUMS'), outputOf(folder, ['sha256sum', ...files]));
  const [, newest] = readChangeLog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  writeFileSync(join(folder, 'release-notes.md'), `${newest?.text}\n`);
}

interface Sbom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string } };
  readonly components: readonly { readonly purl: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** With the packages that npm does not know of: the package has copies of their code. */
function withCopies(sbom: Sbom, folder: string): Sbom {
  const licences = readFileSync(join(folder, 'browser/licences.txt'), 'utf8');
  const bundled = [...licences.matchAll(/(?:^|\n---\n\n)(\S+) (\d\S*) \((\S+)\)\n/g)];
  if (bundled.length === 0) throw new Error('browser/licences.txt names no package');
  const renderer = createRequire(import.meta.url)('swagger-ui-dist/package.json');
  const copies = [...bundled, ['', renderer.name, renderer.version, renderer.license]]
    .map(([, name = '', version = '', id = '']) => {
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
      return { 'bom-ref': purl, type: 'library', name, version, purl, licenses: [{ license: { id } }] };
    })
    .filter(({ purl }) => !sbom.components.some((component) => component.purl === purl));
  const refs = copies.map(({ purl }) => purl);
  const own = sbom.metadata.component['bom-ref'];
  const dependencies = sbom.dependencies.map(({ ref, dependsOn = [] }) => {
    return { ref, dependsOn: ref === own ? [...dependsOn, ...refs] : dependsOn };
  });
  return {
    ...sbom,
    components: [...sbom.components, ...copies],
    dependencies: [...dependencies, ...refs.map((ref) => ({ ref }))],
  };
}

/** Runs a program with the clone's tools first on the path. @throws Error if it fails, having said why */
function run(folder: string, [program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  execFileSync(program, args, { cwd: folder, env: { ...process.env, PATH, ...env }, stdio: 'inherit' });
}

/** What it prints. */
function outputOf(folder: string, [program = '', ...args]: readonly string[]): string {
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
  return execFileSync(program, args, { cwd: folder, env: { ...process.env, PATH }, stdio, encoding: 'utf8' });
}

const PATH = join(ROOT, 'node_modules', '.bin') + delimiter + process.env.PATH;

function release(isDryRun: boolean): number {
  const plan = planRelease(ROOT);
  const objections = objectionsTo(plan, isDryRun);
  for (const objection of objections) process.stdout.write(`✗ ${objection}\n`);
  if (objections.length > 0) return 1;
  run(ROOT, [process.execPath, 'release/packaging/interface.ts', '--check']);
  makeFiles(plan);
  // In a release no test of the tarball is skipped for want of a registry.
  const tests = ['run', '--config', 'vitest.long.config.ts', 'release/packaging/package.long.test.ts'];
  run(ROOT, ['vitest', ...tests], { RELEASE_FOLDER: plan.folder });
  const options = isDryRun ? ['--dry-run', '--offline'] : ['--provenance'];
  run(plan.folder, ['npm', 'publish', plan.tarball, '--access', 'public', ...options]);
  return 0;
}

/** @returns the exit code */
function main(): number {
  try {
    const options = { help: { type: 'boolean' }, 'dry-run': { type: 'boolean' } } as const;
    const { help, 'dry-run': isDryRun = false } = parseArgs({ options }).values;
    // npm keeps what stands before `--` for itself.
    if (!isDryRun && process.env.npm_config_dry_run) throw new Error('say npm run release -- --dry-run');
    if (!help) return release(isDryRun);
    process.stdout.write(HELP);
    return 0;
  } catch (error) {
    process.stderr.write(`error: ${(error as Error).message}\n→ npm run release -- --help\n`);
    return (error as { status?: number }).status === undefined ? 2 : 1;
  }
}

if (import.meta.main) process.exitCode = main();
