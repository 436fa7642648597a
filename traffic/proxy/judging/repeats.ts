import { type Operation, randomOf } from '#spec';
import type { RequestHead } from '../message.ts';
import type { Recording } from './recording.ts';

interface Known {
  readonly operation: Operation;
  readonly fields: string;
  readonly body: Buffer;
  order: number;
  /** When it was judged, on the scale of `performance.now()`. */
  at: number;
}

const MOST = 300;
/** Bytes of bodies in all, and of one. */
const MOST_BYTES = 8 * 2 ** 20;
const LONGEST = 256 * 1024;
/** Characters of the head of a request. */
const LONGEST_HEAD = 8 * 1024;
/** Milliseconds after which an exchange is judged again. */
const STAYS = 10_000;

/**
 * Knows the exchanges whose repetition needs no second judgement: safe requests without a body, whose response was
 * judged and breaks nothing, with the same bytes again (but for Date), while nothing has changed that they could be held
 * against. What changes that: an unsafe request, for as long as replicas may lag behind it; another exchange that is
 * seen for the first time; time, for a date in the document.
 */
export class Repeats {
  readonly #known = new Map<string, Known>();
  #bytes = 0;
  #order = 0;
  /** The number of the judgement of the latest exchange that was new. */
  #newest = 0;

  /** Whether a response to it may be a repetition, as far as the request shows. */
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

  /** Records may have changed: nothing that was judged before counts. */
  forget(): void {
    this.#known.clear();
    this.#bytes = 0;
  }
}

/** Which exchanges are judged; `undefined` counts as absent. */
export interface Sampling {
  /** The part of all exchanges that is judged, more than 0 and at most 1. Default: 1. */
  readonly sample?: number | undefined;
}

/** In parts of a million. */
const WHOLE = 1_000_000;

/**
 * Says of each exchange in turn whether it is judged. Which ones are sampled depends on their order alone, by a sequence that
 * is always the same and has no period.
 */
export function createSampler({ sample = 1 }: Sampling): () => boolean {
  const random = randomOf('sample');
  return () => sample >= 1 || random.integer(1, WHOLE) <= sample * WHOLE;
}
