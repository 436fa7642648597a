import type { Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { singular } from './names.ts';

/**
 * What descriptions say in phrases of small tables. Words are one sign of a fact where they state the relation to the
 * member; alone they promise nothing. What they take back is no fact at all, and what they weaken is one by its name alone.
 */

/** Summary and description. */
export function textOf({ value }: Spot): string {
  const { summary, description } = isRecord(value) ? value : {};
  const texts = [summary, description].filter((text) => typeof text === 'string');
  return texts.join('. ').replaceAll(/\s+/g, ' ');
}

export function textOfParameter({ spot, shape }: Parameter): string {
  return [spot, ...shape.parts].map(textOf).join(' ');
}

/** What stands in quotation marks there: values that may be good, as in `Name of the zone (e.g. "example.com.")`. */
export function quotedIn({ parts }: Shape): string[] {
  const texts = parts.flatMap((part) => [...textOf(part).matchAll(QUOTED)]);
  return texts.map(([, quoted = '']) => quoted);
}

const QUOTED = /["“‘`]([^"”’`]{1,80})["”’`]/g;

const WORD = /\p{Lu}+s?(?![\p{Ll}\p{N}])|\p{Lu}?[\p{Ll}\p{N}]+|\p{Lo}+|[<>]=?|[≤≥]/gu;

/** The words of a text or a name in lower case, with blanks around each: ` created at ` of `createdAt`. */
export const spoken = (text: string) => ` ${(text.match(WORD) ?? []).join(' ').toLowerCase()} `;

/** Its sentences, {@link spoken}. */
export const sentencesIn = (text: string, end = /(?<=[.;:!?])\s/): string[] => text.split(end).map(spoken);

export const has = (sentence: string, phrases: readonly string[]) =>
  phrases.some((phrase) => sentence.includes(` ${phrase} `));

/** Every first part before every second one. */
export const joined = (first: string, second: string) =>
  first.split('|').flatMap((one) => second.split('|').map((other) => `${one} ${other}`));
export const listed = (text: string) => text.split('|');

/** The sentences of an operation that name a parameter, and those of the parameter itself. */
export function sentencesAbout(list: Operation, parameter: Parameter, end?: RegExp): string[] {
  const name = spoken(parameter.name);
  const others = sentencesIn(textOf(list.spot), end).filter((one) => one.includes(name));
  return [...sentencesIn(textOfParameter(parameter), end), ...others];
}

const DENIALS = [
  ...['not a filter', 'no filter', 'not filter', 'not used', 'not supported', 'not implemented', 'no effect'],
  ...[
    'not yet supported',
    'not yet implemented',
    'is ignored',
    'currently ignored',
    'without effect',
    'unused',
  ],
];
/** What is only so sometimes, or for something else, is not taken back. */
const CONDITIONS = 'if|when|unless|where|for|with|without|case|values|value|unknown|invalid|other'.split('|');

/** Whether a parameter is said to do nothing. */
export function isTakenBack(parameter: Parameter): boolean {
  return sentencesIn(textOfParameter(parameter)).some((one) => has(one, DENIALS) && !has(one, CONDITIONS));
}

/** What may be so need not be so. */
export const HEDGES = ['may', 'might', 'hint', 'best effort', 'ignored', 'ignores', 'not a filter'];
/** Of a comparison that is no equality, of what is shown besides, and of what is only shown before the rest. */
const OTHERWISE = [
  ...[
    'starts',
    'start with',
    'starting',
    'begins',
    'begin with',
    'beginning',
    'prefix',
    'prefixes',
    'suffix',
  ],
  ...['substring', 'partial', 'partially', 'fuzzy', 'insensitive', 'ignoring case', 'wildcard', 'wildcards'],
  ...[
    'pattern',
    'regex',
    'regular expression',
    'like',
    'similar',
    'approximate',
    'approximately',
    'full text',
  ],
  ...[
    'at least',
    'at most',
    'or higher',
    'or lower',
    'or more',
    'or less',
    'or later',
    'or earlier',
    'or above',
  ],
  ...[
    'or below',
    'or greater',
    'or newer',
    'or older',
    'up to',
    'before',
    'after',
    'since',
    'until',
    'greater',
  ],
  ...[
    'less',
    'older',
    'newer',
    'higher',
    'lower',
    'minimum',
    'maximum',
    'other than',
    'except',
    'too',
    'also',
  ],
  ...[
    'exclude',
    'excludes',
    'excluding',
    'excluded',
    'embed',
    'embeds',
    'expand',
    'expands',
    'hide',
    'as well',
  ],
  ...listed('prefer|prefers|preferred|preferably|favour|favours|favor|favors|rank|ranks|ranked'),
  ...listed('boost|boosts|boosted|highlight|highlights|highlighted|come first|comes first|shown first'),
];
/** Of what is shown besides, unless it is that only. */
const SHOWN = ['include', 'includes', 'including', 'included', 'whether to', 'whether or not to'];
/** A flag that is not set leaves nothing out. */
const SHOWN_BY_FLAG = [
  ...SHOWN,
  'show',
  'shows',
  'return',
  'returns',
  'returned',
  'list',
  'lists',
  'display',
];
/** Of a list in the record they state that it has the value. */
const PARTLY = ['contain', 'contains', 'containing'];
const NEGATIONS = ['not', 'no', 'never', 'without', 'none'];

/** They say that the value is that of the parameter. */
const pointing = new Set('this|that|these|those|given|specified|same|requested|chosen|provided'.split('|'));
const determiners = new Set([...pointing, ...'the|a|an|its|their|one'.split('|')]);
const FILTERS = [
  ...['only', 'filter', 'filters', 'filtered', 'filtering', 'restrict', 'restricts', 'restricted', 'narrow'],
  ...['narrows', 'narrowed', 'limit', 'limits', 'limited', 'find', 'finds', 'select', 'selects', 'selected'],
];
const HAVING = new Set('with|has|have|having|match|matches|matching|by|whose|equals'.split('|'));
const AROUND = new Set('in|of|for|from|to|on|at'.split('|'));
const BEHIND = [
  'to filter',
  'filter',
  'for filtering',
  'equals',
  'equal to',
  'is equal to',
  'is this',
  'is the given',
];

/** Whether a word is followed by what stands for the value of a parameter: `after this moment`. */
export function pointsAfter(sentence: string, word: string): boolean {
  const words = sentence.trim().split(' ');
  return words.some((one, at) => {
    const [next = '', second = ''] = words.slice(at + 1);
    return one === word && (pointing.has(next) || (next === 'the' && pointing.has(second)));
  });
}

/** What may stand between the names of members. */
const CONNECTORS = new Set(
  'in by on through across and or the its their a of either member members field fields property'.split(' '),
);

/** The members that a sentence names right behind one of these words: of `by the name of the owner` none. */
export function membersBehind(
  sentence: string,
  starts: readonly string[],
  names: readonly string[],
): string[] {
  const found = starts.flatMap((start) =>
    sentence
      .split(` ${start} `)
      .slice(1)
      .flatMap((rest) => namesFirst(` ${rest}`, names)),
  );
  return names.filter((name) => found.includes(name));
}

function namesFirst(text: string, names: readonly string[]): string[] {
  const [, word = ''] = text.split(' ');
  if (CONNECTORS.has(word)) return namesFirst(text.slice(word.length + 1), names);
  const fitting = names.filter((name) => text.startsWith(spoken(name)));
  const [name] = fitting.toSorted((one, other) => other.length - one.length);
  const rest = name === undefined ? '' : text.slice(spoken(name).length - 1);
  return name === undefined || rest.startsWith(' of ') ? [] : [name, ...namesFirst(rest, names)];
}

/** What is said of a query parameter: that a member has its value, or that it is compared in another way. */
export function statedEquality(
  list: Operation,
  parameter: Parameter,
  member: Shape,
  name: string,
): 'equal' | 'otherwise' | undefined {
  const ofMember = member.parts.map(textOf).join(' ');
  const own = textOf(parameter.spot) || parameter.shape.parts.map(textOf).join(' ');
  const meant = spoken(name);
  const shown = member.mainType === 'boolean' ? SHOWN_BY_FLAG : SHOWN;
  const isWeak = (one: string) =>
    [HEDGES, OTHERWISE, member.mainType === 'array' ? [] : PARTLY].some((phrases) => has(one, phrases)) ||
    (has(one, shown) && !has(one, ['only'])) ||
    (has(one, NEGATIONS) && one.includes(meant.trimEnd()));
  const sentences = sentencesIn(own);
  if (sentences.some(isWeak) || (isText(member) && isSearched(list))) return 'otherwise';
  const others = sentencesIn(textOf(list.spot)).filter((one) => !isWeak(one));
  const told = own === ofMember ? others : [...sentences, ...others];
  return told.some((one) => relates(one, meant)) ? 'equal' : undefined;
}

/** A search finds texts by a part of them, or alike ones. */
const isSearched = ({ path, spot }: Operation) =>
  has(spoken(path.split('/').at(-1) ?? ''), ['search']) ||
  has(spoken(textOf(spot)), ['search', 'searches', 'fuzzy']);

const isText = (member: Shape) =>
  [member.items ?? member].some((one) => one.mainType === 'string' && !one.values && !one.find('format'));

/** `filter by state`, `only boxes in this state`, `with the given state`, `whose state is`, `state to filter by`. */
function relates(sentence: string, meant: string): boolean {
  const words = sentence.trim().split(' ');
  const wanted = meant.trim().split(' ');
  return words.some((_, at) => {
    const end = at + wanted.length;
    const isThere = wanted.every((word, index) => singular(words[at + index] ?? '') === singular(word));
    return isThere && (leadsTo(words.slice(0, at)) || isFollowed(words.slice(end)));
  });
}

function leadsTo(before: readonly string[]): boolean {
  const last = before.findLastIndex((word) => !determiners.has(word));
  const points = before.slice(last + 1).some((word) => pointing.has(word));
  const word = before[last] ?? '';
  const filters = has(` ${before.slice(0, last).join(' ')} `, FILTERS);
  if (word === 'whose' || ((word === 'by' || word === 'on') && filters)) return true;
  return points && (HAVING.has(word) || (AROUND.has(word) && filters));
}

const isFollowed = (after: readonly string[]) =>
  BEHIND.some((phrase) => ` ${after.join(' ')} `.startsWith(` ${phrase} `));
