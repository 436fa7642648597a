import {
  type Contract,
  compileRequestReader,
  encodeHeader,
  errorRoles,
  firstPosition,
  isRecord,
  type Operation,
  type Resource,
  responseFor,
  sample,
  stringifyJson,
  uniqueKeys,
} from '#spec';
import { invalidStatus, roleOf, successStatuses } from '../laws/operation-role.ts';
import { readOnlyMembers } from '../laws/records.ts';
import { mergePatch } from '../laws/sent-members.ts';
import { needsKey, presentKey } from '../send/credentials.ts';
import { headerOf, type WireRequest, type WireResponse } from '../send/wire.ts';

type Data = Readonly<Record<string, unknown>>;

/** Collections by their path: `/owners/7/dogs`. */
export type Collections = Readonly<Record<string, readonly Data[]>>;

export interface MemoryService {
  readonly collections: Map<string, Data[]>;
  respond(request: WireRequest): WireResponse;
}

/** A service without sockets that follows its document, as far as cases need it. Ids are sequential. */
export function createMemoryService(
  contract: Contract,
  { base, key, records = {} }: { base: URL; key: string; records?: Collections | undefined },
): MemoryService {
  const collections = new Map(Object.entries(records).map(([path, all]) => [path, [...all]]));
  let lastId = 100;

  function respond(request: WireRequest): WireResponse {
    const path = request.url.pathname.slice(base.pathname.replace(/\/$/, '').length);
    const [operation, values] = route(contract, request.method, path);
    if (!operation) throw new Error(`no operation for ${request.method} ${path}`);
    const preferred = /^code=(\d+)$/.exec(headerOf(request, 'prefer') ?? '')?.[1];
    if (preferred !== undefined) return reply(operation, Number(preferred));
    if (needsKey(operation) && !hasKey(operation, request, key)) return reply(operation, 401);
    const { parameters, body, violations } = compileRequestReader(
      operation,
      contract.validators,
    )({
      path: values,
      query: request.url.search.slice(1),
      headers: Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value])),
      body: request.body,
    });
    if (violations.some((one) => one.in === 'path')) return reply(operation, 404);
    if (violations.length > 0) return reply(operation, invalidStatus(operation) ?? 400);
    const role = roleOf(contract, operation);
    const [success = 200] = successStatuses(operation);
    if (role && isTaken(role.resource, role.action, path, body)) return reply(operation, 409);
    return role
      ? reply(operation, ...act(role.resource, role.action, path, parameters.query, body, success))
      : reply(operation, success);
  }

  function isTaken(resource: Resource, action: string, path: string, body: unknown): boolean {
    const [, above = '', last = ''] = /^(.*)\/([^/]*)$/.exec(path) ?? [];
    const [collection, id] = action === 'create' ? [path, undefined] : [above, last];
    const others = (collections.get(collection) ?? []).filter(
      (record) => String(record[resource.id?.property ?? '']) !== id,
    );
    return uniqueKeys(resource).some(({ properties }) =>
      others.some((record) =>
        properties.every((name) => isRecord(body) && name in body && record[name] === body[name]),
      ),
    );
  }

  function act(
    resource: Resource,
    action: string,
    path: string,
    query: Data,
    body: unknown,
    success: number,
  ): [status: number, body?: unknown] {
    const [, collection = '', id = ''] = /^(.*)\/([^/]*)$/.exec(path) ?? [];
    const readOnly = new Set(readOnlyMembers(resource).map(([name]) => name));
    const isStored = (name: string) => !readOnly.has(name) && !resource.shape.properties.get(name)?.writeOnly;
    const sent = pick(isRecord(body) ? body : {}, isStored);
    const isOnAll = action === 'list' || action === 'create';
    if (resource.parents.length > 0 && !hasParent(isOnAll ? path : collection)) return [404];
    if (action === 'list') {
      const selection = (collections.get(path) ?? []).filter((record) => matches(resource, record, query));
      return [success, asList(resource, pageOf(resource, selection, query))];
    }
    if (action === 'create') {
      const record = { ...defaults(resource), ...ownMembers(resource), ...sent, ...newId(resource) };
      collections.set(path, [...(collections.get(path) ?? []), record]);
      return [success, record];
    }
    const records = collections.get(collection) ?? [];
    const property = resource.id?.property ?? '';
    const index = records.findIndex((record) => String(record[property]) === decodeURIComponent(id));
    const record = records[index];
    if (!record) return [404];
    if (action === 'remove') records.splice(index, 1);
    if (action === 'replace') {
      const kept = { ...pick(record, (name) => readOnly.has(name)), [property]: record[property] };
      records[index] = { ...defaults(resource), ...sent, ...kept };
    }
    if (action === 'update') records[index] = mergePatch(record, sent);
    return [success, action === 'remove' ? undefined : records[index]];
  }

  function hasParent(path: string): boolean {
    const [, parents = '', id = ''] = /^(.*)\/([^/]+)\/[^/]+$/.exec(path) ?? [];
    return (collections.get(parents) ?? []).some((record) =>
      Object.values(record).some((value) => String(value) === id),
    );
  }

  function newId({ id }: Resource): Data {
    if (!id) return {};
    lastId += 1;
    const isInteger = id.shape.mainType === 'integer';
    return {
      [id.property]: isInteger ? lastId : `00000000-0000-4000-8000-${String(lastId).padStart(12, '0')}`,
    };
  }

  return { collections, respond };
}

export function route(
  contract: Contract,
  method: string,
  path: string,
): [Operation | undefined, Record<string, string>] {
  for (const operation of contract.operations) {
    const pattern = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => `(?<${name}>[^/]*)`);
    const match = operation.method === method ? new RegExp(`^${pattern}$`).exec(path) : null;
    if (match) return [operation, { ...match.groups }];
  }
  return [undefined, {}];
}

export function hasKey(operation: Operation, request: WireRequest, key: string): boolean {
  const { headers, query } = presentKey(operation, { apiKey: key, credentials: {} });
  return (
    headers.every(([name, value]) => headerOf(request, name.toLowerCase()) === value.text) &&
    query.every(([name, value]) => request.url.searchParams.get(name) === value.text)
  );
}

function matches({ list }: Resource, record: Data, query: Data): boolean {
  return (list?.filters ?? []).every(({ parameter: { name }, property }) => {
    const wanted = [query[name] ?? []].flat();
    const values = [record[property]].flat();
    return wanted.length === 0 || wanted.some((value) => values.includes(value));
  });
}

function pageOf({ list }: Resource, records: readonly Data[], query: Data): readonly Data[] {
  if (!list) return records;
  const limit = Number(query[list.pageSize?.name ?? ''] ?? records.length);
  const parameter = list.offset ?? list.page;
  if (!parameter) return records.slice(0, limit);
  const first = firstPosition(parameter, list).value;
  const position = Number(query[parameter.name] ?? first) - first;
  const start = parameter === list.page ? position * limit : position;
  return records.slice(start, start + limit);
}

function asList({ list, actions }: Resource, records: readonly Data[]): unknown {
  if (list?.member === undefined) return records;
  const shape = responseFor(actions.list?.responses ?? [], 200)?.content[0]?.shape;
  const page = shape ? sample(shape, { key: 'page' }) : {};
  if (list.within === undefined) return { ...(page as Data), [list.member]: records };
  const around = (page as Data)[list.within] as Data;
  return { ...(page as Data), [list.within]: { ...around, [list.member]: records } };
}

function defaults({ shape }: Resource): Data {
  const pairs = [...shape.properties].map(([name, member]) => [name, member.find('default')?.value] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

/** The members that the service sets itself. */
function ownMembers(resource: Resource): Data {
  return Object.fromEntries(
    readOnlyMembers(resource).map(([name, member]) => [name, sample(member, { key: name })]),
  );
}

function pick(record: Data, isWanted: (name: string) => boolean): Data {
  return Object.fromEntries(Object.entries(record).filter(([name]) => isWanted(name)));
}

/** Returns the documented body by default. */
function reply(operation: Operation, status: number, body?: unknown): WireResponse {
  const documented = responseFor(operation.responses, status);
  const media = documented?.content[0];
  const role = media?.shape && errorRoles(media.shape).status;
  const made = media?.shape && sample(media.shape, { key: 'body' });
  const whole = body ?? (isRecord(made) && role && status >= 400 ? { ...made, [role]: status } : made);
  const headers = (documented?.headers ?? []).flatMap((one) =>
    one.schema ? [[one.name, encodeHeader(one, sample(one.shape, { key: one.name }))] as const] : [],
  );
  return {
    status,
    headers: media ? [['Content-Type', media.type], ...headers] : headers,
    body: Buffer.from(media ? stringifyJson(whole) : ''),
    cut: false,
    ms: 1,
  };
}
