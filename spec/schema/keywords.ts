import { ignoreMember, readAs } from '../document/repair.ts';
import {
  dereference,
  isReference,
  isVersion30,
  rawChild,
  rawChildren,
  type Spot,
  siblingsIgnored,
} from '../document/spot.ts';
import { isNumber } from '../json/exact-json.ts';
import { isRecord, JSON_TYPES, type JsonType } from '../json/json-value.ts';
import { patternProblem } from '../pattern/pattern.ts';
import { checkSizes } from './large-sizes.ts';

/** Keywords with a map of schemas, with a list of schemas, and with one schema. */
export const SCHEMA_MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
export const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
export const SCHEMA_MEMBERS = [
  'additionalProperties',
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
];

const ALL = [...SCHEMA_MAPS, ...SCHEMA_LISTS, ...SCHEMA_MEMBERS];

/** The subschemas under these keywords, without following references. */
function subschemas(schema: Spot, keywords: readonly string[] = ALL): Spot[] {
  const spots: Spot[] = [];
  // Large documents have tens of thousands of schemas, most of which have few of these keywords.
  for (const keyword of keywords) {
    const holder = rawChild(schema, keyword);
    if (!holder) continue;
    if (SCHEMA_MEMBERS.includes(keyword)) spots.push(holder);
    else for (const [, inner] of rawChildren(holder)) spots.push(inner);
  }
  return spots;
}

/** Visits each Schema Object from this one down once, following references. */
export function walkSchemas(spot: Spot, visit: (schema: Spot) => void, seen = new Set<unknown>()): void {
  if (!isRecord(spot.value) || seen.has(spot.value)) return;
  seen.add(spot.value);
  if (isReference(spot.value)) {
    const target = dereference(spot);
    if (target) walkSchemas(target, visit, seen);
    if (siblingsIgnored(spot)) return;
  }
  visit(spot);
  for (const inner of subschemas(spot)) walkSchemas(inner, visit, seen);
}

/** Checks schemas and all their subschemas: repairs what cannot be used, and warns of oddities. */
export function checkSchemas(schemas: readonly Spot[]): void {
  const seen = new Set<unknown>();
  const visited: Visited = { done: new Set(), open: new Map() };
  const check = (schema: Spot) => {
    checkKeywords(schema);
    checkUnsupportedKeywords(schema);
    checkCircularReferences(schema, visited);
    checkSizes(schema);
  };
  for (const schema of schemas) {
    checkCircularReferences(schema, visited);
    walkSchemas(schema, check, seen);
  }
}

/** Warns of malformed keywords and ignores them, since their meaning is unknown. */
function checkKeywords(schema: Spot): void {
  for (const [keyword, value] of Object.entries(schema.value as object)) {
    const problem = CHECKS.get(keyword)?.(value, schema);
    if (!problem) continue;
    ignoreMember(rawChild(schema, keyword) as Spot, `"${keyword}" ${problem}`);
    openFor(keyword, schema);
  }
  checkDelimiters(rawChild(schema, 'pattern'));
  for (const keyword of SCHEMA_MAPS) checkMap(keyword, rawChild(schema, keyword));
  for (const [pattern, spot] of rawChildren(rawChild(schema, 'patternProperties'))) {
    const problem = patternProblem(pattern);
    if (!problem) continue;
    ignoreMember(spot, `a name in "patternProperties" ${problem}`);
    openFor('patternProperties', schema);
  }
}

/**
 * A regular expression in JavaScript notation: one with anchors, which as a pattern could match no text, or one with
 * flags that is no path.
 */
const BETWEEN_SLASHES = /^\/(?:(\^.*\$)\/[a-z]*|(.*[\\[({*+|].*)\/[dgimsuvy]+)$/s;

function checkDelimiters(pattern: Spot | undefined): void {
  const [, whole, flagged] = BETWEEN_SLASHES.exec(String(pattern?.value ?? '')) ?? [];
  const inner = whole ?? flagged;
  if (pattern && inner !== undefined)
    readAs(pattern, inner, `"pattern" must be an expression without "/" around it; it is read as ${inner}`);
}

function checkMap(keyword: string, map: Spot | undefined): void {
  if (!isRecord(map?.value)) return;
  // A map of schemas may not be a reference, but many tools follow one there.
  const target = isReference(map.value) ? dereference(map) : undefined;
  if (isRecord(target?.value)) {
    readAs(map, target.value, `"${keyword}" must be an object of schemas, not a $ref; it is followed`);
    return;
  }
  for (const [name, spot] of rawChildren(map)) {
    if (isSchema(spot.value)) continue;
    readAs(spot, true, `"${name}" in "${keyword}" must be a schema, true or false; it is ignored`);
  }
}

/** Keywords that apply to the members or items that the other keyword does not cover. */
const REST: Readonly<Record<string, string>> = {
  properties: 'additionalProperties',
  patternProperties: 'additionalProperties',
  prefixItems: 'items',
};

/** If a keyword is ignored, the one for the remaining members would apply to too many, so it is ignored too. */
function openFor(keyword: string, schema: Spot): void {
  const rest = rawChild(schema, REST[keyword] ?? '');
  if (rest)
    ignoreMember(rest, `"${rest.path.at(-1)}" applies to what "${keyword}" leaves, and that is unknown`);
}

/** Returns what is wrong with a keyword's value, or undefined. */
type Check = (value: unknown, schema: Spot) => string | undefined;

const mustBe =
  (what: string, fits: (value: unknown) => boolean): Check =>
  (value) =>
    fits(value) ? undefined : `must be ${what}`;

const each = (keywords: readonly string[], check: Check) =>
  Object.fromEntries(keywords.map((keyword) => [keyword, check]));

const isType = (value: unknown) => JSON_TYPES.includes(value as JsonType);
const isSchema = (value: unknown) => isRecord(value) || typeof value === 'boolean';
const isFilled = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;
const isNames = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string');
const isRecordOf = (fits: (value: unknown) => boolean) => (value: unknown) =>
  isRecord(value) && Object.values(value).every(fits);

const number = mustBe('a number', isNumber);

/** In OpenAPI 3.0 this is a flag; documents that only changed their version number to 3.1 still contain it. */
const exclusiveBound =
  (bound: string): Check =>
  (value, schema) => {
    if (typeof value !== 'boolean') return number(value, schema);
    if (isVersion30(schema)) return undefined;
    return `must be a number in OpenAPI 3.1: the bound itself, in place of "${bound}"`;
  };

/** The checks of keywords that may be malformed. */
const KEYWORDS: Readonly<Record<string, Check>> = {
  ...each(SCHEMA_MAPS, mustBe('an object of schemas', isRecord)),
  ...each(
    SCHEMA_LISTS,
    mustBe('a list of schemas', (value) => isFilled(value) && value.every(isSchema)),
  ),
  ...each(SCHEMA_MEMBERS, mustBe('a schema, true or false', isSchema)),
  ...each(
    ['uniqueItems', 'readOnly', 'writeOnly'],
    mustBe('true or false', (value) => typeof value === 'boolean'),
  ),
  ...each(
    ['Length', 'Items', 'Properties', 'Contains'].flatMap((what) => [`min${what}`, `max${what}`]),
    mustBe('a count of 0 or more', (value) => Number.isSafeInteger(value) && (value as number) >= 0),
  ),
  type: mustBe(`one of ${JSON_TYPES.join(', ')}, or a list of them`, (value) =>
    isFilled(value) ? value.every(isType) : isType(value),
  ),
  required: mustBe('a list of names', isNames),
  enum: mustBe('a list of at least one value', isFilled),
  dependentRequired: mustBe('an object of lists of names', isRecordOf(isNames)),
  format: mustBe('a string', (value) => typeof value === 'string'),
  pattern: patternProblem,
  minimum: number,
  maximum: number,
  exclusiveMinimum: exclusiveBound('minimum'),
  exclusiveMaximum: exclusiveBound('maximum'),
  multipleOf: mustBe('a number above 0', (value) => isNumber(value) && value > 0),
};

const CHECKS = new Map(Object.entries(KEYWORDS));

/**
 * The keywords that decide whether an instance is valid. Ajv has further ones, which OpenAPI ignores or defines
 * differently.
 */
export const ASSERTIONS: ReadonlySet<string> = new Set(
  [...Object.keys(KEYWORDS), 'const', 'nullable'].filter(
    (keyword) => !['$defs', 'definitions', 'readOnly', 'writeOnly'].includes(keyword),
  ),
);

/** A `$dynamicRef` with a target is read as a `$ref` (document/dynamic-scope.ts). */
function checkUnsupportedKeywords(schema: Spot): void {
  const dynamic = rawChild(schema, '$dynamicRef');
  if (dynamic) ignoreMember(dynamic, '"$dynamicRef" leads nowhere');
  const recursive = rawChild(schema, '$recursiveRef');
  if (recursive)
    ignoreMember(recursive, '"$recursiveRef" is not supported: write a $ref to the place of the schema');
}

/** The schemas without circular references, and those still being checked, in order of application. */
interface Visited {
  readonly done: Set<unknown>;
  /** By schema, the spot that refers to or contains it. */
  readonly open: Map<unknown, Spot | undefined>;
}

/** A schema that applies itself to the same instance is cut with a warning, since validation would never end. */
function checkCircularReferences(schema: Spot, visited: Visited, from?: Spot): void {
  const { done, open } = visited;
  if (done.has(schema.value)) return;
  open.set(schema.value, from);
  for (const [next, applied] of inPlaceApplied(schema)) {
    if (!open.has(applied.value)) checkCircularReferences(applied, visited, next);
    else {
      const entered = [...open.keys()].indexOf(applied.value) + 1;
      cut([...[...open.values()].slice(entered), next] as Spot[]);
    }
  }
  open.delete(schema.value);
  done.add(schema.value);
}

const BRANCHES = ['oneOf', 'anyOf'];

/**
 * Removes one reference of a cycle. Often a base schema has a `oneOf` with the schemas that extend it, as a list of
 * them: then that is removed, rather than the `allOf` by which they inherit its members.
 */
function cut(circle: readonly Spot[]): void {
  const message = 'this leads back to a schema that contains it, without end';
  const keywordOf = ({ path }: Spot) => path.at(-2) ?? '';
  const branch = circle.find((step) => BRANCHES.includes(keywordOf(step)));
  const member = circle.findLast((step) => keywordOf(step) === 'allOf');
  if (branch) ignoreMember({ ...branch, path: branch.path.slice(0, -1) }, message);
  else if (member) readAs(member, true, `${message}; it is ignored`);
  else ignoreMember(circle.at(-1) as Spot, message);
}

/** Keywords whose subschemas apply to the same instance (JSON Schema 2020-12 core §10.2). */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas', 'not', 'if', 'then', 'else'];

/** The schemas that apply to the same instance as this one, each with the spot that refers to or contains it. */
function inPlaceApplied(schema: Spot): [from: Spot, applied: Spot][] {
  const applied: [Spot, Spot][] = [];
  if (isReference(schema.value)) {
    // A cycle of references alone would never end.
    const target = dereference(schema) && schema.document.resolve(schema);
    if (target) applied.push([rawChild(schema, '$ref') as Spot, target]);
    if (siblingsIgnored(schema)) return applied;
  }
  return [...applied, ...subschemas(schema, IN_PLACE).map((member): [Spot, Spot] => [member, member])];
}
