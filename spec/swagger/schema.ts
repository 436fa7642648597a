import { isRecord } from '../json/json-type.ts';

/** A Schema Object of Swagger 2.0 (or the like of it in a parameter, a header or their items) as one of OpenAPI 3.0. */
export function convertSchema(schema: unknown): unknown {
  if (!isRecord(schema) || typeof schema.$ref === 'string') return schema;
  // Its value names a property, and means nothing without `oneOf`, which Swagger 2.0 has not.
  const { discriminator, ...kept } = schema;
  if (kept.type === 'file') Object.assign(kept, { type: 'string', format: 'binary' });
  if (kept['x-nullable'] === true) kept.nullable = true;
  if (isRecord(kept.properties)) kept.properties = mapped(kept.properties);
  for (const key of ['items', 'additionalProperties']) if (key in kept) kept[key] = convertSchema(kept[key]);
  if (Array.isArray(kept.allOf)) kept.allOf = kept.allOf.map(convertSchema);
  return kept;
}

function mapped(schemas: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, convertSchema(schema)]));
}
