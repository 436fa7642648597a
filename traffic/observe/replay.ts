import type { WireResponse } from '../../contract-tests/send/wire.ts';
import type { ObservedRequest, Observer } from './observed.ts';

/** Passes recorded traffic to an observer as it happened: concurrent exchanges remain concurrent. */
export interface Replay {
  /**
   * @param response undefined: none
   * @param ms the duration of the exchange, in milliseconds; default: that of the response, or none
   */
  add(request: ObservedRequest, response: WireResponse | undefined, ms?: number): void;
  /** Call it once after the last exchange. */
  finish(): void;
}

interface UnderWay {
  readonly endsAt: number;
  readonly end: () => void;
}

/** Files round start times down to milliseconds: an exchange may have ended that much later. */
const PRECISION = 1;

/** The maximum number of concurrent exchanges, with their bodies. */
const MOST_UNDER_WAY = 256;

export function createReplay(observer: Observer): Replay {
  /** Sorted by their ends. */
  const underWay: UnderWay[] = [];
  let latest = Number.NEGATIVE_INFINITY;

  /** Until then, an exchange is in progress for which there was no room. */
  let crowdedUntil = Number.NEGATIVE_INFINITY;

  function endUntil(time: number): void {
    for (let [next] = underWay; next && next.endsAt <= time; [next] = underWay) endFirst(next);
  }

  function endFirst({ end }: UnderWay): void {
    underWay.shift();
    end();
  }

  function put(one: UnderWay): void {
    const at = underWay.findLastIndex(({ endsAt }) => endsAt <= one.endsAt);
    underWay.splice(at + 1, 0, one);
    const [first] = underWay;
    if (!first || underWay.length <= MOST_UNDER_WAY) return;
    crowdedUntil = Math.max(crowdedUntil, first.endsAt);
    endFirst(first);
  }

  return {
    add(request, response, ms = response?.ms ?? 0) {
      const startedAt = request.startedAt ?? Number.NEGATIVE_INFINITY;
      const isInOrder = startedAt >= latest && request.startedAt !== undefined;
      if (isInOrder) {
        latest = startedAt;
        endUntil(startedAt);
      }
      // If the order is unknown, an exchange cannot be compared with others.
      const isKnown = isInOrder && startedAt >= crowdedUntil;
      const pending = observer.begin(isKnown ? request : { ...request, startedAt: undefined });
      put({
        endsAt: Math.max(startedAt, latest) + ms + PRECISION,
        end: () => void pending.end(response),
      });
    },
    finish: () => endUntil(Number.POSITIVE_INFINITY),
  };
}
