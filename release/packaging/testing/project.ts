import { cp, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT, run } from '../../../quality/testing/command.ts';

/** A project with nothing but the package, installed from its tarball. */
export interface Project {
  readonly folder: string;
  readonly tarball: string;
  /** The package as it was built, before it was packed. */
  readonly built: string;
  /** What the build has printed; nothing for a package that was there. */
  readonly printed: string;
}

/**
 * Installs the package into an empty project, from npm's cache where possible: the one of a release that is being made
 * (`RELEASE_FOLDER`), else one that is built and packed for it.
 */
export async function installFromTarball(): Promise<Project> {
  const home = await mkdtemp(join(tmpdir(), 'package-'));
  const { RELEASE_FOLDER: made = home } = process.env;
  const printed = made === home ? await buildInto(home) : '';
  const built = join(made, 'package');
  const [name = ''] = (await readdir(made)).filter((file) => file.endsWith('.tgz'));
  const tarball = join(made, name);
  const folder = await mkdtemp(join(home, 'project-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await succeed(folder, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', tarball);
  return { folder, tarball, built, printed };
}

async function buildInto(home: string): Promise<string> {
  const printed = await succeed(ROOT, 'npm', 'run', '--silent', 'build', '--', join(home, 'package'));
  await succeed(home, 'npm', 'pack', '--silent', './package');
  return printed;
}

/** Links tools of the clone into a project, which saves their download. */
async function link(folder: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    const place = join(folder, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(ROOT, 'node_modules', name), place);
  }
}

/** A copy of a project, with some tools of the clone. */
export async function projectWith({ folder }: Project, ...names: string[]): Promise<string> {
  const copy = await mkdtemp(`${folder}-copy-`);
  await cp(folder, copy, { recursive: true });
  await link(copy, ...names);
  return copy;
}

async function succeed(folder: string, program: string, ...args: string[]): Promise<string> {
  const { code, output } = await run(folder, [program, ...args]);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
