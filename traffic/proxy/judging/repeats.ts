import type { Operation } from '#spec';
import type { RequestHead } from '../wire/heads.ts';
import type { Recording } from './recording.ts';

/**
 * Knows the exchanges whose repetition needs no second judgement: safe requests without a body, whose response was
 * judged and breaks nothing, with the same bytes again (but for Date), while nothing has changed that they could be held
 * against. What changes that: an unsafe request, for as long as replicas may lag behind it; another exchange that is
 * seen for the first time; time, for a date in the document.
 */
export interface Repeats {
  /** Whether a response to it may be a repetition, as far as the request can tell. */
  mayRepeat(head: RequestHead): boolean;
  /** Whether the exchange is one; true: it is not judged. */
  isRepeat(recording: Recording): boolean;
  /** It was judged. */
  judged(recording: Recording, operation: Operation, isSound: boolean): void;
  /** The operation of a known request. */
  operationOf(head: RequestHead): Operation | undefined;
  /** Records may have changed: nothing that was judged before counts. */
  forget(): void;
}

interface Known {
  readonly operation: Operation;
  readonly fields: string;
  readonly body: Buffer;
  /** The number of the judgement. */
  order: number;
  /** When it was judged, on the scale of `performance.now()`. */
  at: number;
}

const MOST = 300;
/** Bytes of bodies in all, and of one. */
const MOST_BYTES = 8 * 2 ** 20;
const LONGEST = 256 * 1024;
/** Bytes of the head of a request; longer ones are read anew each time (`heads.ts`). */
const LONGEST_HEAD = 8 * 1024;
/** Milliseconds after which an exchange is judged again. */
const STAYS = 10_000;

export function createRepeats(): Repeats {
  const known = new Map<RequestHead, Known>();
  let bytes = 0;
  let order = 0;
  /** The number of the judgement of the latest exchange that was new. */
  let newest = 0;

  function forget(): void {
    known.clear();
    bytes = 0;
  }

  return {
    mayRepeat: (head) => known.has(head),
    isRepeat({ head, response, responseBody, unjudged }) {
      const one = known.get(head);
      if (!one || !response || unjudged !== undefined) return false;
      if (one.order < newest || performance.now() - one.at > STAYS) return false;
      return one.fields === response.identity && one.body.equals(responseBody);
    },
    judged({ head, response, responseBody: body, unjudged }, operation, isSound) {
      if (!response) return;
      const before = known.get(head);
      const isSame = before?.fields === response.identity && before.body.equals(body);
      order += 1;
      if (!isSame) newest = order;
      const isLong = body.length + head.forwarded.length + response.identity.length > LONGEST;
      if (
        !isSound ||
        unjudged !== undefined ||
        head.length !== 0 ||
        isLong ||
        head.forwarded.length > LONGEST_HEAD
      ) {
        known.delete(head);
        return;
      }
      if (known.size >= MOST || bytes + body.length > MOST_BYTES) forget();
      bytes += body.length;
      known.set(head, {
        operation,
        fields: response.identity,
        body: isSame ? before.body : Buffer.from(body),
        order,
        at: performance.now(),
      });
    },
    operationOf: (head) => known.get(head)?.operation,
    forget,
  };
}
