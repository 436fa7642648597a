import type { Faker } from '@faker-js/faker';
import { type Owner, type Random, randomFrom, type Shape, seedOf, wordsOf } from '#spec';

/** A member for which a value is made, and the object around it. */
export interface Subject {
  /** The words of its name, in lower case, joined by `_`: `customer_first_name`. */
  readonly name: string;
  /** The words before those with the meaning: `customer`. */
  readonly qualifier: string;
  /** The noun of the object, in words: `order_item`. */
  readonly entity: string;
  /** The noun of the object around that one, in words; empty: there is none. */
  readonly around: string;
  /** The object that consistent members share; for an item in a list of texts, the item itself. */
  readonly owner: Owner;
  readonly holder: Owner;
  readonly shape: Shape;
  readonly random: Random;
  readonly library: Library;
}

/**
 * Faker's values drawn from our random numbers: seeding its own generator for each value takes longer than making the
 * values.
 */
export interface Library {
  /** Faker, drawing from these random numbers. */
  from(random: Random): Faker;
  /** BCP 47, such as `pt-BR`. */
  readonly language: string;
  /** The current time for seeded records, in milliseconds since 1970. */
  readonly now: number;
}

/** Makes a value. Undefined: none fits this member, and the schema decides. */
export type Make = (subject: Subject) => unknown;

/** Random numbers that all members of an object share, for one consistent person, place or thing. */
export function sharedRandom(
  { owner, qualifier }: Pick<Subject, 'owner' | 'qualifier'>,
  topic: string,
): Random {
  return randomFrom(seedOf(`~${topic}/${qualifier}`, owner.seed));
}

export const shared = (subject: Subject, topic: string): Faker =>
  subject.library.from(sharedRandom(subject, topic));

/** Faker with the member's own random numbers. */
export const fakerOf = ({ library, random }: Subject): Faker => library.from(random);

/** The subject for a person or place named in the member, not the object's own. */
export const aboutName = (subject: Subject): Subject => ({ ...subject, qualifier: subject.name });

/** Whether values are in English of any country. */
export const isEnglish = ({ library }: Pick<Subject, 'library'>) => /^en(?:-|$)/.test(library.language);

/** Whether a text mixes Latin and other letters, and so is in no language. */
export const isMixed = (text: string) =>
  /\p{Script=Latin}/u.test(text) && /(?!\p{Script=Latin})\p{L}/u.test(text);

/** Whether the object has a member whose name ends with one of these. */
export const has = ({ owner }: Subject, ...ends: readonly string[]): boolean =>
  [...owner.shape.properties.keys()].some((name) =>
    ends.some((end) => `_${snakeCase(name)}`.endsWith(`_${end}`)),
  );

export const setOf = (words: string): ReadonlySet<unknown> => new Set(words.split(' '));

/** `customer_first_name` of `customerFirstName` and `Customer-First-Name`, `descripcion` of `Descripción`. */
export const snakeCase = (name: string): string => plainLetters(wordsOf(name).join('_'));

/** How languages spell Latin letters in ASCII: first those that Unicode does not decompose. */
const LETTERS = 'ßss æae œoe øo łl đd ıi əe þth ðd';
const OF_LANGUAGES: Readonly<Record<string, string>> = { de: 'äae öoe üue', da: 'øoe åaa', nb: 'øoe åaa' };

const IS_ASCII = /^[\0-\x7f]*$/;

/** In lower case, Latin letters without their marks: `juergen` for `Jürgen` in German. */
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

/** `pet-type` for `Pet Type!`: lower-case letters and digits of ASCII only; empty if there are none. */
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

/** The name of an entry in a map, which does not say what it holds. */
export const mapKey = (random: Random): string => random.pick(KEYS);

/** A noun for a text about which the document says nothing. */
export const plainNoun = (random: Random): string => random.pick(NOUNS);

export const plainWords = (random: Random): string => `${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}`;
