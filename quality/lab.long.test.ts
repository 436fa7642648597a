import { expect, test } from 'vitest';
import { ROOT, run } from './testing/command.ts';

const lab = (...args: string[]) => run(ROOT, ['node', 'quality/lab.ts', ...args]);

test('size counts each room', async () => {
  const { code, output } = await lab('size');
  expect(output).toMatch(/^\| mock +\| +[\d,]+ \| +\d+ \|/m);
  expect(output).toMatch(/^[\d,]+ words in \*\.md$/m);
  expect(code).toBe(0);
});

test('trace shows the way of a request and of a case, in the order of the files', async () => {
  const { output } = await lab('trace');
  const [request = '', one = ''] = output.split('## ').slice(1);
  expect(request).toMatch(/^POST \/pets\n\n\d+ files, \d+ functions, \d+ changes of file\n/);
  expect(request.indexOf('mock/server/listen.ts')).toBeLessThan(request.indexOf('mock/engine/engine.ts'));
  expect(one).toMatch(/^createPet\/201\/ordinary \(passed\)\n/);
  expect(one).toContain('contract-tests/cases/execute.ts');
});

test('what the lab does not have is refused with what it has', async () => {
  const { code, output } = await lab('nothing');
  expect(output).toContain('hunt, bench servers');
  expect(code).toBe(2);
});
