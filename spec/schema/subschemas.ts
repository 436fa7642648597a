import { follow, isRecord, isReference, rawChild, type Spot } from '../document/spot.ts';
import { rawChildren, siblingsIgnored } from './shape.ts';

/** Every schema object below this one, references followed, each met once. */
export function walkSchemas(spot: Spot, visit: (schema: Spot) => void, seen = new Set<unknown>()): void {
  if (!isRecord(spot.value) || seen.has(spot.value)) return;
  seen.add(spot.value);
  if (isReference(spot.value)) {
    const target = follow(spot);
    if (target) walkSchemas(target, visit, seen);
    if (siblingsIgnored(spot)) return;
  }
  visit(spot);
  for (const inner of subschemas(spot)) walkSchemas(inner, visit, seen);
}

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

function subschemas(spot: Spot): Spot[] {
  const below = [...SCHEMA_MAPS, ...SCHEMA_LISTS].flatMap((keyword) => {
    const holder = rawChild(spot, keyword);
    return holder ? rawChildren(holder).map(([, inner]) => inner) : [];
  });
  const members = SCHEMA_MEMBERS.flatMap((keyword) => rawChild(spot, keyword) ?? []);
  return [...below, ...members];
}
