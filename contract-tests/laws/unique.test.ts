import { expect, test } from 'vitest';
import { ask, contractWith, exchangeIn } from '../testing/steps.ts';
import { judgeTwins } from './unique.ts';

const at = { uri: 'kennels.yaml', line: 1, column: 1 };
const body = { email: 'ada@kennels.example', name: 'Ada' };

test.each<[string, readonly number[], string | undefined]>([
  ['one wins', [201, 409], undefined],
  ['both win', [201, 201], 'accepted'],
  ['none wins', [409, 409], 'missing'],
  ['one is refused for another reason', [429, 409], undefined],
  ['one is accepted, and may never be carried out', [202, 201], undefined],
  ['one has no response', [201], undefined],
])('of creates at once with one value %s', (_, statuses, want) => {
  const contract = contractWith('addOwner');
  const creates = statuses.map((status) => exchangeIn(contract, ask('addOwner', { body }, status, {})));
  expect(judgeTwins(creates, 'email', at).map(({ kind }) => kind)).toEqual(want ? [want] : []);
});
