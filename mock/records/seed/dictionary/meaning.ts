import { isRecord, type Owner, type Random, type Shape, singular, wordsOf } from '#spec';
import { type Found, lookUp, lookUpNumber, OF_MEMBERS, OF_THINGS, shareOf } from './look-up.ts';
import { isThing, likeExample, made, nameOfThing } from './makers.ts';
import { type Library, type Make, plainNoun, plainWords, type Subject, snakeCase } from './subject.ts';
import { isTime, timeOf } from './times.ts';

/** Makes the value of a member; undefined: the schema alone decides. */
export type Meaning = (random: Random, owner: Owner) => unknown;

interface Known {
  readonly make: Make;
  readonly qualifier: string;
}

/**
 * What a member means, from its name, the schema that it stands in, its description, example, format and bounds. Undefined:
 * only its schema says what it is.
 */
export function meaningOf(name: string, shape: Shape, owner: Owner, library: Library): Meaning | undefined {
  const isItem = owner.shape.mainType === 'array';
  const words = isItem
    ? singular(snakeCase(owner.name).replace(/_(?:list|array|set|names?|values)$/, ''))
    : snakeCase(name);
  const object = isItem ? owner.above : owner;
  const entity = entityOf(object);
  const around = entityOf(object?.above?.shape.mainType === 'array' ? object.above.above : object?.above);
  const known = findMeaning(words, shape);
  if (!known) return undefined;
  const { make, qualifier } = known;
  return (random, holder) => {
    // The items of a list are different ones.
    const about = isItem ? { ...holder, seed: [random.integer(0, 2 ** 31), 0, 0, 1] as const } : holder;
    const subject: Subject = {
      ...{ name: words, qualifier, entity, around, shape, random, library },
      ...{ owner: about, holder: (isItem ? holder.above : undefined) ?? holder },
    };
    return fitted(subject, make(subject));
  };
}

/** Whether the name of a number says what it counts or measures. */
export const isKnownNumber = (name: string) => lookUpNumber(snakeCase(name)) !== undefined;

/** Formats of which a sample of the schema is as good as anything. */
const OWN_FORMATS: ReadonlySet<unknown> = new Set(
  `uuid guid byte binary base64 duration ipv4 ipv6 hostname regex json-pointer relative-json-pointer password decimal int64
  uint64 json-pointer-uri-fragment uri-template`.split(/\s+/),
);
const ADDRESSES: ReadonlySet<unknown> = new Set(['uri', 'url', 'iri', 'uri-reference', 'iri-reference']);
const OF_ADDRESSES: ReadonlySet<unknown> = new Set(['@url', '@avatar', '@image']);

function findMeaning(name: string, shape: Shape): Known | undefined {
  const type = shape.mainType;
  if (isTime({ name, shape })) return { make: timeOf, qualifier: '' };
  const share = type === 'boolean' ? shareOf(name) : undefined;
  if (share !== undefined) return { make: ({ random }) => random.next() < share, qualifier: '' };
  const number = lookUpNumber(name);
  if (type === 'integer' || type === 'number') return number && rowOf(number);
  if (type !== 'string') return undefined;
  const format = shape.find('format')?.value;
  if (OWN_FORMATS.has(format)) return undefined;
  if (format === 'email' || format === 'idn-email') return rowOf(lookUp('email', OF_MEMBERS));
  const found = lookUp(name, OF_MEMBERS);
  if (ADDRESSES.has(format))
    return rowOf(found && OF_ADDRESSES.has(found.what) ? found : { what: '@url', qualifier: name });
  const [example] = shape.examples;
  if (number && /^-?\d+(?:\.\d+)?$/.test(String(example ?? ''))) {
    const places = String(example).split('.')[1]?.length ?? 0;
    const { make, qualifier } = rowOf(number);
    return { qualifier, make: (subject) => Number(make(subject)).toFixed(places) };
  }
  if (found) return rowOf(found);
  const thing = lookUp(name, OF_THINGS);
  // What the member is called is a thing itself, which the object is around.
  if (thing)
    return {
      qualifier: name,
      make: (subject) => nameOfThing({ ...subject, around: subject.entity, entity: name }),
    };
  if (number) return { ...number, make: (subject) => String(rowOf(number).make(subject)) };
  // A map of texts, say, whose entries have no names.
  return { make: shape.find('pattern') ? () => undefined : anyText, qualifier: '' };
}

/** After `?` what the document says of the member comes first. */
function rowOf({ what, qualifier }: Found = { what: '', qualifier: '' }): Known {
  const isClosed = what.startsWith('?');
  const row = isClosed ? what.slice(1) : what;
  return {
    qualifier,
    make: (subject) => (isClosed ? shownBy(subject) : undefined) ?? made(row, subject),
  };
}

/** One of the values that the description names, or the example. */
function shownBy({ shape, random }: Subject): string | undefined {
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
  const [, listed = ''] =
    /(?:one of|either|can be|values?|options?|:|\()\s*:?\s*((?:[\w-]+\s*(?:\||,|\/|\bor\b)\s*(?:or\s+)?)+[\w-]+)\)?\.?\s*$/i.exec(
      text,
    ) ?? [];
  const values = listed.split(/\s*(?:\||,|\/|\bor\b)\s*/).filter((value) => /^[\w-]{1,30}$/.test(value));
  return values.length > 1 ? values : [];
}

/** Of a member of which nothing is known: what the document says, or two words. */
function anyText(subject: Subject): unknown {
  const { shape, random, name, entity } = subject;
  const shown = shownBy(subject);
  if (shown !== undefined) return /\d/.test(shown) && !/\s/.test(shown) ? likeExample(random, shown) : shown;
  if (name === '' && isThing(entity)) return nameOfThing(subject);
  return (shape.lowest('maxLength') ?? 99) < 24 ? plainNoun(random) : plainWords(random);
}

/** A text with as many characters as the schema wants, cut between words where it can be. */
function fitted({ shape, random }: Subject, value: unknown): unknown {
  if (typeof value === 'number' && shape.mainType === 'integer') return Math.round(value);
  if (typeof value !== 'string') return value;
  const [least = 0, most = Number.POSITIVE_INFINITY] = [
    shape.highest('minLength'),
    shape.lowest('maxLength'),
  ];
  const cut = value.length > most ? value.slice(0, most + 1).replace(/\s+\S*$/, '') : value;
  let text = cut.length >= least ? cut : value;
  while (text.length < least && least <= 2000) text += ` ${plainNoun(random)}`;
  return text.slice(0, most).trimEnd().padEnd(Math.min(least, 2000), '.');
}

/** What names of schemas say before and behind what it is. */
const BEFORE = new Set(
  'api model models dto schema entity get create created update updated new base simple handler handlers type types domain web main response request internal rest public full basic'.split(
    ' ',
  ),
);
const BEHIND = new Set(
  'dto response request schema model read out in public detail details base view entity object resource data info full output input payload body record summary minimal fields vo representation create update list row result element'.split(
    ' ',
  ),
);

/** What an object is, in words: by the member that it is, and by the name of its schema. */
function entityOf(owner: Owner | undefined): string {
  if (!owner) return '';
  const isItem = owner.name === '' && owner.above?.shape.mainType === 'array';
  const place = singular(snakeCase((isItem ? owner.above?.name : owner.name) ?? ''));
  const schema = schemaName(owner.shape);
  if (schema.endsWith(`_${place}`)) return schema;
  const known = [place, schema].find((one) => one !== '' && isThing(one));
  return known ?? (schema || place);
}

function schemaName(shape: Shape): string {
  const named = shape.parts.find(({ path }) => /^(?:schemas|definitions)$/.test(String(path.at(-2))));
  const title = shape.parts.find(({ value }) => isRecord(value) && typeof value.title === 'string')?.value;
  const text = named ? String(named.path.at(-1)) : isRecord(title) ? String(title.title) : '';
  const words = wordsOf(text.split('.').at(-1) ?? text);
  const isAround = (set: ReadonlySet<string>, word = '') => set.has(word) || /^v\d+$/.test(word);
  while (words.length > 1 && isAround(BEFORE, words[0])) words.shift();
  while (words.length > 1 && isAround(BEHIND, words.at(-1))) words.pop();
  return singular(words.join('_'));
}
