import type { WireResponse } from '../send/wire.ts';
import type { ObservedRequest, Observer, PendingExchange } from './observed.ts';

/** Shows an observer recorded traffic, as it happened: exchanges that were under way at the same time still are. */
export interface Replay {
  /** @param response undefined: none came */
  add(request: ObservedRequest, response: WireResponse | undefined): void;
  /** To be called once, behind the last exchange. */
  finish(): void;
}

interface UnderWay {
  readonly endsAt: number;
  readonly pending: PendingExchange;
  readonly response: WireResponse | undefined;
}

/** Files have the time of a beginning in whole milliseconds, rounded down: an exchange may have ended so much later. */
const PRECISION = 1;

/** Exchanges under way at one time, with their bodies. */
const MOST_UNDER_WAY = 256;

export function createReplay(observer: Observer): Replay {
  /** In the order of their ends. */
  const underWay: UnderWay[] = [];
  let latest = Number.NEGATIVE_INFINITY;

  function endUntil(time: number, most = Number.POSITIVE_INFINITY): void {
    for (;;) {
      const [next] = underWay;
      if (!next || (next.endsAt > time && underWay.length <= most)) return;
      underWay.shift();
      next.pending.end(next.response);
    }
  }

  function put(one: UnderWay): void {
    const at = underWay.findLastIndex(({ endsAt }) => endsAt <= one.endsAt);
    underWay.splice(at + 1, 0, one);
    endUntil(Number.NEGATIVE_INFINITY, MOST_UNDER_WAY);
  }

  return {
    add(request, response) {
      const { startedAt } = request;
      if (startedAt === undefined || startedAt < latest) {
        // Nobody knows what came before it.
        endUntil(Number.POSITIVE_INFINITY);
        observer.begin({ ...request, startedAt: undefined }).end(response);
        return;
      }
      latest = startedAt;
      endUntil(startedAt);
      const endsAt = startedAt + (response?.ms ?? 0) + PRECISION;
      put({ endsAt, pending: observer.begin(request), response });
    },
    finish: () => endUntil(Number.POSITIVE_INFINITY),
  };
}
