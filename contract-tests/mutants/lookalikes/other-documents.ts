import { setTimeout as sleep } from 'node:timers/promises';
import { around, otherMock, storing } from '../on-mock.ts';
import type { Lookalike } from '../suspect.ts';

/** How long a removed record is still seen, in milliseconds; the suite waits for longer. */
const LAG = 300;

/** Other documents, served as they are, with more records and fewer. */
export const otherServices: readonly Lookalike[] = [
  otherMock('warehouse.yaml', 'as-it-is', 'a warehouse that keeps its document'),
  otherMock('libraries.yaml', 'as-it-is', 'libraries that keep their document'),
  otherMock('tide-gauges.yaml', 'as-it-is', 'gauges that keep their document'),
  otherMock('notices/openapi.yaml', 'as-it-is', 'notices that keep their document'),
  otherMock('warehouse.yaml', 'empty', 'a warehouse without articles', () => ({ count: 0 })),
  otherMock('libraries.yaml', 'empty', 'no library yet', () => ({ count: 0 })),
  otherMock('notices/openapi.yaml', 'empty', 'no notice yet', () => ({ count: 0 })),
  otherMock('warehouse.yaml', 'full', 'a warehouse with 1,000 articles', () => ({ count: 1000 })),
  otherMock('libraries.yaml', 'slow-to-forget', 'what was removed is seen a while longer', () => ({
    parts: storing((store) => ({
      async remove(collection, id, where) {
        const there = (await store.read(collection, id, where)) !== undefined;
        if (there) void sleep(LAG, undefined, { ref: false }).then(() => store.remove(collection, id, where));
        return there;
      },
    })),
  })),
  otherMock(
    'libraries.yaml',
    'more-members',
    'changed books come back with a member that is not documented',
    () => ({
      parts: around('replace', (act) => async (task) => {
        const answer = await act(task);
        return 'refuse' in answer
          ? answer
          : { ...answer, body: String(answer.body).replace(/}$/, ',"revision":2}') };
      }),
    }),
  ),
];
