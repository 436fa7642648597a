import { expect, test } from 'vitest';
import type { Spot } from '#spec';
import { ask, contractWith, exchangeIn } from '../testing/steps.ts';
import { judgeWriters } from './conditional.ts';

test.each<[string, { statuses: readonly number[]; now: string | undefined; want: string | undefined }]>([
  ['one wins', { statuses: [200, 412], now: '"2"', want: undefined }],
  ['both win', { statuses: [200, 200], now: '"2"', want: 'accepted' }],
  ['both win, and nothing of it shows', { statuses: [200, 200], now: '"1"', want: undefined }],
  ['none wins', { statuses: [412, 412], now: '"1"', want: 'missing' }],
  [
    'none wins, and somebody else has changed the record',
    { statuses: [412, 412], now: '"2"', want: undefined },
  ],
  ['one is refused for another reason', { statuses: [409, 412], now: '"1"', want: undefined }],
  ['one is accepted, and may never be carried out', { statuses: [202, 200], now: '"2"', want: undefined }],
  ['the tag afterwards is a weak one', { statuses: [200, 200], now: undefined, want: undefined }],
])('of changes at once with one version %s', (_, { statuses, now, want }) => {
  const contract = contractWith('rewritePage');
  const body = { title: 'Tides', text: 'a' };
  const writers = statuses.map((status) =>
    exchangeIn(contract, ask('rewritePage', { path: { pageId: 7 }, body }, status, {})),
  );
  const because = contract.operations[0]?.spot as Spot;
  const fact = { certainty: 'promised', because } as const;
  expect(judgeWriters(writers, '"1"', now, fact).map(({ kind }) => kind)).toEqual(want ? [want] : []);
});
