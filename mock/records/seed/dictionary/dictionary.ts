import { isRecord, type Owner, type Random, type Shape } from '#spec';
import { flagOf, NUMBERS, withinBounds } from './numbers.ts';
import { PEOPLE } from './people.ts';
import { PLACES, placeOf } from './places.ts';
import { type Library, type Make, own, type Subject, singularOf, type Words, wordsOf } from './subject.ts';
import { TECHNICAL } from './technical.ts';
import { TEXTS } from './texts.ts';
import { isThing, NAMES, nameOfThing, plainNoun, plainWords } from './things.ts';
import { isTime, timeOf } from './times.ts';

/** Makes the value of a member; undefined: the schema alone decides. */
export type Meaning = (random: Random, owner: Owner) => unknown;

/**
 * What a member means, from its name, the schema that it stands in, its description, example, format and bounds. Undefined:
 * only its schema says what it is.
 */
export function meaningOf(name: string, shape: Shape, owner: Owner, library: Library): Meaning | undefined {
  const isItem = owner.shape.mainType === 'array';
  const words = isItem
    ? singularOf(wordsOf(owner.name).replace(/_(?:list|array|set|names?|values)$/, ''))
    : wordsOf(name);
  const object = isItem ? owner.above : owner;
  const entity = entityOf(object);
  const around = entityOf(object?.above?.shape.mainType === 'array' ? object.above.above : object?.above);
  const known = findMeaning(words, shape, entity);
  if (!known) return undefined;
  const { make, qualifier } = known;
  return (random, holder) => {
    // The items of a list are different ones.
    const about = isItem ? { ...holder, seed: [random.integer(0, 2 ** 31), 0, 0, 1] as const } : holder;
    const object = (isItem ? holder.above : undefined) ?? holder;
    const subject: Subject = {
      ...{ name: words, qualifier, entity, around, shape, random, library },
      ...{ owner: about, holder: object },
    };
    return fitted(subject, make(subject));
  };
}

interface Known {
  readonly make: Make;
  readonly qualifier: string;
}

const compile = (...tables: readonly Words[]) =>
  tables.flatMap((table) =>
    Object.entries(table).map(([words, make]) => [new RegExp(`(?:^|_)(?:${words})$`), make] as const),
  );

const OF_TEXTS = compile(PEOPLE, PLACES, TECHNICAL, TEXTS, NAMES);
const OF_NUMBERS = compile(NUMBERS);

/** Whether the name of a number says what it counts or measures. */
export const isKnownNumber = (name: string) => lookUp(wordsOf(name), OF_NUMBERS) !== undefined;

function lookUp(name: string, table: ReturnType<typeof compile>): Known | undefined {
  for (const [pattern, make] of table) {
    const match = pattern.exec(name);
    if (match) return { make, qualifier: name.slice(0, match.index) };
  }
  return undefined;
}

function findMeaning(name: string, shape: Shape, entity: string): Known | undefined {
  const type = shape.mainType;
  if (isTime({ name, shape })) return { make: timeOf, qualifier: '' };
  if (type === 'boolean') return { make: flagOf, qualifier: '' };
  if (type === 'integer' || type === 'number') return lookUp(name, OF_NUMBERS);
  if (type !== 'string') return undefined;
  const format = shape.find('format')?.value;
  if (OWN_FORMATS.has(format)) return undefined;
  if (format === 'email' || format === 'idn-email') return lookUp('email', OF_TEXTS);
  const isAddress = ADDRESSES.has(format);
  if (isAddress) return lookUp(name, compiledAddresses) ?? lookUp(`${name}_url`, compiledAddresses);
  if (STATES.test(name)) return { make: stateOf, qualifier: '' };
  if (IDS.test(name)) return { make: idOf, qualifier: '' };
  const [example] = shape.examples;
  const number = NUMERIC.test(String(example ?? '')) ? lookUp(name, OF_NUMBERS) : undefined;
  if (number) return { ...number, make: (subject) => asText(number.make(subject), String(example)) };
  const found = lookUp(name, OF_TEXTS);
  if (found) return found;
  const counted = lookUp(name, OF_NUMBERS);
  if (counted) return { ...counted, make: (subject) => String(counted.make(subject)) };
  // A map of texts, say, whose entries have no names.
  return {
    make: shape.find('pattern') ? () => undefined : (subject) => anyText(subject, entity),
    qualifier: '',
  };
}

/** Formats of which a sample of the schema is as good as anything. */
const OWN_FORMATS: ReadonlySet<unknown> = new Set([
  ...[
    'uuid',
    'guid',
    'byte',
    'binary',
    'base64',
    'duration',
    'ipv4',
    'ipv6',
    'hostname',
    'regex',
    'json-pointer',
  ],
  ...[
    'relative-json-pointer',
    'json-pointer-uri-fragment',
    'uri-template',
    'password',
    'decimal',
    'int64',
    'uint64',
  ],
]);

const ADDRESSES: ReadonlySet<unknown> = new Set(['uri', 'url', 'iri', 'uri-reference', 'iri-reference']);
const compiledAddresses = compile(TECHNICAL).filter(([pattern]) =>
  /ur[il]|image|avatar/.test(pattern.source),
);

const NUMERIC = /^-?\d+(?:\.\d+)?$/;
const IDS = /(?:^|_)(?:ids?|uuid|guid|oid|uid)$/;
const STATES =
  /(?:^|_)(?:status|state|stage|phase|type|kind|mode|visibility|role|priority|severity|level|provider|source|scope|unit|category_type|access|privacy|plan_type|action|operation|direction|event(?:_type)?|object|resource_type|class)$/;

/** One of the values that the description names, else what such members usually say. */
function stateOf(subject: Subject): unknown {
  const { name, shape, random, entity } = subject;
  const described = describedValues(shape);
  if (described.length > 1) return random.pick(described);
  const [example] = shape.examples;
  if (typeof example === 'string' && example !== '') return example;
  const last = name.split('_').at(-1) ?? '';
  const siblings = [...subject.owner.shape.properties.keys()].map(wordsOf);
  if (last === 'state' && siblings.some((one) => /(?:city|zip|postcode|postal_code|street)$/.test(one)))
    return placeOf(subject).region;
  if (last === 'object' || last === 'resource_type') return entity || undefined;
  const usual = USUAL[last];
  if (usual) return random.pick(usual);
  return nameOfThing({ ...subject, entity: last === 'type' || last === 'kind' ? `${entity}_${last}` : last });
}

const USUAL: Readonly<Record<string, readonly string[]>> = {
  status: ['active', 'active', 'active', 'pending', 'inactive'],
  state: ['active', 'active', 'pending', 'done'],
  stage: ['planned', 'in progress', 'done'],
  phase: ['planned', 'running', 'done'],
  mode: ['automatic', 'manual'],
  visibility: ['public', 'private'],
  privacy: ['public', 'private'],
  access: ['public', 'private'],
  role: ['member', 'member', 'editor', 'admin'],
  priority: ['low', 'normal', 'high'],
  severity: ['low', 'medium', 'high'],
  level: ['beginner', 'intermediate', 'advanced'],
  provider: ['local', 'github', 'google'],
  source: ['web', 'mobile', 'import'],
  scope: ['read', 'write'],
  unit: ['piece', 'kg', 'box', 'hour'],
  action: ['created', 'updated', 'deleted'],
  operation: ['create', 'update', 'delete'],
  event: ['created', 'updated', 'deleted'],
  direction: ['in', 'out'],
};

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

/** As the example shows, with other digits; else twelve letters and digits. */
function idOf(subject: Subject): unknown {
  const [example] = subject.shape.examples;
  if (typeof example === 'string' && example !== '') return likeExample(subject, example);
  return own(subject).string.fromCharacters(OF_IDS, 12);
}

/** Without vowels nothing is spelled. */
const OF_IDS = 'bcdfghjklmnpqrstvwxz0123456789';

/** Another text of the same form: `cus_9s8f7` for `cus_1a2b3`. */
function likeExample({ random }: Subject, example: string): string {
  const [, prefix = ''] = /^([A-Za-z]+[_:-])/.exec(example) ?? [];
  const rest = [...example.slice(prefix.length)].map((letter) => {
    if (/\d/.test(letter)) return String(random.integer(0, 9));
    return /[a-z]/.test(letter) && /\d/.test(example)
      ? OF_IDS.charAt(random.integer(0, OF_IDS.length - 1))
      : letter;
  });
  return `${prefix}${rest.join('')}`;
}

function asText(value: unknown, example: string): string {
  const places = example.split('.')[1]?.length ?? 0;
  return typeof value === 'number' ? value.toFixed(places) : String(value);
}

/** Of a member of which nothing is known: an example of the document, one of the values that it names, or two words. */
function anyText(subject: Subject, entity: string): unknown {
  const { shape, random } = subject;
  const described = describedValues(shape);
  if (described.length > 1) return random.pick(described);
  const [example] = shape.examples;
  if (typeof example === 'string' && example !== '')
    return /\d/.test(example) && !/\s/.test(example) ? likeExample(subject, example) : example;
  if (subject.name === '' && isThing(entity)) return nameOfThing(subject);
  return (shape.lowest('maxLength') ?? 99) < 24 ? plainNoun(random) : plainWords(random);
}

/** A text with as many characters as the schema wants, cut between words where it can be; a number within the bounds. */
function fitted(subject: Subject, value: unknown): unknown {
  if (typeof value !== 'string') return withinBounds(subject, value);
  const { shape, random } = subject;
  const most = shape.lowest('maxLength') ?? Number.POSITIVE_INFINITY;
  const least = shape.highest('minLength') ?? 0;
  if (value.length > most) {
    const cut = value.slice(0, most + 1).replace(/\s+\S*$/, '');
    return cut.length <= most && cut.length >= least ? cut : value.slice(0, most);
  }
  if (value.length >= least || least > 2000) return value;
  let text = value;
  while (text.length < least) text += ` ${plainNoun(random)}`;
  return text.slice(0, most).trimEnd().padEnd(least, '.');
}

/** What a name of a schema says beside what it is. */
const AROUND =
  /^(?:(?:api|models?|dtos?|schemas?|entit(?:y|ies)|get|create[ds]?|update[ds]?|new|base|simple|handlers?|types?|domain|web|main|responses?|requests?|internal|v\d+|rest|public|full|basic)_)+|(?:_(?:dto|response|request|schema|model|read|out|in|public|details?|base|view|entity|object|resource|v\d+|data|info|full|output|input|payload|body|record|summary|minimal|fields|vo|representation|with_\w+|create|update|list|row|result|element))+$/g;

/** What an object is, in words: by the member that it is, and by the name of its schema. */
function entityOf(owner: Owner | undefined): string {
  if (!owner) return '';
  const place = singularOf(
    wordsOf(owner.name || (owner.above?.shape.mainType === 'array' ? owner.above.name : '')),
  );
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
  return singularOf(words.replace(AROUND, '') || words);
}
