import type { Shape } from '#spec';
import { wordsOf } from '../../spec/resources/identity.ts';
import { isFirstName, latinIn, syllablesIn } from './word-lists.ts';

/** What a text stands for, as the name of its member says. */
export type Meaning = keyof typeof MEANINGS;

/** By the last words of a name, with `_` between them; the first that matches. */
const MEANINGS = {
  image:
    /(?:^|_)(?:image|picture|photo|avatar|thumbnail|logo|icon|cover|banner|poster|img)s?(?:_(?:ur[li]|link|href|src)s?)?$/,
  url: /(?:^|_)(?:ur[li]|href|link|website|homepage|permalink)s?$/,
  email: /(?:^|_)(?:e_)?mails?(?:_address)?$/,
  phone: /(?:^|_)(?:phone|mobile|telephone|fax)(?:_(?:number|no))?$/,
  countryCode: /(?:^|_)country_(?:code|iso)$/,
  currency: /(?:^|_)currency(?:_code)?$/,
  postcode: /(?:^|_)(?:zip|zip_?code|post_?code|postal_code)$/,
  colour: /(?:^|_)colou?r$/,
  slug: /(?:^|_)slug$/,
  person:
    /(?:^|_)(?:(?:first|last|full|given|family|middle|display|nick|maiden|user|contact|customer|owner|author)_?name|surname|username|login|handle|author|owner|customer|contact|assignee|creator)$/,
  name: /(?:^|_)(?:name|title|headline|subject|caption|label)$/,
  tag: /(?:^|_)(?:tag|label|category|genre|topic|keyword|tag_list)s?(?:_name)?$/,
  place: /(?:^|_)(?:city|town|country|street|address|address_line|state|region|province|county|location)\d*$/,
  business:
    /(?:^|_)(?:company|organi[sz]ation|department|brand|manufacturer|job|job_title|role|breed|species|language|locale|time_?zone|nationality|material|unit|host|hostname|domain|file_?name|mime_?type|content_type|version|sku|isbn)$/,
  text: /(?:^|_)(?:description|summary|bio|biography|body|content|text|message|comment|notes?|about|excerpt|details|reason|remarks?)$/,
} as const;

/** By the format, where the name says nothing. */
const BY_FORMAT: Readonly<Record<string, Meaning>> = { email: 'email', uri: 'url', url: 'url', iri: 'url' };

/** Undefined: the name of a member says nothing of its texts. */
export function meaningOf(name: string, shape: Shape | undefined): Meaning | undefined {
  const words = snakeCase(name);
  const found = Object.entries(MEANINGS).find(([, pattern]) => pattern.test(words));
  const format = String(shape?.find('format')?.value);
  return (
    (found?.[0] as Meaning | undefined) ?? (Object.hasOwn(BY_FORMAT, format) ? BY_FORMAT[format] : undefined)
  );
}

/** `image_url` for `imageURL` and `image-url`. */
export const snakeCase = (name: string): string =>
  wordsOf(name)
    .map((word) => word.toLowerCase())
    .join('_');

const SHORT = 40;

/** Texts in which nobody expects a sentence. */
export const isShort = (text: string): boolean => text.length < SHORT;

/** Meanings of things, which are not called Moses. */
const OF_THINGS: ReadonlySet<Meaning> = new Set(['name', 'tag', 'business', 'text']);

const EMAIL = /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i;
const PHONE = /^[+\d(][\d\s().x/-]{4,}$/i;

/** What is wrong with a text that stands for something; undefined: nothing is. */
export function noiseIn(meaning: Meaning, text: string, isWho: boolean): string | undefined {
  const syllables = syllablesIn(text);
  if (syllables !== undefined) return `“${syllables}” means nothing`;
  const latin = isShort(text) ? latinIn(text) : undefined;
  if (latin !== undefined) return `“${latin}” is Latin`;
  if (OF_THINGS.has(meaning) && !isWho && isFirstName(text)) return 'is the name of a person';
  const bare = PLAIN[meaning];
  return bare?.(text);
}

/** What only texts of one meaning must be. */
const PLAIN: Partial<Record<Meaning, (text: string) => string | undefined>> = {
  image: (text) => (/^(?:https?:)?\/\//.test(text) ? 'shows no picture' : undefined),
  email: (text) => (EMAIL.test(text) ? undefined : 'is no e-mail address'),
  phone: (text) => (PHONE.test(text) ? undefined : 'is no telephone number'),
  countryCode: (text) => (isCountry(text) ? undefined : 'is no country'),
  currency: (text) =>
    text.length !== 3 || CURRENCIES.has(text.toUpperCase()) ? undefined : 'is no currency',
  postcode: (text) => (/\d/.test(text) ? undefined : 'is no postcode'),
  slug: (text) => (/^[\p{Ll}\p{N}]+(?:[-_./][\p{Ll}\p{N}]+)*$/u.test(text) ? undefined : 'is no slug'),
};

/** Whether a text is the address of a picture that the mock itself has, or is one: no other can be shown without a network. */
export const isPictureOfMock = (text: string): boolean =>
  /^(?:data:image\/|(?:https?:)?\/\/(?:127\.0\.0\.1|localhost|paddock\.invalid|\[::1\])(?::\d+)?\/__paddock\/)/.test(
    text,
  );

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

function isCountry(code: string): boolean {
  // Of three letters there is no list at hand.
  return code.length === 3 || (/^[a-z]{2}$/i.test(code) && COUNTRIES.of(code.toUpperCase()) !== undefined);
}

/** Bounds of numbers by the names of their members, and how many decimals are usual. */
const NUMBERS: readonly (readonly [name: RegExp, low: number, high: number, decimals: number])[] = [
  [/(?:^|_)(?:lat|latitude)$/, -90, 90, 20],
  [/(?:^|_)(?:lng|lon|long|longitude)$/, -180, 180, 20],
  [/(?:^|_)(?:percent|percentage)$/, 0, 100, 4],
  [/(?:^|_)(?:rating|stars)$/, 0, 100, 2],
  [/^age$/, 0, 150, 1],
  [/(?:^|_)year$/, 1000, 2100, 0],
  [/(?:^|_)(?:price|cost|fee|amount|total|subtotal|balance|salary|budget)$/, -1e9, 1e9, 2],
  [/(?:^|_)(?:count|likes|views|followers|comments|visits)$/, 0, 1e9, 0],
  [/(?:^|_)(?:width|height|size|weight|length|duration|quantity|stock)$/, 0, 1e12, 4],
];

/** What is wrong with a number; undefined: nothing is; null: the name says nothing of it. */
export function noiseInNumber(name: string, value: number | bigint): string | undefined | null {
  const words = snakeCase(name);
  const [, low, high, decimals] = NUMBERS.find(([pattern]) => pattern.test(words)) ?? [];
  if (low === undefined || high === undefined || decimals === undefined) return null;
  if (value < low || value > high) return `is not from ${low} to ${high}`;
  const { length } = /\.(\d+)$/.exec(String(value))?.[1] ?? '';
  return length > decimals ? `has ${length} decimals` : undefined;
}
