import {
  hasType,
  isEqual,
  isRecord,
  type JsonType,
  oncePer,
  rawChild,
  type Shape,
  type Spot,
  stringifyJson,
} from '#spec';

/** The merged schemas of a value in one document, and whether null is allowed in addition. */
export interface Form {
  readonly shape: Shape;
  readonly nullable: boolean;
  /** The discriminator values that select it, or the name of its component; undefined: neither. */
  readonly names: readonly string[];
  /** Restricts the shape to one of its types, or to the variants that are constants. */
  readonly only?: { readonly type: JsonType } | { readonly values: readonly unknown[] };
}

let count = 0;
const numberOf = oncePer((_: object) => ++count);

function keyOfValue(value: unknown): string {
  return String(typeof value === 'object' && value !== null ? numberOf(value) : value);
}

/** Equal for schemas that merge the same Schema Objects, so that recursion ends. */
export function keyOfForm({ shape, nullable, only }: Form): string {
  const parts = new Set(shape.parts.map(({ value }) => keyOfValue(value)));
  return `${[...parts].sort().join(',')}${nullable ? '?' : ''}${only ? stringifyJson(only) : ''}`;
}

export function formOf(shape: Shape): Form {
  return { shape, nullable: false, names: [] };
}

/** The variants of a value, without one for null only, which makes the value nullable. All constants are one variant. */
export function variantsOf(form: Form): readonly Form[] {
  if (form.only || form.shape.alternatives.length === 0) return [form];
  const variants = VARIANTS.get(form.shape);
  if (variants && !form.nullable) return variants;
  const made = readVariants(form);
  if (!form.nullable && made[0] !== form) VARIANTS.set(form.shape, made);
  return made;
}

const VARIANTS = new WeakMap<Shape, readonly Form[]>();
const MOST = 64;

function readVariants(form: Form): readonly Form[] {
  const { alternatives } = form.shape;
  const isNull = (shape: Shape) => shape.types?.size === 1 && shape.types.has('null');
  const others = alternatives.filter((alternative) => !isNull(alternative));
  const nullable = form.nullable || others.length < alternatives.length;
  const constants = others.filter((shape) => isConstant(shape, form.shape));
  const values = constants.flatMap((constant) => constant.values ?? []).filter((value) => value !== null);
  const rest = constants.length > 1 ? others.filter((shape) => !constants.includes(shape)) : others;
  if (others.length === 0 || rest.length > MOST) return [form];
  return [
    ...rest.map((shape) => ({ shape, nullable, names: namesOf(shape) })),
    ...(constants.length > 1 ? [{ shape: form.shape, nullable, names: [], only: { values } }] : []),
  ];
}

const OF_CONSTANTS =
  /^(?:const|enum|type|title|description|deprecated|example|examples|\$ref|\$comment|x-.*)$/;

/** Whether a schema lists one or several values, with descriptions: a common way to document an enum. */
function isConstant({ parts, values }: Shape, whole: Shape): boolean {
  const isOwn = (key: string, value: unknown) =>
    !whole.parts.some((part) => isRecord(part.value) && part.value[key] === value);
  return (
    values !== undefined &&
    parts.every(
      ({ value }) =>
        isRecord(value) &&
        Object.entries(value).every(([key, member]) => OF_CONSTANTS.test(key) || !isOwn(key, member)),
    )
  );
}

/** The variants of a schema with several types. */
export function byType(form: Form): readonly Form[] {
  const types = form.only ? undefined : typesOf(form);
  if (!types || types.size < 2) return [form];
  const nullable = allowsNull(form);
  return [...types].map((type) => ({ ...form, nullable, only: { type } }));
}

/** Whether a value is within the restriction of the form. */
export function isMeant({ only }: Form, value: unknown): boolean {
  if (!only) return true;
  return 'type' in only ? hasType(value, only.type) : only.values.some((one) => isEqual(one, value));
}

/** The values by the discriminator, else the component's name. */
function namesOf({ parts }: Shape): string[] {
  const tag = parts.find(({ path }) => path.at(-1) === 'discriminator');
  const named = tag && rawChild(tag, 'properties');
  const [enumeration] = Object.values((named?.value ?? {}) as Record<string, { enum?: unknown[] }>);
  const values = (enumeration?.enum ?? []).map(String);
  const [first] = parts;
  if (!first) return values;
  const target =
    isRecord(first.value) && typeof first.value.$ref === 'string' ? first.document.resolve(first) : undefined;
  const { path } = target ?? first;
  const at = path.lastIndexOf('schemas');
  const component = at >= 0 && at === path.length - 2 ? path.at(-1) : undefined;
  const title =
    isRecord(first.value) && typeof first.value.title === 'string' ? first.value.title : undefined;
  return [...values, ...[component ?? title ?? []].flat()];
}

/** Whether a part comes from a discriminator, and not from a schema. */
export function isOfTag({ path }: Spot): boolean {
  return path.includes('discriminator') && !path.slice(path.indexOf('discriminator')).includes('mapping');
}

const OF_ANY = ['type', 'enum', 'const', 'oneOf', 'anyOf', 'not', 'if'];
const OF_OBJECTS = ['properties', 'required', 'additionalProperties', 'patternProperties'];
const OF_LISTS = ['items', 'prefixItems'];

/** The types of values without null; a schema with `properties` and without `type` implies an object. Undefined: any. */
export function typesOf(form: Form): ReadonlySet<JsonType> | undefined {
  const { shape, only } = form;
  if (only && 'type' in only) return new Set([only.type]);
  const values = valuesOf(form);
  // Without a type, constants have the types of their values.
  if (values && values.length > 0 && (only || !shape.types))
    return new Set(TYPES.filter((type) => values.some((value) => hasType(value, type))));
  const { types } = shape;
  return types ? new Set([...types].filter((type) => type !== 'null')) : impliedTypes(shape);
}

/** The types that the keywords of a schema without `type` apply to; undefined: any type. */
export function impliedTypes(shape: Shape): ReadonlySet<JsonType> | undefined {
  const has = (keywords: readonly string[]) => keywords.some((keyword) => shape.find(keyword));
  if (has(OF_ANY)) return undefined;
  const implied: JsonType[] = [
    ...(has(OF_OBJECTS) ? ['object' as const] : []),
    ...(has(OF_LISTS) ? ['array' as const] : []),
  ];
  return implied.length > 0 ? new Set(implied) : undefined;
}

/** The allowed values without null; undefined: all of the types. */
export function valuesOf(form: Form): readonly unknown[] | undefined {
  const { shape, only } = form;
  if (only && 'values' in only) return only.values;
  return shape.values?.filter((value) => value !== null && isMeant(form, value));
}

const TYPES: readonly JsonType[] = ['boolean', 'integer', 'number', 'string', 'array', 'object'];

export function allowsNull(form: Form): boolean {
  const { shape, nullable, only } = form;
  if (nullable || only) return nullable;
  if (shape.types ? !shape.types.has('null') : !shape.values && typesOf(form) !== undefined) return false;
  return !shape.values || shape.values.some((value) => isEqual(value, null));
}

/** Whether no value is allowed. */
export function isNever({ shape }: Form): boolean {
  return shape.parts.some(({ value }) => value === false);
}

/** Whether some types include all of others; undefined: any type. */
export function covers(
  wide: ReadonlySet<JsonType> | undefined,
  narrow: ReadonlySet<JsonType> | undefined,
): boolean {
  if (!wide) return true;
  if (!narrow) return ALL.every((type) => wide.has(type));
  return [...narrow].every((type) => wide.has(type) || (type === 'integer' && wide.has('number')));
}

const ALL: readonly JsonType[] = ['boolean', 'number', 'string', 'array', 'object'];

/** Whether both may be numbers. */
export function mixes(
  mine: ReadonlySet<JsonType> | undefined,
  theirs: ReadonlySet<JsonType> | undefined,
): boolean {
  const counts = (types: ReadonlySet<JsonType> | undefined) =>
    !types || types.has('number') || types.has('integer');
  return counts(mine) && counts(theirs);
}

/** The types, for people. */
export function typeText(form: Form): string {
  const types = typesOf(form);
  const names = types ? [...types] : ['any type'];
  return [...names, ...(types && allowsNull(form) ? ['null'] : [])].join(' or ') || 'nothing';
}
