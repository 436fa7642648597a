import { escapeText } from '../pattern/pattern.ts';
import { partsOf, singular, wordsOf } from './names.ts';

/** Members of which a sentence says that no two records have the same values. */
export interface StatedUnique {
  /** Together: the value of one alone may be shared. */
  readonly names: readonly string[];
  /** What else two records must share, as the sentence names it: `shelf` in "exists on this shelf". */
  readonly within: string | undefined;
  /** The sentence says nothing that may limit it. */
  readonly isPlain: boolean;
  /** It names no kind of record, so that it may be about any. */
  readonly isGeneral: boolean;
}

/** Reads sentences about the records of one collection. */
export interface UniqueWords {
  /** What a sentence about refused requests says. */
  readonly read: (sentence: string) => StatedUnique[];
  /** The members that a text names. */
  readonly namesIn: (text: string) => string[];
}

const DETERMINERS = String.raw`(?:(?:the|this|that|these|same|given|identical|equal|one|an?|requested|specified|its|their|such)\s+)`;
const QUOTES = `["'\`*‘’“”]*`;
const TAKEN = /\b(?:already|exists?|another|other|taken|in use|duplicates?|no two|unique|two)\b/i;
/** What may be so need not be so; and what is not there stands in nobody's way. */
const HEDGE =
  /\b(?:may|might|can|could|sometimes|usually|normally|typically|unless|except|depend\w*|configur\w*|optional\w*|example|e\.g|such as|warning|ignored?|no (?!two\b)\w+|not (?:yet )?exist|without)\b/i;
/** What may stand around, and limits nothing. */
const PLAIN =
  /\b(?:already|exists?|is|are|has|have|been|taken|in use|registered|unique|claimed|conflicts?|duplicates?|there|here|the|this|that|same|its|one|each|an?|it|and|together|combination)\b/gi;
const STOP =
  /^(?:|an?|the|another|other|there|is|are|already|exists?|if|when|or|and|because|since|that|some|conflict|no|two|may|can|must|not|of|combination|value)$/i;
const ANY_KIND = /^(?:records?|resources?|items?|entry|entries|objects?|one|entity|entities)$/i;
const ALL =
  /^(?:system|service|server|database|application|app|account|organi[sz]ation|workspace|tenant|collection|list|catalogue?|registry|directory|store)$/i;

/**
 * @param names the members that may be meant
 * @param kind what its records are called
 */
export function compileUniqueWords(names: readonly string[], kind: string): UniqueWords {
  const longestFirst = names.toSorted((one, other) => other.length - one.length);
  const patterns = longestFirst.map(patternOf);
  const one = `${QUOTES}(?<![\\w-])(?:${patterns.join('|')})(?![\\w-])${QUOTES}(?:\\s+(?:address|value)\\b)?`;
  const list = `${one}(?:(?:\\s*,\\s*|\\s*,?\\s+(?:and|or)\\s+|\\s*[&/]\\s*)${DETERMINERS}*${one})*`;
  const having = String.raw`\b(?:with|has|have|having|uses?|using|bears?|shares?|of(?=\s+(?:this|that|the\s+same|same)\b))\s+(?:already\s+)?`;
  const being = String.raw`(?:\s+combination)?\s+(?:(?:is|are|has|have|was|were|must|be|been|to|already)\s+)*`;
  const forms = [
    `${having}(?:${DETERMINERS}+(?<list>${list})|(?<bare>${list})(?=\\s+(?:already|exists?)\\b))`,
    `(?<list>${list})${being}(?:taken|in use|registered|exists?|(?:not\\s+)?unique|claimed|duplicated)\\b`,
    `\\bduplicate\\s+${DETERMINERS}*(?<list>${list})`,
  ].map((form) => new RegExp(form, 'i'));
  const scan = new RegExp(`(?<![\\w-])(?:${patterns.map((one) => `(${one})`).join('|')})(?![\\w-])`, 'gi');
  const kinds = wordsOf(kind).flatMap((word) => [singular(word), word]);

  const namesIn = (text: string) => [
    ...new Set(
      [...text.matchAll(scan)].flatMap(([, ...groups]) => {
        const at = groups.findIndex((group) => group !== undefined);
        return longestFirst[at] ?? [];
      }),
    ),
  ];

  function read(sentence: string): StatedUnique[] {
    if (names.length === 0 || !(TAKEN.test(sentence) || /\bregistered|claimed\b/i.test(sentence))) return [];
    const found = forms.map((form) => form.exec(sentence)).find((match) => match !== null);
    if (!found) return [];
    const text = found.groups?.list ?? found.groups?.bare ?? '';
    const isEither = /\bor\b|\//i.test(text);
    const members = namesIn(text);
    if (isEither && /\band\b|&/i.test(text)) return [];
    const subject = subjectOf(sentence.slice(0, found.index));
    const { within, isPlain } = restOf(sentence.slice(found.index + found[0].length));
    const isHedged = HEDGE.test(sentence.replace(/\bno two\b.*?\b(?:may|can)\b/i, ''));
    const isOneKind =
      subject.length < 2 || subject.every((word) => kinds.includes(word) || ANY_KIND.test(word));
    // "Name and city must be unique": each, or both together.
    const isClear =
      isEither || members.length < 2 || /\bcombination|together|pair|same|with\b/i.test(sentence);
    const stated = {
      within,
      isPlain: isPlain && !isHedged && isOneKind && isClear,
      isGeneral: subject.every((word) => ANY_KIND.test(word)) && subject.length > 0,
    };
    return isEither ? members.map((name) => ({ names: [name], ...stated })) : [{ names: members, ...stated }];
  }

  return { read, namesIn };
}

/** `displayName` as it is, or as "display name". */
function patternOf(name: string): string {
  const words = partsOf(name);
  return words.map((word) => (/^email$/i.test(word) ? 'e-?mail' : escapeText(word))).join('[\\s_-]*');
}

/** The words right before, which say what has the value. */
function subjectOf(before: string): string[] {
  const words = before
    .toLowerCase()
    .split(/[^\p{L}\p{N}-]+/u)
    .filter(Boolean);
  return words.slice(words.findLastIndex((word) => STOP.test(word)) + 1);
}

/** What follows, up to the next reason. */
function restOf(after: string): Pick<StatedUnique, 'within' | 'isPlain'> {
  const [clause = ''] = after.split(/[,;:.(]|\bor\b/i);
  const place = new RegExp(
    `\\b(?:in|within|per|of|for|below|under|inside|on|at)\\s+${DETERMINERS}*(?:each\\s+)?([\\w-]+)`,
    'i',
  );
  const [phrase = '', noun] = place.exec(clause) ?? [];
  const left = clause.replace(phrase, '').replaceAll(PLAIN, '');
  const within = noun === undefined || ALL.test(noun) || noun === 'use' ? undefined : noun;
  return { within, isPlain: !/[\p{L}\p{N}]/u.test(left) };
}

const FREED =
  /\b(?:may|can) (?:then )?be (?:re-?used|used again|taken again|given again|claimed again)\b|\b(?:becomes?|is|are) (?:free|available)\b/i;
const NOT_FREED = /\b(?:not|never|cannot|until|unless|later|hours?|days?|weeks?|months?|minutes?)\b/i;

/** Whether a sentence says that the values of a removed record may be given to another one. */
export function saysFreed(sentence: string): boolean {
  return FREED.test(sentence) && !NOT_FREED.test(sentence);
}

/** Whether a member's own description says that its value is that of one record alone. */
export function saysMustBeUnique(sentence: string): boolean {
  return /\bmust be unique\b(?!\s+(?:in|within|per|for)\b)/i.test(sentence) && !HEDGE.test(sentence);
}
