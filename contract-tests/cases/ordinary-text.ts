import { memberShape, type Shape } from '#spec';
import type { Variation } from '../arrange/target.ts';
import { markMember } from '../laws/mark.ts';

/** How a body differs from the ordinary one, and the words for it. */
export type Variant = [slug: string, title: string, variation: Variation];

/** The longest text that every service must take. */
const LONGEST = 64;

/**
 * Ordinary texts: 1 to 64 printable characters, NFC, no space at either end, any script.
 * @param unmarked also those that have no room for the run's mark
 */
export function ordinaryTexts(shape: Shape, unmarked: boolean): Variant[] {
  const member = markMember(shape);
  const text = member === undefined ? undefined : memberShape(shape, member);
  if (member === undefined || !text) return [];
  const longest = Math.min(LONGEST, text.lowest('maxLength') ?? LONGEST);
  const least = text.highest('minLength') ?? 1;
  const variant = (slug: string, title: string, make: (mark: string) => string): Variant => [
    `text-${slug}`,
    `with ${title} in ${member}`,
    { change: (body, mark) => ({ ...body, [member]: make(mark ?? '').normalize('NFC') }) },
  ];
  const marked = MARKED.map(([slug, title, words]) => variant(slug, title, (mark) => `${words} ${mark}`));
  const bare = unmarked ? BARE.filter(([, , words]) => words.length >= least) : [];
  return [
    ...marked,
    variant('longest', `${longest} characters`, (mark) => `${mark} ${FILLING}`.slice(0, longest)),
    ...bare.map(([slug, title, words]) => variant(slug, title, () => words)),
  ];
}

/** Not ASCII: what is counted in bytes is not counted in characters. */
const FILLING = 'Zoë-Ñandú-'.repeat(7);

const MARKED: [slug: string, title: string, words: string][] = [
  ['apostrophe', 'quotes and an ampersand', `O'Brien "Rex" & <co>`],
  ['accents', 'accents', 'Zoë Łukasz Ñandú'],
  ['scripts', 'several scripts', '猫 кот قط ねこ'],
  ['emoji', 'characters beyond the basic plane', '🐈‍⬛ 𝔘'],
  ['signs', 'signs and two spaces in a row', '100% a+b=c\\d/e %41  {x} $y #1;'],
];

/** Texts that are something else to a careless reader; too short to bear a mark. */
const BARE: [slug: string, title: string, words: string][] = [
  ['shortest', 'one character', 'Q'],
  ['digits', 'digits only', '0042'],
  ['null', 'the word null', 'null'],
];
