import { expect, test } from 'vitest';
import { type Step, shrink } from './steps.ts';

const step = (action: Step['action'], record: number, salt = 4): Step => ({
  action,
  record,
  how: 'ordinary',
  salt,
});

const LONG = [
  step('create', 0),
  step('list', -1),
  step('create', 1),
  step('replace', 1),
  step('read', 0),
  step('replace', 0),
  step('remove', 1),
  step('read', 1),
  step('replace', 0),
  step('read', 0),
  step('list', -1),
];

/** Fails at a read of a record that was replaced twice. */
async function secondReplace(steps: readonly Step[]): Promise<readonly Step[] | undefined> {
  const counts = new Map<number, number>();
  for (const [index, { action, record }] of steps.entries()) {
    if (action === 'replace') counts.set(record, (counts.get(record) ?? 0) + 1);
    if (action === 'read' && (counts.get(record) ?? 0) > 1) return steps.slice(0, index + 1);
  }
  return undefined;
}

test('the smallest sequence that fails is left, with the plainest steps', async () => {
  const smallest = await shrink(LONG, secondReplace);
  expect(smallest).toEqual([
    step('create', 0, 0),
    step('replace', 0, 0),
    step('replace', 0, 0),
    step('read', 0, 0),
  ]);
});

test('steps of another record go at once', async () => {
  let attempts = 0;
  await shrink(LONG, (steps) => {
    attempts += 1;
    return secondReplace(steps);
  });
  expect(attempts).toBeLessThan(20);
});

test('a sequence that does not fail again is not shrunk', async () => {
  expect(await shrink(LONG, async () => undefined)).toBeUndefined();
});
