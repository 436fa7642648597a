import { placeOf } from './document/spot.ts';
import { parseJson } from './exact-json.ts';
import { essenceOf, isJsonType, type MediaType, mediaTypeFor } from './media-type.ts';
import type { Operation } from './operation.ts';
import type { Parameter, ParameterPlace } from './parameter.ts';
import { decodeParameter, isSpread, queryTexts } from './parameter-value.ts';
import type { Validate, Validators, Violation } from './schema/validator.ts';

/** A request as it came over the wire, its path already matched to the operation. */
export interface RawRequest {
  /** Percent-decoded texts by parameter name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
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

/** Compiles what an operation demands of its requests. */
export function compileRequestReader(operation: Operation, validators: Validators): RequestReader {
  const parameters = operation.parameters.map((parameter) => ({
    parameter,
    validate: parameter.schema && validators.compile(parameter.schema, 'request'),
    fallback: parameter.shape.find('default')?.value,
  }));
  const readBody = compileBodyReader(operation, validators);

  return (request) => {
    const values: Record<ParameterPlace, Record<string, unknown>> = {
      path: {},
      query: {},
      header: {},
      cookie: {},
    };
    const violations: RequestViolation[] = [];
    for (const { parameter, validate, fallback } of parameters) {
      const texts = textsOf(parameter, request);
      if (texts.length === 0) {
        if (parameter.required) violations.push(missing(parameter));
        else if (fallback !== undefined) values[parameter.in][parameter.name] = fallback;
        continue;
      }
      const value = decodeParameter(parameter, texts);
      values[parameter.in][parameter.name] = value;
      if (texts.length > 1 && !isSpread(parameter)) violations.push(repeated(parameter, texts));
      else
        for (const violation of validate?.(value) ?? []) violations.push(inParameter(parameter, violation));
    }
    const body = readBody(request);
    return { parameters: values, body: body.value, violations: [...violations, ...body.violations] };
  };
}

function textsOf(parameter: Parameter, { path, query, headers }: RawRequest): readonly string[] {
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

type BodyReader = (request: RawRequest) => { value: unknown; violations: RequestViolation[] };

function compileBodyReader({ body }: Operation, validators: Validators): BodyReader {
  if (!body) return () => ({ value: undefined, violations: [] });
  const compiled = new Map<MediaType, Validate>();
  for (const media of body.content) {
    if (media.schema) compiled.set(media, validators.compile(media.schema, 'request'));
  }
  const problem = (kind: RequestViolation['kind'], keyword: string, expected: string, received: unknown) => ({
    value: undefined,
    violations: [
      {
        in: 'body' as const,
        name: '',
        kind,
        pointer: '',
        keyword,
        expected,
        received,
        at: placeOf(body.spot),
      },
    ],
  });

  return ({ headers, body: bytes }) => {
    if (!bytes || bytes.length === 0) {
      return body.required
        ? problem('schema', 'required', 'is required', undefined)
        : { value: undefined, violations: [] };
    }
    const type = String(headers['content-type'] ?? '');
    const media = mediaTypeFor(body.content, type);
    if (!media) {
      const wanted = body.content.map((entry) => entry.type).join(' or ');
      return problem('media type', 'content', `must be ${wanted}`, type === '' ? 'no Content-Type' : type);
    }
    const text = decode(bytes);
    if (!isJsonType(type)) return { value: text ?? bytes, violations: [] };
    if (!isUtf8(type)) return problem('media type', 'content', `must be ${essenceOf(type)} in UTF-8`, type);
    const parsed = text === undefined ? { error: 'it is not UTF-8' } : tryParse(text);
    if ('error' in parsed) return problem('syntax', 'content', `must be JSON: ${parsed.error}`, text);
    const broken = compiled.get(media)?.(parsed.value) ?? [];
    return {
      value: parsed.value,
      violations: broken.map((violation) => ({ ...violation, in: 'body', name: '', kind: 'schema' })),
    };
  };
}

/** RFC 8259 §8.1: JSON between systems is UTF-8; a `charset` that says otherwise cannot be honoured. */
function isUtf8(contentType: string): boolean {
  const [, charset] =
    /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType.slice(essenceOf(contentType).length)) ?? [];
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined where the bytes are no UTF-8. A byte-order mark may be ignored (RFC 8259 §8.1), and is. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}

function tryParse(text: string): { value: unknown } | { error: string } {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}
