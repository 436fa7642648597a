import {
  basePathsAt,
  basePathsOf,
  type Contract,
  compileRoutes,
  decodeContent,
  longestFirst,
  type Operation,
  pathParameters,
  percentDecode,
  type ReadRequest,
  type RequestViolation,
  type Router,
  type Served,
} from '#spec';
import { readWire } from '../../contract-tests/laws/evidence.ts';
import type { Role } from '../../contract-tests/laws/operation-role.ts';
import { MASK } from '../../contract-tests/report/redact.ts';
import type { RequestInput } from '../../contract-tests/send/plan-request.ts';
import { headerOf, MAX_BODY, type WireRequest } from '../../contract-tests/send/wire.ts';
import type { ObservedRequest } from './observed.ts';

/** The service and operation that a request goes to. */
export interface Match {
  /** Origin and path prefix. */
  readonly base: string;
  readonly operation: Operation;
  /** Texts of the path parameters, percent-encoded as they were sent. */
  readonly path: Readonly<Record<string, string>>;
}

/** Why a request has no operation; `base` is set if it may go to the service nevertheless. */
export interface NotFound {
  /** `unread`: the contract leaves the operation out. */
  readonly why: 'elsewhere' | 'unknownPaths' | 'unknownMethods' | 'unread';
  readonly base?: string;
  /** The methods of the path, if the request's is not among them. */
  readonly methods?: ReadonlyMap<string, { readonly operation: Operation }>;
}

type FindOperation = (method: string, url: URL) => Match | NotFound;

/**
 * Compiles the paths of a document for incoming requests.
 * @param baseUrls of the service; undefined: any origin, and the path prefixes of the servers in the document, its paths
 * and operations
 */
export function compileFindOperation(contract: Contract, baseUrls?: readonly URL[]): FindOperation {
  const unread = new Set(contract.leftOut.flatMap(({ operations }) => operations));
  const endpoints = [...contract.operations, ...unread].map((operation) => ({ operation }));
  const placeAt = baseUrls ? placesAt(contract, baseUrls) : placesOf(contract, endpoints);
  const compiled = new Map<Place, { find: Router<{ operation: Operation }>; prefixes: readonly string[] }>();

  function compile(place: Place) {
    const find = compileRoutes(endpoints, ({ operation }) => {
      return { path: operation.path, basePaths: place.of(operation) };
    });
    const all = [contract, ...endpoints.map(({ operation }) => operation)].flatMap(place.of);
    return { find, prefixes: longestFirst(all) };
  }

  return (method, { protocol, origin, pathname }) => {
    const place = protocol === 'http:' || protocol === 'https:' ? placeAt(origin) : undefined;
    if (!place) return { why: 'elsewhere' };
    const { find, prefixes } = compiled.get(place) ?? compile(place);
    if (!compiled.has(place)) compiled.set(place, { find, prefixes });
    const documented = place.of(contract);
    // An operation with its own server belongs to the same service.
    const baseAt = (prefix: string) =>
      origin + (documented.includes(prefix) ? prefix : (documented[0] ?? ''));
    const match = find(pathname, method);
    if (!match) {
      const prefix = prefixes.find((one) => pathname === one || pathname.startsWith(`${one}/`));
      return prefix === undefined ? { why: 'elsewhere' } : { why: 'unknownPaths', base: baseAt(prefix) };
    }
    const base = baseAt(match.basePath);
    const operation = match.methods.get(method)?.operation;
    if (!operation) return { why: 'unknownMethods', base, methods: match.methods };
    if (unread.has(operation)) return { why: 'unread', base };
    return { base, operation, path: ownPath(operation, match.path) };
  };
}

/** Templates of the same form may name a parameter differently for other methods. */
function ownPath({ path }: Operation, texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(pathParameters(path).map((name) => [name, texts[name] ?? '']));
}

/** What an origin serves, and below which paths; the same object for equivalent origins. */
interface Place {
  readonly of: (served: Served) => readonly string[];
}

/** For given base URLs: the document is served there, and so are operations with their own servers beside it. */
function placesAt(contract: Contract, bases: readonly URL[]): (origin: string) => Place | undefined {
  const places = new Map(
    [...Map.groupBy(bases, ({ origin }) => origin)].map(([origin, urls]): [string, Place] => {
      const pathsOf = (served: Served) =>
        urls.flatMap(({ pathname }) => {
          const paths = basePathsAt(pathname, contract.basePaths, served);
          return served.servers === contract.servers ? paths.slice(0, 1) : paths;
        });
      return [origin, { of: pathsOf }];
    }),
  );
  return (origin) => places.get(origin);
}

/**
 * An origin of a documented server serves the paths of its servers, and of operations that name none. A deployment
 * elsewhere may have any of the paths, or none.
 */
function placesOf(
  contract: Contract,
  endpoints: readonly { readonly operation: Operation }[],
): (origin: string) => Place | undefined {
  const lists = new Set([contract.servers, ...endpoints.map(({ operation }) => operation.servers)]);
  const urls = [...lists].flat().flatMap((server) => server.urls);
  const named = new Map(
    urls.flatMap((url) => URL.parse(url)?.origin ?? []).map((origin) => [origin, { of: at(origin) }]),
  );
  const anywhere: Place = { of: ({ basePaths }) => [...basePaths, ''] };
  return (origin) => named.get(origin) ?? anywhere;
}

function at(origin: string): Place['of'] {
  const cache = new Map<Served['servers'], readonly string[]>();
  return ({ servers }) => {
    const there = servers.map((server) => ({
      ...server,
      urls: server.urls.filter((url) => (URL.parse(url)?.origin ?? origin) === origin),
    }));
    const paths = cache.get(servers) ?? basePathsOf(there);
    cache.set(servers, paths);
    return paths;
  };
}

/** A parsed request of another client, in the suite's form. */
export interface ReadInput {
  readonly input: RequestInput;
  readonly read: ReadRequest;
  readonly wire: WireRequest;
  /** Whether a sent body is unknown. */
  readonly bodyMissing: boolean;
}

/**
 * Parses the values of a request by the document, so that it could be sent again.
 * @param isWhole nothing was omitted when the request was recorded
 */
export function readInput(
  contract: Contract,
  { operation, path }: Match,
  request: ObservedRequest,
  isWhole: boolean,
): ReadInput {
  const { method, url, headers } = request;
  // Many exporters omit bodies without saying so.
  const isLeftOut = !isWhole && request.body === undefined && operation.body !== undefined;
  const content = contentOf(request);
  const bodyMissing = request.bodyMissing === true || isLeftOut || content === 'unreadable';
  const isEmpty = bodyMissing || content === undefined || content.length === 0;
  const chunked = /chunked/i.test(headerOf(request, 'transfer-encoding') ?? '');
  const wire: WireRequest = { method, url, headers, body: isEmpty ? undefined : request.body, chunked };
  const raw = readWire(contract, operation, path, { ...wire, body: isEmpty ? undefined : content });
  const violations = raw.violations.filter(
    (violation) => !(violation.in === 'body' ? bodyMissing : isMasked(request, violation)),
  );
  const read = { ...raw, violations, ...(bodyMissing && { body: undefined }) };
  const input: RequestInput = {
    path: Object.fromEntries(
      Object.entries(path).map(([name, text]) => [name, read.parameters.path[name] ?? percentDecode(text)]),
    ),
    query: sentQuery(operation, url, read),
    ...(read.body !== undefined && { body: read.body }),
  };
  return { input, read, wire, bodyMissing };
}

/** Recordings of the suite have masks in place of secrets, which cannot be validated. */
function isMasked({ headers, url }: ObservedRequest, { in: place, name }: RequestViolation): boolean {
  const texts =
    place === 'query'
      ? url.searchParams.getAll(name)
      : [headerOf({ headers }, place === 'cookie' ? 'cookie' : name.toLowerCase()) ?? ''];
  return texts.some((text) => text.includes(MASK));
}

/** A body without content codings; many exporters decode bodies and keep the header. */
function contentOf({ headers, body }: ObservedRequest): Uint8Array | undefined | 'unreadable' {
  if (body === undefined) return undefined;
  const decoded = decodeContent(body, headerOf({ headers }, 'content-encoding'), MAX_BODY);
  return 'bytes' in decoded ? decoded.bytes : 'unreadable';
}

/** The sent query parameters by name, without credentials, which do not affect a list. */
function sentQuery(operation: Operation, { searchParams, search }: URL, read: ReadRequest) {
  if (search === '') return {};
  const secret = new Set(
    operation.security.flat().flatMap((credential) => (credential.in === 'query' ? [credential.name] : [])),
  );
  const names = [...new Set(searchParams.keys())].filter((name) => !secret.has(name));
  const { query } = read.parameters;
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(query, name) ? query[name] : searchParams.getAll(name).join()]),
  );
}

/** Headers that vary with requests or programs, and not with the sender. */
const NEUTRAL =
  /^(?::.*|accept|accept-(?:charset|encoding)|access-control-.*|cache-control|connection|content-.*|date|dnt|expect|forwarded|host|idempotency-key|if-.*|keep-alive|origin|pragma|prefer|priority|purpose|range|referer|request-id|sec-.*|te|trace(?:parent|state)|transfer-encoding|upgrade-insecure-requests|user-agent|via|x-amzn-trace-id|x-b3-.*|x-correlation-id|x-forwarded-.*|x-real-ip|x-request-(?:id|start)|x-requested-with)$/i;

/**
 * Identifies the sender of a request by its headers: equal for the same credentials, tenant and language. Undefined: the
 * operation requires a credential, and none was recorded.
 */
export function principalOf(operation: Operation, request: ObservedRequest): string | undefined {
  if (
    operation.security.length > 0 &&
    operation.security.every((requirement) => requirement.length > 0) &&
    !hasCredential(operation, request)
  )
    return undefined;
  const lines = request.headers.flatMap(([name, value]) =>
    NEUTRAL.test(name) ? [] : [`${name.toLowerCase()}: ${value}`],
  );
  const keys = operation.security
    .flat()
    .flatMap((credential) =>
      credential.in === 'query' ? request.url.searchParams.getAll(credential.name) : [],
    );
  return [...lines.sort(), ...keys].join('\n');
}

/** Whether anything in a request may be a credential, documented or not. */
export function hasCredential({ security }: Operation, request: ObservedRequest): boolean {
  return (
    headerOf(request, 'authorization') !== undefined ||
    headerOf(request, 'cookie') !== undefined ||
    security
      .flat()
      .some(({ in: place, name }) =>
        place === 'query'
          ? request.url.searchParams.has(name)
          : place === 'header' && headerOf(request, name) !== undefined,
      )
  );
}

/** Headers by which a client requests another behaviour than the documented one. */
const OPTIONS = ['prefer', 'range', 'x-http-method-override', 'x-http-method', 'x-method-override'];

/** Whether a request asks for a special response. */
export function hasOptions(request: WireRequest): boolean {
  return OPTIONS.some((name) => headerOf(request, name) !== undefined);
}

/**
 * Whether a request reads a record, or a list of records, unmodified: no parameter may select members, do a dry run, or
 * hide records.
 */
export function isPlainRequest(
  { security }: Operation,
  role: Role | undefined,
  { query = {} }: RequestInput,
  request: WireRequest,
): boolean {
  if (hasOptions(request)) return false;
  const understood = new Set(security.flat().map(({ name }) => name));
  if (role?.action === 'list') {
    const { pageSize, offset, page, cursor, filters = [] } = role.resource.list ?? {};
    for (const one of [pageSize, offset, page, cursor, ...filters.map(({ parameter }) => parameter)])
      if (one) understood.add(one.name);
  }
  return Object.keys(query).every((name) => understood.has(name));
}
