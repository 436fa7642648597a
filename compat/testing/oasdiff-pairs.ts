import { answered, asked, type DocumentPair, documentOf, posted } from './documents.ts';
import { SCHEMA_CHANGES, type SchemaChange } from './schema-changes.ts';
import { SPECIAL_PAIRS } from './special-pairs.ts';

/** The surroundings of a changed schema, by the prefix of the check's name. */
const PLACES: readonly (readonly [prefix: string, around: (schema: object | false) => object])[] = [
  ['request-body-', (schema) => posted(schema)],
  [
    'request-property-',
    (schema) => posted({ type: 'object', properties: { a: { type: 'string' }, value: schema } }),
  ],
  [
    'request-read-only-property-',
    (schema) =>
      posted({
        type: 'object',
        properties: { a: { type: 'string' }, value: { ...(schema || {}), readOnly: true } },
      }),
  ],
  [
    'request-parameter-property-',
    (schema) =>
      queried({ type: 'object', properties: { value: schema } }, { style: 'deepObject', explode: true }),
  ],
  [
    'request-header-property-',
    (schema) =>
      asked([
        {
          name: 'X-Value',
          in: 'header',
          content: { 'application/json': { schema: { type: 'object', properties: { value: schema } } } },
        },
      ]),
  ],
  ['request-parameter-', (schema) => queried(schema)],
  [
    'response-write-only-property-',
    (schema) =>
      answered({
        type: 'object',
        properties: { a: { type: 'string' }, value: { ...(schema || {}), writeOnly: true } },
      }),
  ],
  ['response-body-', (schema) => answered(schema)],
  ['response-mediatype-', (schema) => answered(schema)],
  [
    'response-property-',
    (schema) => answered({ type: 'object', required: ['value'], properties: { value: schema } }),
  ],
  [
    'response-header-',
    (schema) =>
      documentOf({
        '/things': {
          get: { responses: { 200: { description: 'A thing.', headers: { 'X-Value': { schema } } } } },
        },
      }),
  ],
];

function queried(schema: object | false, more: object = {}): object {
  return asked([{ name: 'value', in: 'query', schema, ...more }]);
}

/** A change that is compatible in this direction only. */
const COMPATIBLE: Readonly<Record<string, SchemaChange>> = {
  request: [{ type: 'integer' }, { type: 'number' }],
  response: [{ type: 'number' }, { type: 'integer' }],
};

/** The pair for a check, by its name. Undefined: none is known. */
export function pairFor(check: string): DocumentPair | undefined {
  const special = SPECIAL_PAIRS[check];
  if (special) return special;
  for (const [prefix, around] of PLACES) {
    if (!check.startsWith(prefix)) continue;
    const words = check.slice(prefix.length);
    const change =
      words === 'type-compatible' ? COMPATIBLE[check.split('-', 1)[0] ?? ''] : SCHEMA_CHANGES[words];
    if (change) return [around(change[0]), around(change[1])];
  }
  return undefined;
}
