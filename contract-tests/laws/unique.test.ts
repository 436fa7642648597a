import { expect, test } from 'vitest';
import type { Spot } from '#spec';
import { ask, contractWith, exchangeIn } from '../testing/steps.ts';
import { judgeTwins } from './unique.ts';

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
  const because = contract.operations[0]?.spot as Spot;
  const key = { properties: ['email'], refusedBy: [], isPerParent: false, freed: undefined, because };
  expect(judgeTwins(creates, { ...key, certainty: 'promised' }).map(({ kind }) => kind)).toEqual(
    want ? [want] : [],
  );
});
