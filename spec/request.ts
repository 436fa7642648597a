import type { ParameterPlace } from './parameter.ts';
import type { Violation } from './schema/validator.ts';

/** A request as received, its path already matched to an operation. */
export interface RawRequest {
  /** Texts by parameter name, percent-encoded as sent. */
  readonly path: Readonly<Record<string, string>>;
  /** Without the `?`, percent-encoded as sent. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Without content or transfer coding. */
  readonly body: Uint8Array | undefined;
}

/** One way in which a request breaks its operation. */
export interface RequestViolation extends Violation {
  readonly in: ParameterPlace | 'body';
  /** The parameter's name; empty for the body. */
  readonly name: string;
  /** `media type`: the body's type is not documented, or not read; `syntax`: it is not what its type says; `schema`: all else. */
  readonly kind: 'media type' | 'syntax' | 'schema';
}

/** The decoded values of a request, defaults filled in, and its violations. */
export interface ReadRequest {
  /** By location and name; absent parameters without default are left out. */
  readonly parameters: Readonly<Record<ParameterPlace, Readonly<Record<string, unknown>>>>;
  /** The value by its media type: bytes are a string, where they are not UTF-8 with a character for each; undefined without body. */
  readonly body: unknown;
  /** Names in the query that no parameter has; absent: there are none, or the same query was read before. */
  readonly unnamed?: readonly string[];
  /** Empty if the request is valid. */
  readonly violations: readonly RequestViolation[];
}

/** Decodes and validates a request; never throws for what a client sent. */
export type RequestReader = (request: RawRequest) => ReadRequest;

/** A violation of a schema at its place in a request. */
export function inRequest(
  { pointer, keyword, expected, received, at }: Violation,
  place: RequestViolation['in'],
  name: string,
): RequestViolation {
  return { pointer, keyword, expected, received, at, in: place, name, kind: 'schema' };
}
