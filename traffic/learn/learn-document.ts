import { STATUS_CODES } from 'node:http';
import { exactNumber, isJsonType, isSecretHeader, isSecretName, namesLoopback } from '#spec';
import { safeExample } from './examples.ts';
import type { LearnedPath, LearnedTraffic } from './learn-traffic.ts';
import {
  nameParameters,
  operationIdOf,
  pascal,
  recordNameOf,
  summaryOf,
  templateOf,
  unused,
} from './names.ts';
import {
  learnedRequest,
  type MessageTally,
  type NamedTally,
  type OperationTally,
  type RequestTally,
} from './operation-tally.ts';
import type { TemplateSegment } from './path-tree.ts';
import { type Position, type Schema, Schemas, scalarSchema, textSchema } from './schemas.ts';
import type { ValueTally } from './value-tally.ts';

/** The number of exchanges that show the part of the document. */
export const SEEN = 'x-paddock-seen';

export interface WriteOptions {
  /** What fewer exchanges show is left out. Default: 1. */
  readonly minimum?: number | undefined;
  /** Existing component names of the document. */
  readonly taken?: Iterable<string>;
  /** Existing operation ids of the document. */
  readonly takenIds?: Iterable<string>;
  /** What to leave out: `GET /pets`, `GET /pets: query parameter limit`, `GET /pets: 404`. Default: nothing. */
  readonly without?: ReadonlySet<string> | undefined;
}

type Json = Record<string, unknown>;

interface LearnedOperation {
  readonly path: string;
  readonly method: string;
  readonly tally: OperationTally;
  readonly segments: readonly TemplateSegment[];
  readonly names: readonly string[];
}

/** The learned OpenAPI 3.1 document. */
export function learnDocument(traffic: LearnedTraffic, options: WriteOptions = {}): Json {
  const { paths, components, securitySchemes, security } = learnParts(traffic, options);
  const name = nameOfService(traffic);
  return {
    openapi: '3.1.0',
    info: {
      title: name,
      version: '0.0.0',
      description: `Learned from ${traffic.learned} recorded exchanges. It says what they show, and no more.`,
      license: { name: 'No licence is known', identifier: 'NOASSERTION' },
    },
    servers: [{ url: serverUrl(traffic) }],
    ...(security !== undefined && { security }),
    paths,
    ...((Object.keys(components).length > 0 || Object.keys(securitySchemes).length > 0) && {
      components: {
        ...(Object.keys(securitySchemes).length > 0 && { securitySchemes }),
        ...(Object.keys(components).length > 0 && { schemas: components }),
      },
    }),
  };
}

export interface LearnedParts {
  readonly paths: Record<string, Record<string, Json>>;
  readonly components: Record<string, Schema>;
  readonly securitySchemes: Record<string, unknown>;
  /** The common requirement of all operations; undefined: they differ, and each has its own. */
  readonly security: readonly object[] | undefined;
}

export function learnParts(traffic: LearnedTraffic, options: WriteOptions): LearnedParts {
  const { minimum = 1, taken = [], takenIds = [], without } = options;
  const schemas = new Schemas(minimum, taken);
  const isWanted = (text: string, seen: number) => seen >= minimum && !without?.has(text);
  const operations = traffic.paths
    .flatMap((path) => operationsOf(path))
    .filter(({ path, method, tally }) => isWanted(`${method} ${path}`, tally.seen))
    .sort((left, right) =>
      left.path < right.path
        ? -1
        : left.path > right.path
          ? 1
          : ORDER.indexOf(left.method) - ORDER.indexOf(right.method),
    );
  for (const { segments, tally } of operations) {
    const name = recordNameOf(segments);
    expectBodies(schemas, learnedRequest(tally), 'request', name);
    for (const [status, message] of tally.responses)
      expectBodies(schemas, message, status < 400 ? 'response' : 'error', name);
  }
  schemas.settle();
  const schemes = new SecuritySchemes();
  const ids = [...takenIds];
  const paths: Record<string, Record<string, Json>> = {};
  const secured: { readonly operation: Json; readonly security: readonly object[] }[] = [];
  for (const learned of operations) {
    const id = unused(operationIdOf(learned.method, learned.segments, factsOf(learned, operations)), ids);
    ids.push(id);
    const operation = operationObject(learned, id, schemas, isWanted);
    secured.push({ operation, security: schemes.requirementOf(learnedRequest(learned.tally)) });
    const item = paths[learned.path] ?? {};
    item[learned.method.toLowerCase()] = operation;
    paths[learned.path] = item;
  }
  const [first] = secured;
  const isSame =
    first && secured.every(({ security }) => JSON.stringify(security) === JSON.stringify(first.security));
  if (!isSame) for (const one of secured) one.operation.security = one.security;
  return {
    paths,
    components: schemas.components,
    securitySchemes: schemes.all,
    security: isSame ? first.security : undefined,
  };
}

const ORDER = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'TRACE'];

function operationsOf({ segments, tally }: LearnedPath): LearnedOperation[] {
  const names = nameParameters(segments);
  const path = templateOf(segments, names);
  return [...tally.operations].map(([method, operation]) => ({
    path,
    method,
    tally: operation,
    segments,
    names,
  }));
}

export function expectBodies(
  schemas: Schemas,
  message: MessageTally,
  position: Position,
  name: string,
): void {
  for (const { values } of message.content.values()) if (values) schemas.expect({ position, values }, name);
}

function factsOf({ path, tally }: LearnedOperation, all: readonly LearnedOperation[]) {
  const isList = [...tally.responses].some(
    ([status, { content }]) =>
      status < 300 &&
      [...content.values()].some(({ values }) => (values?.arrays ?? 0) > 0 || hasOneList(values)),
  );
  const prefix = path.endsWith('/') ? path : `${path}/`;
  const hasItems = all.some((operation) => operation.path.startsWith(`${prefix}{`));
  return {
    isCollection: isList || hasItems,
    hasPatch: all.some((operation) => operation.path === path && operation.method === 'PATCH'),
  };
}

/** Whether an object is an envelope: one list of objects, and few other members. */
function hasOneList(values: ValueTally | undefined): boolean {
  const members = [...(values?.object?.members ?? [])];
  return members.length <= 6 && members.filter(([, { items }]) => items?.object).length === 1;
}

function operationObject(
  learned: LearnedOperation,
  operationId: string,
  schemas: Schemas,
  isWanted: (text: string, seen: number) => boolean,
): Json {
  const { tally, path, method } = learned;
  const request = learnedRequest(tally);
  const parameters = [...pathParameters(learned), ...parametersOf(request, `${method} ${path}`, isWanted)];
  const body = requestBody(request, schemas);
  const responses = [...tally.responses]
    .filter(
      ([status, { seen }]) => tally.responses.size === 1 || isWanted(`${method} ${path}: ${status}`, seen),
    )
    .sort(([one], [other]) => one - other)
    .map(([status, message]): [string, Json] => [String(status), responseObject(status, message, schemas)]);
  // Linters require both a success and an error, and the traffic may lack one.
  const isThere = (digit: string) => responses.some(([status]) => status.startsWith(digit));
  return {
    operationId,
    summary: summaryOf(operationId),
    [SEEN]: tally.seen,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      ...Object.fromEntries(responses),
      ...(!isThere('2') && { '2XX': { description: 'Any success; none was recorded.' } }),
      ...(!isThere('4') && { '4XX': { description: 'Any refusal; none was recorded.' } }),
    },
  };
}

function pathParameters({ segments, names }: LearnedOperation): Json[] {
  const ids = segments.flatMap((segment) => ('word' in segment ? [] : [segment.texts]));
  return ids.map((texts, index) => ({
    name: names[index] as string,
    in: 'path',
    required: true,
    schema: scalarSchema(texts, 'id'),
    ...(texts.first !== undefined && exampleOf(scalarSchema(texts, 'id'), texts.first)),
  }));
}

function exampleOf(schema: Schema, text: string): Json {
  const safe = safeExample(text);
  if (safe !== text) return {};
  if (schema.type === 'integer' || schema.type === 'number') return { example: exactNumber(text) };
  return { example: schema.type === 'boolean' ? text === 'true' : text };
}

export function parametersOf(
  request: RequestTally,
  of: string,
  isWanted: (text: string, seen: number) => boolean,
): Json[] {
  const query = [...request.query]
    .filter(([name]) => !isSecretName(name))
    .map(([name, tally]) => ['query', name, tally] as const);
  const headers = [...request.headers]
    .filter(([name]) => isRequestHeader(name))
    .map(([name, tally]) => ['header', name, tally] as const);
  return [...query, ...headers]
    .filter(([place, name, { seen }]) =>
      isWanted(`${of}: ${place === 'query' ? 'query parameter' : 'header'} ${name}`, seen),
    )
    .map(([place, name, tally]) => {
      const schema = textSchema(tally, name);
      return {
        name,
        in: place,
        ...(tally.seen === request.seen && request.seen > 1 && { required: true }),
        schema,
        ...(tally.texts.first !== undefined &&
          tally.texts.first !== '' &&
          !tally.isRepeated &&
          exampleOf(schema, tally.texts.first)),
        [SEEN]: tally.seen,
      };
    });
}

function requestBody(request: RequestTally, schemas: Schemas): Json | undefined {
  if (request.content.size === 0) return undefined;
  const withBody = [...request.content.values()].reduce((sum, { seen }) => sum + seen, 0);
  return { ...(withBody === request.seen && { required: true }), content: contentObject(request, schemas) };
}

export function responseObject(status: number, message: MessageTally, schemas: Schemas): Json {
  const headers = [...message.headers].filter(
    ([name]) => isResponseHeader(name, status) && !isSecretHeader(name),
  );
  return {
    description: STATUS_CODES[status] ?? `Status ${status}`,
    [SEEN]: message.seen,
    ...(headers.length > 0 && {
      headers: Object.fromEntries(
        headers.map(([name, tally]) => [
          headerName(name),
          { schema: textSchema({ ...tally, isRepeated: false } as NamedTally, name) },
        ]),
      ),
    }),
    ...(message.content.size > 0 && { content: contentObject(message, schemas) }),
  };
}

const headerName = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

function contentObject({ content }: MessageTally, schemas: Schemas): Json {
  return Object.fromEntries(
    [...content].map(([type, { values, fields, example, seen }]) => {
      if (fields) return [type, { schema: formSchema(fields, seen) }];
      if (!isJsonType(type)) return [type, plainMedia(type)];
      if (!values) return [type, {}];
      return [
        type,
        {
          schema: schemas.schemaOf(values),
          ...(example !== undefined && { example: safeExample(schemas.withoutIgnored(example, values)) }),
        },
      ];
    }),
  );
}

function formSchema(fields: ReadonlyMap<string, NamedTally>, seen: number): Schema {
  const required = [...fields].filter(([, field]) => field.seen === seen).map(([name]) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries([...fields].map(([name, field]) => [name, textSchema(field, name)])),
  };
}

/** Nothing is learned of XML; any other body is a text, or bytes. */
function plainMedia(type: string): Json {
  if (/[/+]xml$/.test(type)) return {};
  return {
    schema:
      /^text\//.test(type) || /ndjson|jsonl|yaml/.test(type)
        ? { type: 'string' }
        : { type: 'string', format: 'binary' },
  };
}

/** The security schemes of all operations, each once. */
class SecuritySchemes {
  readonly all: Record<string, unknown> = {};
  readonly #names = new Map<string, string>();

  /** The requirement of an operation: the sets of credentials in its requests; an empty one if some have none. */
  requirementOf({ credentials }: RequestTally): readonly Readonly<Record<string, readonly string[]>>[] {
    const sets = [...credentials.values()].sort((left, right) => left.signs.length - right.signs.length);
    const none = sets.some(({ signs }) => signs.length === 0);
    const some = sets.filter(({ signs }) => signs.length > 0);
    // Credentials beyond a smaller accepted set are not required.
    const least = some.filter(
      ({ signs }) =>
        !some.some(
          (one) =>
            one.signs.length < signs.length &&
            one.signs.every(({ key }) => signs.some((sign) => sign.key === key)),
        ),
    );
    const requirements = least.map(({ signs }) =>
      Object.fromEntries(signs.map((sign) => [this.#nameOf(sign.key, sign.scheme), []])),
    );
    return none && requirements.length > 0 ? [...requirements, {}] : requirements;
  }

  #nameOf(key: string, scheme: Readonly<Record<string, string>>): string {
    const existingName = this.#names.get(key);
    if (existingName) return existingName;
    const { type, in: place = '', scheme: kind = '', name = '' } = scheme;
    const wanted = type === 'http' ? `${kind}Auth` : `${place}${pascal(name)}`;
    const schemeName = unused(wanted, Object.keys(this.all));
    this.#names.set(key, schemeName);
    this.all[schemeName] = scheme;
    return schemeName;
  }
}

/** Relative if the origin is on this machine. */
function serverUrl({ origin = '', basePath }: LearnedTraffic): string {
  const { hostname } = URL.parse(origin) ?? { hostname: 'localhost' };
  return namesLoopback(hostname) ? basePath || '/' : `${origin}${basePath}`;
}

function nameOfService({ origin = '' }: LearnedTraffic): string {
  const { hostname = 'localhost' } = URL.parse(origin) ?? {};
  return namesLoopback(hostname) ? 'Learned service' : `Learned from ${hostname}`;
}

/** Request headers that depend on the client, the connection or the request, and not on what is requested. */
const NOISE =
  /^(?::.*|accept|accept-.*|access-control-.*|authorization|baggage|cache-control|cf-.*|connection|content-.*|cookie|date|dnt|expect|forwarded|host|if-modified-since|if-none-match|if-unmodified-since|keep-alive|origin|paddock-.*|pragma|prefer|priority|proxy-.*|purpose|range|referer|request-id|save-data|sec-.*|sentry-trace|te|trace(?:parent|state)|transfer-encoding|upgrade.*|user-agent|via|x-amzn-.*|x-b3-.*|x-correlation-id|x-csrf.*|x-forwarded-.*|x-real-ip|x-request-(?:id|start)|x-requested-with|x-xsrf.*)$/;

function isRequestHeader(name: string): boolean {
  return !NOISE.test(name.toLowerCase()) && !isSecretHeader(name);
}

/** Response headers that are about the record or list, and not about the server. */
const TELLING =
  /^(?:etag|retry-after|content-disposition|deprecation|sunset|link|.*(?:total|count|page|cursor|offset|rate-?limit).*)$/;

function isResponseHeader(name: string, status: number): boolean {
  const lower = name.toLowerCase();
  return (
    TELLING.test(lower) ||
    (lower === 'location' && (status === 201 || status === 202 || (status >= 300 && status < 400)))
  );
}
