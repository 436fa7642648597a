import type { Credential } from '#spec';
import { type KeyedText, literalText } from './keyed-text.ts';

/** A key that is almost the right one. */
export type NearMiss = readonly [name: string, title: string, key: KeyedText];

/**
 * Keys that are almost the right one; each tells another careless comparison from a whole one.
 *
 * @param key as it is read from an environment variable
 */
export function nearMisses(kind: Credential['kind'], { text, shell }: KeyedText): NearMiss[] {
  const variable = shell.slice(1);
  const { from, to } = kind === 'basic' ? secretOf(text) : { from: 0, to: text.length };
  const secret = text.slice(from, to);
  const spliced = (changed: string) => text.slice(0, from) + changed + text.slice(to);
  const before = from === 0 ? '' : `\${${variable}%%:*}:`;
  const within = from === 0 ? `\${${variable}` : `\${${variable}#*:`;
  // A colon behind the secret is cut off and put back.
  const colon = text.slice(to);
  const changed = (at: number) => changedAt(text, variable, from + at);
  const misses: NearMiss[] = [
    [
      'key-cut',
      'with the key cut by one character',
      { text: spliced(secret.slice(0, -1)), shell: `\${${variable}%${colon && '?'}?}${colon}` },
    ],
    [
      'key-extended',
      'with the key and one character more',
      { text: spliced(`${secret}x`), shell: `\${${variable}${colon && '%?'}}x${colon}` },
    ],
    [
      'key-preceded',
      'with one character before the key',
      { text: spliced(`x${secret}`), shell: `${before}x${within}}` },
    ],
    ['key-changed', 'with the last character of the key changed', changed(secret.length - 1)],
    ['key-first-changed', 'with the first character of the key changed', changed(0)],
    ['key-middle-changed', 'with a character within the key changed', changed(Math.floor(secret.length / 2))],
  ];
  // The user may be known in any case (RFC 7617 §2 leaves it open).
  if (kind !== 'basic' || from > 0) {
    const swapped = `$(printf %s "${from === 0 ? shell : `${within}}`}" | tr 'a-zA-Z' 'A-Za-z')`;
    misses.push([
      'key-other-case',
      'with the letters of the key in the other case',
      { text: spliced([...secret].map(otherCase).join('')), shell: before + swapped },
    ]);
  }
  return misses.filter(([, , miss]) => miss.text !== '' && miss.text !== text);
}

/** The password; the user where there is none. */
function secretOf(text: string): { from: number; to: number } {
  const colon = text.indexOf(':');
  if (colon < 0) return { from: 0, to: text.length };
  return colon === text.length - 1 ? { from: 0, to: colon } : { from: colon + 1, to: text.length };
}

/** The shell cuts the key before and behind the place: `?` stands for one character. */
function changedAt(key: string, variable: string, at: number): KeyedText {
  const other = otherCharacter(key.charAt(at));
  const before = `\${${variable}%${'?'.repeat(key.length - at)}}`;
  const behind = `\${${variable}#${'?'.repeat(at + 1)}}`;
  return {
    text: key.slice(0, at) + other + key.slice(at + 1),
    shell: `${at === 0 ? '' : before}${literalText(other).shell}${at === key.length - 1 ? '' : behind}`,
  };
}

function otherCase(character: string): string {
  return character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase();
}

const ALPHABETS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789', '-_.~+/='];

/** A character of the same kind; itself where it has no kind. The first one, or one that is picked. */
export function otherCharacter(
  character: string,
  pick: (others: readonly string[]) => string | undefined = ([first]) => first,
): string {
  const alphabet = ALPHABETS.find((set) => set.includes(character)) ?? '';
  const others = [...alphabet].filter((other) => other !== character);
  return pick(others) ?? character;
}
