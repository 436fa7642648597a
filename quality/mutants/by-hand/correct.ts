import type { Answer, Ask, Behaviour } from './behaviour.ts';
import { isInt64, readJson, writeJson } from './exact-json.ts';
import { STATUSES, stock } from './pet.ts';

/** The shop as its document describes it. */
export const correct: Behaviour = {
  stock: () => stock(31),

  async answer(ask, shop) {
    const { does } = shop;
    const id = /^\/pets\/([^/]+)$/.exec(ask.path)?.[1];
    const act =
      ask.path === '/pets'
        ? { GET: does.list, POST: does.create }[ask.method]
        : id !== undefined && ask.method === 'GET'
          ? does.read
          : undefined;
    if (!act)
      return does.refuse(ask.path === '/pets' || id !== undefined ? 405 : 404, 'there is nothing here');
    return does.authenticate(ask, shop) ?? act(ask, shop);
  },

  authenticate({ headers }, { does, key }) {
    const presented = /^bearer(?:$| +)(.*)$/i.exec(headers.authorization ?? '')?.[1];
    if (presented !== undefined && does.isKey(presented, key)) return undefined;
    const refusal = does.refuse(401, 'a key is needed');
    return { ...refusal, headers: { ...refusal.headers, 'WWW-Authenticate': 'Bearer' } };
  },
  isKey: (presented, key) => presented === key,

  list({ query }, { does, pets }) {
    const limit = does.limitOf(query.get('limit'));
    if (limit === undefined) return does.refuse(400, 'limit is a whole number from 1 to 100');
    const status = query.get('status');
    if (status !== null && !isStatus(status))
      return does.refuse(400, `status is one of ${STATUSES.join(', ')}`);
    const matching = status === null ? pets : pets.filter((pet) => does.matches(pet, status));
    return { status: 200, body: does.page(matching, limit, status).map(does.show) };
  },
  limitOf(text) {
    if (text === null) return 20;
    const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
    return limit >= 1 && limit <= 100 ? limit : undefined;
  },
  matches: (pet, status) => pet.status === status,
  page: (pets, limit) => pets.slice(0, limit),

  create(ask, shop) {
    const { does } = shop;
    const sent = readBody(ask, does);
    if ('status' in sent) return sent;
    const problem = does.problemOf(sent.body);
    if (problem !== undefined) return does.refuse(400, problem);
    const pet = does.made(sent.body as Record<string, unknown>, does.nextId(shop));
    does.keep(shop, pet);
    return does.created(pet, shop);
  },
  problemOf(body) {
    if (!isObject(body)) return 'the body is no object';
    const { name, categoryId, status } = body;
    if (typeof name !== 'string') return 'name is a text, and needed';
    if (!isInt64(categoryId)) return 'categoryId is a 64-bit integer, and needed';
    if (status !== undefined && !isStatus(status)) return `status is one of ${STATUSES.join(', ')}`;
    return undefined;
  },
  nextId: ({ pets }) => pets.reduce((most, { id }) => (isInt64(id) && id > most ? id : most), 200n) + 1n,
  made({ name, categoryId, status }, id) {
    return { id, name, categoryId, ...(status === undefined ? {} : { status }) };
  },
  keep: ({ pets }, pet) => void pets.push(pet),
  created: (pet, { does }) => ({ status: 201, body: does.show(pet) }),

  read({ path }, shop) {
    const { does } = shop;
    const id = does.idOf(decodeURIComponent(path.slice('/pets/'.length)));
    const pet = id === undefined ? undefined : does.find(shop, id);
    return pet ? { status: 200, body: does.show(pet) } : does.refuse(404, 'there is no such animal');
  },
  idOf(text) {
    const id = /^-?\d+$/.test(text) ? BigInt(text) : undefined;
    return isInt64(id) ? id : undefined;
  },
  find: ({ pets }, id) => pets.find((pet) => pet.id === id),

  show: (pet) => pet,
  refuse: (status, message) => ({ status, body: { code: `E${status}`, message, status } }),
  write: ({ status, headers = {}, body }) => ({
    status,
    headers: [
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ...Object.entries(headers),
    ],
    body: Buffer.from(body === undefined ? '' : writeJson(body)),
  }),
  send({ status, headers, body }, response) {
    response.writeHead(status, [...headers, ['Content-Length', String(body.length)]].flat());
    response.end(body);
  },
};

/** The body as JSON, or the refusal of an invalid one. */
export function readBody(ask: Ask, does: Behaviour): { body: unknown } | Answer {
  if (ask.body.length === 0) return does.refuse(400, 'a body is needed');
  if (!/^application\/json *(;|$)/i.test(ask.headers['content-type'] ?? ''))
    return does.refuse(415, 'send JSON');
  try {
    return { body: readJson(new TextDecoder('utf-8', { fatal: true }).decode(ask.body)) };
  } catch {
    return does.refuse(400, 'the body is no JSON');
  }
}

export function isStatus(value: unknown): boolean {
  return STATUSES.some((status) => status === value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
