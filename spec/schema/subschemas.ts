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

/** The subschemas under these keywords, as they are written. */
export function subschemas(
  schema: Spot,
  keywords: readonly string[] = [...SCHEMA_MAPS, ...SCHEMA_LISTS, ...SCHEMA_MEMBERS],
): Spot[] {
  return keywords.flatMap((keyword) => {
    const found = rawChild(schema, keyword);
    if (found && SCHEMA_MEMBERS.includes(keyword)) return found;
    return rawChildren(found).map(([, inner]) => inner);
  });
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
