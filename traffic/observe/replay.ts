import type { WireResponse } from '../../contract-tests/send/wire.ts';
import type { ObservedRequest, Observer } from './observed.ts';

/** Shows an observer recorded traffic, as it happened: exchanges that were under way at the same time still are. */
export interface Replay {
  /**
   * @param response undefined: none came
   * @param ms how long the exchange took, in milliseconds; default: as the response says, or none
   */
  add(request: ObservedRequest, response: WireResponse | undefined, ms?: number): void;
  /** To be called once, behind the last exchange. */
  finish(): void;
}

interface UnderWay {
  readonly endsAt: number;
  readonly end: () => void;
}

/** Files have the time of a beginning in whole milliseconds, rounded down: an exchange may have ended so much later. */
const PRECISION = 1;

/** Exchanges under way at one time, with their bodies. */
const MOST_UNDER_WAY = 256;

export function createReplay(observer: Observer): Replay {
  /** In the order of their ends. */
  const underWay: UnderWay[] = [];
  let latest = Number.NEGATIVE_INFINITY;

  /** Until then an exchange is under way that there was no room for. */
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
      // Where the order is not known, it is not known what an exchange may be held against.
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
