import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'vitest';
import { startHookProcess } from './hook-process.ts';

/** Hooks that start a process which would go on, and write its id into a file. */
const HOOKS = `
const { spawn } = require('node:child_process');
const { appendFileSync } = require('node:fs');
const [, , file, ...how] = process.argv;
if (how.includes('deaf')) process.on('SIGTERM', () => {});
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'inherit', 'inherit'] });
appendFileSync(file, process.pid + ' ' + child.pid);
if (how.includes('dies')) process.exit(3);
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (!how.includes('silent')) console.log(JSON.stringify({ id: JSON.parse(line).id }));
});
`;

function hooksThatAre(how: string, { onTestFinished }: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'hook-process-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [script, file] = [join(folder, 'hooks.cjs'), join(folder, 'processes')];
  writeFileSync(script, HOOKS);
  const isRunning = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  return {
    command: `"${process.execPath}" "${script}" "${file}" ${how}`,
    running: () => readFileSync(file, 'utf8').split(' ').map(Number).filter(isRunning),
  };
}

describe.concurrent('the process of --hook', () => {
  test.for(['', 'deaf', '| cat'])('ends with what it has started: %s', async (how, context) => {
    const { command, running } = hooksThatAre(how, context);
    const { close } = await startHookProcess(command, performance.now() + 60_000, undefined);
    context.expect(running()).toHaveLength(2);
    await close();
    await context.expect.poll(running).toEqual([]);
  });

  test.for<readonly [how: string, reason: RegExp]>([
    ['silent', /no reply to start within 5 s/],
    ['silent deaf', /no reply to start within 5 s/],
    ['dies', /its process ended \(exit code 3\)/],
  ])(
    'is given up with what it has started, when the run has no time left: %s',
    async ([how, reason], context) => {
      const { command, running } = hooksThatAre(how, context);
      const starting = startHookProcess(command, performance.now(), undefined);
      await context.expect(starting).rejects.toThrow(reason);
      await context.expect.poll(running).toEqual([]);
    },
  );
});
