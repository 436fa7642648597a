import { expect, test } from 'vitest';
import { loadContract } from '#spec';
import { resourceOf } from '../laws/operation-role.ts';
import { SHIPPED_DOCUMENT } from '../testing/run-check.ts';
import { divideIntoShards } from './schedule.ts';

const contract = await loadContract(SHIPPED_DOCUMENT, {});
const { operations } = contract;

test.for([1, 2, 5, 40])('each operation is in one of %i shards, beside those of its resource', (of) => {
  const cases = operations.map((operation) => ({ operation }));
  const parts = Array.from({ length: of }, (_, index) =>
    divideIntoShards(contract, { number: index + 1, of }, cases),
  );
  for (const operation of operations) {
    const own = parts.filter((has) => has(operation));
    expect({ id: operation.id, parts: own.length }).toEqual({ id: operation.id, parts: 1 });
    const resource = resourceOf(contract, operation);
    const beside = operations.filter((one) => resource && resourceOf(contract, one) === resource);
    expect(beside.every((one) => own[0]?.(one))).toBe(true);
  }
});

test('the heaviest is alone in its shard', () => {
  const [heavy] = operations;
  if (!heavy) throw new Error('the document has operations');
  const cases = operations.map((operation) => ({ operation, requests: operation === heavy ? 1000 : 1 }));
  const has = divideIntoShards(contract, { number: 1, of: 2 }, cases);
  const resource = resourceOf(contract, heavy);
  for (const one of operations) {
    const isWithHeavy = one === heavy || (resource !== undefined && resourceOf(contract, one) === resource);
    expect({ id: one.id, here: has(one) }).toEqual({ id: one.id, here: isWithHeavy });
  }
});

test('without a shard all operations are executed', () => {
  const has = divideIntoShards(contract, undefined, []);
  expect(operations.every(has)).toBe(true);
});
