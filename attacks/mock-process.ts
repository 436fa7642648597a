import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Measure } from './probe.ts';

const PROGRAM = new URL('../cli/paddock.js', import.meta.url).pathname;
const PROBE = new URL('./probe.ts', import.meta.url).href;

/** The mock as a user starts it, in a process of its own. */
export interface MockProcess {
  readonly child: ChildProcess;
  /** Base URL, with the path prefix. */
  readonly url: string;
  readonly port: number;
  readonly measure: () => Promise<Measure>;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** All that it has printed. */
  readonly output: () => string;
}

/** @param shell what a shell does before it becomes the mock, such as `ulimit -n 65536` */
export async function startMock(args: readonly string[] = [], shell = ':'): Promise<MockProcess> {
  const command = ['--expose-gc', '--import', PROBE, PROGRAM, 'mock', '--port', '0', ...args];
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('PADDOCK_')),
  );
  const child = spawn('sh', ['-c', `${shell}; exec "$@"`, 'sh', process.execPath, ...command], {
    env: { ...env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? (signal as NodeJS.Signals)));
  });
  while (!/base URL[\s\S]*\n\n/.test(output)) {
    const [text] = await Promise.race([
      once(child.stdout as NodeJS.ReadableStream, 'data'),
      ended.then(() => []),
    ]);
    if (text === undefined) throw new Error(`the mock ended: ${output}`);
  }
  const url = /base URL\s+(\S+)/.exec(output)?.[1] as string;
  return {
    child,
    url,
    port: Number(new URL(url).port),
    ended,
    output: () => output,
    async measure() {
      child.send('measure');
      const [answer] = await once(child, 'message');
      return answer as Measure;
    },
  };
}
