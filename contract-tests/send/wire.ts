import { type StreamFormat, streamFormatOf } from '#spec';
import type { Presented } from './credentials.ts';

/** Members of an object, or parameters, by name. */
export type Data = Readonly<Record<string, unknown>>;

/** Statuses that say what has become of a record, or of a credential (RFC 9110 §15.3 and §15.5). */
export const CREATED = 201;
export const ACCEPTED = 202;
export const UNAUTHORISED = 401;
export const FORBIDDEN = 403;
export const NOT_FOUND = 404;
export const CONFLICT = 409;
export const GONE = 410;

/** There is no such record, or none any more. */
export const ABSENT: ReadonlySet<number> = new Set([NOT_FOUND, GONE]);

/** A request as bytes; what is sent and what a curl line shows. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  /** In the order in which they are sent; a name may repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  /** Send the body with `Transfer-Encoding: chunked` instead of a length. */
  readonly chunked: boolean;
  /** Which of the headers, and which of the last query parameters, are its credential. */
  readonly credential?: Presented;
  /** What its connection needs to be told. */
  readonly connection?: Connection;
  /** How far a stream is read, where the document has one. */
  readonly listening?: Listening;
  /** Nothing but a stream can be its success: until it says something there may be no response. */
  readonly mayBeSilent?: boolean;
  /** It may change something; undefined: where its method is not safe. */
  readonly changes?: boolean;
  /** It must be refused. */
  readonly faulty?: Faulty | undefined;
}

/** What a client is told of https connections; files by path. */
export interface Connection {
  readonly clientCert?: string | readonly string[] | undefined;
  readonly insecure?: boolean | undefined;
  /** The authority that is trusted beside those of the system. */
  readonly authority?: string | undefined;
}

/** Why an operation must refuse a request. */
export interface Faulty {
  readonly operation: string;
  readonly faults: readonly Fault[];
}

/** One value that is wrong: where it stands, with the rule that it breaks there, and how it breaks that. */
export interface Fault {
  readonly place: string;
  readonly kind: string;
}

/** A response as it came, nothing decoded. */
export interface WireResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** More came than {@link MAX_BODY}: reading was stopped there. */
  readonly cut: boolean;
  /** A stream that was left before its end, or that broke off; the body is what came before. */
  readonly left?: boolean;
  /** From the request's first byte to the response's last one; of a stream, to the end of its head. */
  readonly ms: number;
}

/** No documented answer needs more; the rest of a longer one is not read. */
export const MAX_BODY = 16 * 1024 * 1024;

/** Values of a header, names compared without case (RFC 9110 §5.1). */
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

/** The environment, not the contract, stood in the way: a gateway, a limit, a broken connection. No finding. */
export class Unreachable extends Error {
  override name = 'Unreachable';
  readonly tries: Tries;

  constructor(message: string, tries: Tries = noTries()) {
    super(message);
    this.tries = tries;
  }
}

/** How often a request was sent, and how often the target closed the connection before the whole response had come. */
export interface Tries {
  sent: number;
  closed: number;
  /** Of these: over connections that had served no other request, so that it was not closed just before. */
  fresh: number;
  /** When it was closed for the first time, on the clock of `performance.now()`. */
  closedAt?: number;
}

export const noTries = (): Tries => ({ sent: 0, closed: 0, fresh: 0 });

/** An unsafe request whose fate is unknown: it may have been carried out. The caller sends a fresh one. */
export class FateUnknown extends Unreachable {
  override name = 'FateUnknown';
  /** The connection was one of several requests, and closed before any response: most likely just before the request. */
  readonly onReused: boolean;

  constructor(message: string, onReused = false, tries?: Tries) {
    super(message, tries);
    this.onReused = onReused;
  }
}

export const INTERRUPTED = 'interrupted';

/** The user has ended the run: nothing more is sent. */
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

/** How far a stream is read: it may have no end. */
export interface Listening {
  readonly messages: number;
  /** Milliseconds from its head. */
  readonly ms: number;
}

/** For what is not about the messages: that it is a stream shows at once. */
export const GLANCE: Listening = { messages: 1, ms: 250 };

/** For what is about the messages. */
export const LISTENING: Listening = { messages: 100, ms: 2000 };

/** How long a stream may take until its head comes: many servers send that with the first message. */
export const SILENCE_MS = 3000;

/** No message of a document needs more. */
const LONGEST = 4 * 2 ** 20;

/** The part of a stream that was read. */
export interface ReadPart {
  readonly body: Uint8Array;
  /** It went on, or broke off. */
  readonly left: boolean;
}

/**
 * Reads a stream until it ends, or enough has come; then it is left.
 * @param leave ends the connection
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
    // A connection that breaks off leaves what has come.
    left = true;
  } finally {
    clearTimeout(timer);
  }
  return { body: Buffer.concat(parts), left };
}

/** Messages that end in a chunk, about: one that ends between two chunks is not counted. */
function endsIn(chunk: Uint8Array, format: StreamFormat): number {
  const text = Buffer.from(chunk).toString('latin1');
  const end = format === 'events' ? /\n\r?\n|\r\r/g : /\n/g;
  return text.match(end)?.length ?? 0;
}

/** An error of the user's own code (a hook, a law), with its stack: it ends the run, and is no finding. */
export class UserCodeError extends Error {
  override name = 'UserCodeError';

  /** @param where what was called, as the subject of a sentence */
  constructor(where: string, error: unknown) {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    super(`${where} failed: ${told}`);
  }
}
