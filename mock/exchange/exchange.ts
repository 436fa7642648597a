/** A request as the mock sees it, whether it came through a socket or through `fetch`. */
export interface MockRequest {
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  /** What follows the `?`; empty without one. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `too large`: longer than `maxBody`. */
  readonly body: Uint8Array | 'too large' | undefined;
  /** When it arrived, on the scale of `performance.now()`; undefined: now. */
  readonly begun?: number;
}

/** What an action or a refusal responds, before the headers that all responses of an operation share. */
export interface ResponseContent {
  readonly status: number;
  /** The media type; undefined without a body. */
  readonly type: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Feed;
  /** Added to the log line of this exchange. */
  readonly remark?: string;
  readonly fault?: Fault;
}

/** What is sent; the server adds Content-Length, and Date unless it is set. */
export interface MockResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Feed;
  /** Added to the log line of this exchange. */
  readonly remark?: string | undefined;
  readonly fault?: Fault | undefined;
}

/** `drop`: the connection ends without a response; `truncate`: in the middle of the body. */
export type Fault = 'drop' | 'truncate';

/** A body that is streamed for as long as its reader listens; returns what stops it. */
export type Feed = (reader: FeedReader) => () => void;

export interface FeedReader {
  write(text: string): void;
  end(): void;
}
