import type { Fetch } from '../send/client.ts';

type Data = Record<string, unknown>;

/** A service of things that rejects more than its document states, or shows ids in an unusual way. */
export interface DemandingOptions {
  /** The schema of the record in a body. */
  readonly body: object;
  /** The schema of the record in a response; default: the members of the body, and an integer `id` that the service sets. */
  readonly record?: object;
  readonly example?: unknown;
  /** Returns an error for what the service rejects; undefined: nothing. */
  readonly refuse?: (sent: Data, things: readonly Data[]) => Response | undefined;
  /** The things of another client. */
  readonly things?: readonly Data[];
  /** The member of bodies and responses that wraps the record. */
  readonly envelope?: string;
  /** The paths of the collection and of its items. */
  readonly paths?: readonly [collection: string, item: string];
  /** The response to a create; default: 201 with the record. */
  readonly created?: (thing: Data) => Response;
  /** The documented response to a create, instead of the record's. */
  readonly documented?: object;
  /** Returns the id if the client chooses it. */
  readonly idOf?: (sent: Data) => unknown;
  readonly removable?: boolean;
  /** False: 409 is not documented for a create. */
  readonly documents409?: boolean;
}

const as = (schema: object) => ({ description: '', content: { 'application/json': { schema } } });

export function demandingService(options: DemandingOptions) {
  const { body, example, envelope, refuse, removable = true, documents409 = true } = options;
  const [collection, item] = options.paths ?? ['/things', '/things/{id}'];
  const things: Data[] = [...(options.things ?? [])];
  const bodies: Data[] = [];
  const parameter = /\{(.+)\}/.exec(item)?.[1] ?? '';
  const members = 'properties' in body ? (body.properties as object) : {};
  const { record = { type: 'object', properties: { id: { type: 'integer', readOnly: true }, ...members } } } =
    options;
  const wrapped = (schema: object) =>
    envelope === undefined ? schema : { type: 'object', properties: { [envelope]: schema } };
  const bare = { description: '' };
  const post = {
    requestBody: {
      required: true,
      content: { 'application/json': { schema: wrapped(body), ...(example !== undefined && { example }) } },
    },
    responses: {
      201: options.documented ?? as(wrapped(record)),
      400: bare,
      ...(documents409 && { 409: bare }),
    },
  };
  const one = {
    parameters: [{ name: parameter, in: 'path', required: true, schema: { type: 'integer' } }],
    get: { tags: ['things'], responses: { 200: as(wrapped(record)), 404: bare } },
    ...(removable && { delete: { responses: { 204: bare, 404: bare } } }),
  };
  const list =
    envelope === undefined
      ? { type: 'array', items: record }
      : { type: 'object', properties: { [envelope]: { type: 'array', items: record } } };
  const document = {
    openapi: '3.1.1',
    info: { title: 'Things', version: '1' },
    paths: {
      [collection]: { get: { responses: { 200: as(list) } }, post: { tags: ['things'], ...post } },
      [item]: one,
    },
  };
  const show = (value: unknown) => Response.json(envelope === undefined ? value : { [envelope]: value });
  const above = item.slice(0, item.indexOf('{'));
  let lastId = 1000;

  function create(sent: Data): Response {
    bodies.push(sent);
    const refusal = refuse?.(sent, things);
    if (refusal) return refusal;
    const thing = { ...sent, id: options.idOf?.(sent) ?? ++lastId };
    const index = things.findIndex(({ id }) => id === thing.id);
    things.splice(index < 0 ? things.length : index, index < 0 ? 0 : 1, thing);
    const content = envelope === undefined ? thing : { [envelope]: thing };
    return options.created?.(thing) ?? Response.json(content, { status: 201 });
  }

  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init);
    const { pathname } = new URL(url);
    if (pathname === collection && request.method === 'GET') return show(things);
    if (pathname === collection && request.method === 'POST') {
      const text = await request.text();
      const sent = parse(text);
      const inner = envelope === undefined ? sent : sent?.[envelope];
      return inner && typeof inner === 'object' && !Array.isArray(inner)
        ? create(inner as Data)
        : new Response(null, { status: 400 });
    }
    const index = things.findIndex(({ id }) => `${above}${id}` === pathname);
    if (index < 0) return new Response(null, { status: 404 });
    if (request.method === 'GET') return show(things[index]);
    if (request.method !== 'DELETE' || !removable) return new Response(null, { status: 405 });
    things.splice(index, 1);
    return new Response(null, { status: 204 });
  };
  return { document, fetch, things, bodies };
}

function parse(text: string): Data | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An error with a text, or with structured errors. */
export const refusal = (status: number, body: unknown): Response => Response.json(body, { status });
