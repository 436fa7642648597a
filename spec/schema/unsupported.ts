import { complain, isRecord, rawChild, type Spot } from '../document/spot.ts';

/** References that are not by place would be followed wrongly, or not at all, in silence. */
export function checkReferences(schema: Spot): void {
  for (const keyword of ['$dynamicRef', '$recursiveRef']) {
    const spot = rawChild(schema, keyword);
    if (spot) complain(spot, `"${keyword}" is not supported: write a $ref to the place of the schema`);
  }
  const id = rawChild(schema, '$id');
  // At the root of a file `$id` changes nothing for references within it, and files are found by their place.
  if (id && schema.path.length > 0 && containsReference(schema.value)) {
    complain(
      id,
      'this "$id" changes where the $refs below it lead, and references are followed by place only: remove it',
    );
  }
}

function containsReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isRecord(value) && typeof value.$ref === 'string') return true;
  return Object.values(value).some(containsReference);
}
