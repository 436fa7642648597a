import { basisOf } from '../meaning/basis.ts';
import { memberNamed } from '../meaning/member-named.ts';
import { foldedName, setOf, wordsOf } from '../meaning/names.ts';
import { CONTAINS, type Search, withoutFilter } from '../meaning/selection.ts';
import {
  HEDGES,
  has,
  isTakenBack,
  listed,
  membersBehind,
  sentencesIn,
  textOfParameter,
} from '../meaning/words.ts';
import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';

/** The query parameters of which nothing is taken back. */
export const openIn = ({ parameters }: Operation) =>
  parameters.filter((one) => one.in === 'query' && !isTakenBack(one));

const SEARCHING = setOf('q query search searchterm searchtext keyword keywords term text');
/** Whether a query parameter asks for records by a text in them, by its name. */
export const isSearchName = (name: string): boolean => SEARCHING.has(wordsOf(name).join(''));

const LOOKS = listed('search~|look~|find|finds|match~|whose|contain~|in|by');

/** The search of a list; undefined: it has none. */
export function searchOf(list: Operation, record: Shape): Search | undefined {
  const parameter = openIn(list).find(
    ({ name, shape }) =>
      shape.mainType === 'string' && !record.properties.has(name) && isSearchName(withoutFilter(name)),
  );
  if (!parameter) return undefined;
  const texts = [...record.properties].filter(([, { mainType, values }]) => mainType === 'string' && !values);
  const sentences = sentencesIn(textOfParameter(parameter));
  const isPlain = !sentences.some((one) => has(one, [...HEDGES, ...NO_PART]));
  const told = isPlain ? sentences : [];
  const names = texts.map(([name]) => name);
  const members = new Set(told.flatMap((one) => membersBehind(one, LOOKS, names)));
  const basis = basisOf(['name', members.size > 0 && 'words'], parameter.spot);
  return { parameter, members: names.filter((name) => members.has(name)), ...basis };
}

/** Searches in one member: `name__icontains`, `filter[name][contains]`. */
export function partsOf(list: Operation, record: Shape): Search[] {
  return openIn(list).flatMap((parameter): Search[] => {
    const name = withoutFilter(parameter.name);
    const property = CONTAINS.test(name) ? memberNamed(record, name.replace(CONTAINS, '')) : undefined;
    const own = memberNamed(record, name);
    // The name of somebody is that of the record's, in two parts.
    const called = foldedName(name) === 'name' && own === undefined ? ['first_name', 'last_name'] : [];
    const members =
      property === undefined ? called.flatMap((one) => memberNamed(record, one) ?? []) : [property];
    return members.length === 0 ? [] : [{ parameter, members, ...basisOf(['name'], parameter.spot) }];
  });
}

/** Other ways to find a record than by a part of its text. */
export const NO_PART = listed(
  'starts|starting|begins|beginning|prefix~|fuzzy|full text|similar|stemming|exact',
);
