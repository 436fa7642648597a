import { isEqual, isRecord, type JsonType, rawChild, type Shape, type Spot } from '#spec';

/** One document's schemas of a value: joined to one, and whether null is allowed beside it. */
export interface Form {
  readonly shape: Shape;
  readonly nullable: boolean;
  /** The values of a discriminator that name it, or the component that it is; undefined: neither. */
  readonly names: readonly string[];
}

const NUMBERS = new WeakMap<object, number>();
let count = 0;

function numberOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const number = NUMBERS.get(value) ?? ++count;
  NUMBERS.set(value, number);
  return String(number);
}

/** The same for all schemas that join the same Schema Objects: what is recursive comes to an end. */
export function keyOfForm({ shape, nullable }: Form): string {
  const parts = new Set(shape.parts.map(({ value }) => numberOf(value)));
  return `${[...parts].sort().join(',')}${nullable ? '?' : ''}`;
}

export function formOf(shape: Shape): Form {
  return { shape, nullable: false, names: [] };
}

/** The variants of a value, without one that is null only: that makes it nullable. */
export function variantsOf(form: Form): readonly Form[] {
  if (form.shape.alternatives.length === 0) return [form];
  const known = VARIANTS.get(form.shape);
  if (known && !form.nullable) return known;
  const made = readVariants(form);
  if (!form.nullable && made[0] !== form) VARIANTS.set(form.shape, made);
  return made;
}

const VARIANTS = new WeakMap<Shape, readonly Form[]>();
const MOST = 64;

function readVariants(form: Form): readonly Form[] {
  const { alternatives } = form.shape;
  if (alternatives.length > MOST) return [form];
  const isNull = (shape: Shape) => shape.types?.size === 1 && shape.types.has('null');
  const others = alternatives.filter((one) => !isNull(one));
  const nullable = form.nullable || others.length < alternatives.length;
  if (others.length === 0) return [form];
  return others.map((shape) => ({ shape, nullable, names: namesOf(shape) }));
}

/** By the discriminator, else of the component. */
function namesOf({ parts }: Shape): string[] {
  const tag = parts.find(isTag);
  const named = tag && rawChild(tag, 'properties');
  const [enumeration] = Object.values((named?.value ?? {}) as Record<string, { enum?: unknown[] }>);
  const values = (enumeration?.enum ?? []).map(String);
  const [first] = parts;
  if (!first) return values;
  const path =
    isRecord(first.value) && typeof first.value.$ref === 'string' ? first.value.$ref.split('/') : first.path;
  const at = path.lastIndexOf('schemas');
  const component = at >= 0 && at === path.length - 2 ? path.at(-1) : undefined;
  const title =
    isRecord(first.value) && typeof first.value.title === 'string' ? first.value.title : undefined;
  return [...values, ...[component ?? title ?? []].flat()];
}

/** What a discriminator says, and no schema. */
export function isOfTag({ path }: Spot): boolean {
  return path.includes('discriminator') && !path.slice(path.indexOf('discriminator')).includes('mapping');
}

function isTag({ path }: Spot): boolean {
  return path.at(-1) === 'discriminator';
}

const OF_ANY = ['type', 'enum', 'const', 'oneOf', 'anyOf', 'not', 'if'];
const OF_OBJECTS = ['properties', 'required', 'additionalProperties', 'patternProperties'];
const OF_LISTS = ['items', 'prefixItems'];

/** The types of values, null apart; of a schema with `properties` and without `type` an object is meant. Undefined: any. */
export function typesOf({ shape }: Form): ReadonlySet<JsonType> | undefined {
  const { types } = shape;
  if (types) return new Set([...types].filter((type) => type !== 'null'));
  const has = (keywords: readonly string[]) => keywords.some((keyword) => shape.find(keyword));
  if (has(OF_ANY)) return undefined;
  const implied: JsonType[] = [
    ...(has(OF_OBJECTS) ? ['object' as const] : []),
    ...(has(OF_LISTS) ? ['array' as const] : []),
  ];
  return implied.length > 0 ? new Set(implied) : undefined;
}

/** The values that are allowed, null apart; undefined: those of the types. */
export function valuesOf({ shape }: Form): readonly unknown[] | undefined {
  return shape.values?.filter((value) => value !== null);
}

export function allowsNull({ shape, nullable }: Form): boolean {
  if (nullable) return true;
  if (shape.types ? !shape.types.has('null') : typesOf({ shape, nullable, names: [] }) !== undefined)
    return false;
  return !shape.values || shape.values.some((value) => isEqual(value, null));
}

/** No value is allowed. */
export function isNever({ shape }: Form): boolean {
  return shape.parts.some(({ value }) => value === false);
}
