import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ROOT } from '../../quality/testing/command.ts';
import { stableInterface, unannounced, unannouncedHere } from './interface.ts';

test('stable-interface.txt is what the code says, whatever the variables of the user', async () => {
  for (const [name, value] of [
    ['PORT', ''],
    ['WATCH', 'off'],
    ['SEED', '7'],
  ] as const)
    vi.stubEnv(`PADDOCK_${name}`, value);
  try {
    await expect(await stableInterface()).toMatchFileSnapshot(join(ROOT, 'stable-interface.txt'));
  } finally {
    vi.unstubAllEnvs();
  }
});

test('the change log says what has changed since the last version', () => {
  expect(unannouncedHere()).toBe('');
});

const RELEASED = 'paddock mock\n  --port <n>\n';
const line = (kind: string) => [{ kind, text: 'an option' }];

test.each([
  ['what is as it was', RELEASED, []],
  ['an addition with a line', `${RELEASED}  --seed <n>\n`, line('Added')],
  ['a removal with a line under Removed', 'paddock mock\n', line('Removed')],
])('nothing is missing: %s', (_, current, announced) => {
  expect(unannounced(RELEASED, current, announced)).toBe('');
});

test.each([
  ['an addition', `${RELEASED}  --seed <n>\n`, [], /^\+ {3}--seed <n>\n.*under Added/ms],
  ['a removal', 'paddock mock\n', [], /^- {3}--port <n>\n.*under Changed or Removed/ms],
  ['a removal that is an addition to the log', 'paddock mock\n', line('Added'), /Changed or Removed/],
])('%s needs a line', (_, current, announced, said) => {
  expect(unannounced(RELEASED, current, announced)).toMatch(said);
});
