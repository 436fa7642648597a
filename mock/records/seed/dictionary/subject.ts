import type { Faker } from '@faker-js/faker';
import { type Owner, type Random, randomFrom, type Shape, seedOf } from '#spec';

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
  /** The object, also of an item. */
  readonly holder: Owner;
  readonly shape: Shape;
  /** Of this member alone. */
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

/** Faker with that sequence. */
export const shared = (subject: Subject, topic: string): Faker =>
  subject.library.from(sharedRandom(subject, topic));

/** Whether values are of English, wherever it is spoken. */
export const isEnglish = ({ library }: Pick<Subject, 'library'>) => /^en(?:-|$)/.test(library.language);

/** Whether the object has a member whose name ends so. */
export const has = ({ owner }: Subject, ...ends: readonly string[]): boolean =>
  [...owner.shape.properties.keys()].some((name) =>
    ends.some((end) => `_${wordsOf(name)}`.endsWith(`_${end}`)),
  );

/** `customer_first_name` of `customerFirstName`, `Customer-First-Name` and `customer_first_name`. */
export function wordsOf(name: string): string {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
}

/** As far as names of members need it. */
export function singularOf(word: string): string {
  if (/(?:ss|us|is|news|series|species)$/.test(word)) return word;
  if (/ies$/.test(word)) return word.replace(/ies$/, 'y');
  return word.replace(/(?<=(?:[sxz]|ch|sh))es$|s$/, '');
}

/** Latin letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

/** Without the marks of Latin letters. */
export const plainLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđı]/gi, (sign) => LETTERS[sign.toLowerCase()] ?? '');

/** `pet-type` of `Pet Type!`: small letters and digits of ASCII only; empty where there are none. */
export function slugOf(text: string, separator = '-'): string {
  const words = plainLetters(text)
    .toLowerCase()
    .replace(/['’]/g, '')
    .match(/[a-z0-9]+/g);
  return (words ?? []).join(separator);
}

/** `Pet type` of `pet_type`. */
export function titleOf(words: string): string {
  const text = words.replaceAll('_', ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const ADJECTIVES =
  'Amber|Blue|Bright|East|Golden|Grand|Green|High|Little|New|North|Old|Quiet|Red|Silver|South|Wild'.split(
    '|',
  );
const NOUNS =
  'bridge|corner|field|garden|harbour|hill|island|lamp|letter|market|meadow|paper|path|river|stone|valley'.split(
    '|',
  );

/** Where the document says nothing of a text. */
export const plainNoun = (random: Random): string => random.pick(NOUNS);

/** The same in two words. */
export const plainWords = (random: Random): string => `${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}`;
