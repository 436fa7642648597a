import { expect, test } from 'vitest';
import { createValue } from './create-value.ts';

test('of two loads the one that was asked for later counts, whichever response comes first', async () => {
  const value = createValue('none');
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const loads = [value.load(first.promise), value.load(second.promise)];
  second.resolve('new');
  first.resolve('old');
  expect(await Promise.all(loads)).toEqual(['old', 'new']);
  expect(value.get()).toBe('new');
});

test('what is set while a load is under way is newer than its response, even where it is the same as before', async () => {
  const value = createValue(50);
  const asked = Promise.withResolvers<number>();
  const load = value.load(asked.promise);
  value.set(50);
  asked.resolve(150);
  await load;
  expect(value.get()).toBe(50);
});

test('a load that fails changes nothing, and hides no earlier one', async () => {
  const value = createValue('none');
  const asked = Promise.withResolvers<string>();
  const load = value.load(asked.promise);
  await expect(value.load(Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  asked.resolve('there');
  await load;
  expect(value.get()).toBe('there');
});

test('listeners hear of what is loaded once', async () => {
  const value = createValue(1);
  const heard: number[] = [];
  const stop = value.subscribe(() => heard.push(value.get()));
  await value.load(Promise.resolve(2));
  await value.load(Promise.resolve(2));
  stop();
  await value.load(Promise.resolve(3));
  expect(heard).toEqual([2]);
});
