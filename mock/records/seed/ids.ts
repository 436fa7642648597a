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

/** The id of the n-th record, counted from 1; depends only on the key. */
export type IdMaker = (ordinal: number) => Id;

/** UUIDs of version 7 begin with a timestamp (RFC 9562 §5.7): one millisecond per ordinal, so that they ascend. */
const FIRST_MOMENT = Date.UTC(2024, 0, 1);

/**
 * Compiles ids that fit the record's schema and all path parameters with the id, or as many of them as possible.
 * @param shape the schema of the record's member; undefined: it has none
 * @param nameOf makes readable names
 */
export function compileIds(
  written: Shape | undefined,
  key: string,
  parameters: readonly Shape[] = [],
  nameOf?: (ordinal: number) => string,
): IdMaker {
  const shape = written?.isUntyped ? written.withType('string') : written;
  const main = compileNamed(shape, key, nameOf) ?? compileOwn(shape, key);
  const narrower = shape ? parameters.filter((parameter) => !saysNoMore(parameter, shape)) : [];
  if (!shape || narrower.length === 0) return main;
  const makers = [main, ...makersFor(shape, narrower, key)];
  const counts = makers.map((idOf) => narrower.filter((one) => isNamedBy(idOf, shape, one)).length);
  return makers[counts.indexOf(Math.max(...counts))] as IdMaker;
}

/** Whether a path parameter allows these ids. */
export function isNamedBy(idOf: IdMaker, shape: Shape, parameter: Shape): boolean {
  if (saysNoMore(parameter, shape)) return true;
  return PROBES.every((ordinal) => isName(idOf(ordinal), shape, parameter));
}

const PROBES = [1, 2, 3];

/**
 * Compiles reading an id from a path parameter, which may be documented as a string while the record's id is a number, and
 * vice versa.
 */
export function compileIdReader(shape: Shape | undefined): (value: unknown) => Id {
  if (shape?.mainType === 'string') return String;
  return (value) => {
    const isDigits = typeof value === 'string' && /^-?(?:0|[1-9]\d*)$/.test(value);
    return (isDigits ? exactNumber(value) : undefined) ?? (value as Id);
  };
}

/** Checks the id as a request would be read. */
function isName(id: Id, shape: Shape, parameter: Shape): boolean {
  const value = decodeText(String(id), parameter);
  return roughlyFits(shape, id) && roughlyFits(parameter, value) && compileIdReader(shape)(value) === id;
}

/** Keywords that do not restrict a value. */
const ANNOTATIONS = new Set([
  '$ref',
  'title',
  'description',
  'example',
  'examples',
  'default',
  'deprecated',
  'nullable',
]);

/** These formats allow all small integers, as ids are. */
const INTEGER_FORMATS = new Set<unknown>(['int32', 'int64']);

/** Whether a path parameter allows every id of the record. */
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

/** Candidates: ids that fit the record and all paths, then those that fit each path, in the record's type. */
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

/** A sampled text of digits may begin with a zero, which is no number. */
const TRIES = 10;

/** Numbers with as many digits as the parameters' texts require. */
function withDigits(idOf: IdMaker, parameters: readonly Shape[]): IdMaker {
  const digits = Math.max(...parameters.map((parameter) => parameter.highest('minLength') ?? 1), 1);
  const least = 10 ** Math.min(digits - 1, 15);
  return (ordinal) => Math.max(least - 1, 0) + Number(idOf(ordinal));
}

/** Compiles readable names as ids. Undefined: the schema restricts the text further. */
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
    // Without a fitting text, ids are at least distinct.
    return (findSample(bare, options) ?? findSample(shape, options) ?? String(n)) as Id;
  };
}

/** An example fits a pattern, but would be the same for all records. */
function withoutExamples({ parts }: Shape): Shape {
  const bare = parts.map((part) => {
    if (!isRecord(part.value)) return part;
    const { example, examples, default: _, $ref, allOf, ...others } = part.value;
    return { ...part, value: others };
  });
  return new Shape(bare);
}

/** A UUID of version 7 whose random part depends on the key. */
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
 * The ids of seeded records: first those of the document's examples, then generated ones that differ from these.
 * @param sent ids in documented create requests, which no seeded record takes
 */
export function seededIds(
  idOf: IdMaker,
  exampleIds: () => readonly Id[],
  sent: () => readonly unknown[],
): IdMaker {
  let first: readonly Id[] | undefined;
  const documentedIds = new Set<unknown>();
  const made: Id[] = [];
  let ordinal = 0;
  return (n) => {
    if (!first) {
      first = exampleIds();
      for (const id of [...first, ...sent()]) documentedIds.add(id);
    }
    if (documentedIds.size === 0) return idOf(n);
    if (n <= first.length) return first[n - 1] as Id;
    while (made.length < n - first.length) {
      const id = idOf(++ordinal);
      // A schema with few ids may have none left.
      const isLast = ordinal > n + documentedIds.size;
      if (!documentedIds.has(id) || isLast) made.push(id);
    }
    return made[n - first.length - 1] as Id;
  };
}

/** Id makers of collections, including other documents'; `keys` has those of one document. */
export type IdMakers = Pick<ReadonlyMap<Resource, IdMaker>, 'get' | 'keys'>;

/** The path parameters for the parent of a nested collection's n-th seeded record. */
export type SeedScope = (ordinal: number) => Readonly<Record<string, Scalar>>;

/** Seeded records of a nested collection per parent. */
const RECORDS_PER_PARENT = 5;

/**
 * Compiles the parents of nested records: for `/shelves/{shelfId}/books` the seeded records of `/shelves` in turn, or one
 * sampled value where no collection has such records.
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
    const ancestor = ancestors.find((one) => one.parameter === parameter);
    const { parent } = resource.related?.find(({ name }) => name === parameter) ?? ancestor ?? {};
    const parentId = parent && idMakers.get(parent);
    const parentOrdinal = parentId ? parentOf(ordinal, parents, values.keyOf(resource.path, above)) : 1;
    const value = parentId ? parentId(parentOrdinal) : values.parameter(resource, parameter);
    return { ...scopeAt(above, parentOrdinal), [parameter]: value };
  }
  return (ordinal) => scopeAt(resource.path, ordinal);
}

/** Each parent has at least one record if there are enough; few have many. */
function parentOf(ordinal: number, parents: number, key: string): number {
  return ordinal <= parents ? ordinal : skewed(randomOf(`${key}/${ordinal}`), parents);
}

/** A number from 1 to `most`, small ones more often. */
export function skewed(random: Random, most: number): number {
  return 1 + Math.floor(most * random.next() ** 2);
}

const parentsFor = (count: number) => Math.ceil(count / RECORDS_PER_PARENT) || 1;
