import { type Document, rawChild, rawChildren, type Spot } from '../document/spot.ts';
import { walkSchemas } from './subschemas.ts';

/**
 * The keyword to validate in place of this one, undefined for none. Where a malformed keyword is ignored, its schema
 * accepts more than the author meant; what refuses an instance because a subschema accepts it would then refuse too
 * much. So `oneOf` is read as `anyOf`, and the others are left out.
 */
export function soundKeyword(keyword: string, schema: Spot): string | undefined {
  if (schema.document.rebuilt.size === 0) return keyword;
  switch (keyword) {
    case 'oneOf':
      return rawChildren(rawChild(schema, keyword)).some(([, branch]) => isLoosened(branch))
        ? 'anyOf'
        : keyword;
    case 'not':
    case 'if':
      return isLoosened(rawChild(schema, keyword)) ? undefined : keyword;
    case 'maxContains':
      return isLoosened(rawChild(schema, 'contains')) ? undefined : keyword;
    case 'unevaluatedProperties':
    case 'unevaluatedItems':
      return isLoosened(schema) ? undefined : keyword;
    default:
      return keyword;
  }
}

/** By document: whether a schema is loosened. */
const known = new WeakMap<Document, Map<unknown, boolean>>();

/** Whether a part of a schema, or of one that it refers to, was ignored. */
function isLoosened(schema: Spot | undefined): boolean {
  if (!schema) return false;
  const { document, value } = schema;
  const results = known.get(document) ?? new Map<unknown, boolean>();
  known.set(document, results);
  let found = results.get(value);
  if (found !== undefined) return found;
  found = false;
  walkSchemas(schema, (part) => {
    if (document.rebuilt.has(part.value)) found = true;
  });
  results.set(value, found);
  return found;
}
