import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, outputOf } from './execute.ts';
import type { Release } from './release.ts';
import { ReleaseError } from './release-error.ts';

/** Builds the package into an empty folder. */
export async function build({ root, folder, built, env }: Release): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await outputOf(root, [process.execPath, 'release/packaging/build.ts', built]);
  const file = join(built, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const repository = repositoryOf(env);
  if (repository && !manifest.repository) {
    // The registry compares it with what the provenance says.
    writeFileSync(file, `${JSON.stringify({ ...manifest, repository }, undefined, 2)}\n`);
    return `repository ${repository.url}`;
  }
  return manifest.repository ? '' : 'repository: that of the workflow that publishes';
}

/** Where a workflow of GitHub runs. */
function repositoryOf({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name }: NodeJS.ProcessEnv) {
  return server && name ? { type: 'git', url: `git+${server}/${name}.git` } : undefined;
}

export async function pack({ folder, built, tarball }: Release): Promise<string> {
  await outputOf(folder, ['npm', 'pack', '--silent', built]);
  return `${tarball.slice(folder.length + 1)}, ${(statSync(tarball).size / 1e6).toFixed(2)} MB`;
}

/** Of the JSON report of vitest. */
interface TestReport {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: 'passed' | 'failed' | 'pending' | 'skipped' | 'todo';
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** What must be among the tests, by their names. */
const DEMANDED: readonly [string, RegExp][] = [
  ['on Node 22', /^v22\./],
  ['on Node 24', /^v24\./],
  ['of types', /^types for a user/],
  ['with publint', /^publint/],
  ['with are-the-types-wrong', /^are-the-types-wrong/],
];

/** Runs release/packaging/package.long.test.ts with this tarball, as users install it. */
export async function testTarball({ root, folder }: Release): Promise<string> {
  const file = join(folder, 'tests.json');
  const reporters = ['--reporter=json', `--outputFile=${file}`];
  const command = ['vitest', 'run', 'release/packaging/package.long.test.ts', ...reporters];
  const { code, stdout, stderr } = await execute(root, command, { RELEASE_FOLDER: folder });
  let report: TestReport;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new ReleaseError(`the tests did not run:\n${stdout}${stderr}`.trim(), command.join(' '));
  }
  rmSync(file);
  return summaryOf(report, code);
}

/** @throws ReleaseError where a test failed, or one that must be there was not run */
export function summaryOf({ testResults }: TestReport, code: number): string {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed');
  const remedy = 'npx vitest run release/packaging/package.long.test.ts';
  if (failed.length > 0 || code !== 0) {
    const messages = failed.map(
      ({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`,
    );
    throw new ReleaseError(
      [...messages, ...testResults.map(({ message }) => message)].join('\n').trim(),
      remedy,
    );
  }
  const passed = tests.filter(({ status }) => status === 'passed');
  const counts = DEMANDED.map(([what, name]) => {
    const count = passed.filter(({ fullName }) => name.test(fullName.trim())).length;
    if (count === 0) throw new ReleaseError(`no test ${what} was run`, remedy);
    return `${count} ${what}`;
  });
  const skipped = tests.length - passed.length;
  return `${passed.length} passed${skipped > 0 ? `, ${skipped} skipped` : ''}: ${counts.join(', ')}`;
}
