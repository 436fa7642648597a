import { type Operation, randomOf } from '#spec';
import type { RequestHead } from '../message.ts';
import type { Recording } from './recording.ts';

interface Known {
  readonly operation: Operation;
  readonly fields: string;
  readonly body: Buffer;
  order: number;
  /** When it was judged, on the clock of `performance.now()`. */
  at: number;
}

const MOST = 300;
/** The maximum size of bodies in bytes, in total and of one. */
const MOST_BYTES = 8 * 2 ** 20;
const LONGEST = 256 * 1024;
/** The maximum size of a request head in characters. */
const LONGEST_HEAD = 8 * 1024;
/** Milliseconds after which an exchange is judged again. */
const STAYS = 10_000;

/**
 * Remembers exchanges whose repetition needs no judging: safe requests without a body, whose response was judged and
 * breaks nothing, with the same bytes again (except Date), while nothing has changed that they could be compared with.
 * These change it: an unsafe request, for as long as replicas may lag behind it; another exchange that occurs for the
 * first time; time, for a date in the document.
 */
export class Repeats {
  readonly #known = new Map<string, Known>();
  #bytes = 0;
  #order = 0;
  /** The number of the latest judged exchange that was new. */
  #newest = 0;

  /** Whether a response may be a repetition, as far as the request shows. */
  mayRepeat(head: RequestHead): boolean {
    return this.#known.has(head.identity);
  }

  /** The operation, if the exchange is a repetition: it is not judged. */
  operationOf({ head, response, responseBody, unjudged }: Recording): Operation | undefined {
    const one = this.#known.get(head.identity);
    if (!one || !response || unjudged !== undefined) return undefined;
    if (one.order < this.#newest || performance.now() - one.at > STAYS) return undefined;
    return one.fields === response.identity && one.body.equals(responseBody) ? one.operation : undefined;
  }

  judged(
    { head, response, responseBody: body, unjudged }: Recording,
    operation: Operation,
    isSound: boolean,
  ) {
    if (!response) return;
    const before = this.#known.get(head.identity);
    const isSame = before?.fields === response.identity && before.body.equals(body);
    this.#order += 1;
    if (!isSame) this.#newest = this.#order;
    const { length } = head.identity;
    const isLong = body.length + length + response.identity.length > LONGEST || length > LONGEST_HEAD;
    if (!isSound || unjudged !== undefined || head.hasBody || isLong) {
      this.#known.delete(head.identity);
      return;
    }
    if (this.#known.size >= MOST || this.#bytes + body.length > MOST_BYTES) this.forget();
    this.#bytes += body.length;
    this.#known.set(head.identity, {
      operation,
      fields: response.identity,
      body: isSame ? before.body : Buffer.from(body),
      order: this.#order,
      at: performance.now(),
    });
  }

  /** Records may have changed: earlier judgements no longer apply. */
  forget(): void {
    this.#known.clear();
    this.#bytes = 0;
  }
}

/** Which exchanges are judged; `undefined` counts as absent. */
export interface Sampling {
  /** The share of exchanges that is judged, more than 0 and at most 1. Default: 1. */
  readonly sample?: number | undefined;
}

/** In parts per million. */
const WHOLE = 1_000_000;

/**
 * Decides for each exchange in turn whether it is judged. The selection depends on the order alone, by a fixed sequence
 * without a period.
 */
export function createSampler({ sample = 1 }: Sampling): () => boolean {
  const random = randomOf('sample');
  return () => sample >= 1 || random.integer(1, WHOLE) <= sample * WHOLE;
}
