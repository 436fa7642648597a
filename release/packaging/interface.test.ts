import { expect, test } from 'vitest';
import { ROOT, run } from '../../quality/testing/command.ts';
import { objection } from './interface.ts';

const PATIENT = { timeout: 300_000 };
const CHECK = [process.execPath, 'release/packaging/interface.ts', '--check'];

test('stable-interface.txt is what the code says, whatever the variables of the user', PATIENT, async () => {
  const env = { PADDOCK_PORT: '', PADDOCK_WATCH: 'off', PADDOCK_SEED: '7', NODE_NO_WARNINGS: '1' };
  expect(await run(ROOT, CHECK, env)).toEqual({ code: 0, output: '' });
});

const RELEASED = 'paddock mock\n  --port <n>\n';
const line = (kind: string) => ({ lines: [{ kind, text: 'an option' }] });

test.each([
  ['before the first release', undefined, RELEASED, { lines: [] }],
  ['what is as it was', RELEASED, RELEASED, { lines: [] }],
  ['an addition with a line', RELEASED, `${RELEASED}  --seed <n>\n`, line('Added')],
  ['a removal with a line under Removed', RELEASED, 'paddock mock\n', line('Removed')],
])('nothing is objected to: %s', (_, earlier, current, section) => {
  expect(objection(earlier, current, section)).toBeUndefined();
});

test.each([
  ['an addition', `${RELEASED}  --seed <n>\n`, { lines: [] }, /^ {2}\+ {3}--seed <n>\n.*under Added/ms],
  ['a removal', 'paddock mock\n', { lines: [] }, /^ {2}- {3}--port <n>\n.*under Changed or Removed/ms],
  ['a removal that is an addition to the log', 'paddock mock\n', line('Added'), /Changed or Removed/],
])('%s without its line is refused', (_, current, section, said) => {
  expect(objection(RELEASED, current, section)).toMatch(said);
});
