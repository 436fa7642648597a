import { compileDecoder } from './decode-parameter.ts';
import { placeOf } from './document/spot.ts';
import type { Operation } from './operation.ts';
import type { Parameter, ParameterPlace } from './parameter.ts';
import { isCompound, isExploded } from './parameter-style.ts';
import { type Pair, queryOf, queryTexts } from './query-texts.ts';
import { inRequest, type RawRequest, type RequestReader, type RequestViolation } from './request.ts';
import { compileBodyReader } from './request-body.ts';
import { ownEntry } from './schema/own-entry.ts';
import type { Validators, Violation } from './schema/validator.ts';

/** Values of parameters by name. */
type Values = Record<string, unknown>;

const NO_VALUES: Values = Object.freeze(Object.create(null));
const NO_QUERY: readonly Pair[] = [];
const NO_TEXTS: readonly string[] = [];

/** Bounds of the cache of valid queries. */
const MAX_QUERIES = 256;
const MAX_QUERY_LENGTH = 256;

/** Compiles the parameters and the body of an operation into one function; schemas are compiled at their first use. */
export function compileRequestReader(operation: Operation, validators: Validators): RequestReader {
  const parameters = operation.parameters.map((parameter) => ({
    parameter,
    decode: compileDecoder(parameter),
    validate: parameter.schema && validators.compile(parameter.schema, 'request'),
    fallback: parameter.shape.find('default')?.value,
  }));
  const namesIn = Map.groupBy(operation.parameters, (parameter) => parameter.in);
  const names = new Map([...namesIn].map(([place, own]) => [place, new Set(own.map(({ name }) => name))]));
  const outsideQuery = parameters.filter(({ parameter }) => parameter.in !== 'query');
  const places = new Set(parameters.map(({ parameter }) => parameter.in));
  // Without a prototype: documents choose the names, and `__proto__` is one like any other.
  const valuesIn = (place: ParameterPlace): Values => (places.has(place) ? Object.create(null) : NO_VALUES);
  const readBody = compileBodyReader(operation, validators);
  const validQueries = new Map<string, Values>();

  const queryNames = names.get('query');
  const isNamed = (name: string) =>
    queryNames?.has(name) ||
    namesIn.get('query')?.some((parameter) => queryTexts(parameter, [[name, '']], queryNames).length > 0);

  function unnamedIn(query: readonly Pair[]): string[] {
    return query.flatMap(([name]) => (isNamed(name) ? [] : [name]));
  }

  function cacheQuery(text: string, values: Values): void {
    if (text.length > MAX_QUERY_LENGTH) return;
    if (validQueries.size >= MAX_QUERIES) validQueries.clear();
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
    const query = known || request.query === '' ? NO_QUERY : queryOf(request.query);
    for (const { parameter, decode, validate, fallback } of known ? outsideQuery : parameters) {
      const texts = textsOf(parameter, request, query, names.get(parameter.in));
      if (texts.length === 0) {
        if (parameter.required)
          violations.push(parameterViolation(parameter, 'required', 'is required', undefined));
        else if (fallback !== undefined) values[parameter.in][parameter.name] = fallback;
        continue;
      }
      const value = decode(texts);
      values[parameter.in][parameter.name] = value;
      if (texts.length > 1 && !isExploded(parameter))
        violations.push(parameterViolation(parameter, 'type', 'must be given once', texts));
      else
        for (const violation of validate?.(value) ?? []) violations.push(inParameter(parameter, violation));
    }
    if (!known && !violations.some((violation) => violation.in === 'query'))
      cacheQuery(request.query, values.query);
    const body = readBody(request);
    for (const violation of body.violations) violations.push(violation);
    const read = { parameters: values, body: body.value, violations };
    return query.every(([name]) => isNamed(name)) ? read : { ...read, unnamed: unnamedIn(query) };
  };
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
      // RFC 9110 §5.3: lines of one name are one list.
      return isCompound(parameter) && lines.length > 1 ? [lines.join(',')] : lines;
    }
    case 'cookie':
      return queryTexts(parameter, [...cookiesOf(headers.cookie)], names);
  }
}

/** The cookies of a `Cookie` header (RFC 6265 §4.2.1), values as sent. */
export function cookiesOf(header: string | readonly string[] | undefined): URLSearchParams {
  const pairs = [header ?? []].flat().join('; ').split(/;\s*/);
  const cookies = new URLSearchParams();
  for (const pair of pairs) {
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (name !== undefined && value !== undefined) cookies.append(name.trim(), value.trim());
  }
  return cookies;
}

function inParameter(parameter: Parameter, violation: Violation): RequestViolation {
  return inRequest(violation, parameter.in, parameter.name);
}

function parameterViolation(
  parameter: Parameter,
  keyword: string,
  expected: string,
  received: unknown,
): RequestViolation {
  const at = placeOf(parameter.spot);
  return inParameter(parameter, { pointer: '', keyword, expected, received, at });
}
