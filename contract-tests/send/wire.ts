import { type StreamFormat, streamFormatOf } from '#spec';
import type { Presented } from './credentials.ts';

/** Members of an object, or parameters, by name. */
export type Data = Readonly<Record<string, unknown>>;

/** Statuses for the state of a record or a credential (RFC 9110 §15.3 and §15.5). */
export const CREATED = 201;
export const ACCEPTED = 202;
export const UNAUTHORISED = 401;
export const FORBIDDEN = 403;
export const NOT_FOUND = 404;
export const CONFLICT = 409;
export const GONE = 410;

/** There is no such record, or not any more. */
export const ABSENT: ReadonlySet<number> = new Set([NOT_FOUND, GONE]);

/** A request as bytes, as it is sent and as a curl command shows it. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  /** In the order of sending; a name may repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  /** Sends the body with `Transfer-Encoding: chunked` instead of a length. */
  readonly chunked: boolean;
  /** The headers, and the last query parameters, that are its credential. */
  readonly credential?: Presented;
  /** Settings of its connection. */
  readonly connection?: Connection;
  /** How far a documented stream is read. */
  readonly listening?: Listening;
  /** Whether only a stream can be its success: there may be no response before the first message. */
  readonly mayBeSilent?: boolean;
  /** Whether it may change something; undefined: it does if its method is unsafe. */
  readonly changes?: boolean;
  /** Set if it must be rejected. */
  readonly faulty?: Faulty | undefined;
}

/** Settings for https connections; files by path. */
export interface Connection {
  readonly clientCert?: string | readonly string[] | undefined;
  readonly insecure?: boolean | undefined;
  /** An authority that is trusted beside those of the system. */
  readonly authority?: string | undefined;
}

/** Why an operation must reject a request. */
export interface Faulty {
  readonly operation: string;
  readonly faults: readonly Fault[];
}

/** A single invalid value: its place with the violated rule, and the way of violating it. */
export interface Fault {
  readonly place: string;
  readonly kind: string;
}

/** A response without any decoding. */
export interface WireResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** Whether the body exceeds {@link MAX_BODY}, where reading stopped. */
  readonly cut: boolean;
  /** Whether reading a stream stopped before its end, or it broke off; the body is what came before. */
  readonly left?: boolean;
  /** From the first byte of the request to the last byte of the response; for a stream, to the end of its head. */
  readonly ms: number;
}

/** No documented response needs more; the rest is not read. */
export const MAX_BODY = 16 * 1024 * 1024;

/** The values of a header; names are compared without case (RFC 9110 §5.1). */
export function headerValues(
  { headers }: { headers: readonly (readonly [string, string])[] },
  name: string,
): string[] {
  return headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
}

/** The header as one text (RFC 9110 §5.3: repeated fields are joined by commas). */
export function headerOf(
  message: { headers: readonly (readonly [string, string])[] },
  name: string,
): string | undefined {
  const values = headerValues(message, name);
  return values.length > 0 ? values.join(', ') : undefined;
}

/** The environment, not the contract, prevented a response: a gateway, a limit, a broken connection. No finding. */
export class Unreachable extends Error {
  override name = 'Unreachable';
  readonly tries: Tries;

  constructor(message: string, tries: Tries = noTries()) {
    super(message);
    this.tries = tries;
  }
}

/** How often a request was sent, and how often the target closed the connection before the response was complete. */
export interface Tries {
  sent: number;
  closed: number;
  /** How many of these closed a new connection, so that an idle timeout is no explanation. */
  fresh: number;
  /** When it was closed for the first time, on the clock of `performance.now()`. */
  closedAt?: number;
}

export const noTries = (): Tries => ({ sent: 0, closed: 0, fresh: 0 });

/** An unsafe request whose outcome is unknown: it may have been carried out. The caller sends a new one. */
export class FateUnknown extends Unreachable {
  override name = 'FateUnknown';
  /** The connection was reused, and closed before any response: most likely just before the request. */
  readonly onReused: boolean;
  /** The service could not handle the request (503, RFC 9110 §15.6.4): most likely it changed nothing. */
  readonly declined: boolean;

  constructor(message: string, onReused = false, tries?: Tries, declined = false) {
    super(message, tries);
    this.onReused = onReused;
    this.declined = declined;
  }
}

export const INTERRUPTED = 'interrupted';

/** The user ended the run: nothing more is sent. */
export class Interrupted extends Unreachable {
  override name = 'Interrupted';

  constructor() {
    super(INTERRUPTED);
  }
}

/** The time of the run is over: nothing more is sent. */
export class TimeIsOver extends Unreachable {
  override name = 'TimeIsOver';

  constructor() {
    super('--max-time is over');
  }
}

/** How far a stream is read, as it may never end. */
export interface Listening {
  readonly messages: number;
  /** Milliseconds from its head. */
  readonly ms: number;
}

/** For requests that do not test messages: whether it is a stream shows at once. */
export const GLANCE: Listening = { messages: 1, ms: 250 };

/** For requests that test messages. */
export const LISTENING: Listening = { messages: 100, ms: 2000 };

/** How long the head of a stream may take: many servers send it with the first message. */
export const SILENCE_MS = 3000;

/** The maximum length in bytes; no documented message needs more. */
const LONGEST = 4 * 2 ** 20;

/** The part of a stream that was read. */
export interface ReadPart {
  readonly body: Uint8Array;
  /** Whether the stream continued, or broke off. */
  readonly left: boolean;
}

/**
 * Reads a stream until it ends or enough has arrived; then it is abandoned.
 * @param leave closes the connection
 */
export async function readStreamBody(
  contentType: string,
  chunks: AsyncIterable<Uint8Array>,
  { messages, ms }: Listening,
  leave: () => void,
): Promise<ReadPart> {
  const format = streamFormatOf(contentType) ?? 'lines';
  const parts: Uint8Array[] = [];
  let count = 0;
  let length = 0;
  let left = false;
  const stop = () => {
    left = true;
    leave();
  };
  const timer = setTimeout(stop, ms);
  try {
    for await (const chunk of chunks) {
      if (left) break;
      parts.push(chunk);
      length += chunk.length;
      count += endsIn(chunk, format);
      if (count >= messages || length > LONGEST) {
        stop();
        break;
      }
    }
  } catch {
    // After a broken connection, what has arrived counts.
    left = true;
  } finally {
    clearTimeout(timer);
  }
  return { body: Buffer.concat(parts), left };
}

/** An estimate of the messages that end in a chunk: a delimiter across two chunks is not counted. */
function endsIn(chunk: Uint8Array, format: StreamFormat): number {
  const text = Buffer.from(chunk).toString('latin1');
  const end = format === 'events' ? /\n\r?\n|\r\r/g : /\n/g;
  return text.match(end)?.length ?? 0;
}

/** An error of the user's code (a hook, a rule), with its stack: it ends the run, and is no finding. */
export class UserCodeError extends Error {
  override name = 'UserCodeError';

  /** @param where what was called, as the subject of a sentence */
  constructor(where: string, error: unknown) {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    super(`${where} failed: ${told}`);
  }
}
