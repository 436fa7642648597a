import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { type Basis, basisOf, type Sign } from './basis.ts';
import { foldedName } from './names.ts';
import { HEDGES, has, isTakenBack, membersBehind, sentencesIn, textOfParameter } from './words.ts';

/** A query parameter whose text is looked for in records. */
export interface Search extends Basis {
  readonly parameter: Parameter;
  /** The members that are looked through, as the document says; empty: it does not. */
  readonly members: readonly string[];
}

const NAMES =
  'q query search searchterm searchtext searchquery searchstring keyword keywords term text'.split(' ');
const SEARCHES = ['search', 'searches', 'searched', 'searching'];
const LOOKS = [
  ...SEARCHES,
  ...['look', 'looks', 'looked', 'find', 'finds', 'match', 'matches', 'matching', 'matched', 'whose'],
  ...['contain', 'contains', 'containing'],
];
const PLACES = ['in', 'by', 'on', 'through', 'across'];
/** Other ways to find a record than by a part of its text. */
const OTHERWISE = [
  'prefix',
  'starts',
  'start',
  'begins',
  'fuzzy',
  'full text',
  'stemming',
  'similar',
  'exact',
];

/** The search of a list; undefined: it has none. */
export function searchOf(list: Operation, record: Shape): Search | undefined {
  const isSearch = (one: Parameter) =>
    NAMES.includes(foldedName(one.name)) || (one.name === 's' && searches(one).length > 0);
  const parameter = list.parameters.find(
    (one) =>
      one.in === 'query' &&
      one.shape.mainType === 'string' &&
      !record.properties.has(one.name) &&
      isSearch(one) &&
      !isTakenBack(one),
  );
  if (!parameter) return undefined;
  const texts = [...record.properties].filter(([, { mainType, values }]) => mainType === 'string' && !values);
  const names = texts.map(([name]) => name);
  const sentences = sentencesIn(textOfParameter(parameter));
  const isPlain = !sentences.some((one) => has(one, OTHERWISE));
  const told = isPlain ? sentences.filter((one) => has(one, LOOKS) && !has(one, HEDGES)) : [];
  const behind = told.flatMap((one) => membersBehind(one, [...LOOKS, ...PLACES], names));
  const members = names.filter((name) => behind.includes(name));
  const signs: Sign[] = members.length > 0 ? ['name', 'words'] : ['name'];
  return { parameter, members, ...basisOf(signs, parameter.spot) };
}

const searches = (one: Parameter) =>
  sentencesIn(textOfParameter(one)).filter((sentence) => has(sentence, SEARCHES));
