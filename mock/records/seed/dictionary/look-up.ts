import { singular } from '#spec';
import FLAGS from './flags.json' with { type: 'json' };
import MEMBERS from './members.json' with { type: 'json' };
import NUMBERS from './numbers.json' with { type: 'json' };
import { setOf } from './subject.ts';
import THINGS from './things.json' with { type: 'json' };

/** What a row of the table says, and the words of a name before those of the row. */
export interface Found {
  readonly what: string;
  readonly qualifier: string;
}

type Table = ReadonlyMap<string, string>;

/** By the words of each row, without what separates them. */
const byWords = (rows: Readonly<Record<string, string>>): Table =>
  new Map(
    Object.entries(rows).flatMap(([words, what]) =>
      words.split(' ').map((word) => [word.replaceAll('_', ''), what] as const),
    ),
  );

/**
 * What members mean. Each row has the words that end a name, in small letters, and what such a member says: one of the texts
 * between `|`, where `{{person.lastName}}` is a value of faker, `{city}` the city that the object is about, `#` a digit; the
 * name of a method of faker, with its argument; or `@` and a name of `VALUES`. After `?` what the document says comes
 * first; after `~` is a kind of sentence.
 */
export const OF_MEMBERS = byWords(MEMBERS);
/** What a thing is called, by the words that end the name of its schema or of the member that it is. */
export const OF_THINGS = byWords(THINGS);
/** The same of numbers: `1..5` is between, of `~` mostly small ones; `/2` has two decimal places, `*5` are multiples of five. */
export const OF_NUMBERS = byWords(NUMBERS);

/** The row of the longest end of a name, in snake case; a number that is called `ticket` counts no tickets. */
export function lookUp(name: string, table: Table): Found | undefined {
  const words = name.split('_');
  for (let from = 0; from < words.length; from++) {
    const end = words.slice(from).join('');
    const what = table.get(end) ?? (table === OF_NUMBERS ? undefined : table.get(singular(end)));
    if (what !== undefined) return { what, qualifier: words.slice(0, from).join('_') };
  }
  return undefined;
}

/** `menu_name` of `menuname`: a name in one word that is none of ours, while both its parts are. */
export function apart(name: string): string {
  if (name.includes('_') || isWord(name) || isWord(singular(name))) return name;
  const ends = [...name].map((_, at) => name.slice(at));
  const rest = ends.find(
    (end, at) => (end.length > 2 || end === 'id') && OF_MEMBERS.has(end) && isWord(name.slice(0, at)),
  );
  return rest === undefined ? name : `${name.slice(0, -rest.length)}_${rest}`;
}

const isWord = (word: string) => [OF_MEMBERS, OF_THINGS, OF_NUMBERS].some((table) => table.has(word));

/** The same with what the object is before it, where the row says so: `country_code` of the code of a country. */
export function lookUpWithin(entity: string, name: string, table: Table): Found | undefined {
  const whole = lookUp(`${entity}_${name}`, table);
  const isOfEntity = whole && whole.qualifier.length < entity.length;
  return isOfEntity && entity !== '' ? { what: whole.what, qualifier: '' } : lookUp(name, table);
}

/** Words behind those that say what a number is. */
const UNITS = setOf(
  'cents usd eur gross net due paid amount value kg g grams s sec secs seconds min minutes ms millis hours days bytes kb mb max maximum minimum',
);

const SHARES = setOf('percent percentage pct');

const PARTS_OF_TIME = setOf('year month day hour');

/** Also of `price_cents`, `total_items`, `number_of_items`, `year_planted` and `cpu_percent_threshold`. */
export function lookUpNumber(name: string): Found | undefined {
  const found = lookUp(name, OF_NUMBERS);
  if (found) return found;
  const words = name.split('_');
  if (words.length > 1 && UNITS.has(words.at(-1) ?? '')) return lookUpNumber(words.slice(0, -1).join('_'));
  const [first = ''] = words;
  if (words.length > 1 && PARTS_OF_TIME.has(first)) return lookUp(first, OF_NUMBERS);
  const [, counted] = /^(?:num|number|no|nr|total)_(?:of_)?(.+)/.exec(name) ?? [];
  if (counted !== undefined) return { what: OF_NUMBERS.get('count') ?? '', qualifier: counted };
  const share = words.find((word) => SHARES.has(word));
  return share === undefined ? undefined : lookUp(share, OF_NUMBERS);
}

/** Shares of true, by parts of names. */
const FLAG_PARTS = Object.entries(FLAGS).map(([parts, share]) => [share, parts.split(' ')] as const);

/** How often a flag of this name is true; undefined: as often as false. */
export const shareOf = (name: string): number | undefined =>
  FLAG_PARTS.find(([, parts]) => parts.some((part) => name.includes(part)))?.[0];
