import { expect, test } from 'vitest';
import { createExclusive } from './turns.ts';

test('what is alone may ask to be alone again, and others wait until all of it is over', async () => {
  const { alone, through } = createExclusive();
  const [owner, other] = [{}, {}];
  const order: string[] = [];
  const inner = async () => {
    await through(owner, async () => order.push('inner'));
  };
  const outer = alone(owner, async () => {
    const waiting = through(other, async () => order.push('other'));
    await alone(owner, inner);
    order.push('outer');
    return { waiting };
  });
  await (await outer).waiting;
  expect(order).toEqual(['inner', 'outer', 'other']);
});
