import {
  type Contract,
  type DocumentedResponse,
  decodeHeader,
  encodeHeader,
  fullyFits,
  type Header,
  isCaused,
  isEqual,
  type Operation,
  oncePer,
  responseFor,
  sample,
} from '#spec';
import { EXPOSED } from './cors.ts';
import { compileTagOf } from './entity-tag.ts';
import type { MockResponse } from './exchange.ts';
import { memoizeFew, memoizeReusable } from './memoize.ts';
import type { Finish } from './response-headers.ts';

const ETAG = 'etag';

type Headers = MockResponse['headers'];

/**
 * Adds documented headers that a response lacks: known values, else examples or samples. Optional headers with a meaning in
 * the protocol are left out, since only their cause could set them.
 * @param keyOf the key of a sampled header
 */
export function withDocumentedHeaders(
  finish: Finish,
  operation: Operation,
  contract: Pick<Contract, 'operations'>,
  keyOf: (header: string) => string,
): Finish {
  const { responses } = operation;
  const tagOf = compileTagOf(operation, contract);
  if (!tagOf && !responses.some(({ headers }) => headers.some(isFilled))) return finish;
  const completerOf = memoizeFew((status: number) => {
    const response = responseFor(responses, status);
    return response ? compileCompleter(response, keyOf) : NOTHING;
  });

  return memoizeReusable((content) => {
    const response = finish(content);
    const headers = completerOf(response.status)(response.headers);
    const tag = 'ETag' in headers ? undefined : tagOf?.(content);
    return { ...response, headers: tag === undefined ? headers : exposing(headers, [['ETag', tag]]) };
  });
}

type Completer = (headers: Headers) => Headers;

const NOTHING: Completer = (headers) => headers;

function compileCompleter(
  { headers: documented }: DocumentedResponse,
  keyOf: (name: string) => string,
): Completer {
  const filled = documented.filter(isFilled).flatMap((header) => {
    const value = compileHeaderValue(header, keyOf(header.name));
    return value === undefined ? [] : [[header.name, value] as const];
  });
  const names = documented.map(({ name }) => name).filter((name) => !isOfBody(name));
  return oncePer((headers: Headers) => complete(headers, names, filled));
}

function complete(
  headers: Headers,
  names: readonly string[],
  filled: readonly (readonly [name: string, value: string])[],
): Headers {
  const present = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const exposed = new Set((headers[EXPOSED] ?? '').toLowerCase().split(', '));
  const unexposed = names.filter((name) => present.has(name) && !exposed.has(name));
  const missing = filled.filter(([name]) => !present.has(name));
  return exposing(headers, missing, unexposed);
}

/** Pages of another origin see only exposed headers (Fetch §4.10). */
function exposing(
  headers: Headers,
  added: readonly (readonly [name: string, value: string])[],
  unexposed: readonly string[] = [],
): Headers {
  if (added.length === 0 && unexposed.length === 0) return headers;
  const exposed = [headers[EXPOSED], ...unexposed, ...added.map(([name]) => name)].join(', ');
  return { ...Object.fromEntries(added), ...headers, [EXPOSED]: exposed };
}

/** Headers of the body and the connection, which a document cannot set (OpenAPI 3.1 §4.8.17, RFC 9110 §7.6.1). */
const NOT_DOCUMENTED = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'trailer',
  'upgrade',
  'date',
]);

const isOfBody = (name: string): boolean => NOT_DOCUMENTED.has(name);

/** Whether a documented header is sent without a cause: not if it has a meaning in the protocol, unless it is required. */
function isFilled({ name, required }: Header): boolean {
  return !isOfBody(name) && name !== ETAG && (required || !isCaused(name));
}

/** The sunset of operations without a documented date. */
const SUNSET = new Date(Date.UTC(2099, 11, 31)).toUTCString();

/** The value of a documented header, from an example or sampled. Undefined: no text fits its schema. */
function compileHeaderValue(header: Header, key: string): string | undefined {
  const { name, required, schema, shape, examples } = header;
  const fits = (value: unknown) => !schema || fullyFits(shape, value);
  // An example may be the encoded text.
  const readings = (example: unknown) =>
    typeof example === 'string' ? [example, ...(decodeHeader(header, [example]) ?? [])] : [example];
  const candidates = [
    ...[...examples.values()].flatMap(readings),
    ...shape.examples,
    // RFC 8594 §3.
    ...(name === 'sunset' ? [SUNSET] : []),
    ...(schema ? [sample(shape, { key })] : []),
  ];
  const fitting = candidates.find((value) => fits(value) && (required || isPlain(header, value)));
  if (fitting !== undefined) return encodeHeader(header, fitting);
  return required ? encodeHeader(header, candidates.at(-1) ?? 'x') : undefined;
}

/** Whether the header's text can be read as the same value. */
function isPlain(header: Header, value: unknown): boolean {
  const text = encodeHeader(header, value);
  const readings = decodeHeader(header, [text]) ?? [];
  return (
    text !== '' &&
    text === text.trim() &&
    readings.some((reading) => isEqual(reading, value) || reading === String(value))
  );
}
