import { type Data, isRecord } from '../json/json-value.ts';
import type { Shape } from '../schema/shape.ts';
import { type Basis, basisOf } from './basis.ts';
import { COUNTS, has, PARTLY, SUMS, sentencesIn, spoken, textOf } from './words.ts';
import { saidOfRecord } from './x-paddock.ts';

/** A number that must equal the length of a list beside it, or a sum over its items, as a description or `x-paddock` says. */
export interface Agreement extends Basis {
  /** The member with the list. */
  readonly list: string;
  /** The member of the items to add up; undefined: count the items. */
  readonly added: string | undefined;
  /** The description that states it. */
  readonly text: string;
}

export function agreementOf(shape: Shape, name: string, member: Shape): Agreement | undefined {
  const lists = [...shape.properties].filter(([, { mainType }]) => mainType === 'array');
  const { facts, at } = saidOfRecord(shape);
  const { counts, adds } = facts.members?.[name] ?? {};
  const [list = '', added] = (adds ?? counts ?? '').split('.');
  if (lists.some(([one]) => one === list)) {
    const basis = basisOf(['said'], at('members', name) ?? member.spot);
    return { list, added: adds === undefined ? undefined : added, text: 'x-paddock', ...basis };
  }
  const text = member.parts.map(textOf).join(' ');
  for (const sentence of text === '' || lists.length === 0 ? [] : sentencesIn(text))
    for (const [list, { items }] of lists) {
      if (!sentence.includes(spoken(list)) || has(sentence, PARTLY)) continue;
      const added = has(sentence, COUNTS) ? undefined : addedOf(items, sentence);
      if (added === undefined && !has(sentence, COUNTS)) continue;
      return { list, added, text, ...basisOf(['words'], member.spot) };
    }
  return undefined;
}

/** The member of the items that a sentence about a sum names, else the only number that they have. */
function addedOf(items: Shape | undefined, sentence: string): string | undefined {
  if (!has(sentence, SUMS)) return undefined;
  const members = [...(items?.properties ?? [])];
  const numbers = members.flatMap(([name, { isNumeric }]) => (isNumeric ? name : []));
  const only = numbers.length === 1 ? numbers[0] : undefined;
  return numbers.find((name) => sentence.includes(spoken(name))) ?? only;
}

/** The count or sum of the list in a value; undefined: the list is absent, or an item lacks the number. */
export function agreedNumber({ list, added }: Agreement, value: Data): number | undefined {
  const items = value[list];
  if (!Array.isArray(items)) return undefined;
  if (added === undefined) return items.length;
  const numbers = items.map((item) => (isRecord(item) ? item[added] : undefined));
  return numbers.every((number) => typeof number === 'number') ? sumOf(numbers) : undefined;
}

/** A sum without binary rounding errors: 0.1 + 0.2 gives 0.3. */
export const sumOf = (numbers: readonly number[]): number =>
  Math.round(numbers.reduce((sum, number) => sum + number, 0) * 1e6) / 1e6;

/** Compiles a function that sets counts and sums to those of the lists beside them; undefined: the object has none. */
export function compileAgreeing(shape: Shape): ((value: Data) => Data) | undefined {
  const all = [...shape.properties].flatMap(([name, member]) => {
    const agreement = member.isNumeric ? agreementOf(shape, name, member) : undefined;
    return agreement ? [{ name, member, agreement }] : [];
  });
  if (all.length === 0) return undefined;
  return (value) => {
    const wanted = all.flatMap(({ name, member, agreement }): [string, number][] => {
      const number = Object.hasOwn(value, name) ? agreedNumber(agreement, value) : undefined;
      return number !== undefined && member.allows(number) ? [[name, number]] : [];
    });
    return wanted.length === 0
      ? value
      : Object.assign(Object.create(null), value, Object.fromEntries(wanted));
  };
}
