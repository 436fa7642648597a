import { parseJson, stringifyJson } from '#spec';
import { type MockFault, mockOf, reordered, response } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { lookalikes } from '../suspect.ts';

const RANKS = ['new', 'used', 'worn'];
const rankOf = ({ condition }: Data) => RANKS.indexOf(String(condition));
const byRank = (one: Data, other: Data, sort: unknown) =>
  sort === 'condition' ? rankOf(one) - rankOf(other) : 0;

/** Titles as a person orders them, whatever the case of their letters is. */
const byCollation = (one: Data, other: Data, sort: unknown) => {
  if (sort !== 'title' && sort !== '-title') return 0;
  const order = String(one.title).localeCompare(String(other.title), 'en', { numeric: true });
  return sort === 'title' ? order : -order;
};

const newestOfEqual = (one: Data, other: Data, sort: unknown) =>
  sort === '-price' && one.price === other.price ? Number(other.id) - Number(one.id) : 0;

/** The list with what a query lets through beside. */
const listed = (change: (records: Data[], query: Data) => Data[]): MockFault =>
  response('list', (given, { values }) => {
    const records = parseJson(String(given.body)) as Data[];
    return { ...given, body: stringifyJson(change(records, values.parameters.query)) };
  });

const withoutTheBound = listed((records, query) =>
  records.filter(({ closes_at }) => closes_at === undefined || closes_at !== query.closes_after),
);

export const queriesLookalikes = lookalikes('auctions', mockOf('auctions.yaml'), [
  ['conditions-by-rank', 'an enumeration has an order of its own', reordered(byRank)],
  ['titles-by-collation', 'titles are ordered as in a dictionary', reordered(byCollation)],
  ['newest-of-equal-first', 'of equal prices the newest comes first', reordered(newestOfEqual)],
  ['bound-left-out', 'a bound that the document leaves open is left out', withoutTheBound],
]);
