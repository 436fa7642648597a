import type { Fetch } from '../send/client.ts';

type Data = Record<string, unknown>;

const text = { type: 'string' };
const integer = { type: 'integer', format: 'int64' };
const written = {
  name: { ...text, minLength: 1 },
  isHeld: { type: 'boolean' },
  rank: { type: ['integer', 'null'], minimum: 1, maximum: 1_000_000 },
  ballast: { ...integer, minimum: 0, maximum: 1_000_000 },
  notes: { type: 'array', items: text },
};
const ferryMembers = {
  id: { ...integer, readOnly: true },
  ...written,
  rank: { type: 'integer' },
  mood: text,
  state: { type: 'string', enum: ['in service', 'closed'] },
};
const FERRY = { type: 'object', required: ['id', 'name'], properties: ferryMembers };
const SENT = { type: 'object', required: ['name'], properties: written };
const CHANGES = { type: 'object', properties: written };
const CALL = {
  type: 'object',
  required: ['ferry_names'],
  properties: { ferry_names: { type: 'array', items: text, minItems: 1 } },
};

const as = (schema: object) => ({ description: '', content: { 'application/json': { schema } } });
const takes = (schema: object) => ({ requestBody: { required: true, ...as(schema) } });
const bare = { description: '' };
const REFUSED = { 400: bare, 404: bare };

/**
 * Ferries. Each has a unique rank: one that takes another's rank moves the others on, and one without gets the last.
 * Ballast decreases over time. The mood depends on whether a ferry is held. A removed one is shown as closed, and empty
 * lists are left out.
 */
export const FERRIES = {
  openapi: '3.1.1',
  info: { title: 'Ferries', version: '1' },
  paths: {
    '/ferries': {
      get: { responses: { 200: as({ type: 'array', items: FERRY }) } },
      post: { ...takes(SENT), responses: { 201: as(FERRY), 400: bare } },
    },
    '/ferries/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: integer }],
      get: { responses: { 200: as(FERRY), ...REFUSED } },
      patch: { ...takes(CHANGES), responses: { 200: as(FERRY), ...REFUSED } },
      delete: { responses: { 204: bare, ...REFUSED } },
    },
    '/calls': {
      post: { ...takes(CALL), responses: { 200: as({ type: 'array', items: FERRY }), 400: bare } },
    },
  },
};

interface Ferry {
  readonly data: Data;
  since: number;
}

/** Per millisecond. */
const LEAK = 0.2;

/** @param keepsRemoved the state of a removed ferry does not change: the only fault */
export function ferriesService({ keepsRemoved = false } = {}): Fetch {
  const ferries = new Map<string, Ferry>();
  let lastId = 0;
  const refuse = (status: number) => new Response(null, { status });

  function show({ data, since }: Ferry): Data {
    const { notes, ...members } = data;
    const ballast = Math.max(0, Math.round(Number(data.ballast) - LEAK * (performance.now() - since)));
    return {
      ...members,
      ...(Array.isArray(notes) && notes.length > 0 && { notes }),
      ...('ballast' in data && { ballast }),
      mood: data.isHeld ? 'bored' : 'busy',
    };
  }

  /** Moves the others on. */
  function take(record: Data, wanted: unknown): void {
    const others = [...ferries.values()].map(({ data }) => data).filter((data) => data !== record);
    const ranks = others.map(({ rank }) => Number(rank));
    record.rank = wanted ?? Math.max(0, ...ranks) + 1;
    if (!ranks.includes(Number(record.rank))) return;
    for (const other of others)
      if (Number(other.rank) >= Number(record.rank)) other.rank = Number(other.rank) + 1;
  }

  function change(ferry: Ferry, sent: Data): void {
    Object.assign(ferry.data, sent);
    if ('rank' in sent) take(ferry.data, sent.rank);
    if ('ballast' in sent) ferry.since = performance.now();
  }

  return async (url, init) => {
    const { method, pathname, body } = await read(url, init);
    const [, collection, id] = pathname.split('/');
    if (collection === 'calls') {
      const names = isData(body) ? body.ferry_names : undefined;
      if (!Array.isArray(names) || names.length === 0 || !names.every(isText)) return refuse(400);
      const called = names.map((name) => [...ferries.values()].find(({ data }) => data.name === name));
      return called.every((ferry) => ferry !== undefined) ? Response.json(called.map(show)) : refuse(404);
    }
    const sent = method === 'POST' || method === 'PATCH' ? membersOf(body) : {};
    if (id === undefined) {
      if (method === 'GET') return Response.json([...ferries.values()].map(show));
      if (!sent || !('name' in sent)) return refuse(400);
      const ferry: Ferry = { data: { id: ++lastId, state: 'in service' }, since: performance.now() };
      ferries.set(String(lastId), ferry);
      change(ferry, { rank: null, ...sent });
      return Response.json(show(ferry), { status: 201 });
    }
    if (!/^\d+$/.test(id)) return refuse(400);
    const ferry = ferries.get(id);
    if (!ferry) return refuse(404);
    if (method === 'DELETE') {
      if (!keepsRemoved) ferry.data.state = 'closed';
      return refuse(204);
    }
    if (!sent) return refuse(400);
    if (method === 'PATCH') change(ferry, sent);
    return Response.json(show(ferry));
  };
}

async function read(url: string | URL, init: RequestInit | undefined) {
  const request = new Request(url, init);
  const { pathname } = new URL(request.url);
  const json = await request.text();
  return { method: request.method, pathname, body: parse(json) };
}

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string';
const isWithin = (value: unknown, least: number, most: number) =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

const FITS: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: (value) => isText(value) && value !== '',
  isHeld: (value) => typeof value === 'boolean',
  rank: (value) => value === null || isWithin(value, 1, 1_000_000),
  ballast: (value) => isWithin(value, 0, 1_000_000),
  notes: (value) => Array.isArray(value) && value.every(isText),
};

/** Undefined: they violate the document. */
function membersOf(body: unknown): Data | undefined {
  if (!isData(body)) return undefined;
  const names = Object.keys(FITS).filter((name) => name in body);
  if (!names.every((name) => FITS[name]?.(body[name]))) return undefined;
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
