import { expect, test } from 'vitest';
import { createAllotment, SHARED } from './allotment.ts';

/** Whether a request for room is decided, and how. */
async function stateOf(room: Promise<unknown>): Promise<'waits' | 'room' | 'none'> {
  const first = await Promise.race([room, new Promise((resolve) => setImmediate(resolve, 'waits'))]);
  return first === 'waits' ? 'waits' : first ? 'room' : 'none';
}

test('a later case gets room only beyond what the cases before it may need', async () => {
  const allotment = createAllotment(() => 3);
  allotment.enter(0, 2);
  allotment.enter(1, 2);
  expect(await stateOf(allotment.reserve(1))).toBe('room');
  const second = allotment.reserve(1);
  expect(await stateOf(second)).toBe('waits');
  expect(await stateOf(allotment.reserve(0))).toBe('room');
  allotment.leave(0);
  expect(await stateOf(second)).toBe('room');
});

test('there is no room when all cases before are over and nothing is given back any more', async () => {
  let made = 0;
  const allotment = createAllotment(() => 1 - made);
  allotment.enter(0, 1);
  const giveBack = await allotment.reserve(0);
  const other = allotment.reserve(1);
  expect(await stateOf(other)).toBe('waits');
  made += 1;
  giveBack?.();
  expect(await stateOf(other)).toBe('waits');
  allotment.leave(0);
  expect(await stateOf(other)).toBe('none');
});

test('what a refused create gives back goes to who waits', async () => {
  const allotment = createAllotment(() => 1);
  const giveBack = await allotment.reserve(0);
  const other = allotment.reserve(1);
  giveBack?.();
  expect(await stateOf(other)).toBe('room');
});

test('shared work waits for no case, and a part not for its own case', async () => {
  const allotment = createAllotment(() => 2);
  allotment.enter(0, 9);
  expect(await stateOf(allotment.reserve(SHARED))).toBe('room');
  expect(await stateOf(allotment.reserve(0.001))).toBe('room');
  expect(await stateOf(allotment.reserve(1))).toBe('waits');
});

test('room for several records is given at once, or not at all', async () => {
  const allotment = createAllotment(() => 3);
  allotment.enter(0, 4);
  expect(await stateOf(allotment.reserve(0, 4))).toBe('none');
  const giveBack = await allotment.reserve(0, 3);
  expect(giveBack).toBeDefined();
  const other = allotment.reserve(1);
  giveBack?.();
  allotment.leave(0);
  expect(await stateOf(other)).toBe('room');
});
