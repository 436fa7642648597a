import type { MediaType, ParameterPlace, Place } from '#spec';

/** A value, or a promise of it: what is in memory need not wait. */
export type Awaitable<T> = T | Promise<T>;

/** Continues with a value, synchronously unless it is a promise: awaiting each step would cost more than the step. */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** All values, synchronously if none is a promise. */
export function allOf<T>(values: readonly Awaitable<T>[]): Awaitable<readonly T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}

/** A request as the mock sees it, from a socket or from `fetch`. */
export interface MockRequest {
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  /** The part after the `?`; empty without one. */
  readonly query: string;
  /** The prefix of a session's paths: `/~NAME`. Undefined: there is none. */
  readonly prefix?: string;
  /** Scheme and host as seen by the client. Undefined: `http`, and the `Host` header. */
  readonly origin?: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Decoded; `too large`: longer than `maxBody`. */
  readonly body: Uint8Array | 'too large' | undefined;
  /** The body as sent, with its content codings (RFC 9110 §8.4). Absent: it was not encoded. */
  readonly encoded?: Uint8Array;
  /** The time of arrival, on the scale of `performance.now()`. Undefined: now. */
  readonly begun?: number;
}

/** Scheme, host and port of the mock as seen by the client. */
export function originOf({ origin, headers }: Pick<MockRequest, 'origin' | 'headers'>): string {
  return origin ?? hostOrigin('http', headers);
}

/** Path and query as sent, with characters that no URI may have percent-encoded; and with the origin before it. */
export function targetsOf(request: MockRequest | undefined, withQuery: boolean): string[] {
  if (!request) return [];
  const { prefix = '', path, query } = request;
  const target = prefix + path + (withQuery && query !== '' ? `?${query}` : '');
  const encoded = target.replace(/[^\w\-.~!$&'()*+,;=:@%/?]/gu, encodeURIComponent);
  return [encoded, originOf(request) + encoded];
}

/** The origin by the `Host` header. */
export function hostOrigin(scheme: 'http' | 'https', { host }: MockRequest['headers']): string {
  // A client may send any text as `Host`, and this one becomes part of URLs.
  return `${scheme}://${typeof host === 'string' && HOST.test(host) ? host : 'localhost'}`;
}

const HOST = /^[\w.:[\]-]+$/;

/** Why a request was refused, for the log. */
export interface Reason {
  /** The `code` of the error body. */
  readonly code: string;
  /** For people: all problems, in one text. */
  readonly message: string;
  readonly details: readonly Detail[];
}

export interface Detail {
  /** `body.name`, `query.limit` */
  readonly where: string;
  readonly message: string;
  /** The line of the document that the request violates. */
  readonly at?: Place;
  /** For error bodies with more than a message. Undefined: only `where` is known. */
  readonly broken?: Broken;
}

/** The violated keyword, and where the request violates it. */
export interface Broken {
  readonly in: ParameterPlace | 'body';
  /** The parameter's name; empty for the body. */
  readonly name: string;
  /** The JSON Pointer of the value within the parameter or body. */
  readonly pointer: string;
  readonly keyword: string;
  /** The keyword's value. */
  readonly limit: unknown;
  /** Undefined: it is missing, or too long to show. */
  readonly received: unknown;
}

/** The response of an action or refusal, before the headers that all of an operation's responses share. */
export interface ResponseContent {
  readonly status: number;
  /** The media type. Undefined: there is no body. */
  readonly type: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Feed;
  /** The text of the record in the response, for its entity tag. Undefined: the tag is made from the body. */
  readonly version?: string;
  /** Added to the exchange's log line. */
  readonly remark?: string;
  /** For a list: what the query has selected. */
  readonly selected?: string;
  /** Undefined: it has other content. */
  readonly shows?: ShownMedia | undefined;
  readonly reason?: Reason;
  readonly fault?: Fault;
  /** Set for a response of the real service. Undefined: the mock has made it. */
  readonly relayed?: Relayed;
}

/** The documented content of a response: an example, else a sample of the schema. */
export interface ShownMedia {
  readonly media: MediaType;
  /** Its name. Undefined: it is a sample. */
  readonly example: string | undefined;
}

/** Details of a real service's response, beside status and body. */
export interface Relayed {
  /** Alternating names and values, as received, without headers of the connection. */
  readonly fields: readonly string[];
  readonly source: Answerer;
  /** How the response violates the document. */
  readonly violations: readonly ResponseViolation[];
}

/** Who has made a response; both: the mock has added its own records to a list. */
export type Answerer = 'upstream' | 'mock' | 'upstream, mock';

/** How a response violates the document; without credentials. */
export interface ResponseViolation {
  /** The name of the violated rule. */
  readonly where: string;
  readonly message: string;
  /** The line of the document: `spec/openapi.yaml:41`. */
  readonly at: string | undefined;
}

/** A response to send; the server adds Content-Length, and Date unless it is set. */
export interface MockResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Feed;
  /** Added to the exchange's log line. */
  readonly remark?: string | undefined;
  /** For a list: what the query has selected. */
  readonly selected?: string | undefined;
  readonly shows?: ShownMedia | undefined;
  /** Undefined: the request was not refused. */
  readonly reason?: Reason | undefined;
  /** The operationId. Undefined: the document has no such operation. */
  readonly operation?: string | undefined;
  readonly fault?: Fault | undefined;
  /** Alternating names and values of headers, in place of `headers`, as a real service has sent them. */
  readonly fields?: readonly string[];
  /** Undefined: there is no real service. */
  readonly source?: Answerer;
  /** How a real service's response violates the document. */
  readonly violations?: readonly ResponseViolation[];
}

/** `drop`: closes the connection without a response; `truncate`: in the middle of the body. */
export type Fault = 'drop' | 'truncate';

/** A body that streams until its reader leaves; returns a function that stops it. */
export type Feed = (reader: FeedReader) => () => void;

export interface FeedReader {
  write(part: string | Uint8Array): void;
  end(): void;
  /** Resolves when the reader has received what was written, or has left. Undefined: it already has. */
  taken(): Promise<void> | undefined;
  /** Writes a last text, and closes the connection without ending the body. */
  breakOff(text: string): void;
}
