import type { Faker } from '@faker-js/faker';
import { type Owner, type Random, randomFrom, type Shape, seedOf, wordsOf } from '#spec';

/** A member, and the object that it stands in, for which a value is made. */
export interface Subject {
  /** The words of its name, in small letters, joined by `_`: `customer_first_name`. */
  readonly name: string;
  /** Those before the ones that say what it is: `customer`. */
  readonly qualifier: string;
  /** What the object is, in words: `order_item`. */
  readonly entity: string;
  /** What contains that object, in words; empty: nothing. */
  readonly around: string;
  /** What members that agree have in common: of an item in a list of texts the item alone. */
  readonly owner: Owner;
  readonly holder: Owner;
  readonly shape: Shape;
  readonly random: Random;
  readonly library: Library;
}

/** Values of faker from a sequence of ours: seeding its own generator for each value costs more than the values do. */
export interface Library {
  /** What lets it draw from this sequence. */
  from(random: Random): Faker;
  /** BCP 47, such as `pt-BR`. */
  readonly language: string;
  /** The moment that seeded records see as today, in milliseconds since 1970. */
  readonly now: number;
}

/** Undefined: there is none for this member, and the schema decides. */
export type Make = (subject: Subject) => unknown;

/** A sequence that all members of an object share which have to agree: of one person, one place, one thing. */
export function sharedRandom(
  { owner, qualifier }: Pick<Subject, 'owner' | 'qualifier'>,
  topic: string,
): Random {
  return randomFrom(seedOf(`~${topic}/${qualifier}`, owner.seed));
}

export const shared = (subject: Subject, topic: string): Faker =>
  subject.library.from(sharedRandom(subject, topic));

/** Faker with the sequence of this member alone. */
export const fakerOf = ({ library, random }: Subject): Faker => library.from(random);

/** The subject of a member that is called after what it is: not the person or place of the object itself. */
export const aboutName = (subject: Subject): Subject => ({ ...subject, qualifier: subject.name });

/** Whether values are of English, wherever it is spoken. */
export const isEnglish = ({ library }: Pick<Subject, 'library'>) => /^en(?:-|$)/.test(library.language);

/** Whether a text has Latin letters and others: then it is of no language. */
export const isMixed = (text: string) =>
  /\p{Script=Latin}/u.test(text) && /(?!\p{Script=Latin})\p{L}/u.test(text);

/** Whether the object has a member whose name ends so. */
export const has = ({ owner }: Subject, ...ends: readonly string[]): boolean =>
  [...owner.shape.properties.keys()].some((name) =>
    ends.some((end) => `_${snakeCase(name)}`.endsWith(`_${end}`)),
  );

export const setOf = (words: string): ReadonlySet<unknown> => new Set(words.split(' '));

/** `customer_first_name` of `customerFirstName` and `Customer-First-Name`, `descripcion` of `Descripción`. */
export const snakeCase = (name: string): string => plainLetters(wordsOf(name).join('_'));

/** How languages spell Latin letters in ASCII: first where Unicode does not decompose them. */
const LETTERS = 'ßss æae œoe øo łl đd ıi əe þth ðd';
const OF_LANGUAGES: Readonly<Record<string, string>> = { de: 'äae öoe üue', da: 'øoe åaa', nb: 'øoe åaa' };

const IS_ASCII = /^[\0-\x7f]*$/;

/** In small letters, those of Latin without their marks: `juergen` of `Jürgen` in German. */
export function plainLetters(text: string, language = ''): string {
  if (IS_ASCII.test(text)) return text.toLowerCase();
  const spelled = `${OF_LANGUAGES[language.slice(0, 2)] ?? ''} ${LETTERS}`.split(' ');
  const plain = (letter: string) => spelled.find((one) => one.startsWith(letter))?.slice(1) ?? letter;
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\0-\x7f]/gu, plain)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
}

/** `pet-type` of `Pet Type!`: small letters and digits of ASCII only; empty where there are none. */
export const slugOf = (text: string, language = ''): string =>
  (
    plainLetters(text, language)
      .replace(/['’]/g, '')
      .match(/[a-z0-9]+/g) ?? []
  ).join('-');

/** `Pet type` of `pet_type`. */
export function titleOf(words: string): string {
  const text = words.replaceAll('_', ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const ADJECTIVES = 'Amber Blue Bright Golden Grand Green High Little New Old Quiet Red Silver Wild'.split(
  ' ',
);
const NOUNS =
  'bridge corner field garden harbour hill island lamp letter market meadow paper path river'.split(' ');

const KEYS = 'category color language owner priority region source stage team version'.split(' ');

/** The name of an entry of a map, which says what it holds. */
export const mapKey = (random: Random): string => random.pick(KEYS);

/** Where the document says nothing of a text. */
export const plainNoun = (random: Random): string => random.pick(NOUNS);

export const plainWords = (random: Random): string => `${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}`;
