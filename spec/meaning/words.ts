import type { Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { foldedName, remembered, singular } from './names.ts';

/**
 * Reads descriptions by small tables of phrases. Words are one sign of a fact where they state the relation to the
 * member; alone they promise nothing. A fact that they deny is dropped, and one that they hedge keeps only its other signs.
 */

/** Summary and description. */
export const textOf = ({ value }: Spot): string => (isRecord(value) ? textIn(value) : '');

const textIn = oncePer(({ summary, description }: Readonly<Record<string, unknown>>) => {
  const texts = [summary, description].filter((text) => typeof text === 'string');
  return texts.join('. ').replaceAll(/\s+/g, ' ');
});

export function textOfParameter({ spot, shape }: Parameter): string {
  return [spot, ...shape.parts].map(textOf).join(' ');
}

/** Texts in quotation marks, which may be valid values: `Name of the zone (e.g. "example.com.")`. */
export function quotedIn({ parts }: Shape): string[] {
  const texts = parts.flatMap((part) => [...textOf(part).matchAll(/["“‘`]([^"”’`]{1,80})["”’`]/g)]);
  return texts.map(([, quoted = '']) => quoted);
}

const WORD = /\p{Lu}+s?(?![\p{Ll}\p{N}])|\p{Lu}?[\p{Ll}\p{N}]+|\p{Lo}+|[<>]=?|[≤≥]/gu;

/** The words of a text or a name in lower case, with blanks around each: ` created at ` of `createdAt`. */
export const spoken = remembered((text) => ` ${(text.match(WORD) ?? []).join(' ').toLowerCase()} `);

/** The sentences of a text, each {@link spoken}. */
export const sentencesIn = (text: string, end = /(?<=[.;:!?])\s/): string[] => text.split(end).map(spoken);

/** Whether a sentence contains one of the phrases; `list~` stands for any word that begins with it. */
export const has = (sentence: string, phrases: readonly string[]) =>
  phrases.some((phrase) => sentence.includes(withBlanks(phrase)));

const withBlanks = remembered((one) => (one.endsWith('~') ? ` ${one.slice(0, -1)}` : ` ${one} `));

/** All phrases of a first and a second part. */
export const joined = (first: string, second: string) =>
  first.split('|').flatMap((one) => second.split('|').map((other) => `${one} ${other}`));
export const listed = (text: string) => text.split('|');

const OF_ONESELF = [
  ...joined('the|of|for|by', 'authenticated user|current user|logged in user|signed in user|requesting user'),
  ...joined('list|get|see|view|all', 'my|your own|own'),
];
/** Whether a sentence restricts an operation to what belongs to the caller. */
export const saysOwn = (sentence: string): boolean => has(sentence, OF_ONESELF);

const DENIALS = [
  ...joined('not|not yet', 'supported|implemented|used'),
  ...listed('not a filter|no filter|no effect|without effect|is ignored|currently ignored|unused'),
];

/** Whether a description says that a parameter has no effect. */
export const isTakenBack = (parameter: Parameter): boolean =>
  takenBack(isRecord(parameter.spot.value) ? parameter.spot.value : parameter, parameter);

/** Cached by Parameter Object, since many operations refer to the same one. */
const takenBack = oncePer((_: object, parameter: Parameter) =>
  has(spoken(textOfParameter(parameter)), DENIALS),
);

/** Words that weaken a sentence: it describes what may happen, not what does. */
export const HEDGES = listed('may|might|hint|best effort|ignore~');

const ARTICLES = listed('the|a|an|its|their|one');
/** Words that point to the value of the parameter. */
const POINTING = listed('this|that|these|those|given|specified|same|requested|chosen|provided');

/** A sentence without articles, with `*` for a name and `this` for pointing words: `in the given state` becomes `in this *`. */
export function marked(sentence: string, name: string): string {
  const words = sentence.trim().split(' ');
  const wanted = singular(foldedName(name));
  const left = [];
  for (let at = 0; at < words.length; at += 1) {
    const [word = ''] = words.slice(at);
    const length = [1, 2, 3].find((one) => singular(words.slice(at, at + one).join('')) === wanted);
    if (length !== undefined) left.push('*');
    else if (!ARTICLES.includes(word)) left.push(POINTING.includes(word) ? 'this' : word);
    at += (length ?? 1) - 1;
  }
  return ` ${left.join(' ')} `.replaceAll(' this this ', ' this ');
}

/** Words that may stand before and between the names of members. */
const CONNECTORS = listed('in|by|on|through|across|and|or|the|its|their|a|either|field|fields');

/** The members that a sentence names directly after one of these words. `by the name of the owner` names none. */
export function membersBehind(
  sentence: string,
  starts: readonly string[],
  names: readonly string[],
): string[] {
  const named: string[] = [];
  let [rest, isBehind] = [sentence, false];
  while (rest.trim() !== '') {
    const [, word = ''] = rest.split(' ');
    const [name] = names
      .filter((one) => rest.startsWith(spoken(one)))
      .toSorted((left, right) => right.length - left.length);
    rest = rest.slice(name === undefined ? word.length + 1 : spoken(name).length - 1);
    if (name === undefined) isBehind = has(` ${word} `, starts) || (isBehind && CONNECTORS.includes(word));
    else if (isBehind && !rest.startsWith(' of ')) named.push(name);
    else isBehind = false;
  }
  return names.filter((name) => named.includes(name));
}

/** Phrases for counts, and for sums. */
export const COUNTS = listed('number of|count of|how many');
export const SUMS = listed('sum of|total of|adds up');
/** Words for a number that covers only some records, or another moment, so that it cannot be computed from a list. */
export const PARTLY = listed(
  'today|day|days|week|month|year|hour|hours|last|since|recent|recently|until|period|only|excluding|except|without|' +
    'cached|approximate~|estimate~|roughly|may|might|average|median|daily|approved|published|visible|unread|available|' +
    'expected|planned|required|maximum|allowed|distinct|unique|plus|minus|less|tax|taxes|discount~|fee|fees|net|rounded',
);

/**
 * Whether a description says that a value is assumed when the member is absent, or is always shown: `if omitted, the default
 * is false`, `its value is always 0`.
 * @param shown undefined: the member is not shown
 */
export function saysShown({ parts }: Shape, sent: unknown, shown: unknown): boolean {
  const [word, phrase] = shown === undefined ? [sent, 'default'] : [shown, 'always'];
  if (typeof word === 'object' || word === undefined || spoken(String(word)) === '  ') return false;
  const says = (sentence: string) => has(sentence, [phrase]) && sentence.includes(spoken(String(word)));
  return parts.some((part) => sentencesIn(textOf(part)).some(says));
}
