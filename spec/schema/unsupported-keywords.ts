import { ignoreMember } from '../document/repair.ts';
import { isReference, rawChild, type Spot } from '../document/spot.ts';

/** References other than by JSON Pointer would silently be resolved wrongly, or not at all. */
export function checkUnsupportedKeywords(schema: Spot): void {
  for (const keyword of ['$dynamicRef', '$recursiveRef']) {
    const spot = rawChild(schema, keyword);
    if (spot) ignoreMember(spot, `"${keyword}" is not supported: write a $ref to the place of the schema`);
  }
  const id = rawChild(schema, '$id');
  // At the root of a file `$id` does not change references within it, and files are found by their URL.
  if (id && schema.path.length > 0 && containsReference(schema.value)) {
    ignoreMember(
      id,
      'this "$id" changes where the $refs below it lead, and references are followed by place only: remove it',
    );
  }
}

function containsReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isReference(value) || Object.values(value).some(containsReference);
}
