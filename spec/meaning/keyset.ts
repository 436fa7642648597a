import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { type Basis, basisOf } from './basis.ts';
import { foldedName, setOf, wordsOf } from './names.ts';
import type { Paging } from './paging.ts';
import { has, listed, spoken, textOfParameter } from './words.ts';

/** What list queries say beside filters, bounds and pages onwards. */

const BEFORE = setOf('endingbefore endbefore beforeid previd before');

/** The query parameter with the id of the record that a page ends before, as `x-paddock` says, by its name else. */
export function endingBeforeOf({ parameters, said: { facts } }: Operation): Parameter | undefined {
  const { query = {} } = facts;
  const inQuery = parameters.filter((one) => one.in === 'query');
  const isNamed = (one: Parameter) =>
    query[one.name] === undefined &&
    BEFORE.has(foldedName(one.name)) &&
    one.shape.find('format') === undefined &&
    has(spoken(textOfParameter(one)), ['id', 'ids', 'identifier', 'cursor']);
  return inQuery.find(({ name }) => query[name] === '$before') ?? inQuery.find(isNamed);
}

/** Where a page would show the cursor of the one before it: beside that of the next one, with the name of its parameter. */
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

/** What such a parameter is said to do. */
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
    // Of a flag `false` leaves nothing out, and a list of fields is one of what is shown.
    const [property] =
      [...record.properties].find(
        ([name, { mainType = '' }]) => foldedName(name) === rest && EXCLUDED.includes(mainType),
      ) ?? [];
    if (parameter.in !== 'query' || !isNegated || property === undefined) return [];
    const isDenied = has(spoken(textOfParameter(parameter)), LEAVING_OUT);
    return [{ parameter, property, ...basisOf(['name', isDenied && 'words'], parameter.spot) }];
  });
}

/** Whether a search is said to find parts of texts, and texts in another case. */
export function searchesIn(parameter: Parameter): { readonly parts: boolean; readonly cases: boolean } {
  const said = spoken(textOfParameter(parameter));
  return {
    parts: has(said, listed('part|parts|contain|contains|containing|substring|within|in')),
    cases: has(said, listed('case|case insensitive|insensitive|caseless')) && !has(said, ['case sensitive']),
  };
}
