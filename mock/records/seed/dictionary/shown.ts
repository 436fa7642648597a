import { oncePer, type Random, type Shape } from '#spec';
import { type Subject, snakeCase } from './subject.ts';

/** One of the values in the description, or the example. */
export function shownBy({ shape, random }: Pick<Subject, 'shape' | 'random'>): string | undefined {
  const described = describedValues(shape);
  if (described.length > 1) return random.pick(described);
  const [example] = shape.examples;
  return typeof example === 'string' && example !== '' ? example : undefined;
}

/** The values that a description lists: "`open`, `closed`", "open | closed", "one of: open, closed". */
export const describedValues = oncePer((shape: Shape): readonly string[] => {
  const text = shape.find('description')?.value;
  if (typeof text !== 'string') return [];
  const sentences = text.split(/(?<=[.;])\s|\n\n/);
  const [sentence = ''] = sentences.filter((one) => SAYS.test(one));
  const quoted = quotedIn(sentence || (text.length < MOST_SAID ? text : ''));
  if (quoted.length > 1) return quoted;
  const items = [...text.matchAll(/^\s*[*-]\s+[`'"]?([\w.-]{1,30})[`'"]?\s*(?:[:–-]|$)/gm)].map(
    ([, value = '']) => value,
  );
  if (items.length > 1) return items;
  const [, listed = ''] = LISTED.exec(sentence || text) ?? WHOLE.exec(text) ?? [];
  return listed.split(/\s*(?:\||,|\/|\bor\b)\s*/).filter((value) => /^[\w-]{1,30}$/.test(value));
});

const quotedIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/[`'"]([\w][\w.:-]{0,30})[`'"]/g)].map(([, value = '']) => value)),
];

/** Longer descriptions quote other things, too. */
const MOST_SAID = 400;
const SAYS = /\b(?:one of|either|can be|must be|may be|values?|options?|allowed|supported|valid|possible)\b/i;

/** Whether a description lists the values. */
export function listsValues(shape: Shape): boolean {
  const text = shape.find('description')?.value;
  return typeof text === 'string' && SAYS.test(text) && describedValues(shape).length > 1;
}

const LISTED =
  /(?:one of|either|can be|values?|options?|:|\()\s*:?\s*((?:[\w-]+\s*(?:\||,|\/|\bor\b)\s*(?:or\s+)?)+[\w-]+)\)?\.?\s*$/i;

/** A description that only has words and separators is a list of values: "pending, confirmed, cancelled", "open | closed". */
const WHOLE = /^\s*([\w-]+(?:\s*[|/]\s*[\w-]+)+|[\w-]+(?:\s*,\s*[\w-]+){2,})\.?\s*$/;

/** A resource name in the format of the description: `users/k3v9` for "Format: users/{user}". */
export function pathShown({ shape, random }: Subject): string | undefined {
  const text = shape.find('description')?.value;
  const [, form] =
    typeof text === 'string' ? (/\bformat:\s*`?([\w-]+(?:\/(?:\{\w+\}|[\w-]+))+)/i.exec(text) ?? []) : [];
  if (!form?.includes('{')) return undefined;
  const part = () => Array.from({ length: 6 }, () => random.pick([...UNSPOKEN])).join('');
  return form.replace(/\{\w+\}/g, part);
}

/** Words at the start of a description that are skipped, and those that end its noun. */
const BEFORE =
  /^(?:(?:the|a|an|optional|required|unique|output only|input only|this|its|full|current)\b[\s.:,]*)+/i;
const BEHIND =
  /\b(?:of|for|to|that|which|in|on|at|from|by|with|when|if|used|where|is|are|as|will|who|whose)\b|[^\w\s'-]/i;

/** The noun in a description: `command` in "The command to run before the deployment". */
export function nounShown({ shape }: Subject): string {
  const text = shape.find('description')?.value;
  if (typeof text !== 'string') return '';
  const [phrase = ''] = text.trim().replace(BEFORE, '').split(BEHIND);
  return snakeCase(phrase.trim().split(/\s+/).slice(-3).join(' '));
}

/** Without vowels, so that no words arise. */
export const UNSPOKEN = 'bcdfghjklmnpqrstvwxz0123456789';

/** Another text of the same form: `cus_9s8f7` for `cus_1a2b3`. */
export function likeExample(random: Random, example: string): string {
  const [prefix = ''] = /^[A-Za-z]+[_:-]/.exec(example) ?? [];
  const text = example.slice(prefix.length);
  const letters = /^[\da-fx:-]+$/i.test(text) ? 'abcdef' : UNSPOKEN.slice(0, 20);
  const rest = text.replace(/[a-wyz\d]/g, (letter) => {
    if (/\d/.test(letter)) return String(random.integer(0, 9));
    return /\d/.test(example) ? random.pick([...letters]) : letter;
  });
  return prefix + rest;
}
