import type { Faker } from '@faker-js/faker';
import { type Owner, type Random, randomFrom, type Shape, seedOf } from '#spec';
import { transliterate } from './transliterate.ts';

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

/** By words that end a member's name, as the inside of a regular expression; the first that fits wins. */
export type Words = Readonly<Record<string, Make>>;

/** A sequence that all members of an object share which have to agree: of one person, one place, one thing. */
export function sharedRandom(
  { owner, qualifier }: Pick<Subject, 'owner' | 'qualifier'>,
  topic: string,
): Random {
  return randomFrom(seedOf(`~${topic}/${qualifier}`, owner.seed));
}

/** Faker with that sequence. */
export function shared(subject: Subject, topic: string): Faker {
  return subject.library.from(sharedRandom(subject, topic));
}

/** Faker with the sequence of the member alone. */
export function own({ library, random }: Subject): Faker {
  return library.from(random);
}

/** Whether the object has a member with one of these words. */
export function has({ owner }: Subject, words: RegExp): boolean {
  return [...owner.shape.properties.keys()].some((name) => words.test(wordsOf(name)));
}

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

/** Whether values are of English, wherever it is spoken. */
export const isEnglish = ({ library }: Pick<Subject, 'library'>) => /^en(?:-|$)/.test(library.language);

/** `pet-type` of `Pet Type!`: ASCII letters and digits only; empty where there are none. */
export function slugOf(text: string, separator = '-', language?: string): string {
  return transliterate(text, language)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, separator)
    .replace(new RegExp(`^\\${separator}|\\${separator}$`, 'g'), '');
}

/** `Pet type` of `pet_type`. */
export function titleOf(words: string): string {
  const text = words.replaceAll('_', ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
