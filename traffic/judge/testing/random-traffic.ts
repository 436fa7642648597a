/** Boats in harbours, with what makes several exchanges depend on each other: writes, actions, filters, pages, parents. */
export const boats = {
  openapi: '3.1.0',
  info: { title: 'Boats', version: '1' },
  servers: [{ url: 'https://boats.example/v1' }],
  security: [{ token: [] }],
  paths: {
    '/boats': {
      get: {
        operationId: 'listBoats',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50, default: 10 } },
          { name: 'kind', in: 'query', description: 'Only boats of this kind.', schema: { type: 'string' } },
        ],
        responses: { 200: json({ type: 'array', items: ref('Boat') }), 401: json(ref('Problem')) },
      },
      post: {
        operationId: 'addBoat',
        requestBody: json(ref('NewBoat')),
        responses: { 201: json(ref('Boat')), 400: json(ref('Problem')) },
      },
    },
    '/boats/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getBoat', responses: { 200: json(ref('Boat')), 404: json(ref('Problem')) } },
      put: {
        operationId: 'replaceBoat',
        requestBody: json(ref('NewBoat')),
        responses: { 200: json(ref('Boat')), 404: json(ref('Problem')) },
      },
      delete: {
        operationId: 'removeBoat',
        responses: { 204: { description: '' }, 404: json(ref('Problem')) },
      },
    },
    '/boats/{id}/launch': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      post: { operationId: 'launchBoat', responses: { 204: { description: '' } } },
    },
    '/harbours': {
      get: {
        operationId: 'listHarbours',
        responses: {
          200: json({
            type: 'object',
            required: ['items', 'total'],
            properties: { items: { type: 'array', items: ref('Harbour') }, total: { type: 'integer' } },
          }),
        },
      },
    },
    '/harbours/{harbourId}': {
      parameters: [{ name: 'harbourId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getHarbour', responses: { 200: json(ref('Harbour')), 404: json(ref('Problem')) } },
    },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      NewBoat: {
        type: 'object',
        required: ['name', 'kind'],
        properties: {
          name: { type: 'string' },
          kind: { type: 'string', enum: ['dinghy', 'yawl'] },
          harbourId: { type: 'integer' },
        },
      },
      Boat: {
        allOf: [ref('NewBoat'), { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }],
      },
      Harbour: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'integer' }, name: { type: 'string' } },
      },
      Problem: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
    },
  },
};

function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

function json(schema: object) {
  return { description: '', content: { 'application/json': { schema } } };
}

interface Boat {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly harbourId?: number;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/**
 * A HAR of so many exchanges with a service that mostly keeps the contract, now and then breaks it, and is used by several
 * clients at once: what is made, read, listed and removed, from a cache, without a body, elsewhere, broken off.
 */
export function trafficOf(seed: number, count: number): string {
  let state = seed;
  const below = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const seldom = (times: number) => below(times) === 0;
  const one = <T>(list: readonly T[]) => list[below(list.length)] as T;
  const kept = new Map<string, Boat>();
  for (let id = 0; id < 40; id++)
    kept.set(`s${seed}-${id}`, { id: `s${seed}-${id}`, name: `Boat ${id}`, kind: one(['dinghy', 'yawl']) });
  let made = 0;

  /** As it is, or with a fault. */
  const shown = (boat: Boat) => (seldom(60) ? { ...boat, name: seldom(2) ? 'Other' : 7 } : boat);
  const anyId = () => (seldom(8) ? `gone-${below(20)}` : one([...kept.keys()]));
  const sent = (): Omit<Boat, 'id'> => ({
    name: `New ${below(1000)}`,
    kind: seldom(15) ? 'raft' : one(['dinghy', 'yawl']),
    ...(seldom(3) && { harbourId: below(9) }),
  });
  const lacking = { status: 404, body: { title: 'no such boat' } };

  function answer(method: string, id: string, body: Omit<Boat, 'id'> | undefined): Answer {
    const boat = kept.get(id);
    if (seldom(50)) return { status: one([401, 403, 500, 503]), body: { title: 'no' } };
    if (method === 'POST' && body) {
      if (!['dinghy', 'yawl'].includes(body.kind) && !seldom(4))
        return { status: 400, body: { title: 'kind' } };
      const next = { id: `m${seed}-${made++}`, ...body };
      if (!seldom(30)) kept.set(next.id, next);
      return { status: 201, body: shown(next) };
    }
    if (!boat) return seldom(20) ? { status: 404, body: {} } : lacking;
    if (method === 'PUT' && body) {
      const next = { id, ...body };
      if (!seldom(15)) kept.set(id, next);
      return { status: 200, body: shown(next) };
    }
    if (method === 'DELETE') {
      if (!seldom(8)) kept.delete(id);
      return { status: 204 };
    }
    return { status: 200, body: shown(boat) };
  }

  function exchange(): { method: string; path: string; body?: object; answer: Answer } {
    const kind = below(100);
    if (kind < 45) {
      const id = anyId();
      return { method: 'GET', path: `/boats/${id}`, answer: answer('GET', id, undefined) };
    }
    if (kind < 70) {
      const limit = 1 + below(seldom(3) ? 60 : 30);
      const wanted = seldom(3) ? one(['dinghy', 'yawl']) : undefined;
      const all = [...kept.values()].filter((boat) => !wanted || boat.kind === wanted || seldom(80));
      const from = seldom(2) ? below(10) : 0;
      const body = all
        .filter(() => !seldom(200))
        .slice(from, from + limit)
        .map(shown);
      const query = `limit=${limit}${wanted ? `&kind=${wanted}` : ''}${seldom(40) ? '&odd=1' : ''}`;
      return { method: 'GET', path: `/boats?${query}`, answer: { status: 200, body } };
    }
    if (kind < 75) {
      const items = [1, 2, 3].map((id) => ({ id, name: `Harbour ${id}` }));
      return {
        method: 'GET',
        path: '/harbours',
        answer: { status: 200, body: { items, total: seldom(9) ? 2 : 3 } },
      };
    }
    if (kind < 79) {
      const id = 1 + below(3);
      const body = { id: seldom(20) ? 9 : id, name: `Harbour ${seldom(20) ? 'X' : id}` };
      return { method: 'GET', path: `/harbours/${id}`, answer: { status: 200, body } };
    }
    if (kind < 85) {
      const body = sent();
      return { method: 'POST', path: '/boats', body, answer: answer('POST', '', body) };
    }
    if (kind < 89) {
      const [id, body] = [anyId(), sent()];
      return { method: 'PUT', path: `/boats/${id}`, body, answer: answer('PUT', id, body) };
    }
    if (kind < 92) {
      const id = anyId();
      return { method: 'DELETE', path: `/boats/${id}`, answer: answer('DELETE', id, undefined) };
    }
    if (kind < 93) return { method: 'POST', path: `/boats/${anyId()}/launch`, answer: { status: 204 } };
    const path = one(['/unknown', '/boats/a/b/c', '/harbours']);
    return {
      method: one(['GET', 'OPTIONS', 'HEAD', 'PATCH']),
      path,
      answer: { status: one([200, 204, 404]) },
    };
  }

  let now = Date.parse('2030-01-01T00:00:00Z');
  const entries = Array.from({ length: count }, () => {
    const {
      method,
      path,
      body,
      answer: { status, body: shownBody },
    } = exchange();
    now += seldom(300) ? 70_000 : below(40);
    const text = shownBody === undefined ? '' : JSON.stringify(shownBody);
    const isCut = seldom(40) && text.length > 4;
    const origin = seldom(60) ? 'https://elsewhere.example' : 'https://boats.example/v1';
    const key = one(['ann-0123456789', 'ann-0123456789', 'bob-0123456789', '']);
    const type = { name: 'Content-Type', value: seldom(150) ? 'text/html' : 'application/json' };
    const posted = body && JSON.stringify(body);
    return {
      ...(!seldom(100) && { startedDateTime: new Date(now - (seldom(100) ? 500 : 0)).toISOString() }),
      ...(!seldom(100) && { time: below(60) }),
      ...(seldom(80) && { _fromCache: 'disk' }),
      request: {
        method: seldom(400) ? 'G E T' : method,
        url: origin + path,
        headers: [
          ...(key ? [{ name: 'Authorization', value: `Bearer ${key}` }] : []),
          ...(posted === undefined ? [] : [{ name: 'Content-Type', value: 'application/json' }]),
          ...(seldom(100) ? [{ name: 'Prefer', value: 'x=1' }] : []),
        ],
        ...(posted !== undefined && !seldom(40) && { postData: { mimeType: '', text: posted } }),
        bodySize: posted?.length ?? 0,
      },
      response: {
        status: seldom(150) ? 0 : status,
        headers: text === '' ? [] : [type],
        content: {
          size: text.length,
          mimeType: 'application/json',
          ...(!seldom(50) && { text: isCut ? text.slice(0, -3) : text }),
        },
      },
    };
  });
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } });
}
