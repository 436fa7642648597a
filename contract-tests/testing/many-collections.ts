const PROBLEM = { $ref: '#/components/schemas/Problem' };

/** A document with a number of collections, each with its own kind of record: three operations per collection. */
export function manyCollections(count: number): object {
  const names = Array.from({ length: count }, (_, index) => `Shelf${lettersOf(index)}`);
  const collections = names.map((name) => [`/${name.toLowerCase()}`, collectionOf(name)] as const);
  const records = names.map((name) => [`/${name.toLowerCase()}/{id}`, recordOf(name)] as const);
  const problem = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } };
  return {
    openapi: '3.1.0',
    info: { title: 'Many collections', version: '1' },
    servers: [{ url: 'http://127.0.0.1/v1' }],
    paths: Object.fromEntries([...collections, ...records]),
    components: {
      schemas: { ...Object.fromEntries(names.map((name) => [name, schemaOf(name)])), Problem: problem },
    },
  };
}

/** 0 is `A`, 26 `AA`. */
function lettersOf(index: number): string {
  const rest = index < 26 ? '' : lettersOf(Math.floor(index / 26) - 1);
  return rest + String.fromCharCode(65 + (index % 26));
}

function schemaOf(name: string): object {
  const weight = `weightOf${name}`;
  return {
    type: 'object',
    required: ['id', 'name', weight],
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string', minLength: 1, maxLength: 64 },
      [weight]: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
      kind: { type: 'string', enum: ['small', 'large'] },
    },
  };
}

const response = (status: string, schema: object) => ({
  [status]: { description: 'A response.', content: { 'application/json': { schema } } },
});

function collectionOf(name: string): object {
  const schema = { $ref: `#/components/schemas/${name}` };
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } };
  return {
    get: {
      operationId: `list${name}`,
      parameters: [limit],
      responses: { ...response('200', { type: 'array', items: schema }), ...response('400', PROBLEM) },
    },
    post: {
      operationId: `create${name}`,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { ...response('201', schema), ...response('400', PROBLEM) },
    },
  };
}

function recordOf(name: string): object {
  return {
    get: {
      operationId: `read${name}`,
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      responses: {
        ...response('200', { $ref: `#/components/schemas/${name}` }),
        ...response('404', PROBLEM),
      },
    },
  };
}
