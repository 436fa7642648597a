import { stringifyJson } from '../shell/exact-json.ts';
import { isObject, type Json, objectAt, resolve, textOf } from './document.ts';

/** A schema for readers: references are followed, and the parts of `allOf` joined. */
export interface ReadSchema {
  /** The name of a referenced schema. */
  readonly name: string | undefined;
  /** `string (date-time)`, `array of Pet` */
  readonly type: string;
  readonly description: string;
  readonly nullable: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly deprecated: boolean;
  /** `at least 1`, `pattern ^a` */
  readonly constraints: readonly string[];
  /** As JSON. */
  readonly values: readonly string[];
  /** Its parts, in the document's order. */
  readonly children: readonly Child[];
}

/** A part of a schema: a member, the items, a branch. */
export interface Child {
  readonly label: string;
  readonly kind: 'member' | 'items' | 'others' | 'branch';
  readonly required: boolean;
  readonly written: unknown;
}

export function readSchema(root: Json, written: unknown): ReadSchema {
  const { value, name } = resolve(root, written);
  const whole = isObject(value) ? joined(root, value, new Set()) : {};
  const never = value === false ? ['nothing fits'] : [];
  const { type, isNullable } = typeOf(root, whole);
  return {
    name,
    type: value === false ? 'never' : type,
    description: textOf(whole.description),
    nullable: isNullable,
    readOnly: whole.readOnly === true,
    writeOnly: whole.writeOnly === true,
    deprecated: whole.deprecated === true,
    constraints: [...never, ...constraintsOf(whole)],
    values: valuesOf(whole),
    children: childrenOf(root, whole),
  };
}

/** Joins the parts of `allOf`, recursively; a part that contains itself is skipped. */
function joined(root: Json, schema: Json, above: ReadonlySet<unknown>): Json {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf) || above.has(allOf)) return rest;
  const within = new Set([...above, allOf]);
  const parts = allOf.map((part) => resolve(root, part).value).filter(isObject);
  return merge(
    parts.reduce<Json>((whole, part) => merge(whole, joined(root, part, within)), {}),
    rest,
  );
}

/** `over` takes precedence where values cannot be joined. */
function merge(under: Json, over: Json): Json {
  const both: Record<string, unknown> = { ...under, ...over };
  if (isObject(under.properties) && isObject(over.properties))
    both.properties = { ...under.properties, ...over.properties };
  if (Array.isArray(under.required) && Array.isArray(over.required))
    both.required = [...new Set([...under.required, ...over.required])];
  return both;
}

function typeOf(root: Json, schema: Json): { readonly type: string; readonly isNullable: boolean } {
  const { type, format, nullable, items, title } = schema;
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string') as string[];
  const isNullable = nullable === true || types.includes('null') || isNullBranch(schema);
  const named = types
    .filter((one) => one !== 'null')
    .map((one) => (one === 'array' ? arrayText(root, items) : one));
  const text =
    named.join(' or ') ||
    (isObject(schema.properties) || schema.additionalProperties !== undefined ? 'object' : '') ||
    formsText(root, schema) ||
    (schema.const !== undefined || schema.enum !== undefined ? 'value' : '') ||
    (types.includes('null') ? 'null' : 'any');
  const isFormatted = typeof format === 'string' && !named.some((one) => one.startsWith('array'));
  return {
    type:
      (isFormatted ? `${text} (${format})` : text) +
      (text === 'any' && typeof title === 'string' ? ` ${title}` : ''),
    isNullable: isNullable && text !== 'null',
  };
}

/** For a single branch its name or type; several are listed below. */
function formsText(root: Json, { oneOf, anyOf }: Json): string {
  const branches = [...branchesOf(oneOf), ...branchesOf(anyOf)];
  if (branches.length > 1) return Array.isArray(oneOf) ? 'one of' : 'any of';
  if (branches.length === 0) return '';
  return resolve(root, branches[0]).name ?? typeOf(root, objectAt(root, branches[0])).type;
}

function arrayText(root: Json, items: unknown): string {
  if (!isObject(items)) return 'array';
  const type = resolve(root, items).name ?? textOf(objectAt(root, items).type);
  return type === '' ? 'array' : `array of ${type}`;
}

const isNull = (written: unknown) =>
  isObject(written) && (written.type === 'null' || (written.const === null && 'const' in written));

function branchesOf(list: unknown): unknown[] {
  return Array.isArray(list) ? list.filter((one) => !isNull(one)) : [];
}

function isNullBranch(schema: Json): boolean {
  return [schema.oneOf, schema.anyOf].some((list) => Array.isArray(list) && list.some(isNull));
}

/** Keywords that restrict a value, in words; `*` is the value. */
const CONSTRAINTS: Readonly<Record<string, string>> = {
  minimum: '≥ *',
  maximum: '≤ *',
  multipleOf: 'multiple of *',
  minLength: 'at least * characters',
  maxLength: 'at most * characters',
  pattern: 'pattern *',
  minItems: 'at least * items',
  maxItems: 'at most * items',
  minProperties: 'at least * fields',
  maxProperties: 'at most * fields',
  minContains: 'at least * that match',
  maxContains: 'at most * that match',
  contentMediaType: 'content *',
  contentEncoding: 'encoded as *',
  default: 'default *',
};

function constraintsOf(schema: Json): string[] {
  const plain = Object.entries(CONSTRAINTS).flatMap(([keyword, words]) => {
    const value = schema[keyword];
    if (value === undefined) return [];
    // In OpenAPI 3.0, a flag excludes the bound itself.
    const isOut =
      (keyword === 'minimum' && schema.exclusiveMinimum === true) ||
      (keyword === 'maximum' && schema.exclusiveMaximum === true);
    const text = typeof value === 'string' && keyword !== 'default' ? value : stringifyJson(value);
    return [(isOut ? words.replace('≥', '>').replace('≤', '<') : words).replace('*', () => text)];
  });
  const beyond = [
    ['exclusiveMinimum', '>'],
    ['exclusiveMaximum', '<'],
  ].flatMap(([keyword, sign]) => {
    const value = schema[keyword as string];
    return typeof value === 'number' || typeof value === 'bigint' ? [`${sign} ${value}`] : [];
  });
  return [
    ...plain,
    ...beyond,
    ...(schema.uniqueItems === true ? ['unique items'] : []),
    ...(schema.additionalProperties === false ? ['no extra fields'] : []),
  ];
}

function valuesOf({ enum: listed, const: only, ...schema }: Json): string[] {
  const values = Array.isArray(listed) ? listed : only === undefined && !('const' in schema) ? [] : [only];
  return values.map((value) => stringifyJson(value) ?? 'undefined');
}

function childrenOf(root: Json, schema: Json): Child[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const child = (kind: Child['kind'], label: string, written: unknown): Child => ({
    kind,
    label,
    written,
    required: kind === 'member' && required.has(label),
  });
  const members = (keyword: string, kind: Child['kind'], labelOf = (name: string) => name) =>
    Object.entries(isObject(schema[keyword]) ? (schema[keyword] as Json) : {}).map(([name, written]) =>
      child(kind, labelOf(name), written),
    );
  const one = (keyword: string, label: string, kind: Child['kind']) =>
    isObject(schema[keyword]) && Object.keys(schema[keyword]).length > 0
      ? [child(kind, label, schema[keyword])]
      : [];
  const mapping = objectAt(root, schema.discriminator);
  const branches = (keyword: string, label: string) =>
    branchesOf(schema[keyword]).map((written, index) =>
      child('branch', `${label} ${branchName(root, written, index, mapping)}`, written),
    );
  const items = itemsOf(root, schema);
  return [
    ...members('properties', 'member'),
    ...members('patternProperties', 'others', (pattern) => `names like ${pattern}`),
    ...one('additionalProperties', 'any other name', 'others'),
    ...one('unevaluatedProperties', 'any other name', 'others'),
    ...(Array.isArray(schema.prefixItems)
      ? schema.prefixItems.map((written, index) => child('items', `item ${index + 1}`, written))
      : []),
    ...items,
    ...one('contains', 'contains', 'items'),
    ...branches('oneOf', 'one of:'),
    ...branches('anyOf', 'any of:'),
    ...one('not', 'not', 'branch'),
    ...one('if', 'if', 'branch'),
    ...one('then', 'then', 'branch'),
    ...one('else', 'else', 'branch'),
  ];
}

/** Items without parts are shown in the type. */
function itemsOf(root: Json, { items }: Json): Child[] {
  if (!isObject(items)) return [];
  const { name } = resolve(root, items);
  const isPlain = name === undefined && Object.keys(objectAt(root, items)).every((key) => key === 'type');
  return isPlain ? [] : [{ kind: 'items', label: 'items', required: false, written: items }];
}

function branchName(root: Json, written: unknown, index: number, discriminator: Json): string {
  const { name } = resolve(root, written);
  const { title, type } = objectAt(root, written);
  const mapping = Object.entries(objectAt(root, discriminator.mapping));
  const entry =
    name === undefined ? undefined : mapping.find(([, at]) => at === name || String(at).endsWith(`/${name}`));
  const label = name ?? (textOf(title) || textOf(type) || `form ${index + 1}`);
  return entry ? `${label} (${String(discriminator.propertyName)}: ${entry[0]})` : label;
}
