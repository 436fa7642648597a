import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../../quality/testing/free-port.ts';
import { ROOT } from '../places.ts';
import { FAULTY, type FaultyService, RIGHT, startService } from './faulty-services.ts';
import { MOCK_PROBES, SAME_AFTER_RESTART, sender } from './mock-probes.ts';
import type { CheckTool, CommandLine, MockTool } from './tools.ts';

/** What was measured: by tool, whether each probe holds, or whether each service is complained of. */
export interface Measured {
  readonly mocks: Readonly<Record<string, Answers>>;
  readonly checks: Readonly<Record<string, Answers>>;
}

type Answers = Readonly<Record<string, boolean>>;

/** How long a tool may take to start, or to check a service. */
const PATIENCE_MS = 300_000;
const POLL_MS = 200;

/** As npm has it: the programs of the clone, its Node first of all. */
const TOOLS_ON_PATH = join(ROOT, 'node_modules/.bin') + delimiter + process.env.PATH;

/** Sends all probes to the mock of a tool, and starts it a second time. */
export async function measureMock(tool: MockTool): Promise<Answers> {
  const answers: Record<string, boolean> = {};
  let first = '';
  await whileServing(tool, async (url) => {
    const send = sender(url);
    first = await severalLists(url);
    for (const { id, holds } of MOCK_PROBES) answers[id] = await holds(send, tool).catch(() => false);
  });
  await whileServing(tool, async (url) => {
    answers[SAME_AFTER_RESTART.id] = (await severalLists(url)) === first;
  });
  return answers;
}

/** Lets a tool check a service that is right, and each that has a fault. */
export async function measureCheck(tool: CheckTool): Promise<Answers> {
  const answers: Record<string, boolean> = {};
  for (const service of [RIGHT, ...FAULTY]) answers[service.id] = await complains(tool, service);
  return answers;
}

/** Several, since one may be the same by chance. */
async function severalLists(url: string): Promise<string> {
  const send = sender(url);
  let lists = '';
  for (let count = 0; count < 10; count += 1) lists += (await send('GET', '/pets')).text;
  return lists;
}

async function complains({ check }: CheckTool, service: FaultyService): Promise<boolean> {
  const { url, close } = await startService(service);
  try {
    const tool = run(check(url));
    const ended = await Promise.race([tool.ended, setTimeout(PATIENCE_MS, undefined, { ref: false })]);
    await tool.stop();
    if (ended === undefined) throw new Error(`${check(url).args.join(' ')} did not end`);
    return ended !== 0;
  } finally {
    close();
  }
}

async function whileServing(
  { start, basePath }: MockTool,
  act: (url: string) => Promise<void>,
): Promise<void> {
  const port = String(await freePort());
  const tool = run(start(port));
  try {
    const origin = `http://127.0.0.1:${port}`;
    await Promise.race([
      answering(origin),
      tool.ended.then((code) =>
        Promise.reject(new Error(`${start(port).args.join(' ')} ended with ${code}`)),
      ),
    ]);
    await act(origin + basePath);
  } finally {
    await tool.stop();
  }
}

async function answering(origin: string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await setTimeout(POLL_MS)) {
    const answer = await fetch(origin).catch(() => undefined);
    if (answer) return;
  }
  throw new Error(`nothing listens at ${origin}`);
}

/** A process with a group of its own: what it starts ends with it. It writes its reports into a folder that goes. */
function run({ args: [program = '', ...args], env }: CommandLine) {
  const isOfClone = args.some((argument) => argument.startsWith('contract-tests/'));
  const folder = mkdtempSync(join(tmpdir(), 'paddock-comparison-'));
  const child = spawn(program, args, {
    cwd: isOfClone ? ROOT : folder,
    env: { ...process.env, PATH: TOOLS_ON_PATH, NO_COLOR: '1', ...env },
    stdio: 'ignore',
    detached: true,
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, 'SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  return { ended, stop };
}
