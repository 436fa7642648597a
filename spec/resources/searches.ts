import { basisOf } from '../meaning/basis.ts';
import { memberNamed } from '../meaning/member-named.ts';
import { foldedName, idWord, setOf, wordsOf } from '../meaning/names.ts';
import { CONTAINS, type Search, withoutFilter } from '../meaning/selection.ts';
import {
  HEDGES,
  has,
  isTakenBack,
  listed,
  membersBehind,
  sentencesIn,
  spoken,
  textOfParameter,
} from '../meaning/words.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { memberShape } from './record-schema.ts';

/** The query parameters that no description declares to be without effect. */
export const openIn = ({ parameters }: Operation) =>
  parameters.filter((parameter) => parameter.in === 'query' && !isTakenBack(parameter));

const SEARCHING = setOf('q query search searchterm searchtext keyword keywords term text');
/** Whether a query parameter searches, by its name. */
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
  const isPlain = !sentences.some((sentence) => has(sentence, [...HEDGES, ...NO_PART]));
  const told = isPlain ? sentences : [];
  const names = texts.map(([name]) => name);
  const members = new Set(told.flatMap((one) => membersBehind(one, LOOKS, names)));
  const basis = basisOf(['name', members.size > 0 && 'words'], parameter.spot);
  return { parameter, members: names.filter((name) => members.has(name)), ...basis };
}

/** The searches of a list in single members: `name__icontains`, `filter[name][contains]`. */
export function partsOf(list: Operation, record: Shape): Search[] {
  return openIn(list).flatMap((parameter): Search[] => {
    const name = withoutFilter(parameter.name);
    const property = CONTAINS.test(name) ? memberNamed(record, name.replace(CONTAINS, '')) : undefined;
    const member = memberNamed(record, name);
    // `name` may mean a first and a last name.
    const called = foldedName(name) === 'name' && member === undefined ? ['first_name', 'last_name'] : [];
    const searched = property ?? (isPart(parameter, record) ? member : undefined);
    const members =
      searched === undefined ? called.flatMap((one) => memberNamed(record, one) ?? []) : [searched];
    return members.length === 0 ? [] : [{ parameter, members, ...basisOf(['name'], parameter.spot) }];
  });
}

const TEXTS = setOf('title name description content body text subject headline caption');
const SEARCHES = listed('search~|contain~|partial~|substring|keyword~|like');

/** Whether a parameter with the name of a text matches a part of it: for names and titles, or as its description says. */
export function isPart(parameter: Parameter, record: Shape): boolean {
  const { name, shape } = parameter;
  const memberName = memberNamed(record, name);
  const member = memberName === undefined ? undefined : memberShape(record, memberName);
  const isFree = [shape, member].every(
    (one) => one?.mainType === 'string' && !one.values && !one.find('format') && !one.has('pattern'),
  );
  if (!isFree || idWord(name) !== undefined) return false;
  const text = spoken(textOfParameter(parameter));
  return !has(text, NO_PART) && (TEXTS.has(foldedName(name)) || has(text, SEARCHES));
}

/** Phrases that rule out a match by a part. */
export const NO_PART = listed(
  'starts|starting|begins|beginning|prefix~|fuzzy|full text|similar|stemming|exact',
);
