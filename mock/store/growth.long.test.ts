import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../quality/testing/command.ts';
import { all, boxes, given, only } from '../testing/boxes.ts';
import { openMemoryStore } from './memory.ts';
import type { Query, Store } from './port.ts';

/** The shortest of several times, in milliseconds, since other programs only make times longer. */
function shortest(work: () => void): number {
  const times = Array.from({ length: 7 }, () => {
    const begun = performance.now();
    for (let n = 0; n < 200; n++) work();
    return performance.now() - begun;
  });
  return Math.min(...times);
}

const page = { ...all, counted: false, limit: 20 };
const twoConditions: Query = { ...page, where: [only('colour', 'red'), only('size', 0, 1, 2)] };

describe('an operation on one record takes much the same time in a collection of any size', () => {
  const few = boxes('few', 200);
  const many = boxes('many', 200_000);
  const store: Store = openMemoryStore([few, many]);
  store.list(many, page);

  // Walking through all records takes a thousand times as long with so many more.
  const FAR_FROM_COLLAPSE = 40;

  test.each<[string, (things: typeof few) => void]>([
    [
      'a filtered list after a create',
      (things) => {
        store.create(things, given({ colour: 'red', size: 1 }));
        store.list(things, { ...page, where: [only('colour', 'red')] });
      },
    ],
    [
      'a list with several conditions after a create',
      (things) => {
        store.create(things, given({ colour: 'red', size: 1 }));
        store.list(things, twoConditions);
      },
    ],
    ['a read', (things) => store.read(things, 77, [])],
    ['a change', (things) => store.change(things, 78, [], () => given({ colour: 'blue', size: 2 }))],
    ['the first write of a session', (things) => store.fork('').remove(things, 79, [])],
  ])('%s', (_, work) => {
    const ratio = shortest(() => work(many)) / shortest(() => work(few));
    expect(ratio).toBeLessThan(FAR_FROM_COLLAPSE);
  });
});

test('a small record takes less than 500 bytes', async () => {
  const script = `
    import { createMock } from './mock/index.ts';
    const heap = () => (gc(), process.memoryUsage().heapUsed);
    await (await createMock({ document: 'spec/openapi.yaml', port: false, count: 100 })).state();
    const before = heap();
    const mock = await createMock({ document: 'spec/openapi.yaml', port: false, count: 50_000 });
    console.log((heap() - before) / 50_000);
    await mock.close();`;
  const args = ['--expose-gc', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  expect(Number(stdout)).toBeLessThan(500);
});
