import { copyFile, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT, run } from '../../../quality/testing/command.ts';
import { madeOnce } from '../../../quality/testing/made-once.ts';

/** The built package, and its tarball. */
export interface BuiltPackage {
  readonly built: string;
  readonly tarball: string;
  /** The output of the build; empty for an existing package. */
  readonly printed: string;
}

/** The package of the current release (`RELEASE_FOLDER`), else one that is built once for all tests of a run. */
export async function builtPackage(): Promise<BuiltPackage> {
  const { RELEASE_FOLDER: made } = process.env;
  const home = made ?? (await madeOnce(join(tmpdir(), 'built-package'), buildInto));
  const [name = ''] = (await readdir(home)).filter((file) => file.endsWith('.tgz'));
  const printed = made === undefined ? await readFile(join(home, PRINTED), 'utf8') : '';
  return { built: join(home, 'package'), tarball: join(home, name), printed };
}

const PRINTED = 'printed.txt';

async function buildInto(home: string): Promise<void> {
  const printed = await succeed(ROOT, 'npm', 'run', '--silent', 'build', '--', join(home, 'package'));
  await writeFile(join(home, PRINTED), printed);
  await succeed(home, 'npm', 'pack', '--silent', './package');
}

/** A project with only the package, installed from its tarball. */
export interface Project extends BuiltPackage {
  readonly folder: string;
}

/** Installs the package into an empty project, from npm's cache if possible. */
export async function installFromTarball(): Promise<Project> {
  const build = await builtPackage();
  const folder = await mkdtemp(join(await mkdtemp(join(tmpdir(), 'package-')), 'project-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await succeed(folder, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', build.tarball);
  return { folder, ...build };
}

/** Links packages of another `node_modules` into a project, which avoids copies and downloads. */
export async function link(modules: string, project: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    const place = join(project, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(modules, name), place);
  }
}

/** Another project with the same packages, and with some tools of the clone. */
export async function projectWith({ folder }: Project, ...names: string[]): Promise<string> {
  const other = await mkdtemp(`${folder}-other-`);
  await copyFile(join(folder, 'package.json'), join(other, 'package.json'));
  const modules = join(folder, 'node_modules');
  await link(modules, other, ...(await readdir(modules)));
  await link(join(ROOT, 'node_modules'), other, ...names);
  return other;
}

async function succeed(folder: string, program: string, ...args: string[]): Promise<string> {
  const { code, output } = await run(folder, [program, ...args]);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
