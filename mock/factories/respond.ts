import {
  ancestorsOf,
  bodyMedia,
  type Contract,
  encodeBody,
  mediaTypeFor,
  type Operation,
  parseJson,
  placeOf,
  type RawRequest,
  type Resource,
  responseFor,
  sample,
} from '#spec';
import type { Endpoint } from '../engine/endpoint.ts';
import { respondWith } from '../http/error-response.ts';
import type { MockRequest, MockResponse } from '../http/exchange.ts';
import { isRefusal, type Outcome } from '../http/refusal.ts';
import { successForm } from '../http/representations.ts';
import { requestWith } from '../http/required-parameters.ts';
import { STORED_PICTURES } from '../pictures/picture.ts';
import type { RecordCollection } from '../records/collection.ts';
import type { Service } from '../service.ts';
import { compileForce, refusePreference } from '../sessions/preferences/forced-response.ts';
import { openMemoryStore } from '../store/memory.ts';
import type { Entry, Store } from '../store/port.ts';
import { copied, optionProblem, problemsWith, unknownName, unknownOption } from './make.ts';
import { FactoryError, merged, nameProblem } from './members.ts';
import { PICTURES, type SchemaValues } from './schema-values.ts';

export interface RespondOptions {
  /** Default: the seed of `createFactories`. */
  readonly seed?: number | undefined;
}

/** A response of an operation. */
export interface MadeResponse<Status = number, Body = unknown> {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  /** The value of a JSON body; else its text or bytes. Undefined: there is none. */
  readonly body: Body;
}

export type Respond = (
  name: string,
  status: number,
  overrides?: unknown,
  options?: RespondOptions,
) => Promise<MadeResponse>;

export interface Served {
  readonly service: Service;
  readonly values: SchemaValues;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Compiles the responses of operations, each to a request for the first records, in a fresh state. */
export function compileRespond(
  { operations }: Contract,
  servedFor: (seed: number | undefined) => Promise<Served>,
): Respond {
  const byName = new Map(
    operations.flatMap((operation) => {
      const { id, method, path } = operation;
      return [[`${method} ${path}`, operation] as const, [id, operation] as const];
    }),
  );
  return async (name, status, overrides, options = {}) => {
    const { seed } = options;
    const call = `respond(${JSON.stringify(name)}, ${status})`;
    const operation = byName.get(name);
    if (!operation)
      throw new FactoryError(call, [
        unknownName(
          'operation',
          name,
          operations.map(({ id }) => id),
        ),
      ]);
    const impossible = refusePreference(operation, { code: status });
    if (impossible)
      throw new FactoryError(call, [
        nameProblem(
          impossible.message ?? `${name} has no ${status}`,
          'take one of these',
          placeOf(operation.spot),
        ),
      ]);
    const problem = unknownOption(options, ['seed']) ?? optionProblem(seed, 'usual', undefined);
    if (problem) throw new FactoryError(call, [problem]);
    const response = await ask(operation, status, await servedFor(seed));
    return overridden(call, operation, readResponse(response), overrides);
  };

  function overridden(
    call: string,
    operation: Operation,
    response: MadeResponse,
    overrides: unknown,
  ): MadeResponse {
    const type = response.headers['content-type'] ?? '';
    const media = mediaTypeFor(responseFor(operation.responses, response.status)?.content ?? [], type);
    const body = copied(merged(response.body, overrides));
    if (!media?.isJson || !media.shape)
      return overrides === undefined ? response : { ...response, body: overrides };
    const problems = problemsWith({ shape: media.shape, direction: 'response' }, body, overrides);
    if (problems.length > 0) throw new FactoryError(call, problems);
    return { ...response, body };
  }
}

const TRIES = 5;

/** The server's response if it has the status, else the documented one. */
async function ask(operation: Operation, status: number, served: Served): Promise<MockResponse> {
  const { service, now } = served;
  const endpoint = service.endpoints.find((one) => one.operation === operation) as Endpoint;
  const store = openMemoryStore(service.seeded);
  let asked: MockRequest | undefined;
  if (status === successForm(operation).status) {
    for (let ordinal = 1; ordinal <= TRIES; ordinal++) {
      const [request, raw] = await requestFor(operation, ordinal, served, store);
      asked ??= request;
      const outcome = await endpoint.act({
        values: endpoint.read(raw),
        request,
        store,
        time: () => now,
        session: '',
      });
      if (!isRefusal(outcome)) return endpoint.finish(outcome);
    }
  }
  const request = asked ?? (await requestFor(operation, 1, served, store))[0];
  const { seeds } = service;
  const refuse: typeof endpoint.refuse = (refusal, of) => endpoint.refuse(refusal, of, now);
  const force = compileForce({ operation, seeds, refuse });
  const outcome: Outcome = force({ code: status }, 'respond', request);
  return respondWith({ ...endpoint, refuse }, outcome, request);
}

function readResponse({ status, headers, body }: MockResponse): MadeResponse {
  const named = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (typeof body === 'function' || body.length === 0) return { status, headers: named, body: undefined };
  if (typeof body !== 'string') return { status, headers: named, body };
  const text = body.replaceAll(STORED_PICTURES, PICTURES);
  const isJson = /[/+]json\b/i.test(named['content-type'] ?? '');
  return { status, headers: named, body: isJson ? parseJson(text) : text };
}

/** A request for the n-th record, with only the required parameters and body. */
async function requestFor(
  operation: Operation,
  ordinal: number,
  { service, values }: Served,
  store: Store,
): Promise<[MockRequest, RawRequest]> {
  const { body, method } = operation;
  const named = await namedRecords(operation, service.collections, ordinal, store);
  const { path, target, query, headers } = requestWith(
    operation,
    ({ name, shape }) => named.get(name) ?? sample(shape, { key: `${operation.id}/${name}` }),
  );
  const media = bodyMedia(body);
  const shape = media?.shape;
  const wanted = shape && ({ name: operation.id, shape, direction: 'request', extent: 'usual' } as const);
  const sent = media && encodeBody(media, wanted && values.sampled(wanted, wanted.shape, ordinal));
  const all: Record<string, string> = {
    ...Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text])),
    ...(sent && { 'content-type': sent.type }),
  };
  const bytes = sent?.bytes;
  return [
    {
      method,
      query,
      body: bytes,
      origin: 'http://localhost',
      path: operation.basePaths[0] + target,
      headers: { ...all, host: 'localhost' },
    },
    { path, query, headers: all, body: bytes },
  ];
}

/** The ids in an operation's path, by parameter: the n-th record's at its end, and its parents'. */
async function namedRecords(
  { path }: Operation,
  collections: ReadonlyMap<Resource, RecordCollection>,
  ordinal: number,
  store: Store,
): Promise<ReadonlyMap<string, unknown>> {
  const named = ancestorsOf([...collections.keys()], `${path}/`);
  const ids = new Map<string, unknown>();
  for (const { parent, parameter } of named.toReversed()) {
    const collection = collections.get(parent) as RecordCollection;
    const entries = (await store.contents(collection)).entries;
    const isKnown = (entry: Entry) => !ids.has(parameter) || String(entry.id) === String(ids.get(parameter));
    const entry = entries.filter(isKnown)[ids.has(parameter) ? 0 : ordinal - 1];
    if (!entry) continue;
    ids.set(parameter, entry.id);
    for (const [outer, value] of parentsOf(collection, entry, ordinal))
      if (!ids.has(outer)) ids.set(outer, value);
  }
  const target = [...collections.values()].find(({ resource }) => resource.path === path);
  const [first] = target && target.resource.parents.length > 0 ? (await store.contents(target)).entries : [];
  // For a nested list, its parent is one with nested records.
  if (target && first) for (const [outer, value] of parentsOf(target, first, 1)) ids.set(outer, value);
  return ids;
}

function parentsOf(collection: RecordCollection, entry: Entry, ordinal: number): [string, unknown][] {
  const { resource, keys, seedScope } = collection;
  const seeded = seedScope(ordinal);
  return resource.parents.map(({ parameter, property, inner }) => {
    const key = property !== undefined && inner === undefined ? property : `{${parameter}}`;
    return [parameter, entry.keys[keys.indexOf(key)] ?? seeded[parameter]];
  });
}
