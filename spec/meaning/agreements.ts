import type { Shape } from '../schema/shape.ts';
import { has, listed, sentencesIn, spoken, textOf } from './words.ts';

/** What a number of an object is, as its description says: of a list beside it how many items there are, or a sum. */
export interface Agreement {
  /** The member with the list. */
  readonly list: string;
  /** The member of the items that is added up; undefined: they are counted. */
  readonly added: string | undefined;
  /** The description. */
  readonly text: string;
}

const COUNTS = listed('number of|count of|how many');
const SUMS = listed('sum of|total of|adds up');

export function agreementOf(shape: Shape, member: Shape): Agreement | undefined {
  const text = member.parts.map(textOf).join(' ');
  const lists = [...shape.properties].filter(([, { mainType }]) => mainType === 'array');
  for (const sentence of text === '' || lists.length === 0 ? [] : sentencesIn(text))
    for (const [list, { items }] of lists) {
      if (!sentence.includes(spoken(list))) continue;
      if (has(sentence, COUNTS)) return { list, added: undefined, text };
      const added = has(sentence, SUMS) ? addedOf(items, sentence) : undefined;
      if (added !== undefined) return { list, added, text };
    }
  return undefined;
}

/** The member of the items that a sentence names, else their only number. */
function addedOf(items: Shape | undefined, sentence: string): string | undefined {
  const numbers = [...(items?.properties ?? [])].flatMap(([name, { mainType }]) =>
    mainType === 'integer' || mainType === 'number' ? name : [],
  );
  const only = numbers.length === 1 ? numbers[0] : undefined;
  return numbers.find((name) => sentence.includes(spoken(name))) ?? only;
}
