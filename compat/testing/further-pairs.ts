import { answered, asked, type DocumentPair, documentOf, json, OK, posted } from './documents.ts';

const text = { type: 'string' };
const numbers = { type: 'array', items: { type: 'integer' } };
const open = { type: 'object', additionalProperties: text };
const listed = (schema: object) => [
  { name: 'value', in: 'query', schema: { type: 'array', items: text }, ...schema },
];
const served = (url: string) => ({
  ...documentOf({ '/things': { get: { responses: OK } } }),
  servers: [{ url }],
});
const secured = (...names: string[]) =>
  documentOf(
    { '/things': { get: { responses: OK } } },
    {
      components: {
        securitySchemes: {
          key: { type: 'apiKey', in: 'header', name: 'X-Key' },
          basic: { type: 'http', scheme: 'basic' },
        },
      },
      security: names.map((name) => ({ [name]: [] })),
    },
  );

const thing = (said: object) => ({
  ...said,
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: text,
    shelf: { type: 'integer' },
  },
});
const page = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50 } };
const filter = {
  name: 'shelf',
  in: 'query',
  description: 'Only those with this value.',
  schema: { type: 'integer' },
};
const collection = (parameters: object[], said: object) =>
  documentOf({
    '/things': {
      get: {
        parameters,
        responses: { 200: { description: 'Things.', ...json({ type: 'array', items: thing(said) }) } },
      },
      post: {
        requestBody: { required: true, ...json(thing(said)) },
        responses: { 201: { description: 'Stored.', ...json(thing(said)) } },
      },
    },
  });

/** Changes that no check of oasdiff covers. */
export const FURTHER_PAIRS: Readonly<Record<string, DocumentPair>> = {
  'items of a request must be unique': [posted(numbers), posted({ ...numbers, uniqueItems: true })],
  'items of a response may repeat': [answered({ ...numbers, uniqueItems: true }), answered(numbers)],
  '`multipleOf` in a request': [posted({ type: 'integer' }), posted({ type: 'integer', multipleOf: 5 })],
  'no `multipleOf` in a response': [
    answered({ type: 'integer', multipleOf: 5 }),
    answered({ type: 'integer' }),
  ],
  'fewer members in a request': [posted(open), posted({ ...open, maxProperties: 2 })],
  'more members in a response': [answered({ ...open, maxProperties: 2 }), answered(open)],
  '`not` in a request': [posted(text), posted({ ...text, not: { const: 'a' } })],
  'a closed request that was open': [
    posted({ type: 'object', properties: { a: text }, additionalProperties: true }),
    posted({ type: 'object', properties: { a: text }, additionalProperties: false }),
  ],
  'a member more in a closed response': [
    answered({ type: 'object', properties: { a: text }, additionalProperties: false }),
    answered({ type: 'object', properties: { a: text, b: text }, additionalProperties: false }),
  ],
  'another style of a parameter': [
    asked(listed({ schema: { ...numbers, minItems: 2 }, required: true })),
    asked(listed({ schema: { ...numbers, minItems: 2 }, required: true, explode: false })),
  ],
  'an alternative credential less': [secured('key', 'basic'), secured('key')],
  'values that no two records may share': [
    collection([], {}),
    collection([], { 'x-paddock': { unique: ['name'] } }),
  ],
  'a filter that filters no longer': [collection([filter], {}), collection([], {})],
  'a page size that no longer bounds a list': [collection([page], {}), collection([], {})],
  'another base path': [served('https://api.example/v1'), served('https://api.example/v2')],
};
