import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { type Basis, basisOf } from './basis.ts';
import { foldedName, setOf, wordsOf } from './names.ts';
import type { Paging } from './paging.ts';
import { has, listed, spoken, textOfParameter } from './words.ts';

/** Query parameters beside filters, bounds and forward paging: backward cursors, exclusions, searches. */

const BEFORE = setOf('endingbefore endbefore beforeid previd before');

/** The query parameter for the record that a page ends before: as `x-paddock` says, else by its name. */
export function endingBeforeOf({ parameters, said: { facts } }: Operation): Parameter | undefined {
  const { query = {} } = facts;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const isNamed = (parameter: Parameter) =>
    query[parameter.name] === undefined &&
    BEFORE.has(foldedName(parameter.name)) &&
    parameter.shape.find('format') === undefined &&
    has(spoken(textOfParameter(parameter)), ['id', 'ids', 'identifier', 'cursor']);
  return inQuery.find(({ name }) => query[name] === '$before') ?? inQuery.find(isNamed);
}

/** Where a page shows the cursor of the previous page: beside the cursor of the next one, under the parameter's name. */
export function previousCursorAt(
  operation: Operation,
  { members }: Pick<Paging, 'members'>,
): readonly string[] | undefined {
  const back = endingBeforeOf(operation);
  const next = members.find(({ says }) => says === 'next cursor');
  return back && next && [...next.path.slice(0, -1), back.name];
}

const NEGATIONS = new Set(listed('not|ne|neq|exclude|excluding|excluded|except|without'));

const EXCLUDED: readonly string[] = ['string', 'integer', 'number'];

/** Phrases that describe an exclusion. */
const LEAVING_OUT = listed(
  'leaves out|leave out|exclude|excludes|excluding|omit|omits|without|except|not in',
);

/** A query parameter that leaves out the records with its value in a member: `status_not`, `exclude_status`. */
export interface Exclusion extends Basis {
  readonly parameter: Parameter;
  readonly property: string;
}

export function exclusionsOf({ parameters, said }: Operation, record: Shape): Exclusion[] {
  return parameters.flatMap((parameter) => {
    const told = said.facts.query?.[parameter.name];
    if (told !== undefined) {
      const [, property] = /^!=\s*(.*)$/.exec(String(told)) ?? [];
      const spot = said.at('query', parameter.name) ?? parameter.spot;
      return property === undefined ? [] : [{ parameter, property, ...basisOf(['said'], spot) }];
    }
    const words = wordsOf(parameter.name);
    const isNot = (word: string, at: number) =>
      NEGATIONS.has(word) || (word === 'is' && words[at + 1] === 'not');
    const rest = words.filter((word, at) => !isNot(word, at)).join('');
    const isNegated = words.length > 1 && words.some((word) => NEGATIONS.has(word));
    // Flags and lists are left out: `exclude_archived=false` excludes nothing, and a list of fields selects what is shown.
    const [property] =
      [...record.properties].find(
        ([name, { mainType = '' }]) => foldedName(name) === rest && EXCLUDED.includes(mainType),
      ) ?? [];
    if (parameter.in !== 'query' || !isNegated || property === undefined) return [];
    const isDenied = has(spoken(textOfParameter(parameter)), LEAVING_OUT);
    return [{ parameter, property, ...basisOf(['name', isDenied && 'words'], parameter.spot) }];
  });
}

/** Whether a search is described as matching parts of texts, and as ignoring case. */
export function searchesIn(parameter: Parameter): { readonly parts: boolean; readonly cases: boolean } {
  const description = spoken(textOfParameter(parameter));
  return {
    parts: has(description, listed('part|parts|contain|contains|containing|substring|within|in')),
    cases:
      has(description, listed('case|case insensitive|insensitive|caseless')) &&
      !has(description, ['case sensitive']),
  };
}
