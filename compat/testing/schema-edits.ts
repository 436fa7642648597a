import type { DocumentPair, Edit, Verdict } from './documents.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const SCHEMAS = {
  Word: text,
  Named: object({ name: text }, { required: ['name'] }),
  Sized: object({ size: integer }),
  NamedAndSized: object({ name: text, size: integer }, { required: ['name'] }),
  Lion: object({ kind: text, mane: text }, { required: ['kind'] }),
  Wolf: object({ kind: text, pack: integer }, { required: ['kind'] }),
  Tree: object({ label: text, below: { type: 'array', items: ref('Tree') } }),
  TreeOfNumbers: object({ label: integer, below: { type: 'array', items: ref('TreeOfNumbers') } }),
};

/** A member of the request, and one of the response. */
function withMembers(sent: unknown, received: unknown, openapi: string): object {
  const of = (value: unknown) => ({
    content: { 'application/json': { schema: object({ other: text, value }) } },
  });
  const post = {
    operationId: 'send',
    requestBody: { required: true, ...of(sent) },
    responses: { 204: { description: 'Done.' } },
  };
  const get = { operationId: 'receive', responses: { 200: { description: 'A value.', ...of(received) } } };
  return {
    openapi,
    info: { title: 'Things', version: '1.0.0' },
    paths: { '/sent': { post }, '/received': { get } },
    components: { schemas: SCHEMAS },
  };
}

type SchemaRow = readonly [
  name: string,
  old: unknown,
  next: unknown,
  request: Verdict,
  response: Verdict,
  versions?: readonly [old: string, next: string],
];

const cat = object({ kind: { const: 'cat' }, lives: integer }, { required: ['kind'] });
const dog = object({ kind: { const: 'dog' }, tricks: text }, { required: ['kind'] });
const bird = object({ kind: { const: 'bird' }, wings: integer }, { required: ['kind'] });
const animals = (...names: string[]) => ({ oneOf: names.map(ref) });
const tagged = (discriminator: object, one: object = animals('Lion', 'Wolf')) => ({ ...one, discriminator });
/** A keyword of JSON Schema. */
const THEN = 'then';
const both = ['3.0.3', '3.1.1'] as const;
const old3 = ['3.0.3', '3.0.3'] as const;

const SCHEMA_ROWS: readonly SchemaRow[] = [
  // The same schema, written differently.
  ['inline to a reference', text, ref('Word'), 'safe', 'safe'],
  [
    'a reference to an allOf of one with a text',
    ref('Named'),
    { allOf: [ref('Named')], description: 'A' },
    'safe',
    'safe',
  ],
  ['an allOf of two, in one', { allOf: [ref('Named'), ref('Sized')] }, ref('NamedAndSized'), 'safe', 'safe'],
  ['one, in an allOf of two', ref('NamedAndSized'), { allOf: [ref('Sized'), ref('Named')] }, 'safe', 'safe'],
  [
    'oneOf to anyOf, of variants that exclude each other',
    { oneOf: [text, integer] },
    { anyOf: [text, integer] },
    'safe',
    'safe',
  ],
  [
    'a list of types to variants',
    { type: ['string', 'integer'] },
    { anyOf: [text, integer] },
    'safe',
    'safe',
  ],
  [
    'variants to a list of types',
    { oneOf: [text, integer] },
    { type: ['integer', 'string'] },
    'safe',
    'safe',
  ],
  ['a oneOf of one', { oneOf: [ref('Named')] }, ref('Named'), 'safe', 'safe'],
  [
    'nullable by a variant, as a list of types',
    { anyOf: [text, { type: 'null' }] },
    { type: ['string', 'null'] },
    'safe',
    'safe',
  ],
  [
    'nullable by oneOf to anyOf',
    { oneOf: [ref('Named'), { type: 'null' }] },
    { anyOf: [{ type: 'null' }, ref('Named')] },
    'safe',
    'safe',
  ],
  [
    'nullable of 3.0 to a list of types',
    { type: 'string', nullable: true },
    { type: ['string', 'null'] },
    'safe',
    'safe',
    both,
  ],
  [
    'nullable of 3.0 to a variant',
    { ...text, nullable: true },
    { anyOf: [text, { type: 'null' }] },
    'safe',
    'safe',
    both,
  ],
  [
    'an allOf of 3.0 that is nullable, of a part that is not',
    { nullable: true, type: 'object', allOf: [ref('Named')] },
    { anyOf: [ref('Named'), { type: 'null' }] },
    'safe',
    'breaking',
    both,
  ],
  [
    'a nullable enum of 3.0',
    { ...text, nullable: true, enum: ['a', 'b', null] },
    { type: ['string', 'null'], enum: ['a', 'b', null] },
    'safe',
    'safe',
    both,
  ],
  ['nullable of 3.0 that is gone in 3.1', { ...text, nullable: true }, text, 'breaking', 'safe', both],
  ['not nullable in 3.0, and nullable in 3.1', text, { type: ['string', 'null'] }, 'safe', 'breaking', both],
  [
    'exclusiveMinimum of 3.0 to a number',
    { ...integer, minimum: 5, exclusiveMinimum: true },
    { ...integer, exclusiveMinimum: 5 },
    'safe',
    'safe',
    both,
  ],
  [
    'exclusiveMaximum: false of 3.0',
    { ...integer, maximum: 5, exclusiveMaximum: false },
    { ...integer, maximum: 5 },
    'safe',
    'safe',
    both,
  ],
  [
    'exclusiveMinimum: true in 3.0',
    { ...integer, minimum: 5 },
    { ...integer, minimum: 5, exclusiveMinimum: true },
    'breaking',
    'safe',
    old3,
  ],
  ['an enum of one to a const', { ...text, enum: ['a'] }, { const: 'a' }, 'safe', 'safe'],
  [
    'an enum to variants with texts',
    { ...text, enum: ['a', 'b'] },
    {
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', description: 'B' },
      ],
    },
    'safe',
    'safe',
  ],
  [
    'variants of constants to an enum',
    { oneOf: [{ const: 'a' }, { const: 'b' }] },
    { ...text, enum: ['b', 'a'] },
    'safe',
    'safe',
  ],
  [
    'variants of constants, one less',
    { oneOf: [{ const: 'a' }, { const: 'b' }] },
    { ...text, enum: ['b'] },
    'breaking',
    'safe',
  ],
  [
    'an enum to variants, one more',
    { ...text, enum: ['a', 'b'] },
    { oneOf: [{ const: 'a' }, { const: 'b' }, { const: 'c' }] },
    'safe',
    'breaking',
  ],
  [
    'an exclusive limit of integers, as the next integer',
    { ...integer, exclusiveMinimum: 0 },
    { ...integer, minimum: 1 },
    'safe',
    'safe',
  ],
  [
    'a limit of integers, as an exclusive one',
    { ...integer, maximum: 9 },
    { ...integer, exclusiveMaximum: 10 },
    'safe',
    'safe',
  ],
  ['a number of whole steps to an integer', { type: 'number', multipleOf: 1 }, integer, 'safe', 'safe'],
  ['a minLength of 0', text, { ...text, minLength: 0 }, 'safe', 'safe'],
  ['true to no schema', true, {}, 'safe', 'safe'],
  [
    'an implicit mapping, written down',
    tagged({ propertyName: 'kind' }),
    tagged({ propertyName: 'kind', mapping: { Lion: '#/components/schemas/Lion', Wolf: 'Wolf' } }),
    'safe',
    'safe',
  ],
  [
    'a mapping by name, as a reference',
    tagged({ propertyName: 'kind', mapping: { l: 'Lion', w: 'Wolf' } }),
    tagged({
      propertyName: 'kind',
      mapping: { w: '#/components/schemas/Wolf', l: '#/components/schemas/Lion' },
    }),
    'safe',
    'safe',
  ],
  [
    'required in another part of an allOf',
    { allOf: [object({ a: text }), { required: ['a'] }] },
    object({ a: text }, { required: ['a'] }),
    'safe',
    'safe',
  ],
  [
    'a least number of members that required ones reach',
    object({ a: text }, { required: ['a'] }),
    object({ a: text }, { required: ['a'], minProperties: 1 }),
    'safe',
    'safe',
  ],
  [
    'a limit that an enum keeps',
    { ...integer, enum: [1, 2] },
    { ...integer, enum: [1, 2], maximum: 5 },
    'safe',
    'safe',
  ],
  [
    'a recursive schema, in its place',
    ref('Tree'),
    object({ label: text, below: { type: 'array', items: ref('Tree') } }),
    'safe',
    'safe',
  ],
  ['a variant that another one includes', { anyOf: [{ ...text, maxLength: 5 }, text] }, text, 'safe', 'safe'],
  [
    'closed by unevaluatedProperties, as by additionalProperties',
    { allOf: [ref('Sized')], unevaluatedProperties: false },
    object({ size: integer }, { additionalProperties: false }),
    'safe',
    'safe',
  ],
  ['a default', text, { ...text, default: 'a' }, 'safe', 'safe'],
  [
    'others are named as possible',
    object({ a: text }),
    object({ a: text }, { additionalProperties: true }),
    'safe',
    'safe',
  ],
  [
    'a pattern, written in another way',
    { ...text, pattern: '^[0-9]+$' },
    { ...text, pattern: '^\\d+$' },
    'safe',
    'safe',
  ],
  [
    'lengths as a pattern',
    { ...text, pattern: '^[a-z]{2,4}$' },
    { ...text, pattern: '^[a-z]+$', minLength: 2, maxLength: 4 },
    'safe',
    'safe',
  ],
  ['an order of an enum', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }, 'safe', 'safe'],
  [
    'a new required member that is read-only',
    object({ a: text }),
    object({ a: text, id: { ...integer, readOnly: true } }, { required: ['id'] }),
    'safe',
    'safe',
  ],
  [
    'a new required member that is write-only',
    object({ a: text }),
    object({ a: text, pin: { ...integer, writeOnly: true } }, { required: ['pin'] }),
    'breaking',
    'safe',
  ],
  [
    'a required member becomes read-only',
    object({ a: text }, { required: ['a'] }),
    object({ a: { ...text, readOnly: true } }, { required: ['a'] }),
    'safe',
    'safe',
  ],
  [
    'a required member becomes write-only',
    object({ a: text }, { required: ['a'] }),
    object({ a: { ...text, writeOnly: true } }, { required: ['a'] }),
    'safe',
    'breaking',
  ],
  [
    'a read-only member is required of clients',
    object({ a: { ...text, readOnly: true } }, { required: ['a'] }),
    object({ a: text }, { required: ['a'] }),
    'breaking',
    'safe',
  ],

  // Values.
  [
    'a wider pattern',
    { ...text, pattern: '^[a-z]+$' },
    { ...text, pattern: '^[a-z0-9]+$' },
    'safe',
    'breaking',
  ],
  [
    'a narrower pattern',
    { ...text, pattern: '^[a-z]{1,5}$' },
    { ...text, pattern: '^[a-z]{1,3}$' },
    'breaking',
    'safe',
  ],
  [
    'another pattern',
    { ...text, pattern: '^A-\\d{4}$' },
    { ...text, pattern: '^B-\\d{4}$' },
    'breaking',
    'breaking',
  ],
  [
    'date-time to date',
    { ...text, format: 'date-time' },
    { ...text, format: 'date' },
    'breaking',
    'breaking',
  ],
  ['a format is gone', { ...text, format: 'uuid' }, text, 'safe', 'breaking'],
  ['a format is new', text, { ...text, format: 'email' }, 'breaking', 'safe'],
  ['int64 to int32', { ...integer, format: 'int64' }, { ...integer, format: 'int32' }, 'breaking', 'safe'],
  [
    'float to double',
    { type: 'number', format: 'float' },
    { type: 'number', format: 'double' },
    'safe',
    'safe',
  ],
  ['a const is another', { const: 'a' }, { const: 'b' }, 'breaking', 'breaking'],
  [
    'a closed object',
    object({ a: text }, { additionalProperties: true }),
    object({ a: text }, { additionalProperties: false }),
    'breaking',
    'safe',
  ],
  [
    'an open map',
    object({}, { additionalProperties: text }),
    object({}, { additionalProperties: true }),
    'safe',
    'breaking',
  ],
  [
    'items of more types',
    { type: 'array', items: text },
    { type: 'array', items: { anyOf: [text, integer] } },
    'safe',
    'breaking',
  ],
  [
    'a tuple that is longer',
    { type: 'array', prefixItems: [text], items: false },
    { type: 'array', prefixItems: [text, integer], items: false },
    'safe',
    'breaking',
  ],
  ['a value that is excluded', text, { ...text, not: { const: 'a' } }, 'breaking', 'safe'],
  [
    'members that depend',
    object({ a: text, b: text }),
    object({ a: text, b: text }, { dependentRequired: { a: ['b'] } }),
    'breaking',
    'safe',
  ],
  [
    'a condition',
    object({ a: text, b: text }),
    object(
      { a: text, b: text },
      { if: { required: ['a'], properties: { a: { const: 'x' } } }, [THEN]: { required: ['b'] } },
    ),
    'breaking',
    'safe',
  ],
  [
    'a condition is gone',
    object(
      { a: text, b: text },
      { if: { required: ['a'], properties: { a: { const: 'x' } } }, [THEN]: { required: ['b'] } },
    ),
    object({ a: text, b: text }),
    'safe',
    'breaking',
  ],
  ['a variant less', { oneOf: [cat, dog, bird] }, { oneOf: [cat, dog] }, 'breaking', 'safe'],
  ['a variant more', { oneOf: [cat, dog] }, { oneOf: [bird, cat, dog] }, 'safe', 'breaking'],
  [
    'a member of one variant',
    { oneOf: [cat, dog] },
    { oneOf: [cat, { ...dog, required: ['kind', 'tricks'] }] },
    'breaking',
    'safe',
  ],
  [
    'a member of one variant is another',
    { oneOf: [cat, dog] },
    { oneOf: [{ ...cat, properties: { ...cat.properties, lives: text } }, dog] },
    'breaking',
    'breaking',
  ],
  ['a part of an allOf is gone', { allOf: [ref('Named'), ref('Sized')] }, ref('Sized'), 'safe', 'breaking'],
  ['a part of an allOf more', ref('Sized'), { allOf: [ref('Named'), ref('Sized')] }, 'breaking', 'safe'],
  ['a recursive schema of another type', ref('Tree'), ref('TreeOfNumbers'), 'breaking', 'breaking'],
  [
    'another member tells variants apart',
    tagged({ propertyName: 'kind' }),
    tagged({ propertyName: 'mane' }),
    'breaking',
    'safe',
  ],
  [
    'a list to an item or a list',
    { type: 'array', items: text },
    { oneOf: [text, { type: 'array', items: text }] },
    'safe',
    'breaking',
  ],
  [
    'an item or a list to a list',
    { oneOf: [text, { type: 'array', items: text }] },
    { type: 'array', items: text },
    'breaking',
    'safe',
  ],
  ['a string that was a number', { type: 'number' }, text, 'breaking', 'breaking'],
  [
    'a map of another type below',
    object({ m: object({}, { additionalProperties: object({ x: integer }) }) }),
    object({ m: object({}, { additionalProperties: object({ x: text }) }) }),
    'breaking',
    'breaking',
  ],
  [
    'a pattern of names',
    object({}, { patternProperties: { '^x-': text } }),
    object({}, { patternProperties: { '^x-': integer } }),
    'breaking',
    'breaking',
  ],
  [
    'names that are limited',
    object({}, { additionalProperties: text }),
    object({}, { additionalProperties: text, propertyNames: { maxLength: 3 } }),
    'breaking',
    'safe',
  ],
  [
    'an anyOf that may be anything, narrowed beside it',
    { anyOf: [integer, { type: 'null' }, {}] },
    { anyOf: [{ ...integer, maximum: 3 }, { type: 'null' }, {}] },
    'safe',
    'safe',
  ],
  ['a multiple of', integer, { ...integer, multipleOf: 5 }, 'breaking', 'safe'],
  [
    'null in an enum',
    { type: ['string', 'null'], enum: ['a', null] },
    { ...text, enum: ['a'] },
    'breaking',
    'safe',
  ],
  [
    'an enum of a nullable member lacks null',
    { ...text, nullable: true, enum: ['a', null] },
    { ...text, nullable: true, enum: ['a'] },
    'breaking',
    'safe',
    old3,
  ],
];

/** Each edit of a schema, once in a request and once in a response. */
export function schemaEdits(which: 'request' | 'response'): readonly Edit[] {
  return SCHEMA_ROWS.map(([name, old, next, request, response, versions = ['3.1.1', '3.1.1']]) => {
    const half = (value: unknown, version: string) =>
      which === 'request' ? withMembers(value, text, version) : withMembers(text, value, version);
    const pair: DocumentPair = [half(old, versions[0]), half(next, versions[1])];
    return [name, pair, which === 'request' ? request : response];
  });
}
