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

/** Exchanges begin and end in it as they did when they were recorded. */
export interface Timeline {
  /**
   * @param startedAt milliseconds since the epoch; undefined: nobody knows
   * @param ms how long the exchange took
   * @param begin is called at once, with the time if it can be relied on; what it returns when the exchange ends
   */
  enter(startedAt: number | undefined, ms: number, begin: Begin): void;
  /** To be called once, behind the last exchange. */
  finish(): void;
}

type Begin = (startedAt: number | undefined) => () => void;

interface UnderWay {
  readonly endsAt: number;
  readonly end: () => void;
}

/** Files have the time of a beginning in whole milliseconds, rounded down: an exchange may have ended so much later. */
const PRECISION = 1;

/** Exchanges under way at one time, with their bodies. */
const MOST_UNDER_WAY = 256;

export function createReplay(observer: Observer): Replay {
  const { enter, finish } = createTimeline();
  return {
    add(request, response, ms = response?.ms ?? 0) {
      enter(request.startedAt, ms, (startedAt) => {
        const isKnown = startedAt === request.startedAt;
        const pending = observer.begin(isKnown ? request : { ...request, startedAt });
        return () => void pending.end(response);
      });
    },
    finish,
  };
}

export function createTimeline(): Timeline {
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
    enter(given, ms, begin) {
      const startedAt = given ?? Number.NEGATIVE_INFINITY;
      const isInOrder = startedAt >= latest && given !== undefined;
      if (isInOrder) {
        latest = startedAt;
        endUntil(startedAt);
      }
      // Where the order is not known, it is not known what an exchange may be held against.
      const isKnown = isInOrder && startedAt >= crowdedUntil;
      put({
        endsAt: Math.max(startedAt, latest) + ms + PRECISION,
        end: begin(isKnown ? startedAt : undefined),
      });
    },
    finish: () => endUntil(Number.POSITIVE_INFINITY),
  };
}
