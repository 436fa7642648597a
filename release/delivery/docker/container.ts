import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ImageConfig } from './buildah.ts';

/** An image whose files are in a folder. */
export interface Unpacked {
  readonly config: Pick<ImageConfig, 'User' | 'Env' | 'Entrypoint' | 'Cmd' | 'WorkingDir'>;
  readonly root: string;
}

export interface RunOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files and folders of this machine, by the place in the container where they can be read. */
  readonly volumes?: Readonly<Record<string, string>>;
  /** Folders that can be written to, and are lost at the end. */
  readonly tmpfs?: readonly string[];
  /** A network namespace. Default: the network of this machine. */
  readonly network?: string;
}

/** A container that runs. */
export interface Container {
  readonly output: () => string;
  /** Exit code of process 1, 128 and more for a signal that it did not handle. */
  readonly ended: Promise<number>;
  /** Sends a signal to process 1, as an engine does. */
  signal(name: NodeJS.Signals): void;
}

/**
 * Runs an image as an engine does with `--read-only`: its own user and variables and no others, process 1 of a namespace
 * of its own, a tree that cannot be written to. Needs root.
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
    ...['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh'],
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

/** An engine makes the place if it is not there. */
function mountLines(from: string, to: string): string[] {
  const make = statSync(from).isDirectory()
    ? `mkdir -p ${quoted(to)}`
    : `mkdir -p ${quoted(dirname(to))} && touch ${quoted(to)}`;
  return [make, `mount --bind ${quoted(from)} ${quoted(to)}`];
}

/** Ends it at once, if it has not ended. */
export async function stop(container: Container): Promise<void> {
  try {
    container.signal('SIGKILL');
  } catch {
    // There is no such process any more.
  }
  await container.ended;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
