import { cp, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT, run } from '../../testing/command.ts';

/** A user's project into which the package was installed from its tarball, and nothing else. */
export interface Project {
  readonly folder: string;
  readonly tarball: string;
  /** The package as it was built, before it was packed. */
  readonly built: string;
}

/** Builds, packs and installs the package into an empty project. What npm has in its cache is not fetched again. */
export async function installFromTarball(): Promise<Project> {
  const home = await mkdtemp(join(tmpdir(), 'package-'));
  const built = join(home, 'built');
  await succeed(ROOT, process.execPath, 'packaging/build.ts', built);
  await succeed(home, 'npm', 'pack', '--silent', './built');
  const [name = ''] = (await readdir(home)).filter((file) => file.endsWith('.tgz'));
  const tarball = join(home, name);
  const folder = await mkdtemp(join(home, 'project-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await succeed(folder, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', tarball);
  return { folder, tarball, built };
}

/** Lets a project import a tool of the clone's own, in place of fetching it once more. */
async function lend(folder: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    const place = join(folder, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(ROOT, 'node_modules', name), place);
  }
}

/** Another project with the same in it, and with some of the clone's own tools. */
export async function projectWith({ folder }: Project, ...names: string[]): Promise<string> {
  const copy = `${folder}-with-${names.join('-').replace(/\W+/g, '-')}`;
  await cp(folder, copy, { recursive: true });
  await lend(copy, ...names);
  return copy;
}

async function succeed(folder: string, program: string, ...args: string[]): Promise<void> {
  const { code, output } = await run(folder, [program, ...args]);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
}
