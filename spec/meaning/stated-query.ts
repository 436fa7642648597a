import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import type { Bound } from './selection.ts';
import { HEDGES, has, joined, listed, marked, sentencesIn, spoken, textOf } from './words.ts';

/** What words say of the relation of a query parameter to the member that it is called after. */

type Side = Bound['side'];

const MORE = 'later|newer|more|higher|greater|above|after';
const LESS = 'earlier|older|less|lower|below|before|fewer';
/** Of the values that are let through. */
const SIDES: readonly (readonly [side: Side, inclusive: boolean | undefined, phrases: readonly string[]])[] =
  [
    [
      'least',
      true,
      [...joined('or', MORE), ...joined('no|not', LESS), ...listed('at least|or equal|>=|≥|minimum *')],
    ],
    [
      'most',
      true,
      [...joined('or', LESS), ...joined('no|not', MORE), ...listed('at most|or equal|<=|≤|maximum *')],
    ],
    ['least', false, joined('strictly', MORE)],
    ['most', false, joined('strictly', LESS)],
    ['least', undefined, [...joined(MORE, 'than'), ...joined('after|since|from|above|over', 'this')]],
    ['most', undefined, [...joined(LESS, 'than'), ...joined('before|until|till|to|below|under', 'this')]],
  ];

/** Whether sentences say that what lies on this side of the value is let through; undefined: they do not. */
export function statedSide(
  sentences: readonly string[],
  property: string,
  side: Side,
): Pick<Bound, 'inclusive'> | undefined {
  const certain = sentences.filter((one) => !has(one, HEDGES)).map((one) => marked(one, property));
  const says = (phrases: readonly string[]) => certain.some((one) => has(one, phrases));
  const told = SIDES.filter(([of, , phrases]) => of === side && says(phrases));
  if (told.length === 0) return undefined;
  const known = new Set(told.flatMap(([, inclusive]) => inclusive ?? []));
  if (says(['inclusive', 'inclusively', 'including'])) known.add(true);
  if (says(['exclusive', 'exclusively', 'excluding', 'strictly'])) known.add(false);
  return { inclusive: known.size === 1 ? [...known][0] : undefined };
}

/** Other ways to find a record than by a part of its text. */
export const NO_PART = listed(
  'starts|start with|starting|begins|begin with|beginning|prefix~|fuzzy|full text|similar',
);
/** Of a comparison that is no equality, of what is shown besides, and of what is only shown before the rest. */
const OTHERWISE = [
  ...[
    ...HEDGES,
    ...NO_PART,
    ...SIDES.flatMap(([, , phrases]) => phrases.filter((one) => !one.endsWith(' this'))),
  ],
  ...listed(
    'suffix~|substring|partial~|insensitive|ignoring case|wildcard~|pattern|regex|regular expression|like',
  ),
  ...listed(
    'approximate~|before|after|since|until|greater|less|older|newer|higher|lower|minimum|maximum|up to',
  ),
  ...listed(
    'other than|except|too|also|as well|exclude~|excluding|embed~|expand~|hide|prefer~|favour|favours',
  ),
  ...listed('favor|favors|rank~|boost~|highlight~|come first|comes first|shown first'),
];
/** Of what is shown besides, unless it is that only; of a flag: one that is not set leaves nothing out. */
const SHOWN = listed('include~|including|whether to|whether or not to');
const SHOWN_BY_FLAG = [...SHOWN, ...listed('show|shows|return~|list|lists|display')];
/** Of a list in the record they state that it has the value. */
const PARTLY = ['contain', 'contains', 'containing'];
const NEGATIONS = listed('not|no|never|without|none');

/** `only boxes in this state`, `filter by state`: what a name follows only where the sentence speaks of a choice. */
const FILTERS = listed('only|filter~|restrict~|narrow~|limit~|find|finds|select~');
const FILTERED = [...joined('by|on', '*'), ...joined('in|of|for|from|to|on|at', 'this *')];
/** `with the given state`, `whose state is`, `state to filter by`. */
const EQUAL = [
  ...['whose *', ...joined('with|has|have|having|match|matches|matching|by|equals', 'this *')],
  ...joined('*', 'to filter|filter|for filtering|equals|equal to|is equal to|is this'),
];

/** What is said of a query parameter: that a member has its value, or that it is compared in another way. */
export function statedEquality(
  list: Operation,
  parameter: Parameter,
  member: Shape,
  name: string,
): 'equal' | 'otherwise' | undefined {
  const own = textOf(parameter.spot) || parameter.shape.parts.map(textOf).join(' ');
  const shown = member.mainType === 'boolean' ? SHOWN_BY_FLAG : SHOWN;
  const isWeak = (one: string) =>
    has(one, member.mainType === 'array' ? OTHERWISE : [...OTHERWISE, ...PARTLY]) ||
    (has(one, shown) && !has(one, ['only'])) ||
    (has(one, NEGATIONS) && has(one, ['*']));
  const sentences = sentencesIn(own).map((one) => marked(one, name));
  if (sentences.some(isWeak) || (isText(member) && isSearched(list))) return 'otherwise';
  const others = sentencesIn(textOf(list.spot))
    .map((one) => marked(one, name))
    .filter((one) => !isWeak(one));
  const told = own === member.parts.map(textOf).join(' ') ? others : [...sentences, ...others];
  const isEqual = (one: string) =>
    has(one, EQUAL) || (has(one.slice(0, one.indexOf('*')), FILTERS) && has(one, FILTERED));
  return told.some(isEqual) ? 'equal' : undefined;
}

/** A search finds texts by a part of them, or alike ones. */
const isSearched = ({ path, spot }: Operation) =>
  has(spoken(path.split('/').at(-1) ?? ''), ['search']) ||
  has(spoken(textOf(spot)), ['search', 'searches', 'fuzzy']);

const isText = (member: Shape) =>
  [member.items ?? member].some((one) => one.mainType === 'string' && !one.values && !one.find('format'));
