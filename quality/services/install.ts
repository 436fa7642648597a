import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must, run } from './processes.ts';

/** The pinned packages of a service, by registry. */
export interface Packages {
  /** `name==1.2.3`, installed into a virtual environment in `venv/`. */
  readonly pip?: readonly string[];
  /** `name@1.2.3`, or an option of `npm install`, installed into `node_modules/`; native parts are compiled. */
  readonly npm?: readonly string[];
  /** Versions of transitive dependencies to use where the registry lacks the required ones. */
  readonly npmOverrides?: Readonly<Record<string, string>>;
  /** `name=1.2.3-1`, unpacked with dependencies into `debian/`; the system is not changed. */
  readonly debian?: readonly string[];
  /** Modules whose sources are copied to `go/NAME/`. */
  readonly go?: readonly GoModule[];
  /**
   * `group:artifact:version[:packaging[:classifier]]`, without dependencies, stored in `maven/` as
   * `artifact-version[-classifier].jar`.
   */
  readonly maven?: readonly string[];
}

interface GoModule {
  readonly name: string;
  /** `github.com/owner/name@v1.2.3` */
  readonly module: string;
  /** The package to compile to `NAME` in the folder itself; absent: only the sources are needed. */
  readonly main?: string;
}

/**
 * Installs missing packages into `folder`.
 * @throws Error with the last output of the registry's client
 */
export async function install(packages: Packages, folder: string): Promise<void> {
  const complete = join(folder, 'complete.json');
  const wanted = JSON.stringify(packages);
  if (existsSync(complete) && readFileSync(complete, 'utf8') === wanted) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { pip, npm, npmOverrides = {}, debian, go = [], maven = [] } = packages;
  if (pip) await installPip(pip, folder);
  if (npm) await installNpm(npm, npmOverrides, folder);
  if (debian) await installDebian(debian, folder);
  for (const module of go) await installGo(module, folder);
  for (const artifact of maven) await installMaven(artifact, folder);
  writeFileSync(complete, wanted);
}

async function installPip(packages: readonly string[], folder: string): Promise<void> {
  await must(folder, ['python3', '-m', 'venv', 'venv']);
  await must(folder, ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
}

async function installNpm(packages: readonly string[], overrides: object, folder: string): Promise<void> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }));
  await must(folder, ['npm', 'install', '--no-audit', '--no-fund', ...packages]);
}

async function installDebian(packages: readonly string[], folder: string): Promise<void> {
  // A machine with empty or old package lists does not know the version.
  const listing = await run(folder, ['apt-cache', 'show', ...packages]);
  if (listing.code !== 0) await must(folder, ['apt-get', 'update']);
  const { output } = await must(folder, [
    'apt-get',
    'install',
    '--simulate',
    '--no-install-recommends',
    ...packages,
  ]);
  const missing = [...output.matchAll(/^Inst (\S+) .*?\(([^ )]+)/gm)].map(
    ([, name, version]) => `${name}=${version}`,
  );
  await must(folder, ['apt-get', 'download', ...new Set([...packages, ...missing])]);
  for (const archive of globSync('*.deb', { cwd: folder })) {
    await must(folder, ['dpkg-deb', '--extract', archive, 'debian']);
    rmSync(join(folder, archive));
  }
}

async function installGo({ name, module, main }: GoModule, folder: string): Promise<void> {
  const { output } = await must(folder, ['go', 'mod', 'download', '-json', module]);
  const { Dir } = JSON.parse(output) as { Dir: string };
  const source = join(folder, 'go', name);
  // The module cache is read-only, and a copy would be, too.
  cpSync(Dir, source, { recursive: true });
  await must(folder, ['chmod', '-R', 'u+w', source]);
  if (main) await must(source, ['go', 'build', '-o', join(folder, name), main]);
}

async function installMaven(artifact: string, folder: string): Promise<void> {
  await must(folder, [
    'mvn',
    '--quiet',
    '--batch-mode',
    'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy',
    `-Dartifact=${artifact}`,
    `-DoutputDirectory=${join(folder, 'maven')}`,
  ]);
}
