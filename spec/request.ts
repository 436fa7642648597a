import { placeOf } from './document/spot.ts';
import type { Operation } from './operation.ts';
import type { Parameter, ParameterPlace } from './parameter.ts';
import { compileDecoder, isSpread, queryTexts } from './parameter-value.ts';
import { compileBodyReader } from './request-body.ts';
import type { Validators, Violation } from './schema/validator.ts';

/** A request as it came over the wire, its path already matched to the operation. */
export interface RawRequest {
  /** Percent-decoded texts by parameter name. */
  readonly path: Readonly<Record<string, string>>;
  /** What follows the `?`, as sent. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array | undefined;
}

/** One way in which a request breaks its operation. */
export interface RequestViolation extends Violation {
  readonly in: ParameterPlace | 'body';
  /** The parameter's name; empty for the body. */
  readonly name: string;
  /** `media type`: the body's type is not documented; `syntax`: it is not JSON; `schema`: all else. */
  readonly kind: 'media type' | 'syntax' | 'schema';
}

/** The values of a request, defaults filled in, and all that is wrong with it. */
export interface ReadRequest {
  readonly parameters: Readonly<Record<ParameterPlace, Readonly<Record<string, unknown>>>>;
  /** Undefined where there is none. */
  readonly body: unknown;
  readonly violations: readonly RequestViolation[];
}

export type RequestReader = (request: RawRequest) => ReadRequest;

/** Values of parameters by name. */
type Values = Record<string, unknown>;

const NO_VALUES: Values = Object.freeze({});
const NO_QUERY = new URLSearchParams();

/** Queries whose values are kept, and how long they may be: clients ask for ever new ones, and they must not fill the memory. */
const MOST_QUERIES = 256;
const LONGEST_QUERY = 256;

/** Compiles what an operation demands of its requests. */
export function compileRequestReader(operation: Operation, validators: Validators): RequestReader {
  const parameters = operation.parameters.map((parameter) => ({
    parameter,
    decode: compileDecoder(parameter),
    validate: parameter.schema && validators.compile(parameter.schema, 'request'),
    fallback: parameter.shape.find('default')?.value,
  }));
  const outsideQuery = parameters.filter(({ parameter }) => parameter.in !== 'query');
  const places = new Set(parameters.map(({ parameter }) => parameter.in));
  const valuesIn = (place: ParameterPlace): Values => (places.has(place) ? {} : NO_VALUES);
  const readBody = compileBodyReader(operation, validators);
  // The same query has the same values, and nothing wrong with it the second time either.
  const validQueries = new Map<string, Values>();

  function keepQuery(text: string, values: Values): void {
    if (text.length > LONGEST_QUERY) return;
    if (validQueries.size >= MOST_QUERIES) validQueries.clear();
    validQueries.set(text, Object.freeze(values));
  }

  return (request) => {
    const known = validQueries.get(request.query);
    const values: Record<ParameterPlace, Values> = {
      path: valuesIn('path'),
      query: known ?? valuesIn('query'),
      header: valuesIn('header'),
      cookie: valuesIn('cookie'),
    };
    const violations: RequestViolation[] = [];
    const query = known || request.query === '' ? NO_QUERY : new URLSearchParams(request.query);
    for (const { parameter, decode, validate, fallback } of known ? outsideQuery : parameters) {
      const texts = textsOf(parameter, request, query);
      if (texts.length === 0) {
        if (parameter.required) violations.push(missing(parameter));
        else if (fallback !== undefined) values[parameter.in][parameter.name] = fallback;
        continue;
      }
      const value = decode(texts);
      values[parameter.in][parameter.name] = value;
      if (texts.length > 1 && !isSpread(parameter)) violations.push(repeated(parameter, texts));
      else
        for (const violation of validate?.(value) ?? []) violations.push(inParameter(parameter, violation));
    }
    if (!known && !violations.some((violation) => violation.in === 'query'))
      keepQuery(request.query, values.query);
    const body = readBody(request);
    for (const violation of body.violations) violations.push(violation);
    return { parameters: values, body: body.value, violations };
  };
}

function textsOf(
  parameter: Parameter,
  { path, headers }: RawRequest,
  query: URLSearchParams,
): readonly string[] {
  switch (parameter.in) {
    case 'path': {
      const text = path[parameter.name];
      return text === undefined ? [] : [text];
    }
    case 'query':
      return queryTexts(parameter, query);
    case 'header':
      return [headers[parameter.name] ?? []].flat();
    case 'cookie':
      return queryTexts(parameter, cookiesOf(headers.cookie));
  }
}

/** RFC 6265 §4.2.1: pairs joined by `; `. */
export function cookiesOf(header: string | readonly string[] | undefined): URLSearchParams {
  const pairs = [header ?? []].flat().join('; ').split(/;\s*/);
  const cookies = new URLSearchParams();
  for (const pair of pairs) {
    // Only the first sign parts name and value: `a=b=c`.
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (name !== undefined && value !== undefined) cookies.append(name.trim(), value.trim());
  }
  return cookies;
}

function inParameter(parameter: Parameter, violation: Violation): RequestViolation {
  return { ...violation, in: parameter.in, name: parameter.name, kind: 'schema' };
}

function missing(parameter: Parameter): RequestViolation {
  const at = placeOf(parameter.spot);
  return inParameter(parameter, {
    pointer: '',
    keyword: 'required',
    expected: 'is required',
    received: undefined,
    at,
  });
}

function repeated(parameter: Parameter, received: readonly string[]): RequestViolation {
  const expected = 'must be given once';
  return inParameter(parameter, {
    pointer: '',
    keyword: 'type',
    expected,
    received,
    at: placeOf(parameter.spot),
  });
}
