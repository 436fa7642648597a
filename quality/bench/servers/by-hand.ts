import fastify from 'fastify';

/** The same operations as a team would write them by hand in a framework. Arguments: port, key. */
const [port, key = ''] = process.argv.slice(2);
const STATUSES = ['available', 'pending', 'sold'];

interface Pet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status?: string;
}

const pets = new Map<number, Pet>();
for (let id = 1; id <= 50; id++)
  pets.set(id, { id, name: `Pet ${id}`, categoryId: id % 9, status: STATUSES[id % 3] as string });

const id = { type: 'integer' };
const status = { type: 'string', enum: STATUSES };
const properties = { name: { type: 'string' }, categoryId: { type: 'integer' }, status };
const pet = { type: 'object', required: ['id'], properties: { id, ...properties } };
const limit = { type: 'integer', minimum: 1, maximum: 100, default: 20 };
const listed = {
  querystring: { type: 'object', properties: { limit, status } },
  response: { 200: { type: 'array', items: pet } },
};
const read = { params: { type: 'object', properties: { petId: id } }, response: { 200: pet } };
const created = {
  body: { type: 'object', required: ['name', 'categoryId'], properties },
  response: { 201: pet },
};

const server = fastify({ logger: false });
server.addHook('onRequest', async (request, reply) => {
  if (request.headers.authorization === `Bearer ${key}`) return;
  await reply.code(401).send({ code: 'unauthorized', message: 'A key is needed', status: 401 });
});
server.setErrorHandler((error: Error, _request, reply) => {
  reply.code(400).send({ code: 'invalid_request', message: error.message, status: 400 });
});
server.get<{ Querystring: { limit: number; status?: string } }>(
  '/v1/pets',
  { schema: listed },
  async ({ query }) => {
    const found: Pet[] = [];
    for (const one of pets.values()) {
      if (found.length === query.limit) break;
      if (query.status === undefined || one.status === query.status) found.push(one);
    }
    return found;
  },
);
server.get<{ Params: { petId: number } }>(
  '/v1/pets/:petId',
  { schema: read },
  async ({ params }, reply) =>
    pets.get(params.petId) ??
    reply.code(404).send({ code: 'not_found', message: 'No such pet', status: 404 }),
);
server.post<{ Body: Omit<Pet, 'id'> }>('/v1/pets', { schema: created }, async ({ body }, reply) => {
  const made = { id: pets.size + 1, ...body };
  pets.set(made.id, made);
  return reply.code(201).send(made);
});
await server.listen({ port: Number(port), host: '127.0.0.1' });
