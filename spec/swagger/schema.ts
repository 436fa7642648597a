import { addWarning, isReference, rawChild, type Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-type.ts';

/**
 * A Schema Object of Swagger 2.0 (or the like of it in a parameter, a header or their items) as one of OpenAPI 3.0.
 * @param owner what it is written in: of another file, its references get the URL of that file
 */
export function convertSchema(schema: unknown, owner: Spot): unknown {
  if (!isRecord(schema)) return schema;
  if (isReference(schema)) return { ...schema, $ref: absolute(schema.$ref, owner) };
  const convert = (inner: unknown) => convertSchema(inner, owner);
  // Its value names a property, and means nothing without `oneOf`, which Swagger 2.0 has not.
  const { discriminator, ...kept } = schema;
  if (owner.value === schema && typeof discriminator === 'string')
    addWarning(
      rawChild(owner, 'discriminator') as Spot,
      `the discriminator "${discriminator}" of Swagger 2.0 is not enforced`,
    );
  if (kept.type === 'file') Object.assign(kept, { type: 'string', format: 'binary' });
  if (kept['x-nullable'] === true) kept.nullable = true;
  if (isRecord(kept.properties)) kept.properties = mapped(kept.properties, convert);
  for (const key of ['items', 'additionalProperties']) if (key in kept) kept[key] = convert(kept[key]);
  if (Array.isArray(kept.allOf)) kept.allOf = kept.allOf.map(convert);
  return kept;
}

function mapped(schemas: Record<string, unknown>, convert: (schema: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, convert(schema)]));
}

/** What is converted stands in the first file from now on. */
function absolute(ref: string, { document, file }: Spot): string {
  if (file === document.root.file) return ref;
  const [url] = [...document.files].find(([, each]) => each === file) ?? [];
  return URL.parse(ref, url)?.href ?? ref;
}
