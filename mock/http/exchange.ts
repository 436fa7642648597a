import type { MediaType, ParameterPlace, Place } from '#spec';

/** A value, or a promise of it: what is in memory need not wait. */
export type Awaitable<T> = T | Promise<T>;

/** Continues with a value, synchronously where it is no promise: awaiting each step would cost more than the step. */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** All values, at once where none of them has to be waited for. */
export function allOf<T>(values: readonly Awaitable<T>[]): Awaitable<readonly T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}

/** A request as the mock sees it, whether it came through a socket or through `fetch`. */
export interface MockRequest {
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  /** What follows the `?`; empty without one. */
  readonly query: string;
  /** What precedes the path within a session: `/~NAME`; undefined: nothing. */
  readonly prefix?: string;
  /** Scheme and host as the client has them; undefined: `http`, and the header `Host`. */
  readonly origin?: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Without content codings that were undone; `too large`: longer than `maxBody`. */
  readonly body: Uint8Array | 'too large' | undefined;
  /** The body as it was sent, with content codings (RFC 9110 §8.4); absent: it had none that was undone. */
  readonly encoded?: Uint8Array;
  /** When it arrived, on the scale of `performance.now()`; undefined: now. */
  readonly begun?: number;
}

/** Scheme, host and port of the mock as the client of a request has them. */
export function originOf({ origin, headers }: Pick<MockRequest, 'origin' | 'headers'>): string {
  return origin ?? hostOrigin('http', headers);
}

/** What the header `Host` says of it. */
export function hostOrigin(scheme: 'http' | 'https', { host }: MockRequest['headers']): string {
  // A client may send any text as `Host`, and this one goes into addresses.
  return `${scheme}://${typeof host === 'string' && HOST.test(host) ? host : 'localhost'}`;
}

const HOST = /^[\w.:[\]-]+$/;

/** Why a request was refused, for the log. */
export interface Reason {
  /** The `code` of the error body. */
  readonly code: string;
  /** For people: everything that was wrong, in one text. */
  readonly message: string;
  readonly details: readonly Detail[];
}

export interface Detail {
  /** `body.name`, `query.limit` */
  readonly where: string;
  readonly message: string;
  /** The line of the document that was violated. */
  readonly at?: Place;
  /** For error bodies that state more than the message; undefined: `where` is all that is known. */
  readonly broken?: Broken;
}

/** What of a request broke which keyword. */
export interface Broken {
  readonly in: ParameterPlace | 'body';
  /** The parameter's name; empty for the body. */
  readonly name: string;
  /** Of the value within the parameter or the body. */
  readonly pointer: string;
  readonly keyword: string;
  /** The keyword's value. */
  readonly limit: unknown;
  /** Undefined: it is missing, or too long to be shown. */
  readonly received: unknown;
}

/** What an action or a refusal responds, before the headers that all responses of an operation share. */
export interface ResponseContent {
  readonly status: number;
  /** The media type; undefined without a body. */
  readonly type: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Feed;
  /** The text of the record that it is about, from which the entity tag is made; undefined: it is made from the body. */
  readonly version?: string;
  /** Added to the log line of this exchange. */
  readonly remark?: string;
  /** Of a list: what the query has selected. */
  readonly selected?: string;
  /** Undefined: it shows nothing of the document. */
  readonly shows?: ShownMedia | undefined;
  readonly reason?: Reason;
  readonly fault?: Fault;
  /** A response of the real service: undefined, the mock has made it. */
  readonly relayed?: Relayed;
}

/** What of the document a response shows: an example, else a sample of the schema. */
export interface ShownMedia {
  readonly media: MediaType;
  /** By its name. */
  readonly example: string | undefined;
}

/** What a real service has responded, beside status and body. */
export interface Relayed {
  /** Names and values in turn, as they came; those that are about the connection are left out. */
  readonly fields: readonly string[];
  readonly source: Answerer;
  /** What it breaks of the document. */
  readonly violations: readonly ResponseViolation[];
}

/** Who has made a response; both: the mock has added records of its own to a list. */
export type Answerer = 'upstream' | 'mock' | 'upstream, mock';

/** A promise of the document that a response breaks; without credentials. */
export interface ResponseViolation {
  /** The law of the suite that it breaks. */
  readonly where: string;
  readonly message: string;
  /** The line of the document: `spec/openapi.yaml:41`. */
  readonly at: string | undefined;
}

/** What is sent; the server adds Content-Length, and Date unless it is set. */
export interface MockResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Feed;
  /** Added to the log line of this exchange. */
  readonly remark?: string | undefined;
  /** Of a list: what the query has selected. */
  readonly selected?: string | undefined;
  readonly shows?: ShownMedia | undefined;
  /** Undefined: the request was not refused. */
  readonly reason?: Reason | undefined;
  /** The operationId; undefined: the document has no such operation. */
  readonly operation?: string | undefined;
  readonly fault?: Fault | undefined;
  /** Names and values of headers in turn, in place of `headers`, as a real service has sent them. */
  readonly fields?: readonly string[];
  /** Undefined: there is no real service. */
  readonly source?: Answerer;
  /** What a real service breaks of the document. */
  readonly violations?: readonly ResponseViolation[];
}

/** `drop`: the connection ends without a response; `truncate`: in the middle of the body. */
export type Fault = 'drop' | 'truncate';

/** A body that is streamed for as long as its reader listens; returns what stops it. */
export type Feed = (reader: FeedReader) => () => void;

export interface FeedReader {
  write(part: string | Uint8Array): void;
  end(): void;
  /** Resolves when the reader has taken what was written, or has left; undefined: it has. */
  taken(): Promise<void> | undefined;
  /** Writes a last text, and ends the connection without an end of the body. */
  breakOff(text: string): void;
}
