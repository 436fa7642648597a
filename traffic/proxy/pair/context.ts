import type { Socket } from 'node:net';
import type { Counts } from '../counts.ts';
import type { Dialer } from '../target/open-target.ts';
import type { OwnResponse } from '../wire/own-response.ts';
import type { RequestHead } from '../wire/request-head.ts';
import type { ResponseHead } from '../wire/response-head.ts';

/** Sees one exchange as it passes, and keeps what it needs of it. */
export interface Witness {
  requestContent(part: Buffer): void;
  requestEnd(): void;
  responseHead(head: ResponseHead): void;
  /** False: the exchange is not judged, whatever else comes. */
  responseContent(part: Buffer): boolean;
  responseEnd(): void;
  /** What is sent in place of a response that was held back; undefined: itself. */
  replacement(): Replacement | undefined;
  /** No response, or none that can be judged. */
  drop(why: 'upgraded' | 'abandoned' | 'failed'): void;
}

/** Another response, or further header lines. */
export type Replacement = OwnResponse | { readonly lines: readonly string[] };

/** What the connections of a proxy have in common. */
export interface PairContext {
  readonly dialer: Dialer;
  readonly counts: Counts;
  /** Responses are held back until they are judged. */
  readonly holds: boolean;
  readonly witness: (head: RequestHead) => Witness;
  /** A request to the proxy itself; what has come of it, and after it, is unread. */
  readonly takeOver: (client: Socket, bytes: Buffer) => void;
  /** The names of the connections to the target: what comes back on one of them is a loop. */
  readonly opened: Set<string>;
  /** Tells of what the target did to a request. */
  readonly tell: (request: RequestHead, what: string) => void;
}
