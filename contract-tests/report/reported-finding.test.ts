import { expect, test } from 'vitest';
import type { Behaviour } from '../../quality/mutants/by-hand/behaviour.ts';
import { stock } from '../../quality/mutants/by-hand/pet.ts';
import type { LawName } from '../laws/law.ts';
import { reportOn } from '../testing/report-on.ts';

const RECORDS = 31;
const wrongTypeAt = (index: number): Behaviour['stock'] => {
  return () => stock(RECORDS).map((record, at) => (at === index ? { ...record, name: 17 } : record));
};

/** Numbers of the records that a response in a report shows, and what it says of the others. */
function shown(response: string | undefined): { ids: number[]; rest: string } {
  const [, body = ''] = response?.split('\n\n') ?? [];
  const ids = [...body.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
  return { ids, rest: /….*$/.exec(body)?.[0] ?? '' };
}

test.for<
  [string, { behaviour: Partial<Behaviour>; only: string; law: LawName; ids: number[]; rest: string }]
>([
  [
    'the record that does not fit its schema',
    {
      behaviour: { stock: wrongTypeAt(17) },
      only: 'distinct-ids',
      law: 'schema',
      ids: [218],
      rest: '… (1 concerned, of 31 records in all)',
    },
  ],
  [
    'some of those that a filter should have held back',
    {
      behaviour: { matches: () => true },
      only: 'listPets/200/status-sold$',
      law: 'filter',
      ids: [201, 202, 204],
      rest: '… (15 concerned, of 20 records in all)',
    },
  ],
  [
    'some of those beyond the limit',
    {
      behaviour: { page: (records) => records },
      only: 'limit-least',
      law: 'page-size',
      ids: [202, 203, 204],
      rest: '… (30 concerned, of 31 records in all)',
    },
  ],
])('of a list a report keeps %s', async ([, { behaviour, only, law, ids, rest }]) => {
  const { findings } = await reportOn(behaviour, { only });
  expect(shown(findings.find((one) => one.law === law)?.response)).toEqual({ ids, rest });
});

test('a list of which every record is concerned is reported whole', async () => {
  const two: Behaviour['stock'] = () => stock(2).map((record) => ({ ...record, name: 17 }));
  const { findings } = await reportOn({ stock: two }, { only: 'distinct-ids' });
  expect(shown(findings[0]?.response)).toEqual({ ids: [201, 202], rest: '' });
});
