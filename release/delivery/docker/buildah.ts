import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../quality/testing/command.ts';

/** Where Buildah, which builds images without a daemon, has those of a test. */
export interface Storage {
  readonly folder: string;
}

/** What an image says of itself, as `docker inspect` shows it. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly ExposedPorts: Readonly<Record<string, unknown>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export function createStorage(): Storage {
  const folder = mkdtempSync(join(tmpdir(), 'images-'));
  const places = `graphroot = "${folder}/graph"\nrunroot = "${folder}/run"`;
  writeFileSync(join(folder, 'storage.conf'), `[storage]\ndriver = "vfs"\n${places}\n`);
  return { folder };
}

/** Runs a command of Buildah, and gives what it printed. @throws Error with what it said, if it fails */
export async function buildah({ folder }: Storage, command: string, ...args: string[]): Promise<string> {
  return stdoutOf('buildah', [command, ...args], {
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
    STORAGE_DRIVER: 'vfs',
    BUILDAH_ISOLATION: 'chroot',
  });
}

/** @throws Error with what the program said, if it fails */
export async function stdoutOf(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd: ROOT, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(program, args, options);
  return stdout.trim();
}

/** Builds the Dockerfile of the clone, from images that are there; npm's cache is that of this machine. */
export async function buildImage(storage: Storage, name: string): Promise<void> {
  const cache = await stdoutOf('npm', ['config', 'get', 'cache']);
  mkdirSync(cache, { recursive: true });
  const options = ['--format=docker', '--pull-never', `--volume=${cache}:/root/.npm`, `--tag=${name}`];
  await buildah(storage, 'build', ...options, '.');
}

/** What the image says of itself, and the folder with a copy of its files. */
export async function unpack(storage: Storage, name: string): Promise<{ config: ImageConfig; root: string }> {
  const container = await buildah(storage, 'from', '--pull-never', name);
  const root = await buildah(storage, 'mount', container);
  const { Docker } = JSON.parse(await buildah(storage, 'inspect', '--type', 'image', name));
  return { config: Docker.config, root };
}
