import { dereference, isReference, rawChild, rawChildren, type Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-type.ts';
import { siblingsIgnored } from './references.ts';

/** Keywords that hold a map of schemas, a list of schemas, and one schema. */
export const SCHEMA_MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
export const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
export const SCHEMA_MEMBERS = [
  ...['additionalProperties', 'items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
];

const ALL = [...SCHEMA_MAPS, ...SCHEMA_LISTS, ...SCHEMA_MEMBERS];

/** The subschemas under these keywords, as they are written. */
export function subschemas(schema: Spot, keywords: readonly string[] = ALL): Spot[] {
  const found: Spot[] = [];
  // Large documents have tens of thousands of schemas, and most have few of these keywords.
  for (const keyword of keywords) {
    const holder = rawChild(schema, keyword);
    if (!holder) continue;
    if (SCHEMA_MEMBERS.includes(keyword)) found.push(holder);
    else for (const [, inner] of rawChildren(holder)) found.push(inner);
  }
  return found;
}

/** Visits every Schema Object below this one once, references followed. */
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
