/** A request as the mock sees it, whether it came through a socket or through `fetch`. */
export interface MockRequest {
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  /** What follows the `?`; empty where there is none. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `too large`: longer than the mock reads. */
  readonly body: Uint8Array | 'too large' | undefined;
  /** When it came, in the time of `performance.now()`; undefined: just now. */
  readonly begun?: number;
}

/** What an action or a refusal answers, before the headers that all answers share. */
export interface Answer {
  readonly status: number;
  /** The media type; undefined where there is no body. */
  readonly type: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Feed;
  readonly fault?: Fault;
  /** It is answered again and again: what is made of it for the wire is kept with it. */
  readonly lasting?: boolean;
}

/** What goes over the wire; the server adds Content-Length, and Date where there is none. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Feed;
  /** What the log adds to the line of this exchange. */
  readonly remark?: string | undefined;
  readonly fault?: Fault | undefined;
  /** See {@link Answer.lasting}. */
  readonly lasting?: boolean | undefined;
}

/** `drop`: the connection ends without an answer; `truncate`: in the middle of the body. */
export type Fault = 'drop' | 'truncate';

/** A body that goes on for as long as its reader listens; gives what stops it. */
export type Feed = (reader: FeedReader) => () => void;

export interface FeedReader {
  write(text: string): void;
  end(): void;
}

export type { Awaitable } from '../store/port.ts';
