import type { ObservedFinding, PendingExchange, RequestFault } from '#observe';
import type { Operation } from '#spec';
import { MAX_BODY } from '#target';
import { Content, isStream, type RequestHead, type ResponseHead } from '../message.ts';
import type { Replacement, Witness } from '../way.ts';

/** The bytes of a stream that are kept until it ends: its first messages show its behaviour. */
const MOST_OF_STREAM = 2 ** 20;

/** Handles what a recording contains. */
export interface Recorder {
  /** Reserves memory until the exchange is judged; false: there is no room. */
  keep(bytes: number): boolean;
  /** The request is complete. */
  began(recording: Recording): void;
  /** The response is complete, or will never be. */
  ended(recording: Recording): void;
  replacement(recording: Recording): Replacement | undefined;
}

/** Why an exchange is not judged. */
export type Unjudged =
  | 'upgraded'
  | 'abandoned'
  | 'failed'
  | 'tooLong'
  | 'overtaken'
  | 'notSampled'
  | 'refused';

/** An exchange in progress: its bodies are kept up to a limit, until it is judged. */
export class Recording implements Witness {
  readonly head: RequestHead;
  /** Where it is sent. */
  readonly origin: string;
  /** Milliseconds since 1970, and since the process began. */
  readonly startedAt = Date.now();
  readonly #began = performance.now();
  readonly #recorder: Recorder;
  #request: Content | undefined;
  #content: Content | undefined;
  response: ResponseHead | undefined;
  unjudged: Unjudged | undefined;
  /** The observer's view, until it has ended. */
  pending: PendingExchange | undefined;
  operation: Operation | undefined;
  /** Whether it is judged, if possible. */
  isSampled = true;
  /** Whether the request violates the document; each such request is counted. */
  isInvalid = false;
  invalid: ReturnType<RequestFault['describe']> | undefined;
  findings: readonly ObservedFinding[] = [];
  #requestBytes = 0;
  #responseBytes = 0;
  /** The number of kept bytes. */
  kept = 0;
  /** From the request's first byte to the response's last one, in milliseconds. */
  ms = 0;
  /** Whether only a part of a stream is judged: it broke off, was abandoned, or exceeds the limit. */
  left = false;
  #open = 2;

  constructor(head: RequestHead, origin: string, recorder: Recorder) {
    this.head = head;
    this.origin = origin;
    this.#recorder = recorder;
  }

  requestContent(part: Buffer): void {
    this.#requestBytes += part.length;
    if (!this.#mayAdd(part, this.#requestBytes)) return;
    this.#request ??= new Content();
    this.#request.add(part);
  }

  requestEnd(): void {
    this.#recorder.began(this);
    this.#close();
  }

  responseHead(head: ResponseHead): void {
    this.response = head;
  }

  responseContent(part: Buffer): boolean {
    this.#responseBytes += part.length;
    if (this.response && isStream(this.response) && this.#responseBytes > MOST_OF_STREAM) {
      this.left = true;
      return true;
    }
    if (!this.#mayAdd(part, this.#responseBytes)) return false;
    this.#content ??= new Content();
    this.#content.add(part);
    return true;
  }

  responseEnd(): void {
    this.ms = performance.now() - this.#began;
    this.#close();
  }

  drop(why: Unjudged): boolean {
    const isJudged = this.#isOpenStream && this.unjudged === undefined;
    if (isJudged) this.left = true;
    else this.leave(why);
    this.ms = performance.now() - this.#began;
    this.#open = 0;
    this.#recorder.ended(this);
    return isJudged;
  }

  /** A stream ends when one side leaves, after its request is complete. */
  get #isOpenStream(): boolean {
    return this.#open === 1 && this.response !== undefined && isStream(this.response);
  }

  replacement(): Replacement | undefined {
    return this.#recorder.replacement(this);
  }

  /** Drops everything that was kept. */
  leave(why: Unjudged): void {
    this.unjudged ??= why;
    this.forget();
  }

  /** Drops the bytes after judging. */
  forget(): void {
    this.#request = undefined;
    this.#content = undefined;
  }

  get requestBody(): Uint8Array | undefined {
    return this.#request || this.head.hasBody ? wholeOf(this.#request) : undefined;
  }

  /** The size of the sent content in bytes. */
  get requestLength(): number {
    return this.#requestBytes;
  }

  /** The size of the received content in bytes. */
  get responseLength(): number {
    return this.#responseBytes;
  }

  get responseBody(): Buffer {
    return wholeOf(this.#content);
  }

  /** A target may respond before it has the whole request. */
  #close(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#recorder.ended(this);
  }

  #mayAdd(part: Buffer, length: number): boolean {
    if (this.unjudged !== undefined) return false;
    if (length > MAX_BODY) this.leave('tooLong');
    else if (!this.#recorder.keep(part.length)) this.leave('overtaken');
    else this.kept += part.length;
    return this.unjudged === undefined;
  }
}

function wholeOf(content: Content | undefined): Buffer {
  return content?.whole() ?? Buffer.alloc(0);
}
