import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../quality/testing/command.ts';

/** The storage of a test's images for Buildah, which builds images without a daemon. */
export interface Storage {
  readonly folder: string;
}

/** The configuration of an image, as `docker inspect` shows it. */
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

/** Runs a command of Buildah, and returns its output. @throws Error with its error output if it fails */
async function buildah({ folder }: Storage, command: string, ...args: string[]): Promise<string> {
  return stdoutOf('buildah', [command, ...args], {
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
    STORAGE_DRIVER: 'vfs',
    BUILDAH_ISOLATION: 'chroot',
  });
}

/** @throws Error with the program's error output if it fails */
async function stdoutOf(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd: ROOT, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(program, args, options);
  return stdout.trim();
}

/** Builds the Dockerfile of the clone from existing images; npm's cache is that of this machine. */
export async function buildImage(storage: Storage, name: string): Promise<void> {
  const cache = await stdoutOf('npm', ['config', 'get', 'cache']);
  mkdirSync(cache, { recursive: true });
  const options = ['--format=docker', '--pull-never', `--volume=${cache}:/root/.npm`, `--tag=${name}`];
  await buildah(storage, 'build', ...options, '.');
}

/** The configuration of the image, and a folder with a copy of its files. */
export async function unpack(storage: Storage, name: string): Promise<{ config: ImageConfig; root: string }> {
  const container = await buildah(storage, 'from', '--pull-never', name);
  const root = await buildah(storage, 'mount', container);
  const { Docker } = JSON.parse(await buildah(storage, 'inspect', '--type', 'image', name));
  return { config: Docker.config, root };
}

/**
 * Stand-ins for the base images of the Dockerfile, since a test has no image registry. They consist of this machine's
 * files, with the same libc (glibc), users and tools, as far as the Dockerfile uses them.
 */
export async function makeStandIns(storage: Storage): Promise<void> {
  const node = realpathSync(process.execPath);
  // npm's program is a link to npm/bin/npm-cli.js; npm's own root is that of the first Node on the path.
  const npm = resolve(realpathSync(await stdoutOf('sh', ['-c', 'command -v npm'])), '../..');
  await makeImage(storage, 'docker.io/library/node:24-bookworm-slim', {
    programs: ['/bin/sh', '/bin/cp', '/bin/mv', '/usr/bin/env', '/bin/uname'],
    copies: {
      '/usr/local/bin/node': node,
      '/usr/local/lib/node_modules/npm': npm,
      '/usr/bin/ldd': '/usr/bin/ldd',
    },
    scripts: {
      '/usr/local/bin/npm': '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
    },
  });
  await makeImage(storage, 'gcr.io/distroless/cc-debian12:nonroot', { librariesOf: [node] });
}

interface Content {
  /** With the libraries that they load. */
  readonly programs?: readonly string[];
  readonly librariesOf?: readonly string[];
  readonly copies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** Certificates of this machine, for npm. */
const { NODE_EXTRA_CA_CERTS: CERTIFICATES } = process.env;

async function makeImage(storage: Storage, name: string, content: Content): Promise<void> {
  const { programs = [], copies = {}, scripts = {}, librariesOf = [] } = content;
  const root = join(storage.folder, name.replace(/\W/g, '-'));
  const put = (from: string, to = from) => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(realpathSync(from), join(root, to), { recursive: true });
  };
  for (const folder of ['tmp', 'etc', 'proc', 'dev']) mkdirSync(join(root, folder), { recursive: true });
  for (const file of [
    ...programs,
    ...librariesOf,
    ...Object.values(copies).filter((file) => file.endsWith('/node')),
  ])
    for (const library of await librariesUsedBy(file)) put(library);
  for (const library of await librariesOfDebian()) put(library);
  for (const file of programs) put(file);
  for (const [to, from] of Object.entries(copies)) put(from, to);
  for (const [to, text] of Object.entries(scripts)) writeFileSync(join(root, to), text, { mode: 0o755 });
  writeFileSync(
    join(root, 'etc/passwd'),
    'root:x:0:0:root:/root:/bin/sh\nnonroot:x:65532:65532::/home/nonroot:/bin/false\n',
  );
  writeFileSync(join(root, 'etc/hosts'), '');
  if (CERTIFICATES !== undefined && existsSync(CERTIFICATES))
    copyFileSync(CERTIFICATES, join(root, 'etc/extra.pem'));
  const file = join(storage.folder, 'Dockerfile');
  const env = [
    'PATH=/usr/local/bin:/usr/bin:/bin',
    'npm_config_prefer_offline=true',
    'NODE_EXTRA_CA_CERTS=/etc/extra.pem',
  ];
  writeFileSync(file, `FROM scratch\nCOPY . /\nENV ${env.slice(0, programs.length > 0 ? 3 : 1).join(' ')}\n`);
  await buildah(storage, 'build', '--format', 'docker', '--tag', name, '--file', file, root);
}

/** What every Debian image has: all of glibc, which npm's native packages load. */
async function librariesOfDebian(): Promise<string[]> {
  const files = await stdoutOf('dpkg', ['--listfiles', 'libc6', 'libgcc-s1', 'libstdc++6']);
  return files.split('\n').filter((file) => /\.so[.\d]*$/.test(file) && !/gconv|gdb/.test(file));
}

async function librariesUsedBy(program: string): Promise<string[]> {
  return (await stdoutOf('ldd', [program])).match(/(?<=\s)\/\S+/g) ?? [];
}

/** An image with its files in a folder. */
export interface Unpacked {
  readonly config: Pick<ImageConfig, 'User' | 'Env' | 'Entrypoint' | 'Cmd' | 'WorkingDir'>;
  readonly root: string;
}

export interface RunOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Readable files and folders of this machine, by their path in the container. */
  readonly volumes?: Readonly<Record<string, string>>;
  /** Writable folders, which are lost at the end. */
  readonly tmpfs?: readonly string[];
  /** A network namespace. Default: the network of this machine. */
  readonly network?: string;
}

export interface Container {
  readonly output: () => string;
  /** The exit code of process 1; 128 and more for a signal that it did not handle. */
  readonly ended: Promise<number>;
  /** Sends a signal to process 1, as an engine does. */
  signal(name: NodeJS.Signals): void;
}

/**
 * Runs an image as an engine does with `--read-only`: with its own user and variables only, as process 1 of a
 * namespace, on a read-only file system. Needs root.
 */
export function runContainer({ config, root }: Unpacked, options: RunOptions = {}): Container {
  const { args = config.Cmd, env = {}, volumes = {}, tmpfs = [], network } = options;
  const [user = '0', group = user] = config.User.split(':');
  const place = (path: string) => quoted(`${root === '/' ? '' : root}${path}`);
  const script = [
    'set -e',
    ...(root === '/' ? [] : [`mount --bind ${quoted(root)} ${quoted(root)}`, `cd ${quoted(root)}`]),
    ...Object.entries(volumes).flatMap(([to, from]) => mountLines(from, `${root === '/' ? '' : root}${to}`)),
    ...(root === '/' ? [] : [`mount -o remount,ro,bind ${quoted(root)}`]),
    ...tmpfs.map((to) => `mount -t tmpfs -o mode=1777 tmpfs ${place(to)}`),
    `mount -t proc proc ${place('/proc')}`,
    `exec unshare --root=${quoted(root)} --wd=${quoted(config.WorkingDir || '/')} --setgid=${group} --setuid=${user} -- "$@"`,
  ].join('\n');
  const inNetwork = network === undefined ? [] : ['nsenter', `--net=/run/netns/${network}`];
  const [program = '', ...rest] = [
    ...inNetwork,
    'unshare',
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    'sh',
    '-c',
    script,
    'sh',
    ...config.Entrypoint,
    ...args,
  ];
  const inherited = Object.fromEntries(config.Env.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
  const child = spawn(`/usr/bin/${program}`, rest, {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const pid = child.pid as number;
  return {
    output: () => output,
    ended: once(child, 'close').then(([code, signal]) => (signal === null ? code : 128)),
    signal: (name) => {
      const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      process.kill(Number(first), name);
    },
  };
}

/** An engine creates the mount point if it is missing. */
function mountLines(from: string, to: string): string[] {
  const make = statSync(from).isDirectory()
    ? `mkdir -p ${quoted(to)}`
    : `mkdir -p ${quoted(dirname(to))} && touch ${quoted(to)}`;
  return [make, `mount --bind ${quoted(from)} ${quoted(to)}`];
}

/** Kills the container if it has not ended. */
export async function stop(container: Container): Promise<void> {
  try {
    container.signal('SIGKILL');
  } catch {
    // The process has already ended.
  }
  await container.ended;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A network of containers: each has a namespace with an address, and reaches the others by name. */
export interface Network {
  /** The network namespace of a container. */
  namespaceOf(name: string): string;
  /** A file with their names, for /etc/hosts. */
  readonly hosts: string;
  remove(): Promise<void>;
}

const ip = (...args: string[]) => stdoutOf('ip', args);

/** Joins namespaces by a bridge in another namespace, so that no other process of this machine is in the network. */
export async function createNetwork(names: readonly string[]): Promise<Network> {
  const namespaceOf = (name: string) => `paddock-${process.pid}-${name}`;
  const addresses = names.map((name, index) => ({ name, address: `10.203.0.${index + 1}` }));
  const bridge = namespaceOf('bridge');
  await ip('netns', 'add', bridge);
  await ip('-n', bridge, 'link', 'add', 'name', 'br0', 'type', 'bridge');
  await ip('-n', bridge, 'link', 'set', 'dev', 'br0', 'up');
  for (const [index, { name, address }] of addresses.entries()) {
    const [ns, port] = [namespaceOf(name), `port${index}`];
    await ip('netns', 'add', ns);
    await ip('-n', ns, 'link', 'add', 'name', 'eth0', 'type', 'veth', 'peer', 'name', port, 'netns', bridge);
    await ip('-n', bridge, 'link', 'set', 'dev', port, 'master', 'br0', 'up');
    await ip('-n', ns, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    await ip('-n', ns, 'link', 'set', 'dev', 'eth0', 'up');
    await ip('-n', ns, 'link', 'set', 'dev', 'lo', 'up');
  }
  const hosts = join(mkdtempSync(join(tmpdir(), 'hosts-')), 'hosts');
  const lines = addresses.map(({ name, address }) => `${address} ${name}`);
  writeFileSync(hosts, ['127.0.0.1 localhost', ...lines, ''].join('\n'));
  return {
    namespaceOf,
    hosts,
    async remove() {
      for (const name of [...names, 'bridge']) await ip('netns', 'delete', namespaceOf(name));
    },
  };
}
