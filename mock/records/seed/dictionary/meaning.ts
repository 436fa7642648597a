import { attributesIn, isRecord, type Owner, type Random, type Shape, singular, wordsOf } from '#spec';
import {
  apart,
  type Found,
  lookUp,
  lookUpNumber,
  lookUpWithin,
  OF_MEMBERS,
  OF_NUMBERS,
  OF_THINGS,
  shareOf,
} from './look-up.ts';
import { isThing, made, NUMERIC } from './makers.ts';
import { listsValues } from './shown.ts';
import { type Library, plainNoun, type Subject, setOf, snakeCase } from './subject.ts';
import { isTime } from './times.ts';

/** Makes the value of a member. Undefined: it is made from the schema alone. */
export type Meaning = (random: Random, owner: Owner) => unknown;

/**
 * The meaning of a member, by its name, the schema around it, its description, example, format and bounds. Undefined: only
 * its schema is known.
 */
export function meaningOf(name: string, shape: Shape, owner: Owner, library: Library): Meaning | undefined {
  const isItem = owner.shape.mainType === 'array';
  const kind = name === 'type' && !shape.values ? kindOf(owner) : undefined;
  if (kind !== undefined) return () => kind;
  const words = isItem
    ? singular(snakeCase(owner.name).replace(/_(?:list|array|set|names?|values)$/, ''))
    : apart(snakeCase(name));
  const object = isItem ? owner.above : owner;
  const entity = entityOf(object);
  const around = entityOf(object?.above?.shape.mainType === 'array' ? object.above.above : object?.above);
  const { what, qualifier } = findMeaning(words, shape, entity, isItem) ?? {};
  if (what === undefined) return undefined;
  return (random, holder) => {
    // Items of a list differ from each other.
    const about = isItem ? { ...holder, seed: [random.integer(0, 2 ** 31), 0, 0, 1] as const } : holder;
    const subject: Subject = {
      name: words,
      qualifier: qualifier ?? '',
      entity,
      around,
      shape,
      random,
      library,
      owner: about,
      holder: (isItem ? holder.above : undefined) ?? holder,
    };
    return fitted(subject, made(what, subject));
  };
}

/** The noun of a JSON:API resource or linked object (1.1 §5.2, §7.3). Undefined: the object is neither. */
function kindOf(owner: Owner): string | undefined {
  const { above } = owner;
  const isLinked = owner.name === 'data' && above?.above?.name === 'relationships';
  if (isLinked) return singular(snakeCase(above?.name ?? ''));
  const { properties } = owner.shape;
  const isResource =
    attributesIn(owner.shape) && [...properties.keys()].every((key) => OF_RESOURCES.has(key));
  // A `type` that the service sets together with the id is the record's kind.
  const isSet = ['id', 'type'].every((one) => properties.get(one)?.readOnly);
  return isResource || isSet ? singular(snakeCase(owner.name ?? '')) || undefined : undefined;
}

const OF_RESOURCES = setOf('id lid type attributes relationships links meta');

/** Whether the name of a number tells what it counts or measures. */
export const isKnownNumber = (name: string) => lookUpNumber(snakeCase(name)) !== undefined;

/** Formats for which a sample of the schema is good enough. */
const OWN_FORMATS = setOf(
  'uuid guid byte binary base64 duration ipv4 ipv6 hostname regex json-pointer relative-json-pointer password decimal int64 uint64 json-pointer-uri-fragment uri-template',
);
const ADDRESSES = setOf('uri url iri uri-reference iri-reference');
const OF_ADDRESSES = setOf('@url @avatar @image');

/** Rows that make words, for which an example without words is no model. */
const OF_WORDS = /^@(?:person|fullName|userName|name|kind|address|text)|^~/;
const IS_ID = /^(?:0x)?(?=.*\d)[\da-f-]{16,}$|^(?=(?:\D*\d){3})(?=.*[a-z])[\w-]{16,}$/i;

const IS_FILE = /^[\w-]+\.(?:pdf|png|jpe?g|docx?|csv|zip)$/i;

/** Names for the person who did something; `replaced_by` may refer to another record. */
const DONE_BY = /(?<!replac|supersed|sort|follow|caus|block|power|encrypt|group)ed_by$/;

function findMeaning(
  name: string,
  shape: Shape,
  entity: string,
  isItem: boolean,
): Partial<Found> | undefined {
  const [type, format] = [shape.mainType, shape.find('format')?.value];
  if (isTime({ name, shape })) return { what: '@time' };
  if (type === 'boolean') return shareOf(name) === undefined ? undefined : { what: '@flag' };
  const ofEntity = lookUpWithin(entity, name, OF_NUMBERS);
  // `{ "_count": { "comments": 3 } }`
  const number = ofEntity ?? lookUpNumber(name) ?? (entity === 'count' ? lookUpNumber(entity) : undefined);
  if (type === 'number' && /(?:^|_)id$/.test(name)) return { what: '1..900' };
  if (type === 'integer' || type === 'number') return number;
  // A pattern tells the number of digits, but not the amount.
  if (type === 'string' && format === 'decimal') return { ...number, what: '@digits' };
  if (type !== 'string' || OWN_FORMATS.has(format)) return undefined;
  if (format === 'email' || format === 'idn-email') return { what: '@email' };
  if (listsValues(shape) || /\bformat:\s*`?[\w-]+\/\{/i.test(String(shape.find('description')?.value)))
    return { what: '@text' };
  const ofName = lookUp(name, OF_MEMBERS);
  const isName = ofName?.what === '@name';
  const entry = isName ? ofName : lookUpWithin(entity, name, OF_MEMBERS);
  if (ADDRESSES.has(format))
    return entry && OF_ADDRESSES.has(entry.what) ? entry : { what: '@url', qualifier: name };
  if (number && NUMERIC.test(String(shape.examples[0] ?? ''))) return { ...number, what: '@digits' };
  if (OF_WORDS.test(entry?.what ?? '@kind')) {
    const example = String(shape.examples[0] ?? '');
    if (IS_ID.test(example)) return { what: '@id' };
    if (IS_FILE.test(example)) return { what: '@fileName' };
  }
  // `labels` are not the names of the object.
  if (entry && !(isName && isItem)) return entry;
  // The member is itself a thing with a known kind.
  if (lookUp(name, OF_THINGS)) return { what: '@kind', qualifier: name };
  if (number) return { ...number, what: '@digits' };
  if (DONE_BY.test(name)) return { what: '@person' };
  // For example a map of texts, whose entries have no names.
  return shape.find('pattern') ? undefined : { what: '@text' };
}

/** A text within the schema's length limits, cut between words if possible. */
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

/** Words in schema names that do not belong to the noun. */
const BEFORE = setOf(
  'api model models dto schema entity get create created update updated new base simple handler handlers type types domain web main response request internal rest public full basic',
);
const BEHIND = setOf(
  'dto response request schema model read out in public detail details base view entity object resource data info full output input payload body record summary minimal fields vo representation create update list row result element',
);

const OF_OWNER = setOf('attributes properties');

/** The noun of an object, by its member's name and its schema's name. */
function entityOf(owner: Owner | undefined): string {
  if (!owner) return '';
  // Such objects hold the members of what is around them, as in JSON:API (1.1 §7.2.2).
  if (OF_OWNER.has(owner.name) && owner.shape.mainType === 'object' && owner.above)
    return entityOf(owner.above);
  const isItem = owner.name === '' && owner.above?.shape.mainType === 'array';
  const place = singular(snakeCase((isItem ? owner.above?.name : owner.name) ?? ''));
  const schema = schemaName(owner.shape);
  if (schema.endsWith(`_${place}`)) return schema;
  const thing = [place, schema].find((one) => one !== '' && isThing(one));
  return thing ?? (schema || place);
}

function schemaName(shape: Shape): string {
  const named = shape.parts.find(({ path }) => /^(?:schemas|definitions)$/.test(String(path.at(-2))));
  const title = shape.parts.find(({ value }) => isRecord(value) && typeof value.title === 'string')?.value;
  const text = named ? String(named.path.at(-1)) : isRecord(title) ? String(title.title) : '';
  const words = [...wordsOf(text.split('.').at(-1) ?? text)];
  const isAround = (set: ReadonlySet<unknown>, word = '') => set.has(word) || /^v\d+$/.test(word);
  while (words.length > 1 && isAround(BEFORE, words[0])) words.shift();
  while (words.length > 1 && isAround(BEHIND, words.at(-1))) words.pop();
  return singular(words.join('_'));
}
