import { bodyCodec, type DecodedBody, decodeUtf8 } from './body-codec.ts';
import { compileDecoder } from './decode-parameter.ts';
import { placeOf, type Spot } from './document/spot.ts';
import { parseJson, placeOfSlip } from './json/exact-json.ts';
import { createTable, ownEntry, toPointer } from './json/json-value.ts';
import {
  type BodyFormat,
  charsetOf,
  essenceOf,
  formatOf,
  isOctets,
  type MediaType,
  mediaTypeFor,
} from './media-type.ts';
import type { Operation } from './operation.ts';
import type { Parameter, ParameterPlace } from './parameter.ts';
import { cookiesOf, isCompound, isExploded, type Pair, queryOf, queryTexts } from './parameter-style.ts';
import type { Validators, Violation } from './schema/validator.ts';

/** A request as received, already matched to an operation. */
export interface RawRequest {
  /** The texts of path parameters by name, percent-encoded as sent. */
  readonly path: Readonly<Record<string, string>>;
  /** Without the `?`, percent-encoded as sent. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Without content or transfer coding. */
  readonly body: Uint8Array | undefined;
}

/** One way in which a request violates its operation. */
export interface RequestViolation extends Violation {
  readonly in: ParameterPlace | 'body';
  /** The parameter's name; empty for the body. */
  readonly name: string;
  /**
   * `media type`: the body's type is undocumented or unsupported; `syntax`: the body is invalid for its type; `schema`:
   * all else.
   */
  readonly kind: 'media type' | 'syntax' | 'schema';
}

/** The decoded values of a request, with defaults, and its violations. */
export interface ReadRequest {
  /** By location and name; a missing parameter without default is omitted. */
  readonly parameters: Readonly<Record<ParameterPlace, Readonly<Record<string, unknown>>>>;
  /**
   * The value by media type: bytes are a string, with a character for each byte if they are not UTF-8. Undefined
   * without body.
   */
  readonly body: unknown;
  /** Unknown names in the query; absent if there are none, or the same query was read before. */
  readonly unnamed?: readonly string[];
  /** Empty if the request is valid. */
  readonly violations: readonly RequestViolation[];
}

/** Decodes and validates a request; never throws for what a client sent. */
export type RequestReader = (request: RawRequest) => ReadRequest;

/** Values of parameters by name. */
type Values = Record<string, unknown>;

const NO_VALUES: Values = Object.freeze(createTable<unknown>());
const NO_QUERY: readonly Pair[] = [];
const NO_TEXTS: readonly string[] = [];

/** Limits of the cache of valid queries. */
const MAX_QUERIES = 256;
const MAX_QUERY_LENGTH = 256;

/** Compiles the parameters and the body of an operation into one function; schemas are compiled on first use. */
export function compileRequestReader(operation: Operation, validators: Validators): RequestReader {
  const parameters = operation.parameters.map((parameter) => ({
    parameter,
    decode: compileDecoder(parameter),
    validate: parameter.schema && validators.compile(parameter.schema, 'request'),
    fallback: parameter.shape.find('default')?.value,
  }));
  const namesIn = Map.groupBy(operation.parameters, (parameter) => parameter.in);
  const names = new Map([...namesIn].map(([place, list]) => [place, new Set(list.map(({ name }) => name))]));
  const outsideQuery = parameters.filter(({ parameter }) => parameter.in !== 'query');
  const places = new Set(parameters.map(({ parameter }) => parameter.in));
  const valuesIn = (place: ParameterPlace): Values => (places.has(place) ? createTable() : NO_VALUES);
  const readBody = compileBodyReader(operation, validators);
  const validQueries = new Map<string, Values>();

  const isNamed = compileIsNamed(operation);

  function unnamedIn(query: readonly Pair[]): string[] {
    return query.flatMap(([name]) => (isNamed(name) ? [] : [name]));
  }

  function cacheQuery(text: string, values: Values): void {
    if (text.length > MAX_QUERY_LENGTH) return;
    if (validQueries.size >= MAX_QUERIES) validQueries.clear();
    validQueries.set(text, Object.freeze(values));
  }

  return (request) => {
    const cachedQuery = validQueries.get(request.query);
    const values: Record<ParameterPlace, Values> = {
      path: valuesIn('path'),
      query: cachedQuery ?? valuesIn('query'),
      header: valuesIn('header'),
      cookie: valuesIn('cookie'),
    };
    const violations: RequestViolation[] = [];
    const query = cachedQuery || request.query === '' ? NO_QUERY : queryOf(request.query);
    for (const { parameter, decode, validate, fallback } of cachedQuery ? outsideQuery : parameters) {
      const texts = textsOf(parameter, request, query, names.get(parameter.in));
      if (texts.length === 0) {
        if (parameter.required)
          violations.push(parameterViolation(parameter, 'required', 'is required', undefined));
        else if (fallback !== undefined) values[parameter.in][parameter.name] = fallback;
        continue;
      }
      const value = decode(texts);
      const broken = validate?.(value) ?? [];
      // An empty text that `allowEmptyValue` permits, although the schema does not.
      if (broken.length > 0 && parameter.allowsEmpty && texts.every((text) => text === '')) continue;
      values[parameter.in][parameter.name] = value;
      if (texts.length > 1 && !isExploded(parameter))
        violations.push(parameterViolation(parameter, 'type', 'must be given once', texts));
      else
        for (const violation of broken) violations.push(inRequest(violation, parameter.in, parameter.name));
    }
    if (!cachedQuery && !violations.some((violation) => violation.in === 'query'))
      cacheQuery(request.query, values.query);
    const body = readBody(request);
    for (const violation of body.violations) violations.push(violation);
    const read = { parameters: values, body: body.value, violations };
    return query.every(([name]) => isNamed(name)) ? read : { ...read, unnamed: unnamedIn(query) };
  };
}

/** Whether a name in a query belongs to a parameter. */
function compileIsNamed({ parameters }: Operation): (name: string) => boolean {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const names = new Set(inQuery.map(({ name }) => name));
  return (name) =>
    names.has(name) || inQuery.some((parameter) => queryTexts(parameter, [[name, '']], names).length > 0);
}

/** The names in a query that belong to parameters of the operation, and those that do not; each once. */
export function namesInQuery(
  operation: Operation,
  query: string,
): { readonly named: readonly string[]; readonly unnamed: readonly string[] } {
  const isNamed = compileIsNamed(operation);
  const all = [...new Set(queryOf(query).map(([name]) => name))];
  return { named: all.filter(isNamed), unnamed: all.filter((name) => !isNamed(name)) };
}

function textsOf(
  parameter: Parameter,
  { path, headers }: RawRequest,
  query: readonly Pair[],
  names: ReadonlySet<string> | undefined,
): readonly string[] {
  switch (parameter.in) {
    case 'path': {
      const text = ownEntry(path, parameter.name);
      return text === undefined ? NO_TEXTS : [text];
    }
    case 'query':
      return queryTexts(parameter, query, names);
    case 'header': {
      const lines = [ownEntry(headers, parameter.name) ?? []].flat();
      // RFC 9110 §5.3: lines with the same name form one list.
      return isCompound(parameter) && lines.length > 1 ? [lines.join(',')] : lines;
    }
    case 'cookie':
      return queryTexts(parameter, [...cookiesOf(headers.cookie)], names);
  }
}

function parameterViolation(
  parameter: Parameter,
  keyword: string,
  expected: string,
  received: unknown,
): RequestViolation {
  const at = placeOf(parameter.spot);
  return inRequest({ pointer: '', keyword, expected, received, at }, parameter.in, parameter.name);
}

/** A schema violation with its place in the request. */
function inRequest(
  { pointer, keyword, limit, expected, received, at }: Violation,
  place: RequestViolation['in'],
  name: string,
): RequestViolation {
  return { pointer, keyword, limit, expected, received, at, in: place, name, kind: 'schema' };
}

/** The value of a body and its violations. */
interface ReadBody {
  readonly value: unknown;
  readonly violations: readonly RequestViolation[];
}

const NO_BODY: ReadBody = { value: undefined, violations: [] };
const NO_BYTES = new Uint8Array();

function compileBodyReader({ body }: Operation, validators: Validators): (request: RawRequest) => ReadBody {
  if (!body) return () => NO_BODY;
  const problem = (kind: RequestViolation['kind'], keyword: string, expected: string, received: unknown) =>
    refused(body.spot, kind, keyword, expected, received);

  const formOf = compileForms(body.content);

  return ({ headers, body: bytes }) => {
    const type = String(headers['content-type'] ?? '');
    const isEmpty = !bytes || bytes.length === 0;
    // A form without fields is empty, and so is an empty file.
    if (isEmpty && !mayBeEmpty(type, formOf(type)))
      return body.required ? problem('schema', 'required', 'is required', undefined) : NO_BODY;
    const { media, format, isUtf8 } = formOf(type);
    if (!media) {
      const expected = `must be ${body.content.map((entry) => entry.type).join(' or ')}`;
      return problem('media type', 'content', expected, type === '' ? 'no Content-Type' : type);
    }
    if (format !== 'json') return readOther(format, media, bytes ?? NO_BYTES, type);
    if (!isUtf8) return problem('media type', 'content', `must be ${essenceOf(type)} in UTF-8`, type);
    const text = decodeUtf8(bytes as Uint8Array);
    const parsed = text === undefined ? { error: 'it is not UTF-8' } : tryParse(text);
    if ('error' in parsed) return problem('syntax', 'content', `must be JSON: ${parsed.error}`, text);
    return validated(media, parsed.value);
  };

  function readOther(
    format: Exclude<BodyFormat, 'json'> | undefined,
    media: MediaType,
    bytes: Uint8Array,
    type: string,
  ): ReadBody {
    if (format === undefined) {
      const readable = body?.content.filter((entry) => formatOf(entry.type, entry.shape));
      const others = readable?.map((entry) => entry.type).join(' or ');
      const expected = others ? `must be ${others}` : `of the type ${essenceOf(type)} cannot be read here`;
      return problem('media type', 'content', expected, type);
    }
    const decoded: DecodedBody = bodyCodec(media, format).decode(bytes, type);
    if ('error' in decoded) {
      const kind = decoded.charset ? 'media type' : 'syntax';
      const isText = format === 'xml' && !decoded.charset;
      return problem(kind, 'content', decoded.error, isText ? new TextDecoder().decode(bytes) : type);
    }
    const { value, violations } = validated(media, decoded.value);
    const mistyped = decoded.mistyped.flatMap(({ name, type: received, expected }) =>
      refused(media.spot, 'schema', 'contentType', `must be of type ${expected}`, received).violations.map(
        (violation) => ({ ...violation, pointer: toPointer([name]) }),
      ),
    );
    return { value, violations: [...violations, ...mistyped] };
  }

  function validated({ schema }: MediaType, value: unknown): ReadBody {
    const violations = schema ? validators.compile(schema, 'request')(value) : [];
    return { value, violations: violations.map((violation) => inRequest(violation, 'body', '')) };
  }
}

function refused(
  spot: Spot,
  kind: RequestViolation['kind'],
  keyword: string,
  expected: string,
  received: unknown,
): ReadBody {
  const at = placeOf(spot);
  const violation = { in: 'body', name: '', kind, pointer: '', keyword, expected, received, at } as const;
  return { value: undefined, violations: [violation] };
}

function mayBeEmpty(type: string, { media, format }: Form): boolean {
  return format === 'form' || (type !== '' && isOctets(media?.shape));
}

/** How a Content-Type is read. */
interface Form {
  /** Undefined: the document does not describe it. */
  readonly media: MediaType | undefined;
  /** Undefined: it cannot be read. */
  readonly format: BodyFormat | undefined;
  readonly isUtf8: boolean;
}

/** Limits of the cache of Content-Types. */
const MAX_TYPES = 64;
const MAX_TYPE_LENGTH = 256;

function compileForms(content: readonly MediaType[]): (type: string) => Form {
  const forms = new Map<string, Form>();
  return (type) => {
    const form = forms.get(type);
    if (form) return form;
    const media = mediaTypeFor(content, type);
    const format = isOctets(media?.shape) ? 'bytes' : formatOf(type, media?.shape);
    const read = { media, format, isUtf8: isUtf8(type) };
    if (forms.size >= MAX_TYPES) forms.clear();
    if (type.length <= MAX_TYPE_LENGTH) forms.set(type, read);
    return read;
  };
}

/** RFC 8259 §8.1: JSON between systems is UTF-8, so another `charset` is rejected. */
function isUtf8(contentType: string): boolean {
  const charset = charsetOf(contentType);
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
}

function tryParse(text: string): { value: unknown } | { error: string } {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    const place = placeOfSlip(text, error as Error);
    return { error: place === undefined ? (error as Error).message : `invalid at ${place}` };
  }
}
