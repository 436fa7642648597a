import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../quality/testing/free-port.ts';
import { PROGRAM, startMock } from '../quality/testing/paddock.ts';

const HEADERS = { Authorization: 'Bearer paddock-dev-key' };

/** Runs the program with V8's own account of what it optimizes. */
function trace(args: readonly string[], flags: readonly string[] = []) {
  const env = { ...process.env, PADDOCK_API_KEY: 'paddock-dev-key' };
  const child = spawn(process.execPath, ['--trace-opt', ...flags, PROGRAM, ...args], { env });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  return { ended, isOptimizing: () => text.includes('completed optimizing') };
}

test('a mock starts without optimizing, and optimizes what it does often', async () => {
  const port = await freePort();
  const { isOptimizing } = trace(['mock', '--port', `${port}`, '--log', 'quiet']);
  const ask = () => fetch(`http://127.0.0.1:${port}/v1/pets`, { headers: HEADERS }).then((one) => one.text());
  await expect
    .poll(
      () =>
        ask().then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true);
  expect(isOptimizing()).toBe(false);
  const optimized = async () => {
    for (let request = 0; request < 500; request++) await ask();
    return isOptimizing();
  };
  await expect.poll(optimized, { timeout: 20_000 }).toBe(true);
});

test.each<[string, { flags: string[]; want: boolean }]>([
  ['optimizes from its start', { flags: [], want: true }],
  ['does not overrule who has turned the compilers off', { flags: ['--no-opt', '--no_maglev'], want: false }],
])('a check %s', async (_, { flags, want }) => {
  const mock = await startMock();
  onTestFinished(() => void mock.stop());
  const { ended, isOptimizing } = trace(['check', mock.url], flags);
  expect(await ended).toEqual([0, null]);
  expect(isOptimizing()).toBe(want);
});
