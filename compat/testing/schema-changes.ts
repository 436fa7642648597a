/** A schema before and after a change. */
export type SchemaChange = readonly [old: object | false, next: object | false];

const reversed = ([old, next]: SchemaChange): SchemaChange => [next, old];

const text = { type: 'string' };
const integer = { type: 'integer' };
const list = { type: 'array', items: integer };
const cat = { type: 'object', required: ['kind'], properties: { kind: { const: 'cat' }, lives: integer } };
const dog = { type: 'object', required: ['kind'], properties: { kind: { const: 'dog' }, tricks: list } };
const open = { type: 'object', properties: { a: text, b: text } };
const either = (...branches: object[]) => ({ oneOf: branches });
const named = { 'x-a': 'annotation', description: 'Two animals.' };
const tagged = (discriminator: object | undefined) => ({
  oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
  ...(discriminator && { discriminator }),
});
const byKind = { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } };
const both = { ...byKind.mapping, dog: '#/components/schemas/Dog' };
/** Keywords of JSON Schema. */
const [THEN, ELSE] = ['then', 'else'] as const;
const condition = { if: { properties: { a: { const: 'x' } }, required: ['a'] } };

const bound = (keyword: string, low: number, high: number, schema: object) => ({
  [`${low} to ${high}`]: [
    { ...schema, [keyword]: low },
    { ...schema, [keyword]: high },
  ] as SchemaChange,
  set: [schema, { ...schema, [keyword]: high }] as SchemaChange,
});

function bounds(name: string, keyword: string, low: number, high: number, schema: object) {
  const made = bound(keyword, low, high, schema);
  const increased = made[`${low} to ${high}`] as SchemaChange;
  return {
    [`${name}-increased`]: increased,
    [`${name}-decreased`]: reversed(increased),
    [`${name}-set`]: made.set,
    [`${name}-unset`]: reversed(made.set),
  };
}

/** An addition, and the removal as its reverse. */
function addition(name: string, old: object, next: object): Record<string, SchemaChange> {
  return { [`${name}-added`]: [old, next], [`${name}-removed`]: [next, old] };
}

/** The changes by the suffix of oasdiff's checks. */
export const SCHEMA_CHANGES: Readonly<Record<string, SchemaChange>> = {
  ...bounds('max', 'maximum', 50, 100, integer),
  ...bounds('min', 'minimum', 1, 10, integer),
  ...bounds('exclusive-max', 'exclusiveMaximum', 50, 100, integer),
  ...bounds('exclusive-min', 'exclusiveMinimum', 1, 10, integer),
  ...bounds('max-length', 'maxLength', 10, 20, text),
  ...bounds('min-length', 'minLength', 1, 5, text),
  ...bounds('max-items', 'maxItems', 3, 6, list),
  ...bounds('min-items', 'minItems', 1, 3, list),
  ...bounds('max-properties', 'maxProperties', 2, 4, { type: 'object', additionalProperties: text }),
  ...bounds('min-properties', 'minProperties', 1, 2, { type: 'object', additionalProperties: text }),
  'unique-items-set': [list, { ...list, uniqueItems: true }],
  'unique-items-unset': [{ ...list, uniqueItems: true }, list],
  'multiple-of-set': [integer, { ...integer, multipleOf: 5 }],
  'multiple-of-unset': [{ ...integer, multipleOf: 5 }, integer],
  'multiple-of-changed': [
    { ...integer, multipleOf: 5 },
    { ...integer, multipleOf: 7 },
  ],
  'multiple-of-generalized': [
    { ...integer, multipleOf: 10 },
    { ...integer, multipleOf: 5 },
  ],
  'multiple-of-specialized': [
    { ...integer, multipleOf: 5 },
    { ...integer, multipleOf: 10 },
  ],
  'schema-became-false': [text, false],
  'schema-became-not-false': [false, text],
  'wrapped-in-one-of-original-preserved': [cat, either(cat, dog)],
  'became-not-enum': [{ ...text, enum: ['a', 'b'] }, text],
  ...bounds('min-contains', 'minContains', 1, 2, { ...list, contains: { const: 7 } }),
  ...bounds('max-contains', 'maxContains', 2, 4, { ...list, contains: { const: 7 } }),
  ...addition('pattern', text, { ...text, pattern: '^[a-z]+$' }),
  'pattern-changed': [
    { ...text, pattern: '^[a-z]+$' },
    { ...text, pattern: '^[0-9]+$' },
  ],
  'pattern-generalized': [
    { ...text, pattern: '^[a-z]+$' },
    { ...text, pattern: '^.*$' },
  ],
  ...addition('enum-value', { ...text, enum: ['a', 'b'] }, { ...text, enum: ['a', 'b', 'c'] }),
  'became-enum': [text, { ...text, enum: ['a', 'b'] }],
  ...addition('const', text, { ...text, const: 'a' }),
  'const-changed': [
    { ...text, const: 'a' },
    { ...text, const: 'b' },
  ],
  'became-nullable': [text, { type: ['string', 'null'] }],
  'became-not-nullable': [{ type: ['string', 'null'] }, text],
  'type-changed': [text, integer],
  'type-generalized': [integer, { type: 'number' }],
  'type-specialized': [{ type: 'number' }, integer],
  'list-of-types-widened': [{ type: ['string', 'null'] }, { type: ['string', 'null', 'boolean'] }],
  'list-of-types-narrowed': [{ type: ['string', 'null', 'boolean'] }, { type: ['string', 'null'] }],
  ...addition('one-of', either(cat), either(cat, dog)),
  ...addition('any-of', { anyOf: [cat] }, { anyOf: [cat, dog] }),
  ...addition('all-of', open, { ...open, allOf: [{ required: ['b'] }] }),
  'all-of-added-annotation-only': [open, { ...open, allOf: [named] }],
  'all-of-removed-annotation-only': [{ ...open, allOf: [named] }, open],
  'wrapped-in-one-of': [cat, either({ ...cat, required: ['kind', 'lives'] }, dog)],
  ...addition('contains', list, { ...list, contains: { const: 7 } }),
  ...addition('dependent-required', open, { ...open, dependentRequired: { a: ['b'] } }),
  'dependent-required-changed': [
    { ...open, dependentRequired: { a: ['b'] } },
    { ...open, dependentRequired: { b: ['a'] } },
  ],
  ...addition('dependent-schema', open, { ...open, dependentSchemas: { a: { required: ['b'] } } }),
  ...addition(
    'if',
    { ...open, [THEN]: { required: ['b'] } },
    { ...open, ...condition, [THEN]: { required: ['b'] } },
  ),
  ...addition('then', { ...open, ...condition }, { ...open, ...condition, [THEN]: { required: ['b'] } }),
  ...addition('else', { ...open, ...condition }, { ...open, ...condition, [ELSE]: { required: ['b'] } }),
  ...addition(
    'prefix-items',
    { type: 'array', prefixItems: [text], items: false },
    { type: 'array', prefixItems: [text, integer], items: false },
  ),
  ...addition(
    'pattern-property',
    { type: 'object', additionalProperties: true },
    { type: 'object', additionalProperties: true, patternProperties: { '^n[0-9]$': integer } },
  ),
  ...addition(
    'property-names',
    { type: 'object', additionalProperties: text },
    { type: 'object', additionalProperties: text, propertyNames: { pattern: '^[a-z]{3}$' } },
  ),
  ...addition(
    'unevaluated-items',
    { type: 'array', prefixItems: [text] },
    { type: 'array', prefixItems: [text], unevaluatedItems: false },
  ),
  ...addition(
    'unevaluated-properties',
    { ...open, additionalProperties: undefined, unevaluatedProperties: text },
    { ...open, unevaluatedProperties: false },
  ),
  ...addition(
    'content-schema',
    { ...text, contentMediaType: 'application/json' },
    { ...text, contentMediaType: 'application/json', contentSchema: cat },
  ),
  'content-media-type-changed': [
    { ...text, contentMediaType: 'application/json' },
    { ...text, contentMediaType: 'text/plain' },
  ],
  'content-encoding-changed': [
    { ...text, contentEncoding: 'base64' },
    { ...text, contentEncoding: 'base32' },
  ],
  'default-value-added': [text, { ...text, default: 'a' }],
  'default-value-removed': [{ ...text, default: 'a' }, text],
  'default-value-changed': [
    { ...text, default: 'a' },
    { ...text, default: 'b' },
  ],
  'discriminator-added': [tagged(undefined), tagged(byKind)],
  'discriminator-removed': [tagged(byKind), tagged(undefined)],
  'discriminator-mapping-added': [tagged(byKind), tagged({ ...byKind, mapping: both })],
  'discriminator-mapping-deleted': [tagged({ ...byKind, mapping: both }), tagged(byKind)],
  'discriminator-mapping-changed': [
    tagged({ ...byKind, mapping: both }),
    tagged({ ...byKind, mapping: { ...both, cat: '#/components/schemas/Kitten' } }),
  ],
  'discriminator-property-name-changed': [
    tagged({ propertyName: 'kind' }),
    tagged({ propertyName: 'species' }),
  ],
  'x-extensible-enum-value-removed': [
    { ...text, 'x-extensible-enum': ['a', 'b'] },
    { ...text, 'x-extensible-enum': ['a'] },
  ],
  deprecated: [text, { ...text, deprecated: true }],
  'deprecated-with-sunset': [text, { ...text, deprecated: true, 'x-sunset': '2031-01-01' }],
  'deprecated-sunset-missing': [text, { ...text, deprecated: true }],
  'deprecated-sunset-invalid': [text, { ...text, deprecated: true, 'x-sunset': 'soon' }],
  reactivated: [{ ...text, deprecated: true }, text],
  'sunset-date-too-small': [text, { ...text, deprecated: true, 'x-sunset': '2020-01-01' }],
  'stability-decreased': [text, { ...text, 'x-stability-level': 'beta' }],
  'stability-increased': [{ ...text, 'x-stability-level': 'beta' }, text],
};

/** The schemas that changes refer to. */
export const COMPONENTS = { Cat: cat, Dog: dog, Kitten: cat };
