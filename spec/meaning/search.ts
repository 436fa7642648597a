import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { statedSearch } from '../stated.ts';
import type { Basis } from './basis.ts';

/** A query parameter whose text is looked for in records. */
export interface Search extends Basis {
  readonly parameter: Parameter;
  /** The members that are looked through, as the document says; empty: it does not. */
  readonly members: readonly string[];
}

const SEARCH = /^(?:q|query|search(?:_?(?:term|text|query|string))?|keywords?|term|text)$/i;

/** The search of a list; undefined: it has none. */
export function searchOf(list: Operation, record: Shape): Search | undefined {
  const isSearch = (one: Parameter) =>
    SEARCH.test(one.name) || (one.name === 's' && statedSearch(one).some((word) => /^search/i.test(word)));
  const parameter = list.parameters.find(
    (one) =>
      one.in === 'query' &&
      isSearch(one) &&
      one.shape.mainType === 'string' &&
      !record.properties.has(one.name),
  );
  if (!parameter) return undefined;
  const words = statedSearch(parameter);
  const texts = [...record.properties].filter(([, { mainType, values }]) => mainType === 'string' && !values);
  const members = texts.map(([name]) => name).filter((name) => words.includes(name));
  return {
    parameter,
    members,
    certainty: members.length > 0 ? 'promised' : 'presumed',
    because: parameter.spot,
  };
}
