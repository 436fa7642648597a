import type { Remark } from './remark.ts';

export type HeaderPair = readonly [name: string, value: string];

/** A request, and the response to it, as a file has recorded them. */
export interface RecordedExchange {
  /** Where it stands, for messages: `entry 17`, counted from 1. */
  readonly position: string;
  /** The line on which the entry begins, from 1. */
  readonly line: number;
  /** When the request began, in milliseconds since 1970; undefined: the file does not say. */
  readonly startedAt: number | undefined;
  /** How long the exchange took, in milliseconds; undefined: the file does not say. */
  readonly ms: number | undefined;
  readonly request: RecordedRequest;
  /** Undefined: none came. */
  readonly response: RecordedResponse | undefined;
  /** What the file lacks of this exchange, or has in another form than it was sent; made good where possible. */
  readonly remarks: readonly Remark[];
}

export interface RecordedRequest {
  readonly method: string;
  /** `http:` or `https:`, without a fragment. */
  readonly url: URL;
  /** Without HTTP/2 pseudo headers. */
  readonly headers: readonly HeaderPair[];
  /** Undefined: none was sent, or the file does not have it. */
  readonly body: Uint8Array | undefined;
  /** A body was sent that the file does not have, or only a part of it. */
  readonly bodyMissing: boolean;
}

export interface RecordedResponse {
  /** From 100 to 999. */
  readonly status: number;
  readonly statusText: string;
  /**
   * Without HTTP/2 pseudo headers. Where the file has a compressed body decoded, as browsers write it, `Content-Encoding`
   * and the `Content-Length` of the compressed one are left out: the headers fit the body.
   */
  readonly headers: readonly HeaderPair[];
  /** Decoded; empty where there was none, and where the file does not have it. */
  readonly body: Uint8Array;
  /** There was a body that the file does not have, or only a part of it. */
  readonly bodyMissing: boolean;
}
