import type { Random, Shape } from '#spec';
import type { Subject } from './subject.ts';

/** One of the values that the description names, or the example. */
export function shownBy({ shape, random }: Subject): string | undefined {
  const described = describedValues(shape);
  if (described.length > 1) return random.pick(described);
  const [example] = shape.examples;
  return typeof example === 'string' && example !== '' ? example : undefined;
}

/** The values that a description lists: "`open`, `closed`", "open | closed", "one of: open, closed". */
function describedValues(shape: Shape): readonly string[] {
  const text = shape.find('description')?.value;
  if (typeof text !== 'string' || text.length > 400) return [];
  const quoted = [...text.matchAll(/[`'"]([\w][\w.:-]{0,30})[`'"]/g)].map(([, value = '']) => value);
  if (quoted.length > 1) return [...new Set(quoted)];
  const [, listed = ''] = LISTED.exec(text) ?? [];
  return listed.split(/\s*(?:\||,|\/|\bor\b)\s*/).filter((value) => /^[\w-]{1,30}$/.test(value));
}

const LISTED =
  /(?:one of|either|can be|values?|options?|:|\()\s*:?\s*((?:[\w-]+\s*(?:\||,|\/|\bor\b)\s*(?:or\s+)?)+[\w-]+)\)?\.?\s*$/i;

/** Without vowels nothing is spelled. */
export const UNSPOKEN = 'bcdfghjklmnpqrstvwxz0123456789';

/** Another text of the same form: `cus_9s8f7` for `cus_1a2b3`. */
export function likeExample(random: Random, example: string): string {
  const [prefix = ''] = /^[A-Za-z]+[_:-]/.exec(example) ?? [];
  const rest = example.slice(prefix.length).replace(/[a-z\d]/g, (letter) => {
    if (/\d/.test(letter)) return String(random.integer(0, 9));
    return /\d/.test(example) ? random.pick([...UNSPOKEN.slice(0, 20)]) : letter;
  });
  return prefix + rest;
}
