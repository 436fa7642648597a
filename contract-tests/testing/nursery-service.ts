import type { Fetch } from '../send/client.ts';

type Data = Record<string, unknown>;

const text = { type: 'string' };
const id = { type: 'integer', format: 'int64', readOnly: true };
const schemaOf = (properties: object) => ({
  type: 'object',
  required: ['id', 'name'],
  properties: { id, name: { ...text, minLength: 1 }, ...properties },
});
const BED = schemaOf({ soil: text });
const PLANT = schemaOf({ kind: text, age: { type: 'number' } });
const LEAF = schemaOf({ colour: text });

const as = (schema: object) => ({ description: '', content: { 'application/json': { schema } } });
const bare = { description: '' };
const named = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer', format: 'int64' },
});
const REFUSED = { 400: bare, 404: bare };
const takes = (schema: object) => ({ requestBody: { required: true, ...as(schema) } });
const collection = (schema: object) => ({
  get: { responses: { 200: as({ type: 'array', items: schema }), ...REFUSED } },
  post: { ...takes(schema), responses: { 201: as(schema), ...REFUSED } },
});

/**
 * Beds of plants with leaves. A bed cannot be removed, and is changed by POST; plants are removed one by one, or all of a
 * bed at once; most beds have no photo; plants grow older; the newest bed of a name has the name in its path; a search
 * accepts up to 200 beds, which is undocumented. A number that is no id gets 400, and an unused id 404.
 */
export const NURSERY = {
  openapi: '3.1.1',
  info: { title: 'Nursery', version: '1' },
  paths: {
    '/beds': collection(BED),
    '/beds/{bedId}': {
      parameters: [named('bedId')],
      get: { responses: { 200: as(BED), ...REFUSED } },
      post: { ...takes(BED), responses: { 200: as(BED), ...REFUSED } },
    },
    '/beds/search': {
      post: {
        ...takes({ type: 'object', properties: { limit: { type: 'integer' } } }),
        responses: { 200: as({ type: 'array', items: BED }), ...REFUSED },
      },
    },
    '/beds/{name}/newest': {
      parameters: [{ name: 'name', in: 'path', required: true, schema: text }],
      get: { responses: { 200: as(BED), ...REFUSED } },
    },
    '/beds/{bedId}/photo': {
      parameters: [named('bedId')],
      get: { responses: { 200: as({ type: 'object' }), ...REFUSED } },
      delete: { responses: { 204: bare, ...REFUSED } },
    },
    '/beds/{bedId}/plants': {
      parameters: [named('bedId')],
      ...collection(PLANT),
      delete: {
        parameters: [{ name: 'most', in: 'query', schema: { type: 'integer', minimum: 1 } }],
        responses: { 204: bare, ...REFUSED },
      },
    },
    '/beds/{bedId}/plants/{plantId}': {
      parameters: [named('bedId'), named('plantId')],
      get: { responses: { 200: as(PLANT), ...REFUSED } },
      delete: { responses: { 204: bare, ...REFUSED } },
    },
    '/beds/{bedId}/plants/{plantId}/leaves': {
      parameters: [named('bedId'), named('plantId')],
      ...collection(LEAF),
    },
  },
};

/** A thing with its children, by the name of their collection. */
interface Thing {
  readonly data: Data;
  readonly below: Map<string, Map<string, Thing>>;
  readonly since: number;
}

/** @param hidesLeaves the leaves of an existing plant are not found, instead of an empty list: the only fault */
export function nurseryService({ hidesLeaves = false } = {}): Fetch {
  const root: Thing = { data: {}, below: new Map([['beds', new Map()]]), since: 0 };
  let lastId = 1000;
  const refuse = (status: number) => new Response(null, { status });
  const show = (value: unknown, status = 200) => Response.json(value, { status });
  const thingsIn = (above: Thing, name: string) => {
    const things = above.below.get(name) ?? new Map<string, Thing>();
    above.below.set(name, things);
    return things;
  };

  function ofCollection(above: Thing, name: string, method: string, query: URLSearchParams, body: unknown) {
    const things = thingsIn(above, name);
    if (method === 'GET') return show([...things.values()].map(({ data }) => data));
    if (method === 'DELETE') {
      const most = query.get('most');
      if (most !== null && !/^[1-9]\d{0,8}$/.test(most)) return refuse(400);
      things.clear();
      return refuse(204);
    }
    const sent = membersOf(body);
    if (!sent) return refuse(400);
    const made = { ...sent, id: ++lastId };
    things.set(String(made.id), { data: made, below: new Map(), since: performance.now() });
    return show(made, 201);
  }

  function ofThing(things: Map<string, Thing>, thing: Thing, method: string, body: unknown) {
    const { data, since } = thing;
    const age = Number(data.age) + (performance.now() - since) / 1000;
    if (method === 'GET') return show('age' in data ? { ...data, age } : data);
    if (method === 'DELETE') {
      things.delete(String(data.id));
      return refuse(204);
    }
    const sent = membersOf(body);
    if (!sent) return refuse(400);
    return show(Object.assign(data, { soil: undefined }, sent));
  }

  function newest(things: Map<string, Thing>, name: string) {
    const thing = [...things.values()].findLast(({ data }) => data.name === name);
    return thing ? show(thing.data) : refuse(404);
  }

  function filtered(things: Map<string, Thing>, body: unknown) {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return refuse(400);
    const { limit = 200 } = body as Data;
    if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > 200) return refuse(400);
    return show([...things.values()].slice(0, Number(limit)).map(({ data }) => data));
  }

  return async (url, init) => {
    const request = new Request(url, init);
    const { pathname, searchParams } = new URL(url);
    const body = request.method === 'POST' ? parse(await request.text()) : undefined;
    const names = pathname.split('/').slice(1);
    let above = root;
    for (let depth = 0; depth < names.length; depth += 2) {
      const [name = '', key] = names.slice(depth, depth + 2);
      // Nobody has uploaded one.
      if (name === 'photo') return refuse(request.method === 'GET' ? 404 : 400);
      if (name === 'leaves' && hidesLeaves) return refuse(404);
      if (names[depth + 2] === 'newest') return newest(thingsIn(above, name), decodeURIComponent(key ?? ''));
      if (key === 'search') return filtered(thingsIn(above, name), body);
      if (key === undefined) return ofCollection(above, name, request.method, searchParams, body);
      if (!/^[1-9]\d*$/.test(key)) return refuse(400);
      const things = thingsIn(above, name);
      const thing = things.get(key);
      if (!thing) return refuse(404);
      if (depth + 2 === names.length) return ofThing(things, thing, request.method, body);
      above = thing;
    }
    return refuse(404);
  };
}

const TYPES = { name: 'string', soil: 'string', kind: 'string', colour: 'string', age: 'number' };

/** Undefined: they violate the document. */
function membersOf(body: unknown): Data | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const { id: _, ...members } = body as Data;
  const fits = ([name, type]: [string, string]) => !(name in members) || typeof members[name] === type;
  return members.name && Object.entries(TYPES).every(fits) ? members : undefined;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
