import { singular } from '#spec';
import FLAGS from './flags.json' with { type: 'json' };
import MEMBERS from './members.json' with { type: 'json' };
import NUMBERS from './numbers.json' with { type: 'json' };
import { setOf } from './subject.ts';
import THINGS from './things.json' with { type: 'json' };

/** A row of the table: the words of a name before the matched ones (`qualifier`), and the value to make. */
export interface Found {
  readonly what: string;
  readonly qualifier: string;
}

type Table = ReadonlyMap<string, string>;

/** The rows by their words, without separators. */
const byWords = (rows: Readonly<Record<string, string>>): Table =>
  new Map(
    Object.entries(rows).flatMap(([words, what]) =>
      words.split(' ').map((word) => [word.replaceAll('_', ''), what] as const),
    ),
  );

/**
 * Values of members. The key of a row is the end of a name, in lower case; the value is one of the texts between `|`, where
 * `{{person.lastName}}` is a value from faker, `{city}` the object's city, `#` a digit; or the name of a faker method, with
 * its argument; or `@` and a name in `VALUES`. `?`: what the document says takes precedence; `~`: a kind of sentence.
 */
export const OF_MEMBERS = byWords(MEMBERS);
/** Names of things, by the words that end the name of a schema or member. */
export const OF_THINGS = byWords(THINGS);
/** Numbers: `1..5` is a range, `~` prefers small values; `/2` has two decimal places, `*5` are multiples of five. */
export const OF_NUMBERS = byWords(NUMBERS);

/** The row that matches the longest end of a name in snake case; a number called `ticket` counts no tickets. */
export function lookUp(name: string, table: Table): Found | undefined {
  const words = name.split('_');
  for (let from = 0; from < words.length; from++) {
    const end = words.slice(from).join('');
    const what = table.get(end) ?? (table === OF_NUMBERS ? undefined : table.get(singular(end)));
    if (what !== undefined) return { what, qualifier: words.slice(0, from).join('_') };
  }
  return undefined;
}

/** `menu_name` for `menuname`: splits an unknown word into two known ones. */
export function apart(name: string): string {
  if (name.includes('_') || isWord(name) || isWord(singular(name))) return name;
  const ends = [...name].map((_, at) => name.slice(at));
  const rest = ends.find(
    (end, at) => (end.length > 2 || end === 'id') && OF_MEMBERS.has(end) && isWord(name.slice(0, at)),
  );
  return rest === undefined ? name : `${name.slice(0, -rest.length)}_${rest}`;
}

const isWord = (word: string) => [OF_MEMBERS, OF_THINGS, OF_NUMBERS].some((table) => table.has(word));

/** A look-up that prefers rows with the object before the name: `country_code` for the code of a country. */
export function lookUpWithin(entity: string, name: string, table: Table): Found | undefined {
  const whole = lookUp(`${entity}_${name}`, table);
  const isOfEntity = whole && whole.qualifier.length < entity.length;
  return isOfEntity && entity !== '' ? { what: whole.what, qualifier: '' } : lookUp(name, table);
}

/** Words that may follow what a number means. */
const UNITS = setOf(
  'cents usd eur gross net due paid amount value kg g grams s sec secs seconds min minutes ms millis hours days bytes kb mb max maximum minimum avg average mean',
);

const SHARES = setOf('percent percentage pct');

const PARTS_OF_TIME = setOf('year month day hour');

/** Also finds `price_cents`, `total_items`, `number_of_items`, `year_planted` and `cpu_percent_threshold`. */
export function lookUpNumber(name: string): Found | undefined {
  const entry = lookUp(name, OF_NUMBERS);
  if (entry) return entry;
  const words = name.split('_');
  if (words.length > 1 && UNITS.has(words.at(-1) ?? '')) return lookUpNumber(words.slice(0, -1).join('_'));
  const [first = ''] = words;
  if (words.length > 1 && PARTS_OF_TIME.has(first)) return lookUp(first, OF_NUMBERS);
  const [, counted] = /^(?:num|number|no|nr|total)_(?:of_)?(.+)/.exec(name) ?? [];
  if (counted !== undefined) return { what: OF_NUMBERS.get('count') ?? '', qualifier: counted };
  const share = words.find((word) => SHARES.has(word));
  return share === undefined ? undefined : lookUp(share, OF_NUMBERS);
}

/** How often flags are true, by parts of their names. */
const FLAG_PARTS = Object.entries(FLAGS).map(([parts, share]) => [share, parts.split(' ')] as const);

/** The share of true values for a flag. Undefined: half. */
export const shareOf = (name: string): number | undefined =>
  FLAG_PARTS.find(([, parts]) => parts.some((part) => name.includes(part)))?.[0];
