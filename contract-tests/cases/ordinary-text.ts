import type { Contract, Operation, Resource } from '#spec';
import {
  inRecord,
  markedLength,
  markedText,
  membersNamed,
  type Words,
  withMark,
} from '../arrange/record-members.ts';
import type { Variation } from '../arrange/target.ts';
import { SHORT_TEXTS } from '../laws/free-values.ts';
import { LONG_MARK, markMember, recordInBody, withoutNull } from '../laws/mark.ts';

/** How a body differs from the ordinary one, and the words for it. */
export type Variant = [slug: string, title: string, variation: Variation];

/**
 * Ordinary texts: 1 to 64 printable characters, NFC, no space at either end, any script.
 * @param unmarked also those that have no room for the run's mark
 */
export function ordinaryTexts(
  contract: Contract,
  resource: Resource,
  create: Operation,
  unmarked: boolean,
): Variant[] {
  const { shape } = recordInBody(resource, create);
  const member = shape && markMember(shape);
  if (!shape || member === undefined) return [];
  const { least, most } = markedLength(contract, create);
  const patterns = membersNamed(shape, member).flatMap((one) => withoutNull(one).patterns);
  const isAllowed = (text: string) => patterns.every((pattern) => pattern.test(text));
  const variant = (slug: string, title: string, change: NonNullable<Variation['change']>): Variant => [
    `text-${slug}`,
    `with ${title} in ${member}`,
    { change },
  ];
  const marked = [...MARKED, ['longest', `${most} characters`, { after: FILLING }] as const].filter(
    ([, , words]) => isAllowed(markedText(LONG_MARK, words, { least, most })),
  );
  const fitting = BARE.filter(
    ([, , words]) => words.length >= least && words.length <= most && isAllowed(words),
  );
  const bare = unmarked ? fitting : [];
  return [
    ...marked.map(([slug, title, words]) =>
      variant(slug, title, (body, mark = '') => withMark(contract, create, body, mark, words)),
    ),
    ...bare.map(([slug, title, words]) =>
      variant(
        slug,
        title,
        inRecord(resource, create, (record) => ({ ...record, [member]: words })),
      ),
    ),
  ];
}

/** Not ASCII: what is counted in bytes is not counted in characters. */
const FILLING = 'Zoë-Ñandú-';

const MARKED: readonly (readonly [slug: string, title: string, words: Words])[] = [
  ['apostrophe', 'quotes and an ampersand', { before: `O'Brien "Rex" & <co>` }],
  ['accents', 'accents', { before: 'Zoë Łukasz Ñandú' }],
  ['scripts', 'several scripts', { before: '猫 кот قط ねこ' }],
  ['emoji', 'characters beyond the basic plane', { before: '🐈‍⬛ 𝔘' }],
  ['signs', 'signs and two spaces in a row', { before: '100% a+b=c\\d/e %41  {x} $y #1;' }],
];

/** Texts that are something else to a careless reader; too short to bear a mark. */
const BARE: [slug: string, title: string, words: string][] = [
  ['shortest', 'one character', SHORT_TEXTS.letter],
  ['digits', 'digits only', '0042'],
  ['null', 'the word null', SHORT_TEXTS.null],
];
