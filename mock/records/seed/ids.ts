import {
  ancestorsOf,
  decodeText,
  exactNumber,
  findSample,
  isRecord,
  type Random,
  type Resource,
  randomOf,
  roughlyFits,
  Shape,
} from '#spec';
import type { Id, Scalar } from '../../store/port.ts';
import type { SeedValues } from './values.ts';

/** The id of the n-th record, counted from 1: the same for the same key on every machine. */
export type IdMaker = (ordinal: number) => Id;

/** UUIDs of version 7 begin with a timestamp (RFC 9562 §5.7): one millisecond per ordinal, so that they ascend. */
const FIRST_MOMENT = Date.UTC(2024, 0, 1);

/**
 * Compiles ids that fit the record's schema and the path parameters that name a record; where none fit them all, as many
 * as can be.
 * @param shape of the record's member; undefined: it has none
 * @param nameOf makes names as people give them
 */
export function compileIds(
  written: Shape | undefined,
  key: string,
  parameters: readonly Shape[] = [],
  nameOf?: (ordinal: number) => string,
): IdMaker {
  const shape = written?.isUntyped ? written.withType('string') : written;
  const own = compileNamed(shape, key, nameOf) ?? compileOwn(shape, key);
  const narrower = shape ? parameters.filter((parameter) => !saysNoMore(parameter, shape)) : [];
  if (!shape || narrower.length === 0) return own;
  const makers = [own, ...makersFor(shape, narrower, key)];
  const counts = makers.map((idOf) => narrower.filter((one) => isNamedBy(idOf, shape, one)).length);
  return makers[counts.indexOf(Math.max(...counts))] as IdMaker;
}

/** Whether a path with this parameter can name the records of these ids. */
export function isNamedBy(idOf: IdMaker, shape: Shape, parameter: Shape): boolean {
  if (saysNoMore(parameter, shape)) return true;
  return PROBES.every((ordinal) => isName(idOf(ordinal), shape, parameter));
}

const PROBES = [1, 2, 3];

/** Compiles the id that a path parameter means: it may be documented as a string while the record's is a number, and vice versa. */
export function compileIdReader(shape: Shape | undefined): (value: unknown) => Id {
  if (shape?.mainType === 'string') return String;
  return (value) => {
    const isDigits = typeof value === 'string' && /^-?(?:0|[1-9]\d*)$/.test(value);
    return (isDigits ? exactNumber(value) : undefined) ?? (value as Id);
  };
}

/** As a request is read. */
function isName(id: Id, shape: Shape, parameter: Shape): boolean {
  const value = decodeText(String(id), parameter);
  return roughlyFits(shape, id) && roughlyFits(parameter, value) && compileIdReader(shape)(value) === id;
}

/** Keywords that say nothing of a value. */
const ANNOTATIONS = new Set([
  ...['$ref', 'title', 'description', 'example', 'examples', 'default', 'deprecated', 'nullable'],
]);

/** Of whole numbers, which ids are anyway, and are small. */
const INTEGER_FORMATS = new Set<unknown>(['int32', 'int64']);

/** Whether a path parameter demands nothing that the record's id does not have anyway. */
function saysNoMore(parameter: Shape, shape: Shape): boolean {
  if (parameter.spot.value === shape.spot.value) return true;
  return parameter.parts.every(({ value }) => {
    if (!isRecord(value)) return false;
    return Object.entries(value).every(([keyword, argument]) => {
      if (ANNOTATIONS.has(keyword) || keyword.startsWith('x-')) return true;
      if (keyword === 'type') return argument === shape.mainType || argument === 'string';
      if (keyword === 'format' && INTEGER_FORMATS.has(argument)) return shape.mainType === 'integer';
      return shape.find(keyword)?.value === argument;
    });
  });
}

/** What the record and its path demand together, then what each path demands, in the record's type. */
function makersFor(shape: Shape, parameters: readonly Shape[], key: string): IdMaker[] {
  const alike = parameters.filter(({ mainType }) => mainType === shape.mainType || !shape.mainType);
  const sets = [alike, ...alike.map((one) => [one])].filter(({ length }) => length > 0);
  const joined = sets.map((some) => new Shape([shape, ...some].flatMap(({ parts }) => parts)));
  const isNumeric = shape.mainType === 'integer' || shape.mainType === 'number';
  const asOwn = (id: Id) => (shape.mainType === 'string' ? String(id) : compileIdReader(shape)(id));
  return [
    ...joined.map((one) => compileOwn(one, key)),
    ...(isNumeric ? [withDigits(compileOwn(shape, key), parameters)] : []),
    ...parameters.map((parameter): IdMaker => {
      const idOf = (tried: string) => compileOwn(parameter, tried);
      return (ordinal) => {
        const tries = Array.from({ length: TRIES }, (_, tried) => (tried === 0 ? key : `${key}/${tried}`));
        const fits = (id: Id) => isName(id, shape, parameter);
        const ids = tries.values().map((tried) => asOwn(idOf(tried)(ordinal)));
        return ids.find(fits) ?? asOwn(idOf(key)(ordinal));
      };
    }),
  ];
}

/** A text of digits may begin with a zero, and then it is no number. */
const TRIES = 10;

/** Numbers with as many digits as the texts of the parameters must have. */
function withDigits(idOf: IdMaker, parameters: readonly Shape[]): IdMaker {
  const digits = Math.max(...parameters.map((one) => one.highest('minLength') ?? 1), 1);
  const least = 10 ** Math.min(digits - 1, 15);
  return (ordinal) => Math.max(least - 1, 0) + Number(idOf(ordinal));
}

/** Names that any text may be; undefined: the schema demands more of them. */
function compileNamed(
  shape: Shape | undefined,
  key: string,
  nameOf: ((ordinal: number) => string) | undefined,
): IdMaker | undefined {
  if (!nameOf || shape?.mainType !== 'string' || shape.values || shape.find('format')) return undefined;
  const { patterns } = shape;
  const fits = (name: string) => roughlyFits(shape, name) && patterns.every((pattern) => pattern.test(name));
  const names = PROBES.map(nameOf);
  if (!names.every(fits) || new Set(names).size < names.length) return undefined;
  const otherwise = compileOwn(shape, key);
  return (ordinal) => {
    const name = nameOf(ordinal);
    return fits(name) ? name : otherwise(ordinal);
  };
}

function compileOwn(shape: Shape | undefined, key: string): IdMaker {
  if (!shape || shape.mainType === 'integer' || shape.mainType === 'number') {
    const low = shape?.range.low?.value ?? 1;
    const first = typeof low === 'bigint' && low > 1n ? low : Math.max(Number(low), 1);
    return typeof first === 'bigint' ? (n) => first + BigInt(n - 1) : (n) => first + n - 1;
  }
  if (shape.find('format')?.value === 'uuid') return (n) => uuidOf(n, key);
  const bare = shape.find('pattern') && shape.examples.length > 0 ? withoutExamples(shape) : shape;
  return (n) => {
    const options = { key: `${key}/${n}` };
    // Where no text can be made, the ids are at least different ones.
    return (findSample(bare, options) ?? findSample(shape, options) ?? String(n)) as Id;
  };
}

/** An example is a text that fits a pattern, but one for all records. */
function withoutExamples({ parts }: Shape): Shape {
  const bare = parts.map((part) => {
    if (!isRecord(part.value)) return part;
    const { example, examples, default: _, $ref, allOf, ...others } = part.value;
    return { ...part, value: others };
  });
  return new Shape(bare);
}

/** Version 7, its random part keyed. */
function uuidOf(ordinal: number, key: string): string {
  const random: Random = randomOf(`${key}/${ordinal}`);
  const hex = (bits: number) =>
    random
      .integer(0, 2 ** bits - 1)
      .toString(16)
      .padStart(bits / 4, '0');
  const time = (FIRST_MOMENT + ordinal).toString(16).padStart(12, '0');
  const variant = random.pick(['8', '9', 'a', 'b']);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(12)}-${variant}${hex(12)}-${hex(24)}${hex(24)}`;
}

/**
 * The ids of seeded records: those that the document shows come first, then made ones that are none of these.
 * @param sent the ids in the requests that the document shows for a create: no seeded record takes them
 */
export function seededIds(
  idOf: IdMaker,
  shown: () => readonly Id[],
  sent: () => readonly unknown[],
): IdMaker {
  let first: readonly Id[] | undefined;
  const known = new Set<unknown>();
  const made: Id[] = [];
  let ordinal = 0;
  return (n) => {
    if (!first) {
      first = shown();
      for (const id of [...first, ...sent()]) known.add(id);
    }
    if (known.size === 0) return idOf(n);
    if (n <= first.length) return first[n - 1] as Id;
    while (made.length < n - first.length) {
      const id = idOf(++ordinal);
      // Where a schema has few ids, none is left.
      const isLast = ordinal > n + known.size;
      if (!known.has(id) || isLast) made.push(id);
    }
    return made[n - first.length - 1] as Id;
  };
}

/** Of collections, other documents' too; the keys are those of one document. */
export type IdMakers = Pick<ReadonlyMap<Resource, IdMaker>, 'get' | 'keys'>;

/** The path parameters of a nested collection under which its n-th seeded record stands. */
export type SeedScope = (ordinal: number) => Readonly<Record<string, Scalar>>;

/** How many seeded records of a nested collection belong to one parent. */
const RECORDS_PER_PARENT = 5;

/**
 * Compiles where the records of `/shelves/{shelfId}/books` belong: to the seeded records of `/shelves`, in turn,
 * or to one sampled value where no collection has such records.
 */
export function compileSeedScope(
  resource: Resource,
  resources: readonly Resource[],
  idMakers: IdMakers,
  values: SeedValues,
  count: number,
): SeedScope {
  const parents = parentsFor(count);
  const ancestors = ancestorsOf(resources, `${resource.path}/`);

  function scopeAt(path: string, ordinal: number): Record<string, Scalar> {
    const [, above = '', parameter = ''] = /^(.*)\/\{([^/{}]+)\}/.exec(path) ?? [];
    if (parameter === '') return {};
    const known = ancestors.find((one) => one.parameter === parameter);
    const { parent } = resource.related?.find(({ name }) => name === parameter) ?? known ?? {};
    const parentId = parent && idMakers.get(parent);
    const parentOrdinal = parentId ? parentOf(ordinal, parents, values.keyOf(resource.path, above)) : 1;
    const value = parentId ? parentId(parentOrdinal) : values.parameter(resource, parameter);
    return { ...scopeAt(above, parentOrdinal), [parameter]: value };
  }
  return (ordinal) => scopeAt(resource.path, ordinal);
}

/** Each has at least one where there are enough; few have many. */
function parentOf(ordinal: number, parents: number, key: string): number {
  return ordinal <= parents ? ordinal : skewed(randomOf(`${key}/${ordinal}`), parents);
}

/** A number from 1 to `most`, small ones more often. */
export function skewed(random: Random, most: number): number {
  return 1 + Math.floor(most * random.next() ** 2);
}

const parentsFor = (count: number) => Math.ceil(count / RECORDS_PER_PARENT) || 1;
