import { setTimeout as sleep } from 'node:timers/promises';
import { mockOf, store } from '../mock-faults.ts';
import { mutants } from '../suspect.ts';
import { copyOnWrite, LOST, oneIdAtOnce, readThenWrite, whileChanging, writeInHalves } from './races.ts';
import {
  CHANGED,
  dropEvery,
  dropFrom,
  inheritChanged,
  KEPT,
  oldVersionReturns,
  RETURNS,
  staleBase,
  withExamples,
} from './sequences.ts';

// Faults of an order or a moment in documents of other forms: nested records, merge patches, ids of other types.

/** A record that was changed so often is acknowledged as removed, and stays. */
const staysAfterChanges = (changes: number) =>
  store(({ change, remove, read }) => {
    const counts = new Map<unknown, number>();
    return {
      change(collection, id, where, edit) {
        counts.set(id, (counts.get(id) ?? 0) + 1);
        return change(collection, id, where, edit);
      },
      async remove(collection, id, where) {
        const isStuck = (counts.get(id) ?? 0) >= changes;
        return isStuck ? (await read(collection, id, where)) !== undefined : remove(collection, id, where);
      },
    };
  });

/** A change at once with a create of the same collection is written back to what it was. */
const createRollsBack = store(({ create, change }) => {
  let creates = 0;
  return {
    async create(collection, given) {
      creates += 1;
      await sleep(40);
      creates -= 1;
      return create(collection, given);
    },
    async change(collection, id, where, edit) {
      let before: string | undefined;
      const text = await change(collection, id, where, (current) => {
        before = current;
        return edit(current);
      });
      await sleep(10);
      if (creates === 0 || before === undefined) return text;
      const members = JSON.parse(before) as Record<string, unknown>;
      await change(collection, id, where, (current) => ({ ...edit(current), members }));
      return text;
    },
  };
});

const LINEAR = 'linearizable';
const RESURRECTED = [LINEAR, 'removed-is-gone'] as const;

const FLEET = mockOf('fleet.yaml', { count: 5 });
const COURIERS = mockOf('couriers.yaml', { count: 5 });
const MOORINGS = mockOf('moorings.yaml', { count: 5 });
const BOOKINGS = mockOf('bookings.yaml', { count: 5 });
const STANDS = mockOf('bicycles.yaml', { count: 5 });

const inOrder = [
  ...mutants('fleet-order', withExamples(FLEET), CHANGED, [
    ['second-change-dropped', 'the second change of a vehicle or trip is not stored', dropFrom(2)],
    ['stale-base', 'later changes begin with the trip as it was before the first one', staleBase],
    ['old-returns', 'a changed vehicle or trip comes back when it is removed', RETURNS, oldVersionReturns],
  ]),
  ...mutants('couriers-order', withExamples(COURIERS), CHANGED, [
    ['third-put-dropped', 'every third PUT of a courier is not stored', dropEvery(3)],
    ['stays', 'a courier that was changed twice is not removed', RETURNS, staysAfterChanges(2)],
  ]),
  ...mutants(
    'moorings-order',
    withExamples(MOORINGS),
    [...KEPT, 'created-equals-sent'],
    [['inherited', 'a new berth has the values of one that was replaced twice and removed', inheritChanged]],
  ),
];

const atOnce = [
  ...mutants('fleet-at-once', FLEET, LINEAR, [
    ['update-lost', 'of two PATCHes of a trip at once one is lost', readThenWrite],
    ['create-rolls-back', 'a PUT at once with a POST is acknowledged and undone', createRollsBack],
  ]),
  ...mutants('couriers-at-once', COURIERS, LINEAR, [
    ['halves', 'of two PUTs at once each writes half of the courier', writeInHalves],
    ['one-id', 'couriers that are created at once get one id', ['distinct-ids', ...LOST], oneIdAtOnce],
  ]),
  ...mutants('moorings-at-once', MOORINGS, LINEAR, [
    ['copied', 'each write replaces all berths, and loses others at once', [LINEAR, ...LOST], copyOnWrite],
  ]),
  ...mutants('bookings-at-once', BOOKINGS, LINEAR, [
    ['update-lost', 'of two PATCHes of a booking at once one is lost', readThenWrite],
  ]),
  ...mutants('bicycles-at-once', STANDS, RESURRECTED, [
    [
      'delete-dropped',
      'DELETE at once with a PUT is acknowledged and dropped',
      whileChanging('drop removals'),
    ],
  ]),
];

export const combinedMutants = [...inOrder, ...atOnce];
