import { randomUUID } from 'node:crypto';
import { compileRequestReader, compileRoutes, readContract } from '#spec';
import { invalidStatus } from '../laws/operation-role.ts';
import type { Fetch } from '../send/client.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a service keeps has the form that its document gives it.
export type Data = Record<string, any>;
type Reply = readonly [status: number, body?: unknown, headers?: Record<string, string>];

interface Asked {
  /** The path parameters, from left to right. */
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Data;
}

/** The behaviour of a service, by `METHOD /path`. */
export type Routes = Record<string, (asked: Asked) => Reply>;

/** A hand-written service: its document, and its behaviour, created for each run. */
export interface RoutedService {
  readonly document: object;
  readonly start: () => Routes;
}

const NOT_FOUND: Reply = [404, { message: 'Not found' }];

export const text = { type: 'string' };
const readOnlyId = { ...text, readOnly: true };
export const ok = (schema: object, description = '') => ({
  description,
  content: { 'application/json': { schema } },
});
export const bare = (description = '') => ({ description });
export const sent = (schema: object) => ({ required: true, content: { 'application/json': { schema } } });
export const list = (items: object) => ({ type: 'array', items });
export const inPath = (name: string, schema: object = text) => ({ name, in: 'path', required: true, schema });
export const inQuery = (name: string, more: object = {}) => ({ name, in: 'query', schema: text, ...more });
export const object = (properties: Data, required = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
});
export const documentOf = (paths: object) => ({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths,
});

/** The differences of a collection's operations from the usual ones. */
interface Collection {
  readonly body: Data;
  readonly required?: readonly string[];
  /** Members of records beside those of bodies. */
  readonly shown?: Data;
  readonly invalid?: 400 | 422;
  readonly more?: Readonly<Record<'list' | 'create' | 'read' | 'remove', object>> | Data;
  /** Other operations on a record. */
  readonly item?: Data;
}

/** The paths of a collection and of its records: `/things` and `/things/{id}`. */
export function collection(path: string, { body, shown, invalid = 400, more = {}, ...rest }: Collection) {
  const required = [...(rest.required ?? Object.keys(body))];
  const record = object({ id: readOnlyId, ...body, ...shown }, ['id', ...required]);
  const parents = [...path.matchAll(/\{(.+?)\}/g)].map(([, name = '']) => inPath(name));
  const one = ok(record);
  const refusals = { [invalid]: bare('Invalid'), ...(parents.length > 0 && { 404: bare() }) };
  const create = {
    requestBody: sent(object(body, required)),
    responses: { 201: one, ...refusals },
    ...more.create,
  };
  return {
    [path]: {
      ...(parents.length > 0 && { parameters: parents }),
      get: { responses: { 200: ok(list(record)), ...(parents.length > 0 && { 404: bare() }) }, ...more.list },
      post: create,
    },
    [`${path}/{id}`]: {
      parameters: [...parents, inPath('id')],
      get: { responses: { 200: one, 404: bare() }, ...more.read },
      delete: { responses: { 204: bare(), 404: bare() }, ...more.remove },
      ...rest.item,
    },
  };
}

/** Records by id, and the behaviour of a plain service for `/things`. */
export function keep(path: string, first: Data = {}, make = (body: Data): Data => body) {
  const all = new Map<string, Data>();
  const add = (body: Data): Data => {
    const made = { ...make(body), id: randomUUID() };
    all.set(made.id, made);
    return made;
  };
  add(first);
  const find = (id: string | undefined, then: (record: Data) => Reply): Reply => {
    const record = all.get(id ?? '');
    return record ? then(record) : NOT_FOUND;
  };
  const change = (id: string | undefined, to: (record: Data) => Data): Reply =>
    find(id, (record) => {
      all.set(record.id, { ...to(record), id: record.id });
      return [200, all.get(record.id)];
    });
  const routes: Routes = {
    [`GET ${path}`]: () => [200, [...all.values()]],
    [`POST ${path}`]: ({ body }) => [201, add(body)],
    [`GET ${path}/{id}`]: ({ ids }) => find(ids.at(-1), (record) => [200, record]),
    [`DELETE ${path}/{id}`]: ({ ids }) => (all.delete(ids.at(-1) ?? '') ? [204] : NOT_FOUND),
  };
  return { all, add, find, change, routes };
}

/** The service without sockets: it rejects what its document forbids, and unknown records. */
export async function fetchOf({ document, start }: RoutedService): Promise<Fetch> {
  const contract = await readContract(document, 'document.json');
  const route = compileRoutes(
    contract.operations.map((operation) => ({
      operation,
      read: compileRequestReader(operation, contract.validators),
    })),
  );
  const routes = start();
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search, searchParams: query } = new URL(request.url);
    const match = route(pathname, request.method);
    const endpoint = match?.methods.get(request.method);
    if (!match || !endpoint) return Response.json({}, { status: match ? 405 : 404 });
    const { operation, read } = endpoint;
    const bytes = new Uint8Array(await request.arrayBuffer());
    const body = bytes.length > 0 ? bytes : undefined;
    const headers = Object.fromEntries(request.headers);
    const [invalid] = read({ path: match.path, query: search.slice(1), headers, body }).violations;
    if (invalid) {
      const status = invalid.in === 'path' ? 404 : (invalidStatus(operation) ?? 400);
      return Response.json({ message: `${invalid.name}${invalid.pointer} ${invalid.expected}` }, { status });
    }
    const ids = Object.values(match.path).map(decodeURIComponent);
    const asked = { ids, query, body: body && JSON.parse(Buffer.from(body).toString()) };
    const [status, content, more = {}] = routes[`${operation.method} ${operation.path}`]?.(asked) ?? [501];
    // A text is the unchanged body.
    return content === undefined || typeof content === 'string'
      ? new Response(content ?? null, { status, headers: more })
      : Response.json(content, { status, headers: more });
  };
}
